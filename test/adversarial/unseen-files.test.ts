/**
 * F12 M9 by random trees: a file that cannot be named or read as text, and that could hold the name, is counted by every answer and stops
 * every proof. The judge looks at the bytes on disk: whatever holds the name and is code is either among what was found, or the answer says
 * that there may be more; a rename that asks nothing leaves no import of the old name behind.
 */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFixtureRepo, type FixtureRepo } from '../support/fixture-repo.ts';
import { type IndexRenames, openRenames } from '../support/index-rename.ts';
import fc from '../support/properties.ts';
import { runCli } from '../support/run-cli.ts';
import { secretSamples } from '../support/secret-samples.ts';

const project = {
  'tsconfig.json': JSON.stringify({
    compilerOptions: { strict: true, module: 'esnext', types: [], allowJs: true, jsx: 'preserve', noEmit: true },
  }),
  'src/a.ts': 'export function add(a: number): number {\n  const twice = a;\n  return twice + a;\n}\n',
  'src/c.ts': "import { add } from './a';\nexport const y = add(2);\n",
};
const python = { 'a.py': 'def add(a):\n    return a\nprint(add(1))\n', 'c.py': 'from a import add\nprint(add(2))\n' };

/** As bytes, one character each. */
const token = secretSamples.github_token[0]?.secret ?? '';
const stem = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ text: 'b', isNamed: true }) },
  fc
    .array(fc.constantFrom('\xff', '\xfe', '\xc3(', '\xed\xa0\x80', '\xf5', '\x80'), { minLength: 1, maxLength: 3 })
    .map((parts) => ({ text: `b${parts.join('')}`, isNamed: false })),
  fc.constant({ text: token, isNamed: false }),
);
const folder = fc.constantFrom('src/', 'src/deep/', '', 'src/\xff\xfe/');
/** Endings of files that hold code, and of those that hold none. */
const ending = fc.constantFrom(
  ...['.ts', '.tsx', '.mts', '.js', '.jsx', '.mjs'].map((text) => ({ text, isCode: true })),
  ...['.pem', '.png'].map((text) => ({ text, isCode: false })),
);
type Content = 'plain' | 'latin-1' | 'nul' | 'utf-16' | 'large' | 'none';
const content = fc.constantFrom<Content>('plain', 'latin-1', 'nul', 'utf-16', 'large', 'none');

const code = (from: string) => `import { add } from '${from}';\nexport const hidden = add(1);\n`;

function bytesOf(how: Content, source: string): Buffer {
  switch (how) {
    case 'plain':
      return Buffer.from(source);
    case 'latin-1':
      return Buffer.from(`// caf\xe9\n${source}`, 'latin1');
    case 'nul':
      return Buffer.from(`${source}// \0\n`);
    case 'utf-16':
      return Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(source, 'utf16le')]);
    // More than a search reads.
    case 'large':
      return Buffer.from(`${source}${`// ${'x'.repeat(77)}\n`.repeat(60_000)}`);
    case 'none':
      return Buffer.from('export const other = 1;\n');
  }
}

const unseen = fc.record({ folder, stem, ending, content });
type Unseen = typeof unseen extends fc.Arbitrary<infer T> ? T : never;

/** Drawn once, and judged wrong then: a token as the name of a file in a folder whose own name is not UTF-8. */
const drawnBefore: readonly Unseen[] = [
  {
    folder: 'src/\xff\xfe/',
    stem: { text: token, isNamed: false },
    ending: { text: '.js', isCode: true },
    content: 'utf-16',
  },
  {
    folder: 'src/deep/',
    stem: { text: 'b', isNamed: true },
    ending: { text: '.js', isCode: true },
    content: 'large',
  },
];

/** Whether a search through what can be read would not find it. */
const isGap = ({ folder: above, stem: own, ending: { isCode }, content: how }: Unseen): boolean =>
  isCode && (!own.isNamed || above.includes('\xff') || (how !== 'plain' && how !== 'none'));

let repo: FixtureRepo;
let renames: IndexRenames;

beforeAll(async () => {
  repo = createFixtureRepo(project);
  renames = await openRenames(python, { semantic: true });
});
afterAll(async () => {
  repo.dispose();
  await renames.dispose();
});

function put(root: string, one: Unseen, ext: string, source: string): () => void {
  const directory = Buffer.from(`${root}/${one.folder}`, 'latin1');
  const file = Buffer.from(`${root}/${one.folder}${one.stem.text}${ext}`, 'latin1');
  mkdirSync(directory, { recursive: true });
  writeFileSync(file, bytesOf(one.content, source));
  return () => rmSync(file);
}

const ask = async (...argv: string[]) => {
  const ended = await runCli([...argv, '--json'], { cwd: repo.root, home: repo.home });
  const answer = JSON.parse(ended.stdout) as {
    readonly count?: { readonly value: number; readonly relation: string };
    readonly outcome: { readonly kind: string };
  };
  return { answer, text: ended.stdout };
};

const upward: Readonly<Record<string, string>> = { 'src/': './a', 'src/deep/': '../a', '': './src/a' };

test('F12 M9 what cannot be named or read is counted by searches, references and renames', async () => {
  await fc.assert(
    fc.asyncProperty(unseen, async (one) => {
      const remove = put(repo.root, one, one.ending.text, code(upward[one.folder] ?? '../a'));
      try {
        for (const argv of [
          ['search', 'add'],
          ['refs', 'src/a.ts:1:17'],
        ]) {
          const { answer, text } = await ask(...argv);
          // More than was needed may be said; less may not.
          if (isGap(one)) expect(answer.count?.relation, argv.join(' ')).toBe('gte');
          expect(text).not.toContain(token);
        }
        const { answer, text } = await ask('rename', 'src/a.ts:1:17', 'sum');
        if (isGap(one)) expect(answer.outcome.kind, text).not.toBe('ok');
        expect(text).not.toContain(token);
        // What no other file can name is no matter of that file.
        expect((await ask('rename', 'src/a.ts:2:9', 'both')).answer.outcome.kind).toBe('ok');
      } finally {
        remove();
      }
    }),
    {
      numRuns: 12,
      timeout: 300_000,
      examples: drawnBefore.map((one): [Unseen] => [one]),
    },
  );
});

test('F12 M9 by index: what cannot be named or read is a question of a rename in Python', async () => {
  await fc.assert(
    fc.asyncProperty(unseen, async (one) => {
      const isCode = one.ending.isCode;
      // A file that can be read waits for its indexer, which is another question.
      fc.pre(isGap(one) || !isCode);
      const remove = put(renames.root, one, isCode ? '.py' : one.ending.text, 'from a import add\nprint(add(1))\n');
      try {
        const plan = await renames.plan('a.py:def «add»', 'sum');
        if (plan.kind === 'findings') {
          const kinds = plan.items.map(({ kind }) => kind);
          if (isCode && one.content !== 'none') expect(kinds).toContain('unreadable_file');
        } else expect(plan.kind).toBe('blocked');
      } finally {
        remove();
      }
    }),
    { numRuns: 20, timeout: 300_000 },
  );
});
