import { expect, test } from 'vitest';
import type { JsonObject } from '../../kernel/base/json.ts';
import { resolveTsconfig, type TsconfigSource } from './tsconfig.ts';

type Tree = Readonly<Record<string, JsonObject | 'refused' | 'malformed'>>;

function sourceOf(tree: Tree, packages: Readonly<Record<string, string>> = {}): TsconfigSource {
  return {
    async read(path) {
      const found = Object.hasOwn(tree, path) ? tree[path] : undefined;
      if (found === undefined) return { kind: 'absent' };
      if (found === 'refused') return { kind: 'failed', failure: { kind: 'symlink_refused' } };
      if (found === 'malformed') return { kind: 'failed', failure: { kind: 'malformed', detail: 'x' } };
      return { kind: 'read', value: found };
    },
    findPackage: async (name) => packages[name],
  };
}
const resolve = (tree: Tree, packages?: Readonly<Record<string, string>>, path = 'tsconfig.json') =>
  resolveTsconfig(path, sourceOf(tree, packages));
const problemsOf = async (tree: Tree) => (await resolve(tree)).problems.map((problem) => problem.kind);

test('options are merged base to leaf, null unsets, and the nearest paths win with their own base', async () => {
  const found = await resolve({
    'tsconfig.json': { extends: './conf/base.json', compilerOptions: { strict: true, jsx: null } },
    'conf/base.json': {
      compilerOptions: { strict: false, jsx: 'react', paths: { '@/*': ['./src/*'] }, outDir: 'out' },
    },
  });
  expect(found.options).toEqual({ strict: true, paths: { '@/*': ['conf/src/*'] }, outDir: 'conf/out' });
  expect(found.problems).toEqual([]);
});

test('paths are relative to baseUrl where there is one, wherever it was set', async () => {
  const found = await resolve({
    'tsconfig.json': { extends: './a/b.json', compilerOptions: { baseUrl: './web' } },
    'a/b.json': { compilerOptions: { paths: { x: ['lib/x'] } } },
  });
  expect(found.options).toEqual({ baseUrl: 'web', paths: { x: ['web/lib/x'] } });
});

test('files, include and exclude are inherited whole and rebased; a leaf replaces them', async () => {
  const found = await resolve({
    'tsconfig.json': { extends: './conf/base.json', exclude: ['tmp'] },
    'conf/base.json': { include: ['../src/**/*'], exclude: ['x'], files: [`\${configDir}/main.ts`] },
  });
  expect([found.include, found.exclude, found.files]).toEqual([['src/**/*'], ['tmp'], ['main.ts']]);
});

test('G15 a cycle ends, whatever its length', async () => {
  expect(await problemsOf({ 'tsconfig.json': { extends: './tsconfig.json' } })).toEqual(['extends_cycle']);
  expect(
    await problemsOf({
      'tsconfig.json': { extends: './a.json' },
      'a.json': { extends: './b.json' },
      'b.json': { extends: './a' },
    }),
  ).toEqual(['extends_cycle']);
});

test('G15 a chain of 32 is followed, one of 33 is cut and says so', async () => {
  const chain = (levels: number): Tree =>
    Object.fromEntries(
      Array.from({ length: levels + 1 }, (_, level) => [
        level === 0 ? 'tsconfig.json' : `${level}.json`,
        { ...(level < levels ? { extends: `./${level + 1}.json` } : { compilerOptions: { target: 'es5' } }) },
      ]),
    );
  expect((await resolve(chain(32))).options).toEqual({ target: 'es5' });
  const cut = await resolve(chain(33));
  expect([cut.options, cut.problems.map((problem) => problem.kind), cut.chain.length]).toEqual([
    {},
    ['extends_depth_exceeded'],
    33,
  ]);
});

test('G15 a lattice of lists, 2 to the 32nd paths, is walked once per file', async () => {
  const tree: Record<string, JsonObject> = { 'tsconfig.json': { extends: ['./a1.json', './b1.json'] } };
  for (let level = 1; level < 31; level += 1) {
    const next = [`./a${level + 1}.json`, `./b${level + 1}.json`];
    tree[`a${level}.json`] = { extends: next };
    tree[`b${level}.json`] = { extends: next };
  }
  tree['a31.json'] = { compilerOptions: { target: 'es5' } };
  tree['b31.json'] = { compilerOptions: { target: 'es6' } };
  const found = await resolve(tree);
  expect([found.options, found.chain.length, found.problems]).toEqual([{ target: 'es6' }, 63, []]);
});

