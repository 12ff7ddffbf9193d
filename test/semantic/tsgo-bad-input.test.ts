/**
 * Our own TypeScript indexer on programs that are broken, odd or half there (code-plane.md §6.1, §6.3): whatever a file holds, it has a
 * document that fits or none and a state that says so, and costs no other file its own.
 */

import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createTsgoRig, expectClean, type TsgoRig } from '../support/tsgo-rig.ts';

let rig: TsgoRig;
afterEach(() => rig.dispose());

const options = {
  strict: true,
  noEmit: true,
  target: 'esnext',
  lib: ['esnext'],
  module: 'esnext',
  moduleResolution: 'bundler',
  types: [],
};
const configOf = (more: object = {}, compilerOptions: object = {}) =>
  JSON.stringify({ compilerOptions: { ...options, ...compilerOptions }, include: ['src'], ...more });
const plain = { 'package.json': '{"name":"shop","version":"1.0.0"}', 'tsconfig.json': configOf() };

describe('text', () => {
  test('R16 BOM, all line ends, astral names, no text at all: every place is where it is, in every file', async () => {
    const texts = {
      'src/bom.ts': '\ufeffexport const bom = 1;\nexport const bom2 = bom;\n',
      'src/crlf.ts': 'export const crlf = 1;\r\nexport const crlf2 = crlf;\r\n',
      'src/cr.ts': 'export const cr = 1;\rexport const cr2 = cr;\r',
      'src/ls.ts':
        'export const ls = "\u2028";\u2028export const ls2 = ls;\n/* \u2029 */ export const ls3 = ls;\nls;\n',
      'src/astral.ts': 'export const 𠮷 = "😀"; export const after = 𠮷;\n',
      'src/empty.ts': '',
      'src/comment.ts': '// nothing\n/* at all */\n',
      'src/a b#c%20d/ü?.ts': 'export const odd = 1;\nexport const odd2 = odd;\n',
      'src/use.ts':
        "import { bom } from './bom';\nimport { odd } from './a b#c%20d/ü?';\nimport { ls } from './ls';\nexport const used = [bom, odd, ls];\n",
    };
    rig = createTsgoRig({ ...plain, ...texts });
    expect((await rig.refresh()).ran).toMatchObject([{ status: 'completed', accepted: 9, rejected: 0 }]);
    await expectClean(rig, ...Object.keys(texts));
    expect({
      bom: await rig.places('src/bom.ts', 'const «bom ='),
      crlf: await rig.places('src/crlf.ts', 'const «crlf ='),
      cr: await rig.places('src/cr.ts', 'const «cr ='),
      ls: await rig.places('src/ls.ts', 'const «ls ='),
      astral: await rig.places('src/astral.ts', 'const «𠮷 ='),
      odd: await rig.places('src/a b#c%20d/ü?.ts', 'const «odd ='),
    }).toEqual({
      bom: ['src/bom.ts:1:14', 'src/bom.ts:2:21', 'src/use.ts:1:10', 'src/use.ts:4:22'],
      crlf: ['src/crlf.ts:1:14', 'src/crlf.ts:2:22'],
      // Only `\n` ends a line here, whatever the compiler calls one.
      cr: ['src/cr.ts:1:14', 'src/cr.ts:1:41'],
      ls: ['src/ls.ts:1:14', 'src/ls.ts:1:43', 'src/ls.ts:2:28', 'src/ls.ts:3:1', 'src/use.ts:3:10', 'src/use.ts:4:32'],
      astral: ['src/astral.ts:1:14', 'src/astral.ts:1:46'],
      odd: ['src/a b#c%20d/ü?.ts:1:14', 'src/a b#c%20d/ü?.ts:2:21', 'src/use.ts:2:10', 'src/use.ts:4:27'],
    });
  });

  test('T1 T8 what is no text is never clean, and the files beside it are', async () => {
    const latin = Buffer.from('export const latin = "\xe9\xff"; latin;\n// \x80\xc3\nlatin;\n', 'latin1');
    rig = createTsgoRig({
      ...plain,
      'src/nul.ts': 'export const nul = 1;\n// \0\nnul;\n',
      'src/latin.ts': latin,
      'src/wide.ts': Buffer.from('\ufeffexport const wide = 1;\nwide;\n', 'utf16le'),
      'src/good.ts':
        "import { latin } from './latin';\nimport { nul } from './nul';\nexport const good = [latin, nul];\n",
    });
    expect((await rig.refresh()).ran).toMatchObject([{ status: 'completed' }]);
    expect(await rig.states('src/nul.ts', 'src/latin.ts', 'src/wide.ts', 'src/good.ts')).toEqual({
      'src/nul.ts': 'unsupported',
      'src/latin.ts': 'unsupported',
      'src/wide.ts': 'unsupported',
      'src/good.ts': 'clean',
    });
  });

  test('R19 a root with spaces, `#`, `%` and other scripts in its name, without any package', async () => {
    const files = {
      'tsconfig.json': configOf(),
      'src/a b.ts': 'export const odd = 1;\n',
      'src/use.ts': "import { odd } from './a b';\nexport const used = odd;\n",
    };
    rig = createTsgoRig(files, { name: 'a tree #1 100%25 ü?' });
    expect((await rig.refresh()).ran).toMatchObject([{ status: 'completed', accepted: 2, rejected: 0 }]);
    await expectClean(rig, 'src/a b.ts', 'src/use.ts');
    expect(await rig.places('src/a b.ts', '«odd')).toEqual(['src/a b.ts:1:14', 'src/use.ts:1:10', 'src/use.ts:2:21']);
    expect(await rig.tree.dump()).toContain('identity ["typescript @ src/`a b.ts`/odd."');
  });
});

