/**
 * How far a rename is looked for: programs that never spell the name, imports that the compiler cannot follow, build outputs, one file
 * under two paths, declarations beside their script, and files that git does not have.
 */

import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Answer } from '../../src/mutate/answer.ts';
import { type ChangeWorld, openChangeWorld } from '../support/change-world.ts';

const worlds: ChangeWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.dispose();
});

function configOf(include: string, more: object = {}): string {
  const compilerOptions = {
    strict: true,
    module: 'nodenext',
    target: 'esnext',
    lib: ['esnext'],
    noEmit: true,
    types: [],
    ...more,
  };
  return JSON.stringify({ compilerOptions, include: [include] });
}

/** A package of a workspace. */
const packageOf = (name: string, more: object = {}) =>
  JSON.stringify({ name: `@x/${name}`, private: true, type: 'module', ...more });

const manifest = JSON.stringify({ name: 'x', private: true, type: 'module' });
const project = { 'package.json': manifest, 'tsconfig.json': configOf('src') };

function open(files: Readonly<Record<string, string>>, links: Readonly<Record<string, string>> = {}): ChangeWorld {
  const world = openChangeWorld({ ...project, ...files });
  worlds.push(world);
  for (const [path, target] of Object.entries(links)) {
    mkdirSync(dirname(join(world.tree.root, path)), { recursive: true });
    symlinkSync(target, join(world.tree.root, path));
  }
  return world;
}

function reasonOf({ outcome }: Answer): string {
  return 'reason' in outcome ? `${outcome.kind} ${outcome.reason}` : outcome.kind;
}

/** Kinds and places of what is asked. */
function asked(world: ChangeWorld, answer: Answer): readonly string[] {
  return world.planOf(answer).items.map(({ kind, path, line }) => `${kind} ${path}:${line}`);
}

describe('M5 programs that see what is renamed and do not spell it', () => {
  test('a derived class of another program has a member of the new name', async () => {
    const world = open({
      'tsconfig.test.json': configOf('test'),
      'src/a.ts': 'export class A { foo() { return 1; } }\n',
      'test/b.ts': "import { A } from '../src/a.js';\nexport class B extends A { bar() { return 2; } }\n",
    });
    expect(reasonOf(await world.rename('src/a.ts:«foo»', 'bar'))).toBe('refused collision');
  });

  test('a derived class in a script that no project means', async () => {
    const world = open({
      'src/a.ts': 'export class A { foo() { return 1; } }\n',
      'src/b.js': "import { A } from './a.js';\nexport class B extends A { bar() { return 2; } }\n",
    });
    expect(reasonOf(await world.rename('src/a.ts:«foo»', 'bar'))).toBe('refused collision');
  });

  test('another program exports everything of both modules', async () => {
    const world = open({
      'tsconfig.test.json': configOf('test'),
      'src/a.ts': 'export function foo() { return 1; }\n',
      'test/other.ts': 'export function bar() { return 2; }\n',
      'test/index.ts': "export * from '../src/a.js';\nexport * from './other.js';\n",
    });
    expect(reasonOf(await world.rename('src/a.ts:«foo»', 'bar'))).toBe('refused export_clash');
  });

  test('a type of another program is made from the name, and far away', async () => {
    const world = open({
      'tsconfig.test.json': configOf('test'),
      'src/ev.ts': 'export interface Ev { foo: number }\n',
      'src/handlers.ts': `import type { Ev } from './ev.js';\nexport type H = { [K in keyof Ev as \`on\${Capitalize<K>}\`]?: (v: Ev[K]) => void };\nexport function listen(h: H): void { void h; }\n`,
      'test/use.ts': "import { listen } from '../src/handlers.js';\nlisten({ onFoo(v) { v.toFixed(); } });\n",
    });
    expect(reasonOf(await world.rename('src/ev.ts:«foo»', 'baz'))).toBe('refused bindings_change');
  });

  test('what is asked about is proved over the same programs when it is committed', async () => {
    const world = open({
      'tsconfig.test.json': configOf('test'),
      'src/a.ts': 'export class A { foo() { return 1; } }\n',
      'src/any.ts': 'export function run(x: any) { return x.foo(); }\n',
      'test/b.ts': "import { A } from '../src/a.js';\nexport class B extends A {}\n",
    });
    const plan = world.planOf(await world.rename('src/a.ts:«foo»', 'bar'));
    expect(plan.contextKeys).toEqual(['ts:tsconfig.json', 'ts:tsconfig.test.json']);
    expect(reasonOf(await world.commit(plan))).toBe('ok');
  });
});

