import { describe, expect, test } from 'vitest';
import { discoveryWorld, emptyFiles, getContext, outlineContexts, type Tree } from '../../../test/support/discover.ts';
import { canonicalJson } from '../../kernel/base/json.ts';
import { discoverContexts } from '../projects/discover-contexts.ts';

type Case = {
  readonly shows: string;
  readonly tree: Tree;
  readonly imports?: Readonly<Record<string, readonly string[]>>;
  readonly gives: Readonly<Record<string, readonly string[]>>;
};

const cases: readonly Case[] = [
  {
    shows: 'each configuration is a context, and a file may be in two',
    tree: {
      'tsconfig.json': { include: ['src'] },
      'tsconfig.test.json': { include: ['src', 'test'] },
      ...emptyFiles('src/a.ts', 'test/a.test.ts'),
    },
    gives: { 'ts:tsconfig.json': ['src/a.ts'], 'ts:tsconfig.test.json': ['src/a.ts', 'test/a.test.ts'] },
  },
  {
    shows: 'a solution has no context of its own, what it references has, under any name',
    tree: {
      'tsconfig.json': { files: [], references: [{ path: './app' }, { path: './config/tools.json' }] },
      'app/tsconfig.json': {},
      'config/tools.json': { include: ['../tools'] },
      ...emptyFiles('app/a.ts', 'tools/t.ts'),
    },
    gives: { 'ts:app/tsconfig.json': ['app/a.ts'], 'ts:config/tools.json': ['tools/t.ts'] },
  },
  {
    shows: 'a configuration that only others extend is no project, although the compiler would take it for one',
    tree: {
      'tsconfig.base.json': { compilerOptions: { strict: true } },
      'a/tsconfig.json': { extends: '../tsconfig.base.json' },
      'b/tsconfig.json': { extends: '../tsconfig.base' },
      ...emptyFiles('a/a.ts', 'b/b.ts', 'c.ts'),
    },
    gives: { 'ts-loose:.': ['c.ts'], 'ts:a/tsconfig.json': ['a/a.ts'], 'ts:b/tsconfig.json': ['b/b.ts'] },
  },
  {
    shows: 'one that says what it consists of is a project, unless those that extend it mean all of that',
    tree: {
      'tsconfig.app.json': { include: ['src', 'more'] },
      'tsconfig.spec.json': { extends: './tsconfig.app.json', include: ['src'] },
      'tsconfig.cjs.json': { include: ['lib'] },
      'tsconfig.esm.json': { extends: './tsconfig.cjs.json' },
      ...emptyFiles('src/a.ts', 'more/b.ts', 'lib/c.ts'),
    },
    gives: {
      'ts:tsconfig.app.json': ['more/b.ts', 'src/a.ts'],
      'ts:tsconfig.esm.json': ['lib/c.ts'],
      'ts:tsconfig.spec.json': ['src/a.ts'],
    },
  },
  {
    shows: 'one that is referenced is a project, also where others extend it',
    tree: {
      'tsconfig.json': { files: [], references: [{ path: './tsconfig.lib.json' }] },
      'tsconfig.lib.json': {},
      'tsconfig.more.json': { extends: './tsconfig.lib.json' },
      ...emptyFiles('a.ts'),
    },
    gives: { 'ts:tsconfig.lib.json': ['a.ts'], 'ts:tsconfig.more.json': ['a.ts'] },
  },
  {
    shows: 'imports bring in what no project lists, and what another lists stays with it',
    tree: {
      'a/tsconfig.json': { files: ['main.ts'] },
      'b/tsconfig.json': {},
      ...emptyFiles('a/main.ts', 'a/used.ts', 'a/deep.ts', 'a/script.js', 'b/b.ts', 'shared/s.ts', 'unused.ts'),
    },
    imports: {
      'a/main.ts': ['a/used.ts', 'b/b.ts', 'a/script.js'],
      'a/used.ts': ['a/deep.ts', 'a/main.ts'],
      'b/b.ts': ['shared/s.ts'],
    },
    gives: {
      'ts:a/tsconfig.json': ['a/deep.ts', 'a/main.ts', 'a/used.ts'],
      'ts:b/tsconfig.json': ['b/b.ts', 'shared/s.ts'],
      'ts-loose:.': ['a/script.js', 'unused.ts'],
    },
  },
  {
    shows: 'what no configuration covers belongs to the nearest package, minified and installed files to none',
    tree: {
      'package.json': {},
      'packages/x/package.json': {},
      ...emptyFiles('tool.mjs', 'packages/x/src/deep/a.ts', 'packages/x/b.tsx', 'packages/y.js', 'vendor/j.min.js'),
      ...emptyFiles('node_modules/p/i.js', 'packages/x/bower_components/q/i.js', '.config/c.cts', 'readme.md'),
    },
    gives: {
      'ts-loose:.': ['.config/c.cts', 'packages/y.js', 'tool.mjs'],
      'ts-loose:packages/x': ['packages/x/b.tsx', 'packages/x/src/deep/a.ts'],
    },
  },
  {
    shows: 'JavaScript is a member where it is allowed, and always under a jsconfig',
    tree: {
      'a/tsconfig.json': { compilerOptions: { allowJs: true } },
      'b/jsconfig.json': {},
      'c/tsconfig.json': { compilerOptions: { checkJs: true } },
      ...emptyFiles('a/a.js', 'b/b.jsx', 'c/c.mjs'),
    },
    gives: { 'ts:a/tsconfig.json': ['a/a.js'], 'ts:b/jsconfig.json': ['b/b.jsx'], 'ts:c/tsconfig.json': ['c/c.mjs'] },
  },
  {
    shows: 'a configuration without files is no context',
    tree: { 'tsconfig.json': { include: ['nothing'] }, 'x/tsconfig.json': { files: [] } },
    gives: {},
  },
  {
    shows: 'C8 bases in a circle end, and the circle is named',
    tree: {
      'tsconfig.json': { extends: './tsconfig.a.json' },
      'tsconfig.a.json': { extends: './tsconfig.json' },
      ...emptyFiles('a.ts'),
    },
    gives: {
      'ts:tsconfig.json': ['! tsconfig.a.json extends "./tsconfig.json", which extends it in turn', 'a.ts'],
    },
  },
  {
    shows: 'C8 a base outside of the repository, one that is missing, one that is broken',
    tree: {
      'a/tsconfig.json': { extends: '../../tsconfig.json' },
      'b/tsconfig.json': { extends: ['/etc/tsconfig.json', './nowhere'] },
      'c/tsconfig.json': { extends: '../broken.json' },
      'broken.json': '{ "compilerOptions": {\n "strict": tru',
      ...emptyFiles('a/a.ts', 'b/b.ts', 'c/c.ts'),
    },
    gives: {
      'ts:a/tsconfig.json': [
        '! a/tsconfig.json extends "../../tsconfig.json", which is outside of the repository',
        'a/a.ts',
      ],
      'ts:b/tsconfig.json': [
        '! b/tsconfig.json extends "/etc/tsconfig.json", which is outside of the repository; ' +
          'b/tsconfig.json extends "./nowhere", which does not exist',
        'b/b.ts',
      ],
      'ts:c/tsconfig.json': ['! broken.json is not valid JSON in line 2: not a JSON value', 'c/c.ts'],
    },
  },
  {
    shows: 'C8 installed packages and what frameworks generate are not in scope, and not missing',
    tree: {
      'tsconfig.json': { extends: ['@tsconfig/node22/tsconfig.json', './.nuxt/tsconfig.json'] },
      'x/tsconfig.json': { extends: '../node_modules/@acme/config/base.json' },
      ...emptyFiles('a.ts', 'x/b.ts'),
    },
    gives: { 'ts:tsconfig.json': ['a.ts', 'x/b.ts'], 'ts:x/tsconfig.json': ['x/b.ts'] },
  },
  {
    shows: 'C8 a broken configuration keeps the files that can be made out',
    tree: { 'tsconfig.json': '{ "include": ["src"],\n "compilerOptions": {', ...emptyFiles('src/a.ts', 'b.ts') },
    gives: {
      'ts-loose:.': ['b.ts'],
      'ts:tsconfig.json': ['! tsconfig.json is not valid JSON in line 2: unexpected end of the text', 'src/a.ts'],
    },
  },
  {
    shows: 'C8 values of every wrong type',
    tree: {
      'tsconfig.json': {
        extends: [1, {}],
        files: [null, 7, {}],
        include: [[], 5],
        exclude: 'x',
        references: [null, 4, {}],
      },
      'x/tsconfig.json': { compilerOptions: 7, include: 'src', references: {} },
      'y/tsconfig.json': '[]',
      'z/tsconfig.json': { extends: '', include: [`${'../'.repeat(50)}*`, '\0', '*'.repeat(5_000)] },
      'package.json': '{ broken',
      ...emptyFiles('a.ts', 'x/b.ts', 'y/c.ts'),
    },
    gives: {
      'ts-loose:.': ['a.ts'],
      'ts:x/tsconfig.json': ['x/b.ts'],
      'ts:y/tsconfig.json': ['! y/tsconfig.json is not valid JSON in line 1: the top level is not an object', 'y/c.ts'],
      'ts:z/tsconfig.json': ['! z/tsconfig.json extends "", which does not exist'],
    },
  },
];

