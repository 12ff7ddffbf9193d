/**
 * `npm run test:near [-- <base>]`: the tests that stand nearest to what changed since `base` (default: the last commit), and the tidy
 * test. Near are the tests of a changed file; then those that name what changed in it, or reach it over few imports, a few from every
 * part of the house; and the examples of a changed probe. It takes about a minute, and says what it left out: CI runs everything.
 */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listSources, listTests, partOf, roomOf, root, type SourceFile } from './house.ts';

const maxTests = 80;

/** Whole programs, containers, long sequences and all examples of probes: near only to a change of themselves or of the file they are named after. */
const slow = new RegExp(
  [
    '^test/(?:adversarial|code-plane|conformance|containers|e2e|engine|mutation|scanners|semantic|serve)/',
    '^test/probe-examples',
    '^src/index/(?:semantic/indexers/run-indexer|sync/index-pool)\\.',
    '^src/kernel/tree/file-scope\\.hostile\\.',
    '^src/languages/(?:parsing/oxc-parser|recomputed-facts)\\.',
    '^src/mutate/(?:compiler/rename/(?:convention-names|answer-rename)|plans/(?:commit-processes|answers\\.view-plan))\\.',
    '^src/probes/conventions/user-regex\\.',
  ].join('|'),
);

/** What changed in a file: names of its exports, or undefined where any of them may have. */
export type Changed = ReadonlyMap<string, ReadonlySet<string> | undefined>;

/** The tests that can notice it, the likeliest first. */
export function listNearTests(changed: Changed): string[] {
  return rankTests([...listSources('src'), ...listSources('test'), ...listSources('scripts'), ...listTests()], changed);
}

export function rankTests(files: readonly Pick<SourceFile, 'path' | 'text' | 'imports'>[], changed: Changed): string[] {
  const importers = new Map<string, { readonly path: string; readonly text: string }[]>();
  for (const file of files)
    for (const { target } of file.imports) importers.set(target, [...(importers.get(target) ?? []), file]);
  const measure = (mayStep: (from: string, text: string) => boolean) => {
    const distances = new Map([...changed.keys()].map((path) => [path, 0]));
    for (const [path, distance] of distances)
      for (const importer of importers.get(path) ?? [])
        if (!distances.has(importer.path) && mayStep(path, importer.text)) distances.set(importer.path, distance + 1);
    return distances;
  };
  const all = measure(() => true);
  const named = measure((from, text) => {
    const names = changed.get(from);
    return names === undefined || mentions(text, names);
  });
  const isOwn = (path: string) => changed.has(path) || changed.has(testedFile(path));
  const near = files.filter(
    ({ path }) => all.has(path) && path.endsWith('.test.ts') && (isOwn(path) || !slow.test(path)),
  );
  const everyName = new Set([...changed.values()].flatMap((names) => [...(names ?? [])]));
  const rankOf = ({ path, text }: (typeof near)[number]): number => {
    if (isOwn(path)) return 0;
    const distance = named.get(path);
    if (distance === undefined) return 1_000 + (all.get(path) ?? 0);
    return mentions(text, everyName) ? 1 : 1 + distance;
  };
  const ranks = Map.groupBy(near, rankOf);
  return [...ranks.keys()]
    .sort((a, b) => a - b)
    .flatMap((rank) => byTurns(ranks.get(rank)?.map(({ path }) => path) ?? []));
}

/** `a.part.test.ts` is of `a.ts`. */
const testedFile = (path: string) => path.replace(/([^/.]+)\.[^/]*$/, '$1.ts');

function mentions(text: string, names: ReadonlySet<string>): boolean {
  return [...names].some((name) => new RegExp(`\\b${name}\\b`).test(text));
}

