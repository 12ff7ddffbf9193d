import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ConventionKind, ConventionRule } from './convention-catalog.ts';
import { checkConventions } from './gather-conventions.ts';
import { createRegexRunner, type RegexRunner } from './user-regex.ts';

let regexes: RegexRunner;
beforeEach(() => {
  regexes = createRegexRunner(new AbortController().signal);
});
afterEach(() => regexes.close());

function rule(kind: ConventionKind, source: string | null, glob: string | null = null): ConventionRule {
  return { id: kind, description: '', kind, regex: source === null ? null : { source, flags: 'm' }, glob };
}

async function check(rules: ConventionRule[], files: Record<string, string | null>, dockerfiles: string[] = []) {
  const results = await checkConventions(rules, {
    dockerfiles,
    files: Object.keys(files),
    readText: async (path) => files[path] ?? null,
    regexes,
  });
  return results.map(({ result, evidence }) => [result, evidence]);
}

test('a Dockerfile rule looks at the raw text and at the final stage as words', async () => {
  const files = { Dockerfile: 'FROM a\nUSER root\nFROM b\n# note\nCMD ["npm","start"]\n' };
  const rules = [
    rule('dockerfile_pattern', '^CMD npm start$'),
    rule('dockerfile_pattern', '^# note$'),
    rule('dockerfile_pattern', '^USER node$'),
    rule('dockerfile_pattern_inverted', '^USER root$'),
    rule('dockerfile_pattern_inverted', 'npm start'),
    rule('dockerfile_pattern_inverted', 'latest'),
  ];
  expect(await check(rules, files, ['Dockerfile'])).toEqual([
    ['pass', [{ path: 'Dockerfile', line: 5 }]],
    ['pass', [{ path: 'Dockerfile', line: 4 }]],
    ['fail', 'pattern absent'],
    ['fail', 'forbidden pattern present'],
    ['fail', 'forbidden pattern present'],
    ['pass', []],
  ]);
});

test('every Dockerfile must keep the rule', async () => {
  const files = { Dockerfile: 'FROM a\nUSER x\n', 'b/Dockerfile': 'FROM b\n' };
  expect(await check([rule('dockerfile_pattern', '^USER')], files, Object.keys(files))).toEqual([
    ['fail', 'pattern absent'],
  ]);
  expect(await check([rule('dockerfile_pattern', '^USER')], files, [])).toEqual([
    ['not_applicable', 'no_dockerfile_present'],
  ]);
});

test('P2 file rules name the files; a file that cannot be read proves nothing', async () => {
  const files = { 'a.ts': 'x', 'b.ts': 'y', 'big.ts': null };
  expect(
    await check(
      [
        rule('file_pattern', 'x', '*.ts'),
        rule('file_pattern', '[xy]', '*.ts'),
        rule('file_pattern', '[xy]', '{a,b}.ts'),
        rule('missing_file', null, '{a,b}.ts'),
        rule('missing_file', null, '*.js'),
        rule('missing_file', 'y', '*.ts'),
      ],
      files,
    ),
  ).toEqual([
    ['fail', 'b.ts: pattern not found'],
    ['error', 'big.ts: unreadable'],
    [
      'pass',
      [
        { path: 'a.ts', line: 1 },
        { path: 'b.ts', line: 1 },
      ],
    ],
    ['fail', 'unexpected file present: a.ts; unexpected file present: b.ts'],
    ['pass', []],
    ['fail', 'unexpected file present: b.ts'],
  ]);
});

test('G16 a rule that overruns is given up at its first file, the others are judged', async () => {
  const text = `${'a'.repeat(50)}!`;
  const files = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`f${n}.txt`, text]));
  const results = await check([rule('file_pattern', '^(a+)+$', '*.txt'), rule('file_pattern', '!', '*.txt')], files);
  expect(results.map(([result]) => result)).toEqual(['error', 'pass']);
});
