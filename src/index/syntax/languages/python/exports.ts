/** What of a module other modules are meant to see: the names of a literal `__all__`, else those without a leading underscore. */

import { compareCodeUnits } from '../../../../kernel/base/json.ts';
import type { RawExport, RawImport, RawSymbol } from '../../facts.ts';
import type { RecordDraft } from '../shared/record-draft.ts';
import type { AllList } from './all-list.ts';

export function isPublicName(name: string, all: AllList): boolean {
  return all.present && all.literal ? all.names.has(name) : !name.startsWith('_');
}

export function isDunder(name: string): boolean {
  return name.startsWith('__') && name.endsWith('__');
}

export function recordOfAll({ names, literal }: AllList): RecordDraft {
  const parts = [`__all__=${[...names].sort(compareCodeUnits).join(',')}${literal ? '' : ',…'}`];
  return { names: [], isPublic: true, inferred: !literal, parts, start: 0, end: 0 };
}

/** Members count as exported with their class; nothing inside a function is. */
export function withExported(symbols: readonly RawSymbol[], all: AllList): RawSymbol[] {
  const done: RawSymbol[] = [];
  for (const symbol of symbols) {
    const parent = done[symbol.parent];
    const exported =
      parent === undefined
        ? isPublicName(symbol.name, all)
        : parent.exported && /class|enum$/.test(parent.kind) && (!symbol.name.startsWith('_') || isDunder(symbol.name));
    done.push({ ...symbol, exported });
  }
  return done;
}

/** Names that come from elsewhere say from where; a star forwards whatever `__all__` does not find here. */
export function listExports(
  symbols: readonly RawSymbol[],
  moduleImports: readonly RawImport[],
  all: AllList,
): RawExport[] {
  const found = new Map<string, RawExport>();
  const add = (publicName: string, localName: string | null, specifier: string | null, typeOnly = false) => {
    if (!found.has(publicName)) found.set(publicName, { publicName, localName, specifier, star: false, typeOnly });
  };
  for (const { name, parent } of symbols) if (parent === -1 && isPublicName(name, all)) add(name, name, null);
  for (const { kind, names, specifier, typeOnly } of moduleImports) {
    for (const { name, alias } of names) {
      const listed = all.present && all.literal && all.names.has(alias ?? name);
      if (name !== '*' ? isPublicName(alias ?? name, all) : listed && kind === 'import') {
        add(alias ?? name, name, specifier, typeOnly);
      }
    }
  }
  const missing = all.literal ? [...all.names].filter((name) => !found.has(name)) : [];
  const stars = all.present && all.literal && missing.length === 0 ? [] : moduleImports;
  const forwarded = stars
    .filter(({ kind, names }) => kind === 'from' && names[0]?.name === '*')
    .map(({ specifier, typeOnly }) => ({ publicName: '*', localName: null, specifier, star: true, typeOnly }));
  for (const name of forwarded.length > 0 ? [] : missing) add(name, name, null);
  return [...found.values(), ...forwarded];
}
