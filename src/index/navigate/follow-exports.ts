/**
 * From a name that a file imports to where it is declared, through re-exports, stars and defaults. What cannot be followed is an ending
 * too, with the reason: a package outside, a computed name, a file that does not say it exports the name (P2: unknown is not none).
 */

import type { TextSpan } from '../../languages/facts.ts';
import { isJavaScript } from '../../languages/language-family.ts';
import type { ImportReason } from '../../languages/resolving/resolution.ts';
import type { Binding } from '../../languages/scopes/scope-tree.ts';
import type { SymbolRow } from '../store/file-rows.ts';
import type { StoredImport } from '../store/stored-imports.ts';
import type { Question } from './question.ts';
import type { FileFacts } from './read-file-facts.ts';

export type Ending =
  | { readonly kind: 'binding'; readonly path: string; readonly binding: number; readonly facts: FileFacts }
  /** Declared where the scope model has no binding for it: a type of Java, an anonymous default. */
  | { readonly kind: 'symbol'; readonly path: string; readonly symbol: SymbolRow }
  /** The file as a whole. */
  | { readonly kind: 'module'; readonly path: string }
  | {
      readonly kind: 'outside';
      readonly specifier: string;
      readonly name: string;
      readonly reason: ImportReason;
      readonly external: string | null;
    };

/** One import or re-export on the way. */
export type Step = TextSpan & {
  readonly path: string;
  readonly specifier: string;
  readonly name: string;
  readonly facts: FileFacts;
};

export type Followed = {
  readonly endings: readonly Ending[];
  readonly chain: readonly Step[];
  /** Why there may be other endings; empty where these are all. */
  readonly doubts: readonly string[];
};

type Walk = {
  readonly question: Question;
  readonly endings: Ending[];
  readonly chain: Step[];
  readonly doubts: Set<string>;
  readonly seen: Set<string>;
};

const maxSteps = 200;

/** `binding` has an `importOf`. */
export async function followImport(question: Question, facts: FileFacts, binding: number): Promise<Followed> {
  return walked(question, (walk) => throughImport(walk, facts, binding));
}

export async function followExport(question: Question, path: string, name: string): Promise<Followed> {
  return walked(question, (walk) => throughExport(walk, path, name));
}

/** A name of an import or re-export clause, by its row. */
export async function followRow(
  question: Question,
  facts: FileFacts,
  row: StoredImport,
  name: string,
): Promise<Followed> {
  return walked(question, (walk) => throughRow(walk, facts, row, name, undefined));
}

async function walked(question: Question, run: (walk: Walk) => Promise<void>): Promise<Followed> {
  const walk: Walk = { question, endings: [], chain: [], doubts: new Set(), seen: new Set() };
  await run(walk);
  return { endings: walk.endings, chain: walk.chain, doubts: [...walk.doubts] };
}

/** The row of the import that declares this binding. */
export function findImportRow(question: Question, facts: FileFacts, binding: Binding): StoredImport | undefined {
  const [declaration] = binding.declarations;
  if (declaration === undefined || !facts.isIndexed) return undefined;
  return findRowAt(question, facts, declaration.start);
}

/** The import or re-export statement around a place. */
export function findRowAt(
  question: Question,
  facts: Pick<FileFacts, 'path' | 'isIndexed' | 'toByte'>,
  index: number,
): StoredImport | undefined {
  if (!facts.isIndexed) return undefined;
  const byte = facts.toByte(index);
  return question
    .imports(facts.path)
    .filter((row) => row.start <= byte && byte < row.end)
    .at(-1);
}

async function throughImport(walk: Walk, facts: FileFacts, at: number): Promise<void> {
  const binding = facts.bindings[at];
  const row = binding === undefined ? undefined : findImportRow(walk.question, facts, binding);
  if (binding?.importOf === undefined || row === undefined) {
    walk.doubts.add(`${facts.path} has changed since it was indexed`);
    return;
  }
  await throughRow(walk, facts, row, binding.importOf.name, binding.declarations[0]);
}

async function throughRow(
  walk: Walk,
  facts: FileFacts,
  row: StoredImport,
  name: string,
  at: TextSpan | undefined,
): Promise<void> {
  const span = at ?? { start: facts.toIndex(row.start), end: facts.toIndex(row.end) };
  walk.chain.push({ ...span, path: facts.path, specifier: row.specifier, name, facts });
  if (row.reason !== null || row.targets.length === 0) {
    const { specifier, external } = row;
    walk.endings.push({ kind: 'outside', specifier, name, reason: row.reason ?? 'not_found', external });
    return;
  }
  const { modules, providers } = splitTargets(row, name, facts.language);
  for (const path of modules) walk.endings.push({ kind: 'module', path });
  const before = walk.endings.length;
  for (const path of providers) await throughExport(walk, path, name);
  // A module and an attribute of its package share a name: the package's own attribute is meant first.
  if (modules.length > 0 && walk.endings.length > before) walk.endings.splice(before - modules.length, modules.length);
}

/**
 * Of the files an import leads to, those that are the thing and those that may declare it. `import *` is all of a file; in Python
 * `from pkg import mod` may mean the file `pkg/mod.py`, and a name beside it in the same statement then has nothing to do with that file.
 */