describe('programs', () => {
  test('R17 syntax errors in half of the files, conflicts, cycles of stars, ambient modules, imports and paths that lead nowhere', async () => {
    const files = {
      'src/lost.ts':
        "import gone, { lost } from 'not-installed';\nimport { far } from 'nowhere/far';\nimport { near } from './not-there';\nexport const kept = [gone, lost.x, far, near];\n",
      'src/b.ts': "export * from './c';\nexport const fromB = 1;\n",
      'src/c.ts': "export * from './b';\nexport { fromB as again } from './c';\nexport const fromC = 1;\n",
      'src/e.ts': "import { fromB, fromC, again } from './b';\n[fromB, fromC, again];\n",
      'src/self.ts':
        "export * from './self';\nexport * as self from './self';\nimport { self } from './self';\nself.self;\n",
      'src/twice.ts':
        'export const twice = 1;\nexport class twice {}\nexport interface twice {}\nexport function twice() {}\nlet undefined = 1;\n',
      'src/global.ts':
        'declare global { interface Array<T> { odd: T } var globalThis: 1; }\nexport const o = [1].odd;\n',
      'src/ambient.d.ts':
        "declare module 'ambient' { export const thing: number }\ndeclare module '*.txt' { const text: string; export default text }\ndeclare module 'ambient' { export const thing: string }\n",
      'src/f.ts': "import { thing } from 'ambient';\nimport text from './x.txt';\nexport const f = [thing, text];\n",
      'src/broken1.ts':
        'export const broken = (1 +;\nclass { constructor( }\nfunction (\nexport const x = {a: , b: };\n',
      'src/broken2.ts': '<<<<<<< HEAD\nconst {{{ ]]\n=======\nimport from;\n>>>>>>> x\n',
      'src/broken3.ts': 'export function half(a: { b: [c',
      'src/broken4.ts': '\\u{110000} `${`${` "unterminated\n/* never ended',
      'src/broken5.ts': "import { half } from './broken3';\nimport { broken } from './broken1';\n[half, broken\n",
      'src/broken7.ts': "export interface Odd {\n  'never: number;\n  fine: number;\n}\n",
      'src/broken6.ts': 'enum { = } namespace a.. { export } abstract new <T,>( => { @ # ! ?. } interface extends {',
    };
    rig = createTsgoRig({
      ...plain,
      'tsconfig.json': configOf({}, { paths: { 'nowhere/*': ['./gone/*'] } }),
      ...files,
    });
    const count = Object.keys(files).length;
    expect((await rig.refresh()).ran).toMatchObject([{ status: 'completed', accepted: count, rejected: 0 }]);
    await expectClean(rig, ...Object.keys(files));
    expect({
      fromB: await rig.places('src/b.ts', '«fromB'),
      fromC: await rig.places('src/c.ts', '«fromC'),
      thing: await rig.places('src/ambient.d.ts', '«thing: number'),
      broken: await rig.places('src/broken1.ts', '«broken'),
      half: await rig.places('src/broken3.ts', '«half'),
    }).toEqual({
      fromB: ['b.ts:2:14', 'c.ts:2:10', 'c.ts:2:19', 'e.ts:1:10', 'e.ts:1:24', 'e.ts:2:2', 'e.ts:2:16'].map(inSources),
      fromC: ['c.ts:3:14', 'e.ts:1:17', 'e.ts:2:9'].map(inSources),
      thing: ['ambient.d.ts:1:41', 'ambient.d.ts:3:41', 'f.ts:1:10', 'f.ts:3:19'].map(inSources),
      broken: ['broken1.ts:1:14', 'broken5.ts:2:10', 'broken5.ts:3:8'].map(inSources),
      half: ['broken3.ts:1:17', 'broken5.ts:1:10', 'broken5.ts:3:2'].map(inSources),
    });
  });

  test('R12 T1 a file that becomes broken, and whole again, is as clean as its bytes', async () => {
    const whole = 'export function price(cents: number): string { return String(cents); }\n';
    rig = createTsgoRig({ ...plain, 'src/a.ts': whole, 'src/b.ts': "import { price } from './a';\nprice(1);\n" });
    await rig.refresh();
    rig.tree.write('src/a.ts', whole.slice(0, 30));
    await rig.refresh();
    await expectClean(rig, 'src/a.ts', 'src/b.ts');
    rig.tree.write('src/a.ts', whole);
    await rig.refresh();
    await expectClean(rig, 'src/a.ts', 'src/b.ts');
    expect(await rig.places('src/a.ts', '«price')).toEqual(['src/a.ts:1:17', 'src/b.ts:1:10', 'src/b.ts:2:1']);
  });

  test('T2 a file that is used through a linked directory is a dependency like any other', async () => {
    rig = createTsgoRig({
      ...plain,
      'real/shape.ts': 'export const size: number = 1;\n',
      'src/own.ts': 'export const own = 1;\n',
      'src/use.ts':
        "import { size } from './link/shape';\nimport { own } from './alias';\nexport const used = [size, own];\n",
      'src/direct.ts': "import { size } from '../real/shape';\nexport const direct = size;\n",
    });
    for (const [name, target] of Object.entries({
      link: '../real',
      'alias.ts': 'own.ts',
      'gone.ts': 'no.ts',
      loop: '.',
    }))
      symlinkSync(target, join(rig.tree.root, 'src', name));
    await rig.refresh();
    await expectClean(rig, 'real/shape.ts', 'src/own.ts', 'src/use.ts', 'src/direct.ts');
    const direct = ['src/direct.ts:1:10', 'src/direct.ts:2:23'];
    const places = ['real/shape.ts:1:14', ...direct, 'src/use.ts:1:10', 'src/use.ts:3:22'];
    expect(await rig.places('real/shape.ts', '«size')).toEqual(places);
    rig.tree.write('real/shape.ts', 'export const size: string = "";\n');
    await (await rig.tree.session()).reconcile('all');
    expect(await rig.states('src/use.ts')).not.toEqual({ 'src/use.ts': 'clean' });
    await rig.refresh();
    await expectClean(rig, 'real/shape.ts', 'src/use.ts');
  });

  test('a configuration that means no file is no run', async () => {
    rig = createTsgoRig({ ...plain, 'docs/a.md': '# no code\n' });
    expect(await rig.refresh()).toMatchObject({ ran: [], failed: [], waiting: [], hopeless: [] });
    expect(rig.runs).toEqual([]);
  });
});