/** One of every room, then a second of each; within a room one of every part. */
function byTurns(paths: readonly string[], groupOf?: (path: string) => string): string[] {
  if (groupOf === undefined) return byTurns(byTurns(paths.toSorted(), partOf), roomOf);
  const groups = [...Map.groupBy(paths, groupOf).values()];
  const rounds = Math.max(0, ...groups.map((group) => group.length));
  return Array.from({ length: rounds }, (_, turn) => groups.flatMap((group) => group[turn] ?? [])).flat();
}

/** The exports that these lines belong to, or that use something these lines belong to. Undefined where lines belong to nothing. */
export function exportsAt(text: string, lines: readonly number[]): ReadonlySet<string> | undefined {
  const rows = text.split('\n');
  const heads = rows.flatMap((row, line) => {
    const [, exported, name] =
      /^(export )?(?:default )?(?:declare |abstract |async )*(?:function\*?|const|let|class|type|interface|enum) (\w+)/.exec(
        row,
      ) ?? [];
    return name === undefined ? [] : [{ line: line + 1, name, isExported: exported !== undefined }];
  });
  const parts = heads.map((head, at) => ({ ...head, end: heads[at + 1]?.line ?? rows.length + 1 }));
  const hit = new Set(lines.map((line) => parts.find((part) => part.line <= line && line < part.end)?.name));
  if (hit.has(undefined) || hit.size === 0) return undefined;
  const touched = new Set(hit as ReadonlySet<string>);
  for (let before = -1; before !== touched.size; ) {
    before = touched.size;
    for (const { line, end, name } of parts)
      if (mentions(rows.slice(line - 1, end - 1).join('\n'), touched)) touched.add(name);
  }
  return new Set(parts.filter(({ name, isExported }) => isExported && touched.has(name)).map(({ name }) => name));
}

function git(...words: readonly string[]): string[] {
  const { stdout } = spawnSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: 256 * 1024 ** 2 });
  return stdout.split('\n').filter((line) => line !== '');
}

function changedSince(base: string): Changed {
  const isSource = (path: string) => /\.[cm]?ts$/.test(path);
  const edited = git('diff', '--name-only', '--diff-filter=d', base).filter(isSource);
  const added = git('ls-files', '--others', '--exclude-standard').filter(isSource);
  const exportsOf = (path: string) => {
    const lines = git('diff', '-U0', base, '--', path).flatMap((row) => {
      const [, from = '0', count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(row) ?? [];
      return from === '0' ? [] : Array.from({ length: Math.max(1, Number(count)) }, (_, at) => Number(from) + at);
    });
    return exportsAt(readFileSync(join(root, path), 'utf8'), lines);
  };
  return new Map([
    ...edited.map((path) => [path, exportsOf(path)] as const),
    ...added.map((path) => [path, undefined] as const),
  ]);
}

/** A probe is held by its examples: how to run those of the probes that these files are of, and nothing where they are of none. */
export function examplesOf(paths: Iterable<string>): readonly string[] {
  const folders = new Set([...paths].flatMap((path) => /^src\/probes\/([^/]+)\/[^/]+$/.exec(path)?.[1] ?? []));
  folders.delete('shared');
  const names = [...folders].map((folder) => folder.replaceAll('-', '_'));
  return names.length === 0 ? [] : ['test/probe-examples.test.ts', '-t', `^(?:${names.join('|')}) `];
}

if (import.meta.main) {
  const changed = changedSince(process.argv[2] ?? 'HEAD');
  const near = listNearTests(changed);
  const chosen = near.slice(0, maxTests);
  console.log(
    `${changed.size} changed, ${near.length} tests can notice it` +
      (near.length > chosen.length ? `; the nearest ${chosen.length} run, \`npm test\` runs all` : ''),
  );
  for (const tests of [[...new Set(['test/tidy.test.ts', ...chosen])], examplesOf(changed.keys())]) {
    if (tests.length === 0) continue;
    const { status } = spawnSync('npx', ['vitest', 'run', ...tests], { cwd: root, stdio: 'inherit' });
    if (status !== 0) process.exitCode = status ?? 1;
  }
}
