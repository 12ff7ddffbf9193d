import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Answer } from '../../src/mutate/answer.ts';
import { type MoveWorld, openMoveWorld } from '../support/move-world.ts';

const open: MoveWorld[] = [];
afterEach(async () => {
  for (const world of open.splice(0)) await world.close();
});

async function openRepo(
  files: Readonly<Record<string, string>>,
  modes: Readonly<Record<string, number>> = {},
): Promise<MoveWorld> {
  const world = await openMoveWorld(files, modes);
  open.push(world);
  return world;
}

function config(options: object = {}, rest: object = {}): string {
  const usual = { module: 'nodenext', target: 'es2022', lib: ['es2022'], strict: true, noEmit: true, types: [] };
  return JSON.stringify({ compilerOptions: { ...usual, ...options }, ...rest });
}

const bundled = { module: 'esnext', moduleResolution: 'bundler' };

function stateOf({ outcome }: Answer): string {
  if (outcome.kind === 'ok') return outcome.state;
  return 'reason' in outcome ? `${outcome.kind} ${outcome.reason}` : outcome.kind;
}

function detailOf({ outcome }: Answer): string {
  return 'detail' in outcome ? String(outcome.detail) : '';
}

test('M35 every way to import is written anew in its own style, and undo restores bytes and modes', async () => {
  const files = {
    'package.json': '{ "type": "module" }\n',
    'tsconfig.json': config({ allowJs: true, checkJs: true, paths: { '@/*': ['./src/*'] }, resolveJsonModule: true }),
    'src/lib/a.ts': [
      "import { b } from '../b.js';",
      "import data from './data.json' with { type: 'json' };",
      "import type { A as Self } from './a.js';",
      'export type A = number;',
      'export const a: Self = b + data.v;\r',
      '',
    ].join('\n'),
    'src/lib/data.json': '{ "v": 1 }\n',
    'src/b.ts': 'export const b = 1;\n',
    'src/index.ts': 'export * from "./lib/a.js";\nexport { a as other } from \'@/lib/a.js\';\n',
    'src/types.ts': "export type T = import('./lib/a.js').A;\nexport const load = () => import(`./lib/a.js`);\n",
    'src/doc.js': "/** @type {import('./lib/a.js').A} */\nexport const d = 1;\n",
    'src/tag.js': "/** @import { A } from './lib/a.js' */\n/** @type {A} */\nexport const t = 1;\n",
    'src/old.cts': "import a = require('./lib/c.cjs');\nexport = a;\n",
    'src/lib/c.cts': 'export const c = 1;\n',
    'src/a.test.ts': [
      "import { a } from './lib/a.js';",
      'declare const vi: { mock(path: string): void };',
      "vi.mock('./lib/a.js');",
      "export const url = new URL('./lib/a.js', import.meta.url);",
      "export const meta = import.meta.resolve('./lib/a.js');",
      'export const kept = a;',
      '',
    ].join('\n'),
  };
  const world = await openRepo(
    { ...files, 'src/lib/a.ts': `\ufeff${files['src/lib/a.ts']}` },
    { 'src/lib/a.ts': 0o755 },
  );
  const before = world.read('src/lib/a.ts');
  const answer = await world.move('src/lib/a.ts', 'src/core/deep/aa.ts');
  expect(stateOf(answer)).toBe('planned');
  expect(world.planOf(answer)).toMatchObject({
    provenance: 'proven',
    moves: [{ from: 'src/lib/a.ts', to: 'src/core/deep/aa.ts' }],
  });
  expect(world.edits(answer)).toEqual([
    'src/a.test.ts  ./lib/a.js → ./core/deep/aa.js',
    'src/a.test.ts  ./lib/a.js → ./core/deep/aa.js',
    'src/a.test.ts  ./lib/a.js → ./core/deep/aa.js',
    'src/a.test.ts  ./lib/a.js → ./core/deep/aa.js',
    'src/doc.js  ./lib/a.js → ./core/deep/aa.js',
    'src/index.ts  ./lib/a.js → ./core/deep/aa.js',
    'src/index.ts  @/lib/a.js → @/core/deep/aa.js',
    'src/lib/a.ts  ../b.js → ../../b.js',
    'src/lib/a.ts  ./data.json → ../../lib/data.json',
    'src/lib/a.ts  ./a.js → ./aa.js',
    'src/tag.js  ./lib/a.js → ./core/deep/aa.js',
    'src/types.ts  ./lib/a.js → ./core/deep/aa.js',
    'src/types.ts  ./lib/a.js → ./core/deep/aa.js',
  ]);
  expect(stateOf(await world.finish(answer))).toBe('applied');
  expect(world.mode('src/core/deep/aa.ts')).toBe(0o755);
  expect(world.read('src/core/deep/aa.ts')).toBe(
    before.replace('../b.js', '../../b.js').replace('./data.json', '../../lib/data.json').replace('./a.js', './aa.js'),
  );
  expect(world.tree.git('status', '--porcelain', '-uall', '--', 'src/lib', 'src/core')).toBe(
    ' D src/lib/a.ts\n?? src/core/deep/aa.ts\n',
  );
  expect(stateOf(await world.undo(world.planOf(answer)))).toBe('undone');
  expect(world.read('src/lib/a.ts')).toBe(before);
  expect(world.mode('src/lib/a.ts')).toBe(0o755);
  expect(world.tree.git('-c', 'core.fileMode=false', 'status', '--porcelain')).toBe('');
});

