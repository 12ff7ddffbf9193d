/**
 * What an extractor writes on while it goes through a tree, and the two rules that all of them share: a record's text is made once
 * and only if asked for, and a parse error that is not inside a hidden declaration makes the interface unknown (invariant S3).
 */

import type {
  DynamicSite,
  InterfaceRecord,
  RawExport,
  RawFacts,
  RawImport,
  RawSymbol,
  SourceTree,
  SymbolKind,
  TextSpan,
} from '../facts.ts';
import type { Node } from '../parsing/syntax-node.ts';
import { spanOf } from '../parsing/walk-tree.ts';

export type FactSheet = {
  readonly symbols: RawSymbol[];
  readonly imports: RawImport[];
  readonly exports: RawExport[];
  readonly dynamicSites: DynamicSite[];
  readonly records: InterfaceRecord[];
  readonly provides: Set<string>;
  /** Ids of declarations that no other file can see. */
  readonly hidden: Set<number>;
};

export function startSheet(): FactSheet {
  return {
    symbols: [],
    imports: [],
    exports: [],
    dynamicSites: [],
    records: [],
    provides: new Set(),
    hidden: new Set(),
  };
}

export function finishSheet(sheet: FactSheet, source: SourceTree, canClose: boolean): RawFacts {
  const unknown = source.hasErrors && hasVisibleError(source.root, sheet.hidden);
  return {
    symbols: sheet.symbols,
    imports: sheet.imports,
    exports: sheet.exports,
    dynamicSites: sheet.dynamicSites.sort((a, b) => a.start - b.start || a.end - b.end),
    interfaceRecords: unknown ? null : sheet.records,
    canClose,
    provides: [...sheet.provides].sort(),
  };
}

export type NamedSpan = TextSpan & { readonly text: string };

/** The name of a declaration; empty where it has none. */
export function nameOf({ text }: { readonly text: string }, node: Node): NamedSpan {
  const name = node.childForFieldName('name');
  if (name === null) return { text: '', start: node.startIndex, end: node.startIndex };
  return { text: text.slice(name.startIndex, name.endIndex), ...spanOf(name) };
}

/** Answers the position of the new symbol, which its children name as their parent. */
export function addSymbol(
  sheet: FactSheet,
  kind: SymbolKind,
  name: NamedSpan,
  span: TextSpan,
  parent: number,
  exported: boolean,
): number {
  if (name.text === '') return parent;
  sheet.symbols.push({
    name: name.text,
    kind,
    parent,
    exported,
    nameStart: name.start,
    nameEnd: name.end,
    start: Math.min(span.start, name.start),
    end: Math.max(span.end, name.end),
  });
  return sheet.symbols.length - 1;
}

export function addRecord(
  sheet: FactSheet,
  names: readonly string[],
  isPublic: boolean,
  text: () => string,
  inferred = false,
): void {
  let made: string | undefined;
  sheet.records.push({
    names,
    isPublic,
    inferred,
    text: () => {
      made ??= text();
      return made;
    },
  });
}

/** Only nodes with an error below them are entered. */
function hasVisibleError(root: Node, hidden: ReadonlySet<number>): boolean {
  const pending = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (hidden.has(node.id)) continue;
    if (node.isError || node.isMissing) return true;
    if (!node.hasError) continue;
    for (const child of node.children) pending.push(child);
  }
  return false;
}

/** A path of names, cut so that deep nesting does not make texts grow with its square. */
export function within(path: string, name: string): string {
  return (path + name).slice(-512);
}

/**
 * Whether what a file shows can be understood from the file alone, for languages in which a type of the same package or of a used
 * namespace is mentioned without an import of its own: a capitalised name that is neither declared nor imported here may come from
 * another file.
 */
export function knowsItsNames(sheet: FactSheet, standard: ReadonlySet<string>): boolean {
  const known = new Set(sheet.symbols.flatMap((symbol) => symbol.name.split('.')));
  for (const { names } of sheet.imports) for (const { name, alias } of names) known.add(alias ?? name);
  const isKnown = (name: string) => known.has(name) || standard.has(name) || /^[A-Z]\d?$/.test(name);
  return sheet.records.every((record) => !record.isPublic || (record.text().match(capitalised) ?? []).every(isKnown));
}

const capitalised = /\b[A-Z]\w*/g;