export function splitTargets(
  row: Pick<StoredImport, 'targets' | 'names'>,
  name: string,
  language: string,
): { readonly modules: readonly string[]; readonly providers: readonly string[] } {
  if (name === '*') return { modules: row.targets, providers: [] };
  if (language !== 'python') return { modules: [], providers: row.targets };
  const asked = new Set(row.names.map((entry) => entry.name));
  return {
    modules: row.targets.filter((path) => pythonModuleName(path) === name),
    providers: row.targets.filter((path) => row.targets.length === 1 || !asked.has(pythonModuleName(path))),
  };
}

function pythonModuleName(path: string): string {
  return (
    path
      .replace(/\/__init__\.pyi?$/, '')
      .split('/')
      .at(-1) ?? ''
  ).replace(/\.pyi?$/, '');
}

async function throughExport(walk: Walk, path: string, name: string): Promise<void> {
  const { question, seen } = walk;
  const key = `${path}\0${name}`;
  if (seen.has(key)) return;
  seen.add(key);
  if (seen.size > maxSteps) {
    walk.doubts.add(`the chain of re-exports is longer than ${maxSteps}`);
    return;
  }
  const facts = await question.facts(path);
  if (facts === undefined) {
    if (!addSymbols(walk, path, name)) walk.doubts.add(`${path} could not be parsed`);
    return;
  }
  const local = findExported(question, facts, name);
  if (local !== undefined) {
    const binding = facts.bindings[local];
    if (binding?.importOf !== undefined) await throughImport(walk, facts, local);
    else walk.endings.push({ kind: 'binding', path, binding: local, facts });
    return;
  }
  const rows = question.exports(path);
  const passed = rows.filter((row) => row.publicName === name && row.specifier !== null);
  for (const row of passed) {
    const source = question
      .imports(path)
      .find((entry) => entry.specifier === row.specifier && entry.names.some((one) => publicNameOf(one) === name));
    if (source === undefined) walk.doubts.add(`${path} has changed since it was indexed`);
    else await throughRow(walk, facts, source, row.star ? '*' : (row.localName ?? name), undefined);
  }
  if (passed.length > 0 || addSymbols(walk, path, name)) return;
  // Its own export is stronger than a star, even one that is not found here.
  if (rows.some((row) => row.publicName === name)) {
    walk.doubts.add(`${path} exports ${name}, and does not say from where`);
    return;
  }
  const before = walk.endings.length;
  await throughStars(walk, facts, name);
  if (walk.endings.length === before) walk.doubts.add(`${path} does not say that it exports ${name}`);
}

/** `export *` never passes a default on. An ending outside is kept only if nothing inside has the name. */
async function throughStars(walk: Walk, facts: FileFacts, name: string): Promise<void> {
  if (name === 'default') return;
  const stars = walk.question.exports(facts.path).filter((row) => row.star && row.publicName === '*');
  const outside: Ending[] = [];
  for (const star of stars) {
    const source = walk.question
      .imports(facts.path)
      .find((entry) => entry.specifier === star.specifier && entry.names.some((one) => one.name === '*'));
    if (source === undefined) continue;
    if (source.targets.length === 0) {
      const { specifier, external } = source;
      outside.push({ kind: 'outside', specifier, name, reason: source.reason ?? 'not_found', external });
    }
    const doubts = new Set(walk.doubts);
    const before = walk.endings.length;
    for (const path of source.targets) await throughExport(walk, path, name);
    // A star that does not have the name is no doubt.
    if (walk.endings.length === before) {
      for (const doubt of walk.doubts)
        if (!doubts.has(doubt) && doubt.includes('does not say')) walk.doubts.delete(doubt);
    }
  }
  if (walk.endings.length === 0) walk.endings.push(...outside);
}

export function publicNameOf({ name, alias }: { readonly name: string; readonly alias: string | null }): string {
  return alias ?? name;
}

/** The binding that a file exports under a name of its own: by its clauses, or by an assignment to `exports`. */
export function findExported(question: Question, facts: FileFacts, name: string): number | undefined {
  const byClause = facts.bindings.findIndex(
    (binding) => isTopLevel(facts, binding) && binding.exportedAs.includes(name),
  );
  if (byClause >= 0) return byClause;
  if (!isJavaScript(facts.language) || !facts.isIndexed) return undefined;
  const row = question
    .exports(facts.path)
    .find((entry) => entry.publicName === name && entry.specifier === null && entry.localName !== null);
  if (row === undefined) return undefined;
  const byRow = facts.bindings.findIndex((binding) => isTopLevel(facts, binding) && binding.name === row.localName);
  return byRow < 0 ? undefined : byRow;
}

export function isTopLevel(facts: FileFacts, binding: Binding): boolean {
  return facts.scopes.scopes[binding.scope]?.kind === 'module';
}

function addSymbols(walk: Walk, path: string, name: string): boolean {
  const named = walk.question.symbols(path).filter((symbol) => symbol.name === name);
  const top = named.filter((symbol) => symbol.parent < 0);
  const symbols = top.length > 0 ? top : named.filter(({ kind }) => typeKinds.has(kind));
  for (const symbol of symbols) walk.endings.push({ kind: 'symbol', path, symbol });
  return symbols.length > 0;
}

const typeKinds: ReadonlySet<string> = new Set(
  'class interface type enum struct union trait record delegate'.split(' '),
);