test('endings stay as they were: none, as built, as they are', async () => {
  const world = await openRepo({
    'tsconfig.json': config({ ...bundled, allowImportingTsExtensions: true, jsx: 'preserve' }),
    'a.tsx': 'export const a = 1;\n',
    'none.ts': "export * from './a';\n",
    'built.ts': "export * from './a.js';\n",
    'whole.ts': "export * from './a.tsx';\n",
  });
  const answer = await world.move('a.tsx', 'b/');
  expect(world.edits(answer)).toEqual([
    'built.ts  ./a.js → ./b/a.js',
    'none.ts  ./a → ./b/a',
    'whole.ts  ./a.tsx → ./b/a.tsx',
  ]);
  expect(world.planOf(answer).provenance).toBe('proven');
});

test('an index is named by its directory where it was, and a barrel can become a file', async () => {
  const world = await openRepo({
    'tsconfig.json': config(bundled),
    'src/ui/index.ts': "export * from './button';\nexport * from '..';\n",
    'src/ui/button.ts': 'export const button = 1;\n',
    'src/index.ts': 'export const root = 1;\n',
    'src/short.ts': "export * from './ui';\n",
    'src/slash.ts': "export * from './ui/';\n",
    'src/long.ts': "export * from './ui/index';\n",
    'src/ui/own.ts': "export * from '.';\n",
  });
  const moved = await world.move('src/ui/index.ts', 'src/view/index.ts');
  expect(world.edits(moved)).toEqual([
    'src/long.ts  ./ui/index → ./view/index',
    'src/short.ts  ./ui → ./view',
    'src/slash.ts  ./ui/ → ./view/',
    'src/ui/index.ts  ./button → ../ui/button',
    'src/ui/own.ts  . → ../view',
  ]);
  expect(world.planOf(moved).provenance).toBe('proven');
  const file = await world.move('src/ui/index.ts', 'src/widgets.ts');
  expect(world.edits(file)).toEqual([
    'src/long.ts  ./ui/index → ./widgets',
    'src/short.ts  ./ui → ./widgets',
    'src/slash.ts  ./ui/ → ./widgets',
    'src/ui/index.ts  ./button → ./ui/button',
    'src/ui/index.ts  .. → .',
    'src/ui/own.ts  . → ../widgets',
  ]);
  expect(world.planOf(file).provenance).toBe('proven');
  const index = await world.move('src/ui/button.ts', 'src/ui/button/index.ts');
  expect(world.edits(index)).toEqual([]);
  expect(world.planOf(index).provenance).toBe('proven');
});

