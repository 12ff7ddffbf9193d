/**
 * Commit replay (code-plane.md §11, C2): a history of fifty commits, checked out one after the other in place; at each the store that
 * was brought up to date equals one built from nothing. The history is the same on every run.
 */

import { mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createIndexedTree, type IndexedTree } from '../support/indexed-tree.ts';
import { isSoak } from '../support/properties.ts';

const commits = 50;

let tree: IndexedTree | undefined;
afterEach(async () => {
  await tree?.dispose();
  tree = undefined;
});

/** Numbers that look random and are the same on every run. */
function createDice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % sides;
  };
}

const folders = ['', 'src/', 'src/lib/', 'pkg/', 'pkg/deep/er/', 'jvm/shop/', 'native/'];
const kinds = ['ts', 'py', 'java', 'c', 'h', 'go', 'md', 'cpp'];

function writeSource(kind: string, name: string, other: string, number: number): string {
  const named = other.replace(/\.\w+$/, '');
  switch (kind) {
    case 'ts':
      return `import { x${number % 7} } from './${named}';\nimport '@lib/${named}';\nexport const ${name}${number} = x${number % 7};\n`;
    case 'py':
      return `from . import ${named}\nfrom .${named} import thing\n\ndef ${name}_${number}(a): return thing\n`;
    case 'java':
      return `package shop;\nimport shop.C${number % 9};\npublic class C${number % 11} { void m${number}() {} }\n`;
    case 'go':
      return `package p${number % 3}\n\nimport "example.com/m/pkg"\n\nfunc F${number}() {}\n`;
    case 'md':
      return `# ${name} ${number}\n`;
    default:
      return `#include "${named}.h"\nint ${name}${number}(void) { return ${number}; }\n`;
  }
}

const configs: readonly (readonly [string, string])[] = [
  ['tsconfig.json', '{"compilerOptions":{"paths":{"@lib/*":["./src/lib/*"]}}}'],
  ['tsconfig.json', '{"compilerOptions":{"paths":{"@lib/*":["./pkg/*","./src/*"]}}}'],
  ['tsconfig.json', '{"extends":"./base.json"}'],
  ['base.json', '{"compilerOptions":{"baseUrl":"src"}}'],
  ['go.mod', 'module example.com/m\n\ngo 1.22\n'],
  ['go.mod', 'module example.com/other\n\ngo 1.22\n'],
  ['package.json', '{"name":"@lib/root","main":"src/f1.ts"}'],
  ['.gitattributes', '*.py linguist-generated\n'],
  ['.gitattributes', '*.h linguist-language=C++\n'],
  ['.gitignore', 'native/\n'],
  ['.cplignore', 'pkg/deep/\n'],
  ['.cplignore', '!native/f2.h\n'],
  ['.gitignore', '\n'],
];

/** Writes the history, and leaves `main` at its end. */
function writeHistory(of: IndexedTree, dice: (sides: number) => number): readonly string[] {
  const known = new Set<string>();
  const deleted: string[] = [];
  const history: string[] = [];
  const pick = () => [...known][dice(known.size)] as string;
  const write = (path: string, number: number) => {
    const name = (path.split('/').at(-1) as string).replace(/\W.*/, '');
    of.write(path, writeSource(path.split('.').at(-1) as string, name, `f${dice(9)}.x`, number));
    known.add(path);
  };
  for (let number = 0; number < commits; number += 1) {
    for (let step = 0; step < 4; step += 1) {
      const action = known.size < 8 ? 0 : dice(9);
      if (action <= 2) write(`${folders[dice(folders.length)]}f${dice(9)}.${kinds[dice(kinds.length)]}`, number);
      else if (action <= 4) write(pick(), number);
      else if (action === 5) {
        const path = pick();
        of.remove(path);
        known.delete(path);
        deleted.push(path);
      } else if (action === 6) {
        const [from, to] = [pick(), `${folders[dice(folders.length)]}f${dice(9)}.${kinds[dice(kinds.length)]}`];
        if (known.has(to)) continue;
        mkdirSync(dirname(join(of.root, to)), { recursive: true });
        renameSync(join(of.root, from), join(of.root, to));
        known.delete(from);
        known.add(to);
      } else if (action === 7 && deleted.length > 0) write(deleted[dice(deleted.length)] as string, number);
      else {
        const [path, text] = configs[dice(configs.length)] as (typeof configs)[number];
        writeFileSync(join(of.root, path), text);
      }
    }
    of.git('add', '-A', '-f');
    of.git('commit', '-q', '--allow-empty', '-m', `commit ${number}`);
    history.push(of.git('rev-parse', 'HEAD').trim());
  }
  return history;
}

test('P5 S11 a history that is replayed in place gives at each commit what a clean build gives', async () => {
  const own = createIndexedTree({ 'a.md': '# start\n' });
  tree = own;
  const dice = createDice(20_260_101);
  const history = writeHistory(own, dice);
  own.git('checkout', '-q', '-f', '--detach', history[0] as string);
  const session = await own.session();
  for (const [number, commit] of history.entries()) {
    own.git('checkout', '-q', '-f', '--detach', commit);
    const paths = own
      .git('ls-files', '-z')
      .split('\0')
      .filter((path) => path !== '');
    // Touched, and given a time long past: bytes decide.
    for (let count = 0; count < 3; count += 1) {
      const path = join(own.root, paths[dice(paths.length)] as string);
      const time = count === 0 ? 1_000_000_000 + number : Date.now() / 1000;
      utimesSync(path, time, time);
    }
    await session.reconcile('all');
    if (number % 7 === 3) {
      // To another commit and back, with a look in between or without.
      own.git('checkout', '-q', '-f', '--detach', history[dice(commits)] as string);
      if (dice(2) === 0) await session.reconcile('all');
      own.git('checkout', '-q', '-f', '--detach', commit);
    }
    if (isSoak || number % 10 === 9) expect(await own.dump(), `commit ${number}`).toBe(await own.cleanDump());
  }
  // The same rows are there however they came: the first commit again, from a session that never saw the others.
  own.git('checkout', '-q', '-f', '--detach', history[0] as string);
  await own.closeSession();
  expect(await own.dump()).toBe(await own.cleanDump());
});