describe('contexts of TypeScript and JavaScript', () => {
  test.each(cases)('$shows', ({ tree, imports, gives }) => {
    expect(outlineContexts(discoveryWorld(tree, imports))).toEqual(gives);
  });
});

test('C8 bases that double at every step, and projects that reference each other, end', () => {
  const chain = Object.fromEntries(
    Array.from({ length: 60 }, (_, n): [string, Tree[string]] => [
      `tsconfig.${n}.json`,
      {
        extends: [`./tsconfig.${n + 1}.json`, `./tsconfig.${n + 1}`],
        references: [{ path: `./tsconfig.${59 - n}.json` }],
      },
    ]),
  );
  const world = discoveryWorld({ ...chain, 'tsconfig.60.json': {}, ...emptyFiles('a.ts') });
  expect(getContext(world, 'ts:tsconfig.0.json').problem).toContain('one base too many to follow');
  expect(getContext(world, 'ts:tsconfig.59.json')).toMatchObject({ members: ['a.ts'], problem: null });
});

test('projects that a compiler would not come to the end of are no references, nor is what leads to them', () => {
  const world = discoveryWorld({
    'circle/tsconfig.json': { extends: './other.json' },
    'circle/other.json': { extends: './tsconfig.json' },
    'to/tsconfig.json': { references: [{ path: '../circle' }, { path: '../to' }] },
    'good/tsconfig.json': {},
    'tsconfig.json': { include: ['src'], references: [{ path: './to' }, { path: './good' }] },
    ...emptyFiles('circle/a.ts', 'to/b.ts', 'good/c.ts', 'src/d.ts'),
  });
  expect(getContext(world, 'ts:to/tsconfig.json').config).toEqual({ project: 'to/tsconfig.json' });
  expect(getContext(world, 'ts:tsconfig.json').config).toEqual({
    project: 'tsconfig.json',
    references: ['good/tsconfig.json'],
  });
});