test('an alias that does not reach the new place gives way to a relative path', async () => {
  const world = await openRepo({
    'tsconfig.json': config({ ...bundled, paths: { '@lib/*': ['./src/lib/*'] } }),
    'src/lib/a.ts': "import { b } from '@lib/b';\nexport const a = b;\n",
    'src/lib/b.ts': 'export const b = 1;\n',
    'src/use.ts': "export { a } from '@lib/a';\n",
  });
  const answer = await world.move('src/lib/a.ts', 'src/other/a.ts');
  expect(world.edits(answer)).toEqual(['src/use.ts  @lib/a → ./other/a']);
  expect(world.planOf(answer).provenance).toBe('proven');
});

test('a configuration that names the file is asked about, and the answer is proved with it', async () => {
  const world = await openRepo({
    'package.json': '{ "name": "pkg", "main": "./src/main.ts" }\n',
    'tsconfig.json': config(
      { ...bundled, paths: { config: ['./src/config.ts'] } },
      { files: ['src/main.ts', 'src/use.ts'] },
    ),
    'src/config.ts': 'export const c = 1;\n',
    'src/main.ts': "export { c } from 'config';\n",
    'src/use.ts': "export * from './main';\n",
    'README.md': 'Begin with src/main.ts.\n',
  });
  const alias = await world.move('src/config.ts', 'src/settings.ts');
  expect(stateOf(alias)).toBe('needs_decision');
  expect(world.edits(alias)).toEqual([]);
  expect(stateOf(await world.finish(alias, { string_reference: 'leave' }))).toBe('refused bindings_change');
  expect(stateOf(await world.finish(alias, { string_reference: 'rename' }))).toBe('applied');
  expect(world.read('tsconfig.json')).toContain('"config":["./src/settings.ts"]');
  const main = await world.move('src/main.ts', 'src/start.ts');
  expect(world.planOf(main).items.map(({ path, text }) => `${path} ${text}`)).toEqual([
    'package.json ./src/main.ts',
    'tsconfig.json src/main.ts',
  ]);
  expect(world.planOf(main).notes.join()).toContain('a mention in prose stays as it is: README.md:1');
  expect(stateOf(await world.finish(main))).toBe('applied');
  expect(world.read('package.json')).toContain('"./src/start.ts"');
  expect(world.read('src/use.ts')).toBe("export * from './start';\n");
  expect(stateOf(await world.undo(world.planOf(main)))).toBe('undone');
  expect(world.read('src/main.ts')).toBe("export { c } from 'config';\n");
});

test('a place that no project includes is refused with these words', async () => {
  const world = await openRepo({
    'tsconfig.json': config(bundled, { include: ['src'] }),
    'src/a.ts': 'export const a = 1;\n',
    'src/b.ts': 'export const b = 1;\n',
  });
  const answer = await world.move('src/a.ts', 'scripts/a.ts');
  expect(stateOf(answer)).toBe('refused bindings_change');
  expect(detailOf(answer)).toContain('no project includes scripts/a.ts');
});

test('from one package of a repository to another, the file is compared with what it was', async () => {
  const world = await openRepo({
    'packages/one/tsconfig.json': config(bundled),
    'packages/one/a.ts': 'export const a: number = 1;\n',
    'packages/one/rest.ts': 'export const rest = 1;\n',
    'packages/two/tsconfig.json': config(bundled),
    'packages/two/use.ts': "import { a } from '../one/a';\nexport const x = a;\n",
  });
  const answer = await world.move('packages/one/a.ts', 'packages/two/a.ts');
  expect(world.edits(answer)).toEqual(['packages/two/use.ts  ../one/a → ./a']);
  expect(world.planOf(answer).provenance).toBe('proven');
  expect(stateOf(await world.finish(answer))).toBe('applied');
});

test('a package in which the file would have other errors is refused', async () => {
  const world = await openRepo({
    'packages/one/tsconfig.json': config(bundled),
    'packages/one/a.ts': 'export function f(unused: number) { return 1; }\n',
    'packages/one/rest.ts': 'export const rest = 1;\n',
    'packages/two/tsconfig.json': config({ ...bundled, noUnusedParameters: true }),
    'packages/two/b.ts': 'export const b = 1;\n',
  });
  const answer = await world.move('packages/one/a.ts', 'packages/two/a.ts');
  expect(stateOf(answer)).toBe('refused new_diagnostics');
});