test('G15 a list of more extends than anyone writes is cut', async () => {
  const found = await resolve({ 'tsconfig.json': { extends: Array.from({ length: 5_000 }, (_, n) => `pkg-${n}`) } });
  expect(found.wanted.length).toBeLessThan(200);
  expect(found.problems.some((problem) => problem.kind === 'extends_unresolved')).toBe(true);
});

test('G15 a package is looked for from the file outwards, then in the workspace', async () => {
  const tree: Tree = {
    'apps/web/tsconfig.json': { extends: '@acme/cfg' },
    'node_modules/@acme/cfg/package.json': { tsconfig: './base.json' },
    'node_modules/@acme/cfg/base.json': { compilerOptions: { target: 'es2019' } },
  };
  const found = await resolve(tree, {}, 'apps/web/tsconfig.json');
  expect(found.chain).toEqual(['apps/web/tsconfig.json', 'node_modules/@acme/cfg/base.json']);
  expect(found.wanted).toContain('apps/web/node_modules/@acme/cfg/tsconfig.json');
  const linked = await resolve(
    {
      'tsconfig.json': { extends: '@acme/cfg/react' },
      'node_modules/@acme/cfg/react.json': 'refused',
      'packages/cfg/react.json': { compilerOptions: { jsx: 'preserve' } },
    },
    { '@acme/cfg': 'packages/cfg' },
  );
  expect([linked.options, linked.problems]).toEqual([{ jsx: 'preserve' }, []]);
});

test.each([
  ['an exact key', { './strict': './configs/strict.json' }],
  ['a condition', { './strict': { types: './no.d.ts', default: './configs/strict.json' } }],
  ['a pattern', { './*': './configs/*.json' }],
])('G15 exports of a package map by %s', async (_, exports) => {
  const found = await resolve({
    'tsconfig.json': { extends: 'cfg/strict' },
    'node_modules/cfg/package.json': { exports },
    'node_modules/cfg/configs/strict.json': { compilerOptions: { strict: true } },
  });
  expect(found.options).toEqual({ strict: true });
});

test.each([
  ['../outside.json'],
  ['./../../x'],
  ['/etc/passwd'],
  ['C:\\windows\\x.json'],
  ['cfg/../../../x.json'],
  [''],
  ['.\0'],
  [7],
  [null],
  [{}],
])('F5: extends %j asks for nothing outside the repository', async (specifier) => {
  const asked: string[] = [];
  const source = sourceOf({ 'tsconfig.json': { extends: specifier } });
  const found = await resolveTsconfig('tsconfig.json', {
    ...source,
    read: (path) => {
      asked.push(path);
      return source.read(path);
    },
  });
  expect(asked).toEqual(['tsconfig.json']);
  expect(found.problems.map((problem) => problem.kind)).toEqual(['extends_unresolved']);
});

test.each([
  './user:skills/x',
  './config:x',
  './a*.json',
  './{a,b}',
  './.git/config',
  './.codegenie/cache/x.json',
  './',
])('P9: extends %j never becomes a declared input', async (specifier) => {
  const found = await resolve({ 'tsconfig.json': { extends: specifier } });
  expect(found.wanted).toEqual([]);
  expect(found.problems).toHaveLength(1);
});

test("a package's exports cannot point out of the package", async () => {
  const found = await resolve({
    'tsconfig.json': { extends: 'cfg/x' },
    'secret.json': { compilerOptions: { strict: true } },
    'node_modules/cfg/package.json': { exports: { './x': '../../secret.json' }, tsconfig: '../../secret.json' },
  });
  expect(found.options).toEqual({});
});

test('an unreadable file is a failure, also as a base; what else is there still counts', async () => {
  const found = await resolve({
    'tsconfig.json': { extends: ['./bad.json', './good.json'] },
    'bad.json': 'malformed',
    'good.json': { compilerOptions: { strict: true } },
  });
  expect(found.options).toEqual({ strict: true });
  expect(found.problems).toEqual([{ kind: 'failed', path: 'bad.json', failure: { kind: 'malformed', detail: 'x' } }]);
});

test('__proto__ is an option name like any other and changes nothing', async () => {
  const hostile = JSON.parse('{"compilerOptions":{"__proto__":{"strict":true}}}') as JsonObject;
  const found = await resolve({ 'tsconfig.json': { extends: './b.json' }, 'b.json': hostile });
  expect(found.options['strict']).toBe(undefined);
});
