import { expect, test } from 'vitest';
import { type CatalogOutcome, parseConventionCatalog } from './convention-catalog.ts';

function parse(text: string): CatalogOutcome {
  return parseConventionCatalog(new TextEncoder().encode(text));
}

function oneRule(rule: string): CatalogOutcome {
  return parse(`- ${rule}\n`);
}

test('a bare list and a mapping with rules; id or name, kind or detect.type', () => {
  const expected = {
    kind: 'loaded',
    rules: [
      { id: 'a', description: 'd', kind: 'file_pattern', regex: { source: 'x', flags: 'm' }, glob: 'src/**/*.ts' },
    ],
  };
  expect(oneRule('{id: a, description: d, kind: file_pattern, pattern: x, file_glob: "./src/**/*.ts"}')).toEqual(
    expected,
  );
  expect(
    parse(
      'rules:\n- name: a\n  description: d\n  severity: high\n  detect: {type: file_pattern, pattern: x, file_glob: "src/**/*.ts"}',
    ),
  ).toEqual(expected);
});

test('missing_file takes its pattern as glob, or the glob narrowed by a regex', () => {
  expect(oneRule('{id: a, kind: missing_file, pattern: "*.pem"}')).toMatchObject({
    rules: [{ glob: '*.pem', regex: null }],
  });
  expect(oneRule('{id: a, kind: missing_file, pattern: BEGIN, file_glob: "**/*.pem"}')).toMatchObject({
    rules: [{ glob: '**/*.pem', regex: { source: 'BEGIN' } }],
  });
});

test.each([
  ['{id: a, kind: dockerfile_pattern}', 'schema'],
  ['{id: a, kind: file_pattern, pattern: x}', 'schema'],
  ['{kind: file_pattern, pattern: x, file_glob: y}', 'schema'],
  ['{id: a, pattern: x}', 'schema'],
  ['{id: a, kind: missing_file, pattern: [x]}', 'schema'],
  ['just text', 'schema'],
  ['{id: a, kind: dockerfile_pattern, pattern: "["}', 'invalid_regex'],
  ['{id: a, kind: !!js/regexp x, pattern: [}', 'unsafe_yaml'],
])('%s is refused: %s', (rule, reason) => {
  expect(oneRule(rule)).toMatchObject({ kind: 'failed', error: { reason } });
});

test('an unknown kind is named', () => {
  expect(oneRule('{id: a, kind: wish, pattern: x}')).toEqual({
    kind: 'failed',
    error: { reason: 'unknown_pattern_type', offending_kind: 'wish' },
  });
});

test.each([
  '/etc/passwd',
  '../x',
  'a/../../x',
  'user:**',
  'config:external_docs:**',
  'names:**',
  '.git/config',
  '.codegenie/cache/**',
  '**/.git/*',
  'git-head:<resolved>',
  'a\\..\\b',
  'x'.repeat(1001),
])('P9 a glob cannot reach out of the repository or be endless: %s', (glob) => {
  const rule = JSON.stringify({ id: 'a', kind: 'file_pattern', pattern: 'x', file_glob: glob });
  expect(oneRule(rule)).toMatchObject({ kind: 'failed', error: { reason: 'schema' } });
});

test('G10 deep nesting and a file over its cap', () => {
  expect(parse(`- ${'['.repeat(100)}${']'.repeat(100)}`)).toMatchObject({ error: { reason: 'depth_cap_exceeded' } });
  expect(parse(`# ${'x'.repeat(1024 * 1024)}`)).toMatchObject({ error: { reason: 'size_cap_exceeded' } });
});