test('JavaScript that no configuration means moves too, with the declaration beside it', async () => {
  const world = await openRepo({
    'lib/a.js': 'exports.a = 1;\n',
    'lib/a.d.ts': 'export const a: number;\n',
    'main.js': "const { a } = require('./lib/a');\nmodule.exports = a;\n",
  });
  const answer = await world.move('lib/a.js', 'src/a.js');
  expect(world.edits(answer)).toEqual(['main.js  ./lib/a → ./src/a']);
  expect(world.planOf(answer).moves).toEqual([
    { from: 'lib/a.js', to: 'src/a.js' },
    { from: 'lib/a.d.ts', to: 'src/a.d.ts' },
  ]);
  expect(stateOf(await world.finish(answer))).toBe('applied');
  expect(world.read('src/a.d.ts')).toBe('export const a: number;\n');
});

test('the snapshots of a test move with it, and what is named after a symbol is said', async () => {
  const world = await openRepo({
    'tsconfig.json': config(bundled),
    'src/thing.test.ts': "import { other } from './other';\n\n\nexport const thing = other;\n",
    'src/__snapshots__/thing.test.ts.snap': 'exports[`a 1`] = `1`;\n',
    'src/other.ts': 'export const other = 1;\n',
  });
  const answer = await world.move('src/thing.test.ts', 'test/');
  expect(world.planOf(answer).moves).toContainEqual({
    from: 'src/__snapshots__/thing.test.ts.snap',
    to: 'test/__snapshots__/thing.test.ts.snap',
  });
  expect(stateOf(await world.finish(answer))).toBe('applied');
  expect(world.read('test/__snapshots__/thing.test.ts.snap')).toContain('exports');
  const named = await world.move('src/other.ts', 'src/another.ts');
  expect(world.planOf(named).notes.join('\n')).toContain('the file was named after `other`');
});

test('an import that nothing answers is written anew too, and its error stays the same error', async () => {
  const world = await openRepo({
    'package.json': '{ "type": "module" }\n',
    'tsconfig.json': config(),
    'src/a.ts': "import { x } from './missing.js';\nimport './b';\nimport './style.css';\nexport const a = x;\n",
    'src/b.ts': 'export const b = 1;\n',
  });
  const answer = await world.move('src/a.ts', 'src/deep/a.ts');
  expect(world.edits(answer)).toEqual([
    'src/a.ts  ./missing.js → ../missing.js',
    'src/a.ts  ./b → ../b',
    'src/a.ts  ./style.css → ../style.css',
  ]);
  expect(world.planOf(answer).provenance).toBe('proven');
});

test('a component that is not parsed, and a string with the path, are questions', async () => {
  const world = await openRepo({
    'tsconfig.json': config(bundled),
    'src/a.ts': 'export const a = 1;\n',
    'src/App.vue': "<script>\nimport { a } from './a'\n</script>\n",
    'build.ts': "export const entries = ['src/a.ts', 'a.ts'];\n",
  });
  const answer = await world.move('src/a.ts', 'src/lib/a.ts');
  expect(world.planOf(answer).items.map(({ kind, path, text }) => `${kind} ${path} ${text}`)).toEqual([
    'string_reference build.ts src/a.ts',
    'uncovered_file src/App.vue ./a',
  ]);
  expect(stateOf(await world.finish(answer))).toBe('applied');
  expect(world.read('src/App.vue')).toContain("'./lib/a'");
  expect(world.read('build.ts')).toContain("['src/lib/a.ts', 'a.ts']");
});

test('M38 a test that goes where its runner does not look is a question', async () => {
  const world = await openRepo({
    'tsconfig.json': config(bundled),
    'jest.config.js': "module.exports = { testPathIgnorePatterns: ['/node_modules/', '/utils/'] };\n",
    'test/a.test.ts': 'export const a = 1;\n',
    'test/utils/help.ts': 'export const help = 1;\n',
  });
  const itemsOf = async (to: string) =>
    world.planOf(await world.move('test/a.test.ts', to)).items.map(({ kind, path, text }) => `${kind} ${path} ${text}`);
  expect(await itemsOf('test/utils/a.test.ts')).toEqual(['file_listing jest.config.js /utils/']);
  expect(await itemsOf('test/b.test.ts')).toEqual([]);
});

