/**
 * Whether what a file shows can be understood from the file alone, for languages in which a type of the same package or of a used
 * namespace is mentioned without an import of its own: a capitalised name that is neither declared nor imported here may come from
 * another file.
 */

import type { FactSheet } from './fact-sheet.ts';

export function knowsItsNames(sheet: FactSheet, standard: ReadonlySet<string>): boolean {
  const known = new Set(sheet.symbols.flatMap((symbol) => symbol.name.split('.')));
  for (const { names } of sheet.imports) for (const { name, alias } of names) known.add(alias ?? name);
  const isKnown = (name: string) => known.has(name) || standard.has(name) || /^[A-Z]\d?$/.test(name);
  return sheet.records.every((record) => !record.isPublic || (record.text().match(capitalised) ?? []).every(isKnown));
}

const capitalised = /\b[A-Z]\w*/g;