describe('projects', () => {
  const composite = { noEmit: false, composite: true, outDir: 'dist', rootDir: 'src' };
  const solution = {
    '.gitignore': 'dist/\nnode_modules/\n',
    'package.json': '{"name":"all","private":true}',
    'tsconfig.json': JSON.stringify({ files: [], references: [{ path: './core' }, { path: './app' }] }),
    'core/tsconfig.json': configOf({ references: [{ path: '../app' }] }, composite),
    'core/package.json': '{"name":"core","version":"1.0.0","types":"dist/index.d.ts","main":"dist/index.js"}',
    'core/src/index.ts': "export * from './deep';\nexport const top = 1;\n",
    'core/src/deep.ts': 'export interface Deep { inner: number }\nexport const deep: Deep = { inner: 1 };\n',
    'app/tsconfig.json': configOf({ references: [{ path: '../core' }, { path: '../gone' }] }, composite),
    'app/package.json': '{"name":"app","version":"1.0.0"}',
    'app/src/direct.ts': "import { deep } from '../../core/src/index';\ndeep.inner;\n",
    'app/src/named.ts': "import { top, deep } from 'core';\nexport const b = [top, deep.inner];\n",
  };
  const built = {
    'core/dist/index.d.ts': "export * from './deep';\nexport declare const top = 1;\n",
    'core/dist/deep.d.ts': 'export interface Deep { inner: number }\nexport declare const deep: Deep;\n',
  };
  const sources = Object.keys(solution).filter((path) => path.includes('/src/'));

  test.each([
    ['built', built],
    ['never built', {}],
  ])(
    'T2 what is used of a project that is referenced means its sources (%s), around a circle and past a missing one',
    async (_, outputs) => {
      rig = createTsgoRig(solution);
      for (const [path, text] of Object.entries(outputs)) rig.tree.write(path, text);
      rig.tree.write('node_modules/.package-lock.json', '{}');
      symlinkSync('../core', join(rig.tree.root, 'node_modules/core'));
      const { failed, hopeless } = await rig.refresh();
      expect({ failed, hopeless }).toEqual({ failed: [], hopeless: [] });
      await expectClean(rig, ...sources);
      expect({
        top: await rig.places('core/src/index.ts', '«top'),
        deep: await rig.places('core/src/deep.ts', 'const «deep'),
        inner: await rig.places('core/src/deep.ts', '«inner: number'),
        items: await rig.items('app/src/named.ts'),
      }).toEqual({
        top: ['app/src/named.ts:1:10', 'app/src/named.ts:2:19', 'core/src/index.ts:2:14'],
        deep: ['direct.ts:1:10', 'direct.ts:2:1', 'named.ts:1:15', 'named.ts:2:24']
          .map((place) => `app/src/${place}`)
          .concat('core/src/deep.ts:2:14'),
        inner: ['app/src/direct.ts:2:6', 'app/src/named.ts:2:29', 'core/src/deep.ts:1:25', 'core/src/deep.ts:2:29'],
        items: [],
      });
      // Also of a run about one file.
      rig.tree.write(
        'core/src/deep.ts',
        'export interface Deep { inner: string }\nexport const deep: Deep = { inner: "" };\n',
      );
      await (await rig.tree.session()).reconcile('all');
      expect(await rig.states('app/src/named.ts')).not.toEqual({ 'app/src/named.ts': 'clean' });
      await rig.refresh();
      await expectClean(rig, ...sources);
      expect(await rig.places('core/src/deep.ts', '«inner: string')).toHaveLength(4);
    },
  );

  test('T9 two projects that share files and disagree: what both say, and the worse of their states', async () => {
    const config = JSON.stringify({
      compilerOptions: { ...options, paths: { '#impl': ['./impl.ts'] } },
      include: ['.', '../shared'],
    });
    rig = createTsgoRig({
      'package.json': plain['package.json'],
      'app/tsconfig.json': config,
      'app/impl.ts': 'export const start = (): number => 1;\n',
      'worker/tsconfig.json': config,
      'worker/impl.ts': 'export const start = (): string => "";\n',
      'shared/use.ts': "import { start } from '#impl';\nexport const begun = start();\n",
      'shared/last.ts': "import { begun } from './use';\nexport const last = [begun];\n",
    });
    const all = ['app/impl.ts', 'worker/impl.ts', 'shared/use.ts', 'shared/last.ts'];
    await rig.refresh();
    await expectClean(rig, ...all);
    const uses = ['shared/use.ts:1:10', 'shared/use.ts:2:22'];
    expect(await rig.places('app/impl.ts', '«start')).toEqual(['app/impl.ts:1:14', ...uses]);
    expect(await rig.places('worker/impl.ts', '«start')).toEqual([...uses, 'worker/impl.ts:1:14']);

    // One of them only: the other has not seen the edit.
    rig.tree.write('shared/use.ts', "import { start } from '#impl';\n\nexport const begun = [start()];\n");
    expect((await rig.refresh({ contexts: ['ts:app/tsconfig.json'] })).ran).toMatchObject([{ status: 'completed' }]);
    expect(await rig.states('shared/use.ts', 'app/impl.ts', 'worker/impl.ts')).toEqual({
      'shared/use.ts': 'dirty',
      'app/impl.ts': 'clean',
      'worker/impl.ts': 'clean',
    });
    expect(await rig.places('app/impl.ts', '«start')).toEqual(['app/impl.ts:1:14', uses[0], 'shared/use.ts:3:23']);
    await rig.refresh();
    await expectClean(rig, ...all);

    // An interface of one of them: the other has nothing to do with it.
    rig.tree.write('worker/impl.ts', 'export const start = (): boolean => true;\n');
    const { ran } = await rig.refresh();
    expect(ran.filter(({ by }) => by === 'indexer')).toMatchObject([
      { context: 'ts:worker/tsconfig.json', status: 'completed', accepted: 3 },
    ]);
    await expectClean(rig, ...all);
    expect(await rig.places('app/impl.ts', '«start')).toEqual(['app/impl.ts:1:14', uses[0], 'shared/use.ts:3:23']);
  });
});

function inSources(place: string): string {
  return `src/${place}`;
}