test('M9 a path that is computed is a question, from where it stands and for what it may mean', async () => {
  const world = await openRepo({
    'tsconfig.json': config(bundled),
    'src/pages/home.ts': 'export const page = (name: string) => import(`./parts/$' + '{name}.ts`);\n',
    'src/pages/parts/one.ts': 'export const one = 1;\n',
    'src/load.ts': "export const load = (name: string) => import('./pages/' + name);\n",
    'src/other.ts': "export const load = (name: string) => import('./others/' + name);\n",
    'src/all.ts':
      "declare global { interface ImportMeta { glob(x: string): unknown } }\nexport const all = import.meta.glob('./pages/*.ts');\n",
  });
  const answer = await world.move('src/pages/home.ts', 'src/start.ts');
  expect(world.planOf(answer).items.map(({ kind, path, text }) => `${kind} ${path} ${text}`)).toEqual([
    "file_listing src/all.ts './pages/*.ts'",
    "computed_path src/load.ts './pages/' + name",
    'string_reference src/pages/home.ts ./parts/',
  ]);
  expect(stateOf(await world.finish(answer))).toBe('applied');
  expect(world.read('src/start.ts')).toContain('import(`./pages/parts/$');
});

test('a file of data moves with the imports of it', async () => {
  const world = await openRepo({
    'tsconfig.json': config({ ...bundled, resolveJsonModule: true }),
    'data/a.json': '{ "v": 1 }\n',
    'use.ts': "import data from './data/a.json';\nexport const v = data.v;\n",
    'notes/plain.txt': 'words\n',
  });
  const answer = await world.move('data/a.json', 'fixed/b.json', { apply: true });
  expect(stateOf(answer)).toBe('applied');
  expect(world.read('use.ts')).toContain("'./fixed/b.json'");
  const plain = await world.move('notes/plain.txt', 'docs/');
  expect(stateOf(plain)).toBe('planned');
  expect(world.planOf(plain)).toMatchObject({ provenance: 'resolved', newName: 'docs/plain.txt' });
});

test('a directory moves as a whole: what is inside stays as it is, and its own path is asked about', async () => {
  const files = {
    'package.json': '{ "files": ["src/lib"] }\n',
    'tsconfig.json': config({ ...bundled, paths: { '@lib/*': ['./src/lib/*'] }, resolveJsonModule: true }),
    'src/lib/index.ts': "export * from './a';\nexport * from '../use';\n",
    'src/lib/a.ts':
      "import data from './deep/data.json';\nimport { b } from '@lib/deep/b';\nexport const a = data.v + b;\n",
    'src/lib/deep/data.json': '{ "v": 1 }\n',
    'src/lib/deep/b.ts': 'export const b = 1;\n',
    'src/lib/notes.md': 'about a.ts\n',
    'src/use.ts': "export { a as c } from './lib/a';\nexport type L = typeof import('./lib');\n",
    'src/alias.ts': "export { a } from '@lib/a';\n",
  };
  const world = await openRepo(files);
  const answer = await world.move('src/lib', 'src/core/base');
  expect(world.edits(answer)).toEqual([
    'src/lib/index.ts  ../use → ../../use',
    'src/use.ts  ./lib/a → ./core/base/a',
    'src/use.ts  ./lib → ./core/base',
  ]);
  expect(world.planOf(answer).items.map(({ path, text }) => `${path} ${text}`)).toEqual([
    'package.json src/lib',
    'tsconfig.json ./src/lib',
  ]);
  expect(stateOf(await world.finish(answer, { string_reference: 'leave' }))).toBe('refused bindings_change');
  expect(stateOf(await world.finish(answer, { string_reference: 'rename' }))).toBe('applied');
  expect(world.read('tsconfig.json')).toContain('"./src/core/base/*"');
  expect(world.read('src/core/base/a.ts')).toBe(files['src/lib/a.ts']);
  expect(existsSync(join(world.tree.root, 'src/lib'))).toBe(false);
  expect(await world.tree.dump()).toBe(await world.tree.cleanDump());
  expect(stateOf(await world.undo(world.planOf(answer)))).toBe('undone');
  expect(world.tree.git('status', '--porcelain')).toBe('');
  expect(await world.tree.dump()).toBe(await world.tree.cleanDump());
  expect(stateOf(await world.move('src/lib', 'src/lib/deep/x'))).toBe('refused collision');
  expect(stateOf(await world.move('src/lib', 'src'))).toBe('refused same_name');
});