describe('M6 imports that the compiler cannot follow', () => {
  test('a package of the repository that is not installed is asked about, with the uses of its name', async () => {
    const world = open({
      'package.json': JSON.stringify({ private: true, workspaces: ['packages/*'] }),
      'tsconfig.json': '{ "files": [] }',
      'packages/a/package.json': packageOf('a', { exports: './src/index.ts' }),
      'packages/a/tsconfig.json': configOf('src'),
      'packages/a/src/index.ts': "export { foo } from './impl.js';\n",
      'packages/a/src/impl.ts': 'export function foo() { return 1; }\n',
      'packages/b/package.json': packageOf('b'),
      'packages/b/tsconfig.json': configOf('src'),
      'packages/b/src/main.ts': "import { foo } from '@x/a';\nexport const one = foo();\n",
    });
    const answer = await world.rename('packages/a/src/impl.ts:«foo»', 'bar', { public_names: 'rename' });
    expect(asked(world, answer)).toEqual(['unresolved_reference packages/b/src/main.ts:1']);
    const plan = world.planOf(answer);
    await world.commit(plan, { selections: world.select(plan, { unresolved_reference: 'rename' }) });
    expect(world.read('packages/b/src/main.ts')).toBe("import { bar } from '@x/a';\nexport const one = bar();\n");
  });

  test('a path that only a bundler knows may lead to the renamed file, and a package of others does not', async () => {
    const world = open({
      'src/a.ts': 'export function foo() { return 1; }\n',
      'test/a.test.ts': "import { foo } from '@/a';\nconsole.log(foo());\n",
      'test/b.test.ts': "import { foo } from 'elsewhere';\nconsole.log(foo());\n",
    });
    const answer = await world.rename('src/a.ts:«foo»', 'bar');
    expect(asked(world, answer)).toEqual(['unresolved_reference test/a.test.ts:1']);
  });

  test.each([
    ['ignored', 'node_modules\ndist\n'],
    ['committed', 'node_modules\n'],
  ])('a build output that comes from the renamed file is asked about, %s', async (_, ignored) => {
    const world = open(
      {
        '.gitignore': ignored,
        'package.json': JSON.stringify({ private: true, workspaces: ['packages/*'] }),
        'tsconfig.json': '{ "files": [] }',
        'packages/a/package.json': packageOf('a', { main: 'dist/index.js', types: 'dist/index.d.ts' }),
        'packages/a/tsconfig.json': configOf('src'),
        'packages/a/src/index.ts':
          'export class A { foo() { return 1; } }\nexport function make() { return new A(); }\n',
        'packages/a/dist/index.js':
          'export class A { foo() { return 1; } }\nexport function make() { return new A(); }\n',
        'packages/a/dist/index.d.ts': 'export declare class A { foo(): number; }\nexport declare function make(): A;\n',
        'packages/b/package.json': packageOf('b'),
        'packages/b/tsconfig.json': configOf('src'),
        'packages/b/src/main.ts': "import { make } from '@x/a';\nexport const one = make().foo();\n",
      },
      { 'node_modules/@x/a': '../../packages/a' },
    );
    const member = await world.rename('packages/a/src/index.ts:«foo»', 'bar');
    expect(asked(world, member)).toContain('dist_boundary packages/b/src/main.ts:2');
    const exported = await world.rename('packages/a/src/index.ts:function «make»', 'build', { public_names: 'rename' });
    expect(asked(world, exported)).toContain('dist_boundary packages/b/src/main.ts:1');
  });
});

