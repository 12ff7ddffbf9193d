/**
 * Which tests run which symbols, and how that is known.
 *
 * `per_test_coverage`: the report has a record of that test. Otherwise no report says which test ran a line, and a test file is linked
 * to symbols that were run by some test and that it can be seen to use: `scip_reference` it names them; `import_reach` one hop further,
 * what the symbols it names refer to, or, without an index of the file, what the files it imports define.
 * An empty list is no proof of anything: then `exercises_unknown` is true.
 */

import { compareCodeUnits, isJsonObject, type Json } from '../../kernel/base/json.ts';
import { listAt, textAt } from '../../kernel/base/json-access.ts';
import { limits } from '../../kernel/base/limits.ts';
import { shortLine } from '../../kernel/base/text.ts';
import { parseJsonObject } from '../../kernel/formats/parse-json.ts';
import { readScipBytes } from '../../kernel/formats/read-scip.ts';
import { roleBits, type ScipDocument } from '../../kernel/formats/scip.ts';
import { redactString } from '../../kernel/secrets/redact-string.ts';
import type { MeasuredFile } from './coverage-reports.ts';
import { createRecordReader, ownersByLine, type SourceDefinitions } from './measure-symbols.ts';
import type { LinkKind } from './test-coverage-mapping-section.ts';

export type TestLink = {
  readonly test_id: string;
  /** Null for a test that is known by a name alone. */
  readonly test_file: string | null;
  readonly exercises: readonly string[];
  readonly exercises_unknown: boolean;
  /** Null where nothing is known. */
  readonly via: LinkKind | null;
};