test('Go within its package, and Python that nothing names, move as far as it can be shown', async () => {
  const world = await openRepo({
    'go.mod': 'module example.com/m\n',
    'p/a.go': 'package p\n\nfunc A() {}\n',
    'tool/lonely_script.py': 'import sys\nprint(sys.argv)\n',
    'tool/used.py': 'x = 1\n',
    'tool/user.py': 'from used import x\nprint(x)\n',
  });
  const states: string[] = [];
  for (const [file, to] of [
    ['p/a.go', 'p/b.go'],
    ['p/a.go', 'q/a.go'],
    ['p/a.go', 'p/a_test.go'],
    ['tool/lonely_script.py', 'scripts/lonely_script.py'],
    ['tool/used.py', 'scripts/used.py'],
    ['tool/user.py', 'scripts/user.py'],
  ] as const)
    states.push(stateOf(await world.move(file, to)));
  const no = 'unsupported language';
  expect(states).toEqual(['planned', no, no, 'planned', no, no]);
  const answer = await world.move('p/a.go', 'p/b.go');
  expect(world.planOf(answer).provenance).toBe('resolved');
  expect(stateOf(await world.finish(answer))).toBe('applied');
});

test('what cannot be is refused before anything is planned', async () => {
  const world = await openRepo({
    '.gitignore': 'out/\n*.local.ts\n',
    'tsconfig.json': config(),
    'src/a.ts': 'export const a = 1;\n',
    'src/b.ts': 'export const b = 1;\n',
    'src/File.ts': 'export const f = 1;\n',
    'tool.py': 'import os.path\nprint(__file__)\n',
  });
  symlinkSync('src/a.ts', join(world.tree.root, 'link.ts'));
  await (await world.tree.session()).reconcile('all');
  const tried: readonly (readonly [string, string, string])[] = [
    ['src/a.ts', 'src/b.ts', 'refused collision'],
    ['src/a.ts', 'src/a.ts', 'refused same_name'],
    ['src/a.ts', 'src', 'refused same_name'],
    ['src/a.ts', '../a.ts', 'refused invalid_name'],
    ['src/a.ts', 'out/a.ts', 'refused invalid_name'],
    ['src/a.ts', 'src/a.local.ts', 'refused invalid_name'],
    ['src/a.ts', '.git/a.ts', 'refused invalid_name'],
    ['src/a.ts', '.codegenie/a.ts', 'refused invalid_name'],
    ['src/a.ts', 'node_modules/a.ts', 'refused vendored'],
    ['src/a.ts', 'src/a.js', 'refused invalid_name'],
    ['src/a.ts', 'src/a.d.ts', 'refused invalid_name'],
    ['src/a.ts', 'src/a.md', 'refused invalid_name'],
    // What would be written between the quotes of an import, and could end them.
    ['src/a.ts', 'src/x\ny.ts', 'refused invalid_name'],
    ['src/a.ts', 'src/x\ty.ts', 'refused invalid_name'],
    ['src/a.ts', 'src/x\u202ey.ts', 'refused invalid_name'],
    ['src/a.ts', 'src/:x.ts', 'refused invalid_name'],
    ['src/a.ts', '.GIT /x.ts', 'refused invalid_name'],
    ['src/a.ts', 'src/git~1/x.ts', 'refused invalid_name'],
    // Names that the volume does not take: a plan of them could never be committed.
    ['src/a.ts', `src/${'b'.repeat(300)}.ts`, 'refused invalid_name'],
    ['src/a.ts', `src/${'b'.repeat(300)}/c.ts`, 'refused invalid_name'],
    ['src/a.ts', `new/${'b'.repeat(300)}/c.ts`, 'refused invalid_name'],
    ['src/a.ts', `src/${'b/'.repeat(2_100)}c.ts`, 'refused invalid_name'],
    ['src', `new/${'b'.repeat(300)}`, 'refused invalid_name'],
    ['src/a.ts', 'src/b.ts/a.ts', 'refused collision'],
    ['src/a.ts', 'src/file.ts', 'refused case_clash'],
    ['src/nothing.ts', 'src/x.ts', 'refused no_symbol'],
    ['tool.py', 'lib/tool.py', 'unsupported language'],
    ['link.ts', 'src/link.ts', 'refused not_renamable'],
  ];
  for (const [file, to, state] of tried)
    expect([file, to, stateOf(await world.move(file, to))]).toEqual([file, to, state]);
  expect(world.world.plans.list(10)).toEqual([]);
  // Nothing names it, so what finds it is asked about.
  expect(stateOf(await world.move('a.ts', 'c.ts', { cwd: `${world.tree.root}/src` }))).toBe('needs_decision');
});