describe('M5 one file under two paths', () => {
  const importing = "import { foo } from './lib/x.js';\nexport const one = foo();\n";

  test('a link to a directory inside a project', async () => {
    const world = open(
      { 'lib/x.ts': 'export function foo() { return 1; }\n', 'src/main.ts': importing },
      { 'src/lib': '../lib' },
    );
    const answer = await world.rename('lib/x.ts:«foo»', 'bar', { apply: true });
    if (reasonOf(answer) === 'ok') expect(world.read('src/main.ts')).toBe(importing.replaceAll('foo', 'bar'));
    else expect(reasonOf(answer)).toMatch(/^(?:refused|needs_decision|blocked)/);
  });

  test('a link to a file', async () => {
    const world = open(
      {
        'lib/x.ts': 'export function foo() { return 1; }\n',
        'src/main.ts': importing.replace('./lib/x.js', './x.js'),
      },
      { 'src/x.ts': '../lib/x.ts' },
    );
    const answer = await world.rename('lib/x.ts:«foo»', 'bar', { apply: true });
    if (reasonOf(answer) === 'ok') expect(world.read('src/main.ts')).toContain('one = bar()');
    else expect(reasonOf(answer)).toMatch(/^(?:refused|needs_decision|blocked)/);
  });

  test('a compiler that is told to keep links apart', async () => {
    const keeping = { preserveSymlinks: true, module: 'esnext', moduleResolution: 'bundler' };
    const world = open(
      {
        '.gitignore': 'node_modules\n',
        'package.json': JSON.stringify({ private: true, workspaces: ['packages/*'] }),
        'tsconfig.json': '{ "files": [] }',
        'packages/a/package.json': packageOf('a', { exports: './src/index.ts' }),
        'packages/a/tsconfig.json': configOf('src', keeping),
        'packages/a/src/index.ts': 'export function foo() { return 1; }\n',
        'packages/b/package.json': packageOf('b'),
        'packages/b/tsconfig.json': configOf('src', keeping),
        'packages/b/src/main.ts': "import { foo } from '@x/a';\nexport const one = foo();\n",
      },
      { 'node_modules/@x/a': '../../packages/a' },
    );
    const answer = await world.rename('packages/a/src/index.ts:«foo»', 'bar', { public_names: 'rename', apply: true });
    if (reasonOf(answer) === 'ok') expect(world.read('packages/b/src/main.ts')).toContain('one = bar()');
    else expect(reasonOf(answer)).toMatch(/^(?:refused|needs_decision|blocked)/);
  });
});

describe('M6 a declaration and the script it describes', () => {
  test('the export of the same name is asked about', async () => {
    const world = open({
      'src/a.d.ts': 'export declare function foo(): number;\n',
      'src/a.js': 'export function foo() { return 1; }\n',
      'src/main.ts': "import { foo } from './a.js';\nexport const one = foo();\n",
    });
    const answer = await world.rename('src/a.d.ts:«foo»', 'bar');
    expect(asked(world, answer)).toEqual(['unresolved_reference src/a.js:1']);
  });
});

