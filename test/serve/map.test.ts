/** The map of a tree: what it counts is what the disk has, at every level, and what the files say one by one. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDaemonRepo, forbiddenPaths, type RunningDaemon, startTestDaemon } from '../support/daemon-world.ts';
import type { FixtureRepo } from '../support/fixture-repo.ts';

const planted = '<img src=x onerror="window.hacked=1">';
const sources: Readonly<Record<string, string>> = {
  'tsconfig.json': '{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler"}}\n',
  'readme.md': '# One\n\ntwo\n',
  'src/app/main.ts': "import { area } from '../shape/area';\nimport { log } from '../log';\nlog(area());\n",
  'src/app/more/deep.ts': "import { log } from '../../log';\nimport { area } from '../../shape/area';\nlog(area());\n",
  'src/shape/area.ts': "import { log } from '../log';\nexport function area() {\n  log(1);\n  return 1;\n}\n",
  'src/shape/area.test.ts': "import { area } from './area';\nimport '../app/main';\narea();\n",
  // Names that begin alike, and sort among what lies below them.
  'src/app-b/x.ts': 'export class X {\n  one() {}\n  two() {}\n}\n',
  'src/log.ts': "export const log = (value: unknown) => value;\nexport const lost = () => import('./nowhere');\n",
  'src/é\u{1f600}/ü.py': 'def one():\n    return 1\n',
  'src/__proto__/a.go': 'package a\n\nfunc One() {}\n',
  [`src/${planted}/a.ts`]: 'export const one = 1;\n',
  'src/gen/api.ts': '// @generated\nexport const api = 1;\n',
};

type Part = { readonly files: number; readonly lines: number };
type Sums = Part & {
  readonly uncounted: number;
  readonly symbols: number;
  readonly test: Part;
  readonly generated: Part;
  readonly by_freshness: Readonly<Record<string, number>>;
  readonly languages: readonly (Part & { readonly language: string | null })[];
};
type Child = Sums & { readonly name: string; readonly path: string; readonly kind: 'folder' | 'file' };
type Level = {
  readonly path: string;
  readonly sums: Sums;
  readonly children: readonly Child[];
  readonly rest: (Sums & { readonly children: number }) | null;
  readonly imports: readonly { readonly from: string; readonly to: string; readonly count: number }[];
  readonly count: { readonly value: number; readonly relation: string; readonly unresolved: readonly string[] };
};

let repo: FixtureRepo;
let daemon: RunningDaemon;
beforeAll(async () => {
  repo = createDaemonRepo(sources);
  daemon = await startTestDaemon(repo);
});
afterAll(async () => {
  await daemon.stop();
  repo.dispose();
});

const askMap = async (path: string, more: object = {}) => {
  const { status, json } = await daemon.post('/v1/map', { ...(path === '' ? {} : { path }), ...more });
  expect(status, path).toBe(200);
  return json as unknown as Level;
};
const childOf = (path: string, folder: string): string | undefined => {
  const prefix = folder === '' ? '' : `${folder}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length).split('/')[0] : undefined;
};
const linesOf = (text: string): number => text.split('\n').length - 1;
const folders = (files: Readonly<Record<string, string>>): readonly string[] => {
  const found = new Set(['']);
  for (const path of Object.keys(files)) {
    const parts = path.split('/');
    for (let at = 1; at < parts.length; at += 1) found.add(parts.slice(0, at).join('/'));
  }
  return [...found];
};

test('at every level the files and lines are those on disk, and the sums are those of the parts', async () => {
  const disk = repo.tree();
  expect(folders(disk).length).toBeGreaterThan(7);
  for (const folder of folders(disk)) {
    const level = await askMap(folder);
    const wanted = new Map<string, { files: number; lines: number }>();
    for (const [path, text] of Object.entries(disk)) {
      const child = childOf(path, folder);
      if (child === undefined) continue;
      const sums = wanted.get(child) ?? { files: 0, lines: 0 };
      wanted.set(child, { files: sums.files + 1, lines: sums.lines + linesOf(text) });
    }
    const told = new Map(level.children.map(({ name, files, lines }) => [name, { files, lines }]));
    expect(told, folder).toEqual(wanted);
    for (const child of level.children) {
      expect(child.kind).toBe(disk[child.path] === undefined ? 'folder' : 'file');
      expect(Object.values(child.by_freshness).reduce((sum, count) => sum + count, 0)).toBe(child.files);
      expect(child.languages.reduce((sum, { files }) => sum + files, 0)).toBe(child.files);
      if (child.kind === 'folder') {
        const { name: _, path: __, kind: ___, ...sums } = child;
        expect((await askMap(child.path)).sums, child.path).toEqual(sums);
      }
    }
  }
});

test('symbols are those of the outlines, tests and generated files those that the index knows', async () => {
  const { children, sums } = await askMap('src');
  let all = 0;
  for (const { path } of (await filesBelow('src')).filter(({ kind }) => kind === 'file')) {
    const { json } = await daemon.post('/v1/navigate', { kind: 'outline', path });
    all += (json as { readonly symbols?: readonly unknown[] }).symbols?.length ?? 0;
  }
  expect(sums.symbols).toBe(all);
  const of = (name: string) => children.find((child) => child.name === name);
  expect(of('shape')?.test).toEqual({ files: 1, lines: 3 });
  expect(of('app')?.test).toEqual({ files: 0, lines: 0 });
  expect(of('gen')?.generated).toEqual({ files: 1, lines: 2 });
  expect(of('app-b')?.symbols).toBe(3);
});

test('imports between children are those that the files say, one by one; others are told as not known', async () => {
  for (const folder of ['', 'src', 'src/app', 'src/shape']) {
    const { imports, count } = await askMap(folder);
    const wanted = new Map<string, number>();
    for (const path of Object.keys(sources)) {
      const from = childOf(path, folder);
      if (from === undefined) continue;
      const { json } = await daemon.post('/v1/navigate', { kind: 'deps', path });
      const { imports: own } = json as { readonly imports: readonly { readonly targets: readonly string[] }[] };
      for (const { targets } of own)
        for (const to of new Set(targets.map((target) => childOf(target, folder))))
          if (to !== undefined && to !== from) wanted.set(`${from} ${to}`, (wanted.get(`${from} ${to}`) ?? 0) + 1);
    }
    expect(new Map(imports.map(({ from, to, count: times }) => [`${from} ${to}`, times])), folder).toEqual(wanted);
    expect(count.value).toBe([...wanted.values()].reduce((sum, times) => sum + times, 0));
  }
  expect((await askMap('src')).imports).toContainEqual({ from: 'app', to: 'shape', count: 2 });
  expect((await askMap('src')).count).toMatchObject({
    relation: 'gte',
    unresolved: [expect.stringMatching(/^1 import/)],
  });
  expect((await askMap('src/app')).count).toMatchObject({ relation: 'eq', unresolved: [] });
});

test('the largest are named, and the others are told together', async () => {
  const whole = await askMap('src');
  const some = await askMap('src', { limit: 2 });
  expect(some.children).toEqual(whole.children.slice(0, 2));
  expect(some.sums).toEqual(whole.sums);
  expect(whole.rest).toBeNull();
  expect(some.rest).toMatchObject({
    children: whole.children.length - 2,
    lines: whole.children.slice(2).reduce((sum, { lines }) => sum + lines, 0),
  });
  expect(some.count).toEqual(whole.count);
  const named = new Set(some.children.map(({ name }) => name));
  expect(some.imports).toEqual(whole.imports.filter(({ from, to }) => named.has(from) && named.has(to)));
});

test('P1 what was written a moment ago is in it', async () => {
  repo.write('src/late/new.ts', 'one;\ntwo;\n');
  expect((await askMap('src')).children.find(({ name }) => name === 'late')).toMatchObject({ files: 1, lines: 2 });
  repo.git('clean', '-fdq');
  expect((await askMap('src')).children.find(({ name }) => name === 'late')).toBeUndefined();
});

test('P9 what is no folder of the tree is not found, and nothing outside is looked at', async () => {
  expect(await daemon.post('/v1/map', { path: 'src/nowhere' })).toMatchObject({ status: 404 });
  expect(await daemon.post('/v1/map', { path: 'src/log.ts' })).toMatchObject({ status: 404 });
  expect(await daemon.post('/v1/map', { path: 'sr' })).toMatchObject({ status: 404 });
  for (const path of forbiddenPaths) {
    const { status, text } = await daemon.post('/v1/map', { path });
    expect(status, path).toBeGreaterThanOrEqual(400);
    expect(text).not.toContain('root:');
  }
});

async function filesBelow(folder: string): Promise<readonly Child[]> {
  const { children } = await askMap(folder);
  const below = await Promise.all(
    children.map((child) => (child.kind === 'folder' ? filesBelow(child.path) : [child])),
  );
  return below.flat();
}