test('where a configuration has to be given as it is, projects that do not come to an end are its own problem', () => {
  const world = discoveryWorld({
    'circle/tsconfig.json': { extends: './other.json' },
    'circle/other.json': { extends: './tsconfig.json' },
    'to/tsconfig.json': { references: [{ path: '../circle' }] },
    'tsconfig.json': {
      include: ['src'],
      compilerOptions: { outDir: `\${configDir}/dist` },
      references: [{ path: './to' }],
    },
    ...emptyFiles('circle/a.ts', 'to/b.ts', 'src/d.ts'),
  });
  const endless = (from: string, to: string) => `${from} references "${to}", which leads to bases without an end`;
  expect(getContext(world, 'ts:to/tsconfig.json')).toMatchObject({
    problem: null,
    endless: endless('to/tsconfig.json', 'circle/tsconfig.json'),
  });
  const said = endless('tsconfig.json', 'to/tsconfig.json');
  expect(getContext(world, 'ts:tsconfig.json')).toMatchObject({ problem: said, endless: said });
});

test('a context says what the adapter needs', () => {
  const world = discoveryWorld({
    'app/tsconfig.json': { extends: '../base.json' },
    'base.json': { compilerOptions: { typeRoots: [`\${configDir}/types`] } },
    'lib/tsconfig.json': {},
    ...emptyFiles('app/a.ts', 'lib/l.ts', 'other.js'),
  });
  expect(getContext(world, 'ts:app/tsconfig.json')).toMatchObject({
    family: 'typescript',
    root: 'app',
    configPath: 'app/tsconfig.json',
    indexer: 'tsgo',
    config: { project: 'app/tsconfig.json', usesConfigDir: true },
    enabled: true,
  });
  expect(getContext(world, 'ts:lib/tsconfig.json').config).toEqual({ project: 'lib/tsconfig.json' });
  expect(getContext(world, 'ts-loose:.')).toMatchObject({ root: '', configPath: null, config: { allowJs: true } });
  const chosen = { ...world, typeScriptIndexer: 'scip-typescript' } as const;
  expect(discoverContexts(chosen).map(({ indexer }) => indexer)).toEqual(Array(3).fill('scip-typescript'));
});