test('M39 another module system, another package and a rival name are questions, each with its two sides', async () => {
  const world = await openRepo({
    'package.json': '{ "type": "module", "dependencies": { "dep": "1" } }\n',
    'tsconfig.json': config({ allowJs: true }),
    'a.js': 'export const a = 1;\n',
    'main.js': "export * from './a.js';\n",
    'old/package.json': '{ "type": "commonjs" }\n',
    'old/b.cjs': 'exports.b = require("./x");\n',
    'old/x/index.cjs': 'exports.x = 1;\n',
    'old/x/index.js': 'exports.x = 1;\n',
    'old/y.js': 'exports.y = 1;\n',
  });
  const asked = async (from: string, to: string) =>
    world.planOf(await world.move(from, to)).items.map(({ kind, path, detail }) => `${kind} ${path}: ${detail}`);
  expect(await asked('a.js', 'old/a.js')).toEqual([
    'module_system a.js: a.js is an ES module, and old/a.js is CommonJS',
  ]);
  expect(await asked('a.js', 'a.mjs')).toEqual([]);
  const [shadow] = await asked('old/y.js', 'old/x.js');
  expect(shadow).toContain('module_shadow old/b.cjs: `./x` means old/x/index.js, and old/x.js');
});

test('M38 what a tool finds by its path is a question where it would see it differently', async () => {
  const world = await openRepo({
    'package.json': '{ "devDependencies": { "vitest": "1", "next": "1" } }\n',
    'src/a.js': 'exports.a = 1;\n',
    'src/a.test.js': "require('./a');\n",
    'pages/b.js': 'exports.b = 1;\n',
    'src/c.js': 'exports.c = 1;\n',
    'src/c.js.map': '{}\n',
    'vite.config.js': 'module.exports = {};\n',
  });
  const asked = async (from: string, to: string) => {
    const { outcome } = await world.move(from, to);
    return outcome.kind === 'needs_decision' ? outcome.plan?.items.map(({ kind }) => kind).join() : outcome.kind;
  };
  expect(await asked('src/a.test.js', 'src/a.js.x.js')).toBe('file_convention');
  expect(await asked('src/a.test.js', 'test/a.spec.js')).toBe('ok');
  expect(await asked('src/a.js', 'test/a.js')).toBe('ok');
  expect(await asked('pages/b.js', 'pages/c.js')).toBe('file_convention');
  expect(await asked('vite.config.js', 'conf/vite.config.js')).toBe('file_convention');
  expect(await asked('src/c.js', 'src/d.js')).toBe('companion_file,file_convention');
});

test('both paths of a request are meant from the same directory', async () => {
  const world = await openRepo({ 'src/a.js': 'exports.a = 1;\n', 'src/sub/b.js': 'exports.b = 1;\n' });
  const { root } = world.tree;
  const goal = async (file: string, to: string, cwd: string) =>
    world.planOf(await world.move(file, to, { cwd })).moves.map((one) => one.to);
  expect(await goal('a.js', 'c.js', `${root}/src`)).toEqual(['src/c.js']);
  expect(await goal('src/a.js', 'src/c.js', `${root}/src`)).toEqual(['src/c.js']);
  expect(await goal('src/a.js', 'src/c.js', '/')).toEqual(['src/c.js']);
  expect(await goal('src/sub', 'other', `${root}/src`)).toEqual(['other/b.js']);
});
