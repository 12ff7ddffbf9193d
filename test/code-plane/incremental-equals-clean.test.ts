/** P5, S11, R1: after any sequence of changes the store equals one built from scratch, whatever was or was not told meanwhile. */

import { lstatSync, mkdirSync, renameSync, symlinkSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createIndexedTree, type IndexedTree } from '../support/indexed-tree.ts';
import fc from '../support/properties.ts';

const names = [
  'a.ts',
  'b.ts',
  'lib/a.ts',
  'lib/index.ts',
  'lib/c.js',
  'src/app.py',
  'src/util.py',
  'src/__init__.py',
  'x.h',
  'y.c',
  'y.cpp',
] as const;
const texts = [
  `import { b } from './b.js';\nexport const a = b;\n`,
  `import a from './lib';\nexport const b: number = 1;\nexport function f(): void {}\n`,
  `export * from './a.js';\nimport '@w/lib';\n`,
  `from . import util\nfrom .app import run\ndef run(x): return x\n`,
  `#include "x.h"\nint main(void) { return 0; }\n`,
  `const t = 'ghp_0123456789abcdefghijABCDEFGHIJ456789';\n`,
  '',
] as const;
const ignores = ['', 'lib/\n', '*.py\n', '!lib/a.ts\n', 'b.ts\n'] as const;

type Step = (tree: IndexedTree) => void;

const quietly = (act: () => void) => {
  try {
    act();
  } catch {
    // Not every step is possible in every state: a move without a source, a commit without a change.
  }
};

const path = fc.constantFrom(...names);
const step: fc.Arbitrary<{ readonly says: string; readonly act: Step }> = fc.oneof(
  fc.tuple(path, fc.constantFrom(...texts)).map(([name, text]) => ({
    says: `write ${name} ${JSON.stringify(text)}`,
    act: (tree: IndexedTree) => quietly(() => tree.write(name, text)),
  })),
  path.map((name) => ({ says: `delete ${name}`, act: (tree: IndexedTree) => tree.remove(name) })),
  fc.tuple(path, path).map(([from, to]) => ({
    says: `move ${from} ${to}`,
    act: (tree: IndexedTree) =>
      quietly(() => {
        mkdirSync(dirname(join(tree.root, to)), { recursive: true });
        renameSync(join(tree.root, from), join(tree.root, to));
      }),
  })),
  fc.constantFrom(...ignores).map((text) => ({
    says: `.gitignore ${JSON.stringify(text)}`,
    act: (tree: IndexedTree) => tree.write('.gitignore', text),
  })),
  fc.constantFrom(...ignores).map((text) => ({
    says: `.cplignore ${JSON.stringify(text)}`,
    act: (tree: IndexedTree) => tree.write('.cplignore', text),
  })),
  fc
    .constantFrom(
      '{"compilerOptions":{"paths":{"@w/*":["./*"]}}}',
      '{"extends":"./base.json"}',
      '{"extends":"./base.json"}',
      '{}',
      '{',
    )
    .map((text) => ({ says: `tsconfig ${text}`, act: (tree: IndexedTree) => tree.write('tsconfig.json', text) })),
  fc.constantFrom('{"name":"@w/lib"}', '{"name":"x","main":"a.ts"}').map((text) => ({
    says: `lib/package.json ${text}`,
    act: (tree: IndexedTree) => quietly(() => tree.write('lib/package.json', text)),
  })),
  fc.constantFrom('*.ts linguist-generated\n', 'x.h linguist-language=cpp\n', '').map((text) => ({
    says: `.gitattributes ${text}`,
    act: (tree: IndexedTree) => tree.write('.gitattributes', text),
  })),
  path.map((name) => ({
    says: `touch ${name}`,
    act: (tree: IndexedTree) => quietly(() => utimesSync(join(tree.root, name), 1_000_000_000, 1_000_000_000)),
  })),
  fc.tuple(path, path).map(([from, to]) => ({
    says: `link ${to} -> ${from}`,
    act: (tree: IndexedTree) =>
      quietly(() => {
        if (lstatSync(join(tree.root, to), { throwIfNoEntry: false }) === undefined)
          symlinkSync(join(tree.root, from), join(tree.root, to));
      }),
  })),
  fc.constant({ says: 'add', act: (tree: IndexedTree) => quietly(() => tree.git('add', '-A')) }),
  fc.constant({ says: 'commit', act: (tree: IndexedTree) => quietly(() => tree.git('commit', '-qam', 'next')) }),
  fc.constantFrom('main', 'other').map((branch) => ({
    says: `checkout ${branch}`,
    act: (tree: IndexedTree) => quietly(() => tree.git('checkout', '-q', '-f', branch)),
  })),
  fc.constant({ says: 'branch', act: (tree: IndexedTree) => quietly(() => tree.git('branch', 'other')) }),
  fc.constantFrom(...names).map((name) => ({
    says: `rm --cached ${name}`,
    act: (tree: IndexedTree) => quietly(() => tree.git('rm', '-q', '--cached', name)),
  })),
);

const start = {
  'a.ts': texts[0],
  'b.ts': texts[1],
  'lib/index.ts': texts[2],
  'src/app.py': texts[3],
  'src/util.py': '',
  'x.h': '',
};

for (const git of [true, false]) {
  test(`P5 S11 R1 incremental equals clean, ${git ? 'with' : 'without'} git`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 3 }),
        async (rounds) => {
          const tree = createIndexedTree(start, { git });
          try {
            await tree.session();
            for (const steps of rounds) {
              for (const { act } of steps) act(tree);
              const incremental = await tree.dump();
              expect(incremental, steps.map(({ says }) => says).join('; ')).toBe(await tree.cleanDump());
            }
          } finally {
            await tree.dispose();
          }
        },
      ),
      { numRuns: 5 },
    );
  });
}
