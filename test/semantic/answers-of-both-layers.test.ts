/** What references and definitions say from both layers, with the real indexer: nothing that is called certain is wrong. */

import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createSemanticRepo, type SemanticRepo } from '../support/semantic-repo.ts';

const options = {
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  strict: true,
  types: [],
  lib: ['es2022'],
};
const config = JSON.stringify({ compilerOptions: options, include: ['src'] });

let repo: SemanticRepo;
afterEach(async () => repo.dispose());

type Answer = {
  readonly files: readonly { readonly path: string; readonly hits: readonly Hit[] }[];
  readonly definitions: readonly { readonly path: string; readonly line: number; readonly provenance: string }[];
  readonly implementations: readonly {
    readonly path: string;
    readonly name_path: string;
    readonly provenance: string;
  }[];
  readonly count: { readonly value: number; readonly relation: string; readonly unresolved: readonly string[] };
};
type Hit = {
  readonly line: number;
  readonly col: number;
  readonly role: string;
  readonly provenance: string;
  readonly state?: string;
};

/** From what is indexed: what an edit leaves behind is what these are about. */
async function ask(command: 'refs' | 'def' | 'implementations', target: string): Promise<Answer> {
  const { code, stdout, stderr } = await repo.run(command, target, '--as-indexed', '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Answer;
}
const places = ({ files }: Answer): readonly string[] =>
  files.flatMap(({ path, hits }) =>
    hits.map((hit) => `${path}:${hit.line} ${hit.provenance}${hit.state === undefined ? '' : ` ${hit.state}`}`),
  );

const shapes = {
  'package.json': '{"name":"shapes","private":true}',
  'tsconfig.json': config,
  'src/shape.ts': 'export interface Shape { area(): number; }\nexport interface Field { area: string; }\n',
  'src/square.ts':
    "import type { Shape } from './shape';\nexport class Square implements Shape {\n  constructor(readonly side: number) {}\n  area(): number { return this.side ** 2; }\n}\n",
  'src/use.ts':
    "import { Square } from './square';\nconst one = new Square(2);\nexport const sum = one.area();\nexport const area = 'area';\n",
};

test('T14: members are told apart by type, a class and its constructor are one, implementations are known', async () => {
  repo = createSemanticRepo(shapes);
  expect((await repo.index()).semantic.state).toBe('clean');
  const area = await ask('refs', 'src/shape.ts:1:26');
  expect(places(area)).toEqual(['src/shape.ts:1 resolved', 'src/square.ts:4 resolved', 'src/use.ts:3 resolved']);
  // The other `area` is a member of another type: a union could join the two.
  expect(area.count).toMatchObject({ value: 3, relation: 'gte' });
  const square = await ask('refs', 'src/square.ts:2:14');
  expect(places(square)).toEqual(['src/square.ts:2 resolved', 'src/use.ts:1 resolved', 'src/use.ts:2 resolved']);
  expect(square.count).toEqual({ value: 3, relation: 'eq', unresolved: [] });
  expect((await ask('def', 'src/use.ts:3:24')).definitions).toMatchObject([
    { path: 'src/square.ts', line: 4, provenance: 'resolved' },
  ]);
  expect((await ask('implementations', 'src/shape.ts#Shape')).implementations).toMatchObject([
    { path: 'src/square.ts', name_path: 'Square', provenance: 'resolved' },
  ]);
});

test('T11: in a file that has changed since, places are where the same text is now, and say so', async () => {
  repo = createSemanticRepo(shapes);
  await repo.index();
  repo.write('src/use.ts', `// a line more\n${shapes['src/use.ts']}export const more = one.area;\n`);
  const area = await ask('refs', 'src/shape.ts:1:26');
  expect(places(area)).toEqual([
    'src/shape.ts:1 resolved',
    'src/square.ts:4 resolved',
    'src/use.ts:4 resolved realigned',
  ]);
  expect(area.count.relation).toBe('gte');
  expect(area.count.unresolved).toContain('src/use.ts has changed since it was indexed');
});

test('T14: what a documentation comment links to is used there, and what it only mentions may be', async () => {
  repo = createSemanticRepo({
    'package.json': '{"name":"links","private":true}',
    'tsconfig.json': config,
    'src/price.ts': 'export interface Price { net: number }\nexport const gross = 1;\n',
    'src/use.ts': [
      "import { gross, type Price } from './price';",
      '/** A {@link Price}, of which {@linkcode Price.net} counts. */',
      'export const one: Price = { net: gross };',
      '/** @returns gross */',
      'export const two = () => gross;',
      '',
    ].join('\n'),
  });
  await repo.index();
  const places = async (target: string) => {
    const { stdout } = await repo.run('refs', target, '--json');
    const { files, count } = JSON.parse(stdout);
    type Hit = { readonly line: number; readonly col: number };
    const hits = files.flatMap(({ path, hits }: { readonly path: string; readonly hits: readonly Hit[] }) =>
      hits.map(({ line, col }) => `${path}:${line}:${col}`),
    );
    return [count.relation, ...hits];
  };
  expect(await places('src/price.ts:1:18')).toEqual([
    'eq',
    'src/price.ts:1:18',
    'src/use.ts:1:22',
    'src/use.ts:2:14',
    'src/use.ts:2:42',
    'src/use.ts:3:19',
  ]);
  expect(await places('src/price.ts:1:26')).toEqual(['eq', 'src/price.ts:1:26', 'src/use.ts:2:48', 'src/use.ts:3:29']);
  expect((await places('src/price.ts:2:14'))[0]).toBe('gte');
});

test('T14: a key of an object literal is the member that is expected of it, and one name in quotes or brackets is no other', async () => {
  repo = createSemanticRepo({
    'package.json': '{"name":"keys","private":true}',
    'tsconfig.json': config,
    'src/price.ts': "export interface Price { net: number; 'tax'(): number }\n",
    'src/use.ts': [
      "import type { Price } from './price';",
      'const one: Price = { net: 1, tax: () => 0 };',
      "const two: Price | undefined = { ['net']: 2, 'tax': () => 0 };",
      'export const sum = one.net + one.tax() + two.tax();',
      '',
    ].join('\n'),
  });
  await repo.index();
  const wanted = ['src/price.ts:1', ...[2, 3, 4].map((line) => `src/use.ts:${line}`)].map((at) => `${at} resolved`);
  for (const at of ['src/price.ts:1:26', 'src/use.ts:2:22', 'src/use.ts:3:36', 'src/use.ts:4:24']) {
    const { count, ...found } = await ask('refs', at);
    expect({ at, places: places({ count, ...found }), relation: count.relation }).toEqual({
      at,
      places: wanted,
      relation: 'eq',
    });
  }
  for (const at of ['src/use.ts:2:22', 'src/use.ts:3:36', 'src/use.ts:2:30', 'src/use.ts:3:47', 'src/use.ts:4:34']) {
    const { definitions, count } = await ask('def', at);
    expect({ at, definitions, relation: count.relation }).toMatchObject({
      at,
      definitions: [{ path: 'src/price.ts', line: 1, provenance: 'resolved' }],
      relation: 'eq',
    });
  }
});

test('T14: a parameter is one of its own although overloads have others of its name', async () => {
  repo = createSemanticRepo({
    'package.json': '{"name":"overloads","private":true}',
    'tsconfig.json': config,
    'src/pick.ts':
      'export function pick(of: string): string;\nexport function pick(of: number): number;\nexport function pick(of: unknown): unknown {\n  return of;\n}\n',
  });
  await repo.index();
  expect(places(await ask('refs', 'src/pick.ts:3:22'))).toEqual(['src/pick.ts:3 resolved', 'src/pick.ts:4 resolved']);
  expect(places(await ask('refs', 'src/pick.ts:1:22'))).toEqual(['src/pick.ts:1 resolved']);
});

test('T9: a context that is switched off says nothing any more', async () => {
  repo = createSemanticRepo({
    'package.json': '{"name":"two","private":true}',
    'tsconfig.json': config,
    'tsconfig.b.json': config,
    'src/x.ts': 'export function f(): number { return 1; }\n',
    'src/y.ts': 'export function f(): number { return 2; }\n',
    'src/dep.ts': "export { f } from './x';\n",
    'src/user.ts': "import { f } from './dep';\nconsole.log(f());\n",
  });
  await repo.index();
  const pinned = { version: 1, contexts: [{ key: 'ts:tsconfig.b.json', disabled: true }] };
  repo.write('.codegenie/contexts.json', JSON.stringify(pinned));
  repo.write('src/dep.ts', "export { f } from './y';\n");
  expect((await repo.index()).semantic.state).toBe('clean');
  expect(places(await ask('refs', 'src/x.ts:1:17'))).toEqual(['src/x.ts:1 resolved']);
  expect((await ask('def', 'src/user.ts:2:13')).definitions).toMatchObject([{ path: 'src/y.ts', line: 1 }]);
});

test('T14: what leads through a linked folder may mean anything', async () => {
  repo = createSemanticRepo({
    'package.json': '{"name":"links","private":true}',
    'tsconfig.json': config,
    'src/real/m.ts': 'export function plain(): number { return 1; }\n',
    'src/u.ts': "import { plain } from './alias/m';\nexport const q = plain();\n",
  });
  symlinkSync('real', join(repo.root, 'src/alias'));
  await repo.index();
  const { count } = await ask('refs', 'src/real/m.ts:1:17');
  expect(count.value === 3 || count.relation === 'gte').toBe(true);
});

test('T14: what the indexer tells of its files needs no parser, and files that it does not know are followed through them', async () => {
  repo = createSemanticRepo({
    'package.json': '{"name":"told","private":true,"type":"module"}',
    'tsconfig.json': config,
    'src/tool.ts': 'export const tool = 1;\nexport default class Kit {}\nexport type Shape = typeof tool;\n',
    'src/index.ts': "export { tool as renamed, default, default as Box } from './tool';\nexport * from './tool';\n",
    'src/use.ts': [
      "import { tool, type Shape } from './tool';",
      "import Other from './index';",
      '// tool: a tool',
      "export const one: Shape = tool / 2; export const said = 'tool' + /tool/.source;",
      'export const kit = new Other();',
      'export { tool };',
      '',
    ].join('\n'),
  });
  await repo.index();
  // All files are known: nothing else can mean it.
  const known = await ask('refs', 'src/tool.ts:1:14');
  expect(known.count).toEqual({ value: 7, relation: 'eq', unresolved: [] });
  expect(known.files.find(({ path }) => path === 'src/use.ts')?.hits).toMatchObject([
    { line: 1, role: 'import', provenance: 'resolved' },
    { line: 4, role: 'read', provenance: 'resolved' },
    { line: 6, role: 'export', provenance: 'resolved' },
  ]);
  // These three are in no project. None of them spells what it means.
  repo.write('tools/alias.js', "import { renamed } from '../src/index';\nexport const two = renamed;\n");
  repo.write('tools/default.js', "import Anything from '../src/index';\nexport const box = new Anything();\n");
  repo.write('tools/any.js', 'export const three = (x) => x.renamed;\n');
  const tool = await ask('refs', 'src/tool.ts:1:14');
  expect(places(tool)).toEqual([
    'src/index.ts:1 resolved',
    'src/index.ts:1 resolved',
    'src/tool.ts:1 resolved',
    'src/tool.ts:3 resolved',
    'src/use.ts:1 resolved',
    'src/use.ts:4 resolved',
    'src/use.ts:6 resolved',
    'tools/alias.js:1 syntactic',
    'tools/alias.js:2 syntactic',
  ]);
  const kit = await ask('refs', 'src/tool.ts:2:22');
  expect(places(kit).filter((place) => place.startsWith('tools/'))).toEqual([
    'tools/default.js:1 syntactic',
    'tools/default.js:2 syntactic',
  ]);
});
