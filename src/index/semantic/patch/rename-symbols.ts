/** Symbols after a renaming: the name of what was renamed is part of the spelling of everything below it. */

import { type Descriptor, type GlobalSymbol, parseScipSymbol, renderScipSymbol } from '../../../kernel/formats/scip.ts';
import type { Family } from '../../../languages/context-spec.ts';
import type { NameClass } from './signatures.ts';
import { Unfit } from './types.ts';

/** `x`, `<get>x`, `'x'`, `"x"`, and of an object literal's key `x0`, `x1`, … */
const around = /^(<[gs]et>)?(['"])?(.*?)\2$/s;

/** Where the name stands in a descriptor, if it is that descriptor's. */
export function spells(descriptor: Descriptor, name: string): { before: string; after: string } | undefined {
  const { name: spelled, suffix } = descriptor;
  const digits = suffix === 'meta' ? (/\d+$/.exec(spelled)?.[0] ?? '') : '';
  for (const tail of new Set(['', digits])) {
    const whole = spelled.slice(0, spelled.length - tail.length);
    const [, accessor = '', quote = '', inner = ''] = around.exec(whole) ?? [];
    if (inner === name) return { before: accessor + quote, after: quote + tail };
  }
  return undefined;
}

/** Only TypeScript's types are read so closely. */
export function classOf(raw: string, family: Family): NameClass {
  const symbol = family === 'typescript' ? parseScipSymbol(raw) : undefined;
  if (symbol?.kind !== 'global') return 'any';
  const [owner, last] = symbol.descriptors.slice(-2);
  if (last === undefined || owner === undefined || last.suffix === 'type_parameter') return 'any';
  return owner.suffix === 'namespace' && last.suffix !== 'meta' && last.suffix !== 'parameter' ? 'top' : 'member';
}

/** The same of a local, whose spelling says nothing: by what the tool says that it is. */
export function classOfLocal(said: string, family: Family): NameClass {
  if (family !== 'typescript') return 'any';
  if (/^```ts\n\((?:parameter|property|method)\) /.test(said)) return 'member';
  return /^```ts\n(?:var|let|const|function|class|enum|interface|type|namespace|module) /.test(said) ? 'top' : 'any';
}

export function createSymbolRenames(names: { readonly oldName: string; readonly newName: string }) {
  const { oldName, newName } = names;
  const parsed = new Map<string, { readonly symbol: GlobalSymbol; readonly isNamed: boolean } | undefined>();
  const renamed = new Set<string>();
  const results = new Map<string, string>();

  const look = (raw: string) => {
    if (!raw.includes(oldName) || raw.startsWith('local ')) return undefined;
    if (!parsed.has(raw)) {
      const symbol = parseScipSymbol(raw);
      const last = symbol?.kind === 'global' ? symbol.descriptors.at(-1) : undefined;
      if (symbol?.kind !== 'global' || last === undefined) parsed.set(raw, undefined);
      else parsed.set(raw, { symbol, isNamed: spells(last, oldName) !== undefined });
    }
    return parsed.get(raw);
  };
  return {
    /** Is that the name of the symbol itself? */
    isNamed: (raw: string): boolean => look(raw)?.isNamed === true,
    /** All of it that is known, before any is rewritten. */
    add(raw: string): void {
      const found = look(raw);
      if (found !== undefined) renamed.add(renderScipSymbol(found.symbol));
    },
    rewrite(raw: string): string {
      const found = look(raw);
      if (found === undefined) return raw;
      let result = results.get(raw);
      if (result === undefined) {
        result = rewriteSymbol(found.symbol, raw);
        results.set(raw, result);
      }
      return result;
    },
  };

  function rewriteSymbol(symbol: GlobalSymbol, raw: string): string {
    const descriptors = [...symbol.descriptors];
    let isOther = false;
    for (let at = 0; at < descriptors.length; at += 1) {
      const prefix = renderScipSymbol({ ...symbol, descriptors: symbol.descriptors.slice(0, at + 1) });
      if (!renamed.has(prefix)) continue;
      const descriptor = descriptors[at] as Descriptor;
      const place = spells(descriptor, oldName);
      if (place === undefined) throw new Unfit(`${raw} does not spell the name`);
      descriptors[at] = { ...descriptor, name: `${place.before}${newName}${place.after}` };
      isOther = true;
    }
    return isOther ? renderScipSymbol({ ...symbol, descriptors }) : raw;
  }
}

export type SymbolRenames = ReturnType<typeof createSymbolRenames>;
