/**
 * Which tests run which symbols, and how that is known.
 *
 * `per_test_coverage`: the report has a record of that test. Otherwise no report says which test ran a line, and a test file is linked
 * to symbols that were run by some test and that it can be seen to use: `scip_reference` it names them; `import_reach` one hop further,
 * what the symbols it names refer to, or, without an index of the file, what the files it imports define.
 * An empty list is no proof of anything: then `exercises_unknown` is true.
 */

import { compareCodeUnits } from '../../../kernel/base/json.ts';
import type { ImportEdges } from './import-edges.ts';
import type { SemanticNames } from './semantic-names.ts';

export const linkKinds = ['per_test_coverage', 'import_reach', 'scip_reference'] as const;
export type LinkKind = (typeof linkKinds)[number];

export type TestLink = {
  readonly test_id: string;
  /** Null for a test that is known by a name alone. */
  readonly test_file: string | null;
  readonly exercises: readonly string[];
  readonly exercises_unknown: boolean;
  /** Null where nothing is known. */
  readonly via: LinkKind | null;
};

export type LinkWorld = {
  readonly testFiles: readonly string[];
  /** Scripts that test the whole from outside. */
  readonly smokeFiles: readonly string[];
  readonly covered: ReadonlySet<string>;
  /** Of these what runs when it is used, by the file that defines it. */
  readonly coveredByFile: ReadonlyMap<string, ReadonlySet<string>>;
  /** What the report says of tests that it tells apart. */
  readonly symbolsByTestName: ReadonlyMap<string, ReadonlySet<string>>;
  readonly names: SemanticNames;
  /** What a symbol's own code refers to. */
  readonly referencesOf: (symbol: string) => Iterable<string>;
  readonly imports: ImportEdges | null;
};

/** All links together: a repository that is made of barrels must not fill memory. */
export const maxLinks = 1_000_000;

export function linkTests(world: LinkWorld): TestLink[] {
  const budget = { left: maxLinks };
  const links = [...linkByName(world, budget)];
  const named = new Set(links.map(({ test_file }) => test_file));
  const smoke = new Set(world.smokeFiles);
  for (const file of world.testFiles) {
    if (!named.has(file) && !smoke.has(file)) links.push(...linkFile(file, world, budget));
  }
  for (const file of smoke) {
    if (!named.has(file)) links.push(unknown(file));
  }
  return links.sort((a, b) => compareCodeUnits(a.test_id, b.test_id) || compareCodeUnits(a.via ?? '', b.via ?? ''));
}

function unknown(file: string): TestLink {
  return { test_id: file, test_file: file, exercises: [], exercises_unknown: true, via: null };
}

function* linkByName({ symbolsByTestName, testFiles }: LinkWorld, budget: Budget): Iterable<TestLink> {
  const fileOf = createFileFinder(testFiles);
  for (const [name, symbols] of symbolsByTestName) {
    const { exercises, cut } = take(symbols, budget);
    yield { test_id: name, test_file: fileOf(name), exercises, exercises_unknown: cut, via: 'per_test_coverage' };
  }
}

function linkFile(file: string, world: LinkWorld, budget: Budget): TestLink[] {
  const document = world.names?.get(file);
  const named = new Set<string>();
  const reached = new Set<string>();
  for (const { symbol } of document?.references ?? []) if (world.covered.has(symbol)) named.add(symbol);
  for (const symbol of named) {
    for (const further of world.referencesOf(symbol)) if (world.covered.has(further)) reached.add(further);
  }
  for (const path of world.imports?.loads(file) ?? []) {
    // Both ends are in the index: what it does not say is not so.
    if (document !== undefined && world.names?.has(path) === true) continue;
    for (const symbol of world.coveredByFile.get(path) ?? []) {
      if (reached.size >= budget.left) break;
      reached.add(symbol);
    }
  }
  for (const symbol of named) reached.delete(symbol);
  const links = (
    [
      ['scip_reference', named],
      ['import_reach', reached],
    ] as const
  )
    .filter(([, symbols]) => symbols.size > 0)
    .map(([via, symbols]): TestLink => {
      const { exercises, cut } = take(symbols, budget);
      const isOpen = cut || world.imports?.isOpen(file) === true;
      return { test_id: file, test_file: file, exercises, exercises_unknown: isOpen, via };
    });
  return links.length === 0 ? [unknown(file)] : links;
}

type Budget = { left: number };

function take(symbols: ReadonlySet<string>, budget: Budget): { readonly exercises: string[]; readonly cut: boolean } {
  const exercises = [...symbols].sort(compareCodeUnits).slice(0, budget.left);
  budget.left -= exercises.length;
  return { exercises, cut: exercises.length < symbols.size };
}

/**
 * The test file that a test name means: its path, its base name, or either with everything but letters and digits written as `_`, which
 * is all that some tools allow in a test name. A name that fits two files means neither.
 */
export function createFileFinder(files: readonly string[]): (name: string) => string | null {
  const byName = new Map<string, string | null>();
  for (const file of files) {
    const base = file.slice(file.lastIndexOf('/') + 1);
    const stem = base.replace(/(?:\.(?:test|spec))?\.[^.]+$/, '');
    for (const name of new Set([file, base, stem, plain(file), plain(base), plain(stem)])) {
      byName.set(name, byName.has(name) ? null : file);
    }
  }
  return (name) => byName.get(name) ?? null;
}

function plain(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, '_');
}