describe('M6 one module in several files', () => {
  const go = (says: string) => `export const go = () => '${says}';\n`;
  const user = "import { go } from './impl.js';\nexport const one = go();\n";

  test.each([
    ['for another platform', { 'src/impl.ios.ts': go('ios') }, 'src/impl.ios.ts'],
    ['for tests', { 'src/__mocks__/impl.ts': go('mock') }, 'src/__mocks__/impl.ts'],
    [
      'under another condition',
      {
        'package.json': JSON.stringify({
          name: 'x',
          private: true,
          type: 'module',
          imports: { '#impl': { browser: './src/web.ts', default: './src/impl.ts' } },
        }),
        'src/web.ts': go('web'),
      },
      'src/web.ts',
    ],
    [
      'under another condition, by a pattern',
      {
        'package.json': JSON.stringify({
          name: 'x',
          private: true,
          type: 'module',
          imports: { '#all/*': { browser: './src/web/*.ts', default: './src/*.ts' } },
        }),
        'src/web/impl.ts': go('web'),
      },
      'src/web/impl.ts',
    ],
  ])('%s: the same export is asked about', async (_, files, twin) => {
    const world = open({ 'src/impl.ts': go('default'), 'src/main.ts': user, ...files });
    const answer = await world.rename('src/impl.ts:«go»', 'run');
    expect(asked(world, answer)).toEqual([`unresolved_reference ${twin}:1`]);
    const plan = world.planOf(answer);
    await world.commit(plan, { selections: world.select(plan, { unresolved_reference: 'rename' }) });
    expect(world.read(twin)).toContain('const run');
  });

  test('a test, another name, and another module are none of it', async () => {
    const world = open({
      'src/impl.ts': go('default'),
      'src/main.ts': user,
      'src/impl.test.ts': go('test'),
      'src/impl.web.ts': 'export const other = 1;\n',
      'src/__mocks__/else.ts': go('mock'),
    });
    expect(reasonOf(await world.rename('src/impl.ts:«go»', 'run'))).toBe('ok');
  });
});

describe('files that git does not have', () => {
  test('M13 a use in an ignored file is asked about, not edited', async () => {
    const world = open({
      '.gitignore': 'src/gen\n',
      'src/a.ts': 'export function foo() { return 1; }\n',
      'src/gen/g.ts': "import { foo } from '../a.js';\nfoo();\n",
    });
    const answer = await world.rename('src/a.ts:«foo»', 'bar', { apply: true });
    expect(asked(world, answer)).toEqual(['generated_code src/gen/g.ts:1']);
    expect(world.read('src/a.ts')).toContain('foo');
  });

  test('M13 a use in a submodule is refused', async () => {
    const world = open({ 'src/a.ts': 'export function foo() { return 1; }\n' });
    world.tree.git('init', '-q', 'src/sub');
    world.write('src/sub/s.ts', "import { foo } from '../a.js';\nfoo();\n");
    world.tree.git('-C', 'src/sub', 'add', '-A');
    world.tree.git('-C', 'src/sub', 'commit', '-qm', 'one');
    expect(reasonOf(await world.rename('src/a.ts:«foo»', 'bar', { apply: true }))).toBe('refused vendored');
    expect(world.read('src/sub/s.ts')).toContain('foo');
  });

  test('M28 an ignored file that begins to use the name prevents the commit', async () => {
    const world = open({
      '.gitignore': 'src/gen\n',
      'src/a.ts': 'export function foo() { return 1; }\n',
      'src/gen/g.ts': 'export {};\n',
    });
    const plan = world.planOf(await world.rename('src/a.ts:«foo»', 'bar'));
    world.write('src/gen/g.ts', "import { foo } from '../a.js';\nfoo();\n");
    expect(reasonOf(await world.commit(plan))).not.toBe('ok');
    expect(world.read('src/a.ts')).toContain('foo');
  });

  test('M28 so does a new one beside others', async () => {
    const world = open({
      '.gitignore': 'src/gen\n',
      'src/a.ts': 'export function foo() { return 1; }\n',
      'src/gen/g.ts': 'export {};\n',
    });
    const plan = world.planOf(await world.rename('src/a.ts:«foo»', 'bar'));
    world.write('src/gen/h.ts', "import { foo } from '../a.js';\nfoo();\n");
    expect(reasonOf(await world.commit(plan))).not.toBe('ok');
    expect(world.read('src/a.ts')).toContain('foo');
  });
});