describe('T7: config inputs change with everything that decides what the program means, and with nothing else', () => {
  const tree: Tree = {
    'base.json': { compilerOptions: { strict: true } },
    'p/tsconfig.json': { extends: '../base.json' },
    'p/package.json': { name: 'p', version: '1.0.0', type: 'module', dependencies: { x: '1' }, scripts: { a: 'b' } },
    'package-lock.json': { lockfileVersion: 3 },
    'p/a.ts': '',
    'q/b.ts': '',
  };
  const inputsOf = (changed: Tree) =>
    canonicalJson(getContext(discoveryWorld({ ...tree, ...changed }), 'ts:p/tsconfig.json').configInputs);
  const before = inputsOf({});

  test.each<[string, Tree]>([
    ['a base', { 'base.json': { compilerOptions: { strict: false } } }],
    ['the configuration', { 'p/tsconfig.json': { extends: '../base.json', compilerOptions: { jsx: 'react' } } }],
    ['the lockfile', { 'package-lock.json': { lockfileVersion: 2 } }],
    ['a nearer lockfile', { 'p/yarn.lock': '' }],
    ['what a package exports', { 'p/package.json': { name: 'p', type: 'module', exports: './a.ts' } }],
    ['how a package is named', { 'p/package.json': { name: 'q', type: 'module' } }],
    ['a package inside', { 'p/inner/package.json': { type: 'commonjs' }, 'p/inner/c.ts': '' }],
  ])('changed by %s', (_, changed) => {
    expect(inputsOf(changed)).not.toBe(before);
  });

  test.each<[string, Tree]>([
    ['a comment', { 'base.json': '// why\n{ "compilerOptions": { "strict": true, } }' }],
    ['version, scripts and ranges', { 'p/package.json': { name: 'p', version: '2.0.0', type: 'module' } }],
    ['another file', { 'p/b.ts': '' }],
    ['a file elsewhere', { 'q/c.ts': '', 'q/package.json': { name: 'q' } }],
  ])('not by %s', (_, changed) => {
    expect(inputsOf(changed)).toBe(before);
  });

  test('without a lockfile the ranges decide', () => {
    const { 'package-lock.json': _, ...unlocked } = tree;
    const at = (range: string) =>
      getContext(
        discoveryWorld({ ...unlocked, 'p/package.json': { dependencies: { x: range } } }),
        'ts:p/tsconfig.json',
      ).configInputs;
    expect(at('1')).not.toEqual(at('2'));
  });
});

test('discovery does not depend on the order of anything', () => {
  const tree: Tree = {
    'tsconfig.json': { references: [{ path: 'b' }], include: ['src'] },
    'b/tsconfig.json': { files: ['b.ts'] },
    ...emptyFiles('src/a.ts', 'b/b.ts', 'loose.js'),
  };
  const reversed = Object.fromEntries(Object.entries(tree).reverse());
  expect(outlineContexts(discoveryWorld(reversed))).toEqual(outlineContexts(discoveryWorld(tree)));
});

test('T12: hundreds of projects ask for each import once and read each configuration a few times at most', () => {
  const projects = Array.from({ length: 300 }, (_, n) => `packages/p${n}`);
  const tree: Tree = {
    'tsconfig.json': {},
    'package-lock.json': {},
    ...Object.fromEntries(projects.map((root) => [`${root}/tsconfig.json`, { extends: '../../tsconfig.json' }])),
    ...emptyFiles(...projects.flatMap((root) => [`${root}/a.ts`, `${root}/b/c.ts`])),
  };
  const world = discoveryWorld(tree);
  const asked = new Map<string, number>();
  const count = (what: string) => asked.set(what, (asked.get(what) ?? 0) + 1);
  const contexts = discoverContexts({
    ...world,
    resolve: {
      ...world.resolve,
      readConfig: (path) => {
        count(`read ${path}`);
        return world.resolve.readConfig(path);
      },
    },
    targetsOf: (path) => {
      count(`targets ${path}`);
      return ['packages/p0/a.ts'];
    },
  });
  expect(contexts.map(({ members }) => members.length)).toEqual([...projects.map(() => 2), 600]);
  const most = (what: string) =>
    Math.max(...[...asked].filter(([key]) => key.startsWith(what)).map(([, times]) => times));
  expect(most('targets')).toBe(1);
  expect(most('read')).toBeLessThanOrEqual(2);
});