type LinkWorld = {
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
const maxLinks = 1_000_000;

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

// What reports and the index say about tests and symbols, put together for linking.

/** Tests that a report tells apart and that are kept; those beyond are counted. */
const testNamesKept = 20_000;

type NamedTests = { readonly symbolsByName: ReadonlyMap<string, ReadonlySet<string>>; readonly notKept: number };

/** One name for a whole report is the name of a run; it tells tests apart when there are several, or when it is that of a test file. */
export function readTestNames(
  recordsByFile: ReadonlyMap<string, readonly MeasuredFile[]>,
  sources: ReadonlyMap<string, SourceDefinitions>,
  tests: readonly string[],
): NamedTests {
  const symbolsByName = new Map<string, Set<string>>();
  const beyond = new Set<string>();
  for (const [path, records] of recordsByFile) {
    const source = sources.get(path);
    const named = records.filter(({ testName }) => testName !== '');
    const readRecord = source === undefined || named.length === 0 ? undefined : createRecordReader(source);
    for (const record of named) {
      // Redacted before it is cut: half a secret is not recognised as one.
      const name = shortLine(redactString(record.testName, { entropy: false }).text);
      const known = symbolsByName.get(name);
      if (known === undefined && symbolsByName.size >= testNamesKept) {
        beyond.add(name);
        continue;
      }
      const symbols = known ?? new Set();
      symbolsByName.set(name, symbols);
      for (const symbol of readRecord?.(record) ?? []) symbols.add(symbol);
    }
  }
  const [only] = symbolsByName.keys();
  const isRun = symbolsByName.size === 1 && only !== undefined && createFileFinder(tests)(only) === null;
  return { symbolsByName: isRun ? new Map() : symbolsByName, notKept: beyond.size };
}

/** What the code of each symbol refers to, by the innermost definition around the reference. */
export function indexReferences(
  sources: ReadonlyMap<string, SourceDefinitions>,
  names: SemanticNames,
): (symbol: string) => Iterable<string> {
  const bySymbol = new Map<string, Set<string>>();
  for (const [path, { candidates, lines }] of sources) {
    const references = names?.get(path)?.references ?? [];
    const owners = references.length === 0 ? [] : ownersByLine(candidates, lines);
    for (const { line, symbol } of references) {
      const owner = owners[line]?.symbol;
      if (owner === undefined || owner === symbol) continue;
      bySymbol.set(owner, (bySymbol.get(owner) ?? new Set()).add(symbol));
    }
  }
  return (symbol) => bySymbol.get(symbol) ?? [];
}

// The import graph as another probe left it, for the questions asked here. What is not of its shape reads as nothing.

type ImportEdges = {
  /** Files a file loads, and those that they pass on. */
  readonly loads: (path: string) => ReadonlySet<string>;
  /** It asks for something of this repository that was not found, or that is only known when it runs. */
  readonly isOpen: (path: string) => boolean;
};

export function readImportEdges(graph: Uint8Array | undefined): ImportEdges | null {
  if (graph === undefined) return null;
  const outcome = parseJsonObject(graph, { maxBytes: limits.toolOutputBytes, maxDepth: limits.parseDepth });
  if (!outcome.ok) return null;
  const [loaded, passedOn] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
  for (const edge of listAt(outcome.value, 'edges')) {
    const [from, to] = [textAt(edge, 'from'), textAt(edge, 'to')];
    if (from === null || to === null || !isTrue(edge, 'resolved') || isTrue(edge, 'type_only')) continue;
    add(loaded, from, to);
    if (textAt(edge, 'kind') === 'reexport') add(passedOn, from, to);
  }
  const open = new Set<string>();
  for (const entry of listAt(outcome.value, 'unresolved')) {
    const from = textAt(entry, 'from');
    if (from !== null) open.add(from);
  }
  return {
    loads(path) {
      const found = new Set(loaded.get(path));
      for (const direct of loaded.get(path) ?? []) for (const further of passedOn.get(direct) ?? []) found.add(further);
      found.delete(path);
      return found;
    },
    isOpen: (path) => open.has(path),
  };
}

function isTrue(value: Json, key: string): boolean {
  return isJsonObject(value) && value[key] === true;
}

function add(sets: Map<string, Set<string>>, key: string, value: string): void {
  const known = sets.get(key);
  if (known === undefined) sets.set(key, new Set([value]));
  else known.add(value);
}

// What the semantic index says about the files in question: the name of each definition, and who refers to whom. Locals aside.

type DocumentNames = {
  /** The symbol defined at a line (from 1) and column. */
  readonly definitions: ReadonlyMap<string, string>;
  /** In the order of the document; lines from 1. */
  readonly references: readonly { readonly line: number; readonly symbol: string }[];
};
/** By path; null where there is no index, or none that can be read. */
export type SemanticNames = ReadonlyMap<string, DocumentNames> | null;

export const placeKey = (line: number, column: number): string => `${line}:${column}`;

export function readSemanticNames(index: Uint8Array | undefined, wanted: (path: string) => boolean): SemanticNames {
  if (index === undefined) return null;
  const byPath = new Map<string, DocumentNames>();
  const outcome = readScipBytes(
    index,
    (part) => {
      // Of a file that several projects describe, one description is enough.
      if (part.kind !== 'document' || !wanted(part.document.relativePath) || byPath.has(part.document.relativePath))
        return;
      byPath.set(part.document.relativePath, namesOf(part.document));
    },
    { maxBytes: limits.scipBytes, onUndecodable: () => {} },
  );
  return outcome.kind === 'read' && byPath.size > 0 ? byPath : null;
}

function namesOf({ occurrences }: ScipDocument): DocumentNames {
  const definitions = new Map<string, string>();
  const references: { line: number; symbol: string }[] = [];
  for (const { range, roles, symbol } of occurrences) {
    if (symbol === '' || symbol.startsWith('local ')) continue;
    const [line = 0, column = 0] = range;
    if ((roles & roleBits.definition) === 0) references.push({ line: line + 1, symbol });
    // The file itself is defined at its first character.
    else if (!symbol.endsWith('/')) definitions.set(placeKey(line + 1, column), symbol);
  }
  return { definitions, references };
}
