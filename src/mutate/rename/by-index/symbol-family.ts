/**
 * Every symbol that must be renamed together (mutation.md §2.2), as indexers name them: the closure of the target under override and
 * implementation, merging, overloads, accessors, and tokens that mean several symbols at once. Unlike navigation, which answers for one
 * reader, it goes up and down until nothing is added: half a family renamed is a broken program (M3).
 *
 * Python's indexer relates methods alone, so members of classes are also tied by name along the class hierarchy: a class that inherits
 * from two others makes one name of theirs. Parameters of a method are tied to those of what it overrides, because a caller by keyword
 * may mean either.
 */

import type { SemanticLayer } from '../../../index/navigate/semantic-layer.ts';
import type { ReadSession } from '../../../index/store/read-session.ts';
import { listDefinitionsOf } from '../../../index/store/stored-occurrences.ts';
import {
  findSymbolById,
  findSymbolByKey,
  listRelations,
  type StoredSymbol,
} from '../../../index/store/stored-symbols.ts';
import { type Descriptor, parseDescriptors, renderDescriptors } from '../../../kernel/formats/scip.ts';

export type SymbolFamily = {
  /** By id, in the order they were reached. */
  readonly symbols: ReadonlyMap<number, FamilySymbol>;
  /** Types outside the repository that a member's owner inherits from: their members are not all known. */
  readonly outsideBases: readonly string[];
  /** All in-repo classes whose members of the name are, or would be, tied to the family. */
  readonly owners: ReadonlySet<string>;
  readonly truncated: boolean;
};

/** `from`: by which symbol it was reached, and how. */
export type FamilySymbol = StoredSymbol & { readonly from: { readonly id: number; readonly how: string } | null };

type Ask = <T>(ask: (session: ReadSession) => T) => T;

const maxSymbols = 5_000;
const constructorEnd = '`<constructor>`().';

/** `also`: other symbols of the same tokens, asked for as the family grows. */
export function collectSymbolFamily(
  ask: Ask,
  layer: Pick<SemanticLayer, 'isLive'>,
  start: Iterable<number>,
  options: { readonly language: string; readonly also: (symbol: StoredSymbol) => Iterable<number> },
): SymbolFamily {
  const symbols = new Map<number, FamilySymbol>();
  const outsideBases = new Set<string>();
  const owners = new Set<string>();
  const waiting: number[] = [];
  let truncated = false;
  const add = (symbol: StoredSymbol | undefined, from: FamilySymbol['from']) => {
    if (symbol === undefined || symbols.has(symbol.id)) return;
    if (symbols.size >= maxSymbols) {
      truncated = true;
      return;
    }
    symbols.set(symbol.id, { ...symbol, from });
    if (symbol.inRepo) waiting.push(symbol.id);
  };
  for (const id of start)
    add(
      ask((session) => findSymbolById(session, id)),
      null,
    );
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const symbol = symbols.get(id);
    if (symbol !== undefined) grow(symbol);
  }
  return { symbols, outsideBases: [...outsideBases].sort(), owners, truncated };

  function grow(symbol: FamilySymbol): void {
    const from = (how: string) => ({ id: symbol.id, how });
    for (const key of keysNamed(symbol.key, symbol.name)) add(findDefined(key), from('is declared in the same place'));
    if (symbol.key.endsWith(constructorEnd)) add(findDefined(ownerKey(symbol.key)), from('is its class'));
    else if (isTypeKey(symbol.key)) {
      const built = `${symbol.key}${constructorEnd}`;
      add(
        ask((session) => findSymbolByKey(session, built)),
        from('is its constructor'),
      );
    }
    for (const direction of ['from', 'to'] as const) {
      for (const { symbolId, kind } of relationsOf(symbol.id, direction)) {
        const isMeant =
          kind === 'definition' || kind === 'merge' || (kind !== 'type_definition' && !isTypeKey(symbol.key));
        if (!isMeant) continue;
        const other = ask((session) => findSymbolById(session, symbolId));
        // A relation of another name is none that a rename could keep or break.
        if (other?.name === symbol.name)
          add(other, from(direction === 'from' ? 'overrides or implements it' : 'is overridden by it'));
      }
    }
    if (isMemberKey(symbol.key)) growMember(symbol);
    if (isParameterKey(symbol.key)) growParameter(symbol);
    for (const id of options.also(symbol))
      add(
        ask((session) => findSymbolById(session, id)),
        from('is meant by the same token'),
      );
  }

  function growMember(symbol: FamilySymbol): void {
    const owner = ownerKey(symbol.key);
    if (owner === undefined) return;
    const { related, outside } = listRelatedTypes(owner);
    for (const base of outside) {
      outsideBases.add(base);
      for (const key of memberKeys(base, symbol.name))
        add(
          ask((session) => findSymbolByKey(session, key)),
          { id: symbol.id, how: 'is inherited from outside' },
        );
    }
    for (const type of related) {
      owners.add(type);
      if (options.language !== 'python') continue;
      for (const key of memberKeys(type, symbol.name))
        add(findDefined(key), { id: symbol.id, how: 'is the same member of a related class' });
    }
  }

  function growParameter(symbol: FamilySymbol): void {
    const method = ownerKey(symbol.key);
    if (options.language !== 'python' || method === undefined || !isMemberKey(method)) return;
    const owner = ownerKey(method);
    const name = ask((session) => findSymbolByKey(session, method))?.name ?? '';
    if (owner === undefined || name === '' || name === '__init__' || name === '__new__') return;
    const { related } = listRelatedTypes(owner);
    for (const type of related)
      for (const key of memberKeys(type, name)) {
        const other = parameterKey(key, symbol.name);
        if (other !== undefined)
          add(findDefined(other), { id: symbol.id, how: 'is the same parameter of an overridden method' });
      }
  }

  /** Bases, derived types, and the other bases of those: where one name can stand for several declarations. */
  function listRelatedTypes(owner: string) {
    const start = ask((session) => findSymbolByKey(session, owner));
    const related = new Set<string>();
    const outside = new Set<string>();
    if (start === undefined) return { related, outside };
    const walk = (from: Iterable<number>, direction: 'from' | 'to'): ReadonlySet<number> => {
      const seen = new Set(from);
      const open = [...seen];
      for (let id = open.pop(); id !== undefined; id = open.pop())
        for (const { symbolId, kind } of relationsOf(id, direction))
          if (kind === 'implements' && !seen.has(symbolId) && seen.size < maxSymbols) {
            seen.add(symbolId);
            open.push(symbolId);
          }
      return seen;
    };
    for (const id of walk(walk([start.id], 'to'), 'from')) {
      const type = ask((session) => findSymbolById(session, id));
      if (type !== undefined && isTypeKey(type.key)) (type.inRepo ? related : outside).add(type.key);
    }
    return { related, outside };
  }

  function relationsOf(id: number, direction: 'from' | 'to') {
    return ask((session) => listRelations(session, id, direction)).filter(layer.isLive);
  }

  function findDefined(key: string | undefined): StoredSymbol | undefined {
    if (key === undefined) return undefined;
    return ask((session) => {
      const found = findSymbolByKey(session, key);
      return found !== undefined && listDefinitionsOf(session, [found.id]).some(layer.isLive) ? found : undefined;
    });
  }
}

/** From the target to a member, in words. */
export function describeChain({ symbols }: SymbolFamily, id: number): string {
  const steps: string[] = [];
  for (let one = symbols.get(id); one !== undefined; one = one.from === null ? undefined : symbols.get(one.from.id)) {
    const shown = one.key.slice(one.key.lastIndexOf(' ') + 1);
    steps.push(one.from === null ? shown : `${shown} (${one.from.how})`);
  }
  return steps.reverse().join(' → ');
}

// Keys of symbols, taken apart: the last name, who owns it, and how the same place would be called with another name.

type KeyParts = {
  /** `family SP package`, as far as the descriptors. */
  readonly head: string;
  readonly descriptors: readonly Descriptor[];
  readonly last: Descriptor;
};

const known = new Map<string, KeyParts | null>();
const maxKnown = 20_000;

/** Undefined for locals, and for what cannot be read. */
function splitKey(key: string): KeyParts | undefined {
  let parts = known.get(key);
  if (parts === undefined) {
    parts = split(key) ?? null;
    if (known.size >= maxKnown) known.clear();
    known.set(key, parts);
  }
  return parts ?? undefined;
}

/** In a key the descriptors are what follows the last space that is outside of backticks. */
function split(key: string): KeyParts | undefined {
  if (key.startsWith('local ')) return undefined;
  let quoted = false;
  let cut = -1;
  for (let at = 0; at < key.length; at += 1) {
    if (key[at] === '`') quoted = !quoted;
    else if (key[at] === ' ' && !quoted) cut = at;
  }
  const descriptors = cut < 0 ? undefined : parseDescriptors(key.slice(cut + 1));
  const last = descriptors?.at(-1);
  return descriptors === undefined || last === undefined ? undefined : { head: key.slice(0, cut), descriptors, last };
}

function joinKey({ head }: Pick<KeyParts, 'head'>, descriptors: readonly Descriptor[]): string {
  return `${head} ${renderDescriptors(descriptors)}`;
}

/** From the outermost to its own; undefined for locals, and for what cannot be read. */
export function listKeyNames(key: string): readonly string[] | undefined {
  return splitKey(key)?.descriptors.map(({ name }) => name);
}

/** The key of what it is a member, parameter or declaration of; undefined at the top. */
export function ownerKey(key: string): string | undefined {
  const parts = splitKey(key);
  if (parts === undefined || parts.descriptors.length < 2) return undefined;
  return joinKey(parts, parts.descriptors.slice(0, -1));
}

function ownerSuffix(key: string): Descriptor['suffix'] | undefined {
  return splitKey(key)?.descriptors.at(-2)?.suffix;
}

/** Every kind of thing that could bear this name in the same place, the thing itself included if the name is its own. */
export function keysNamed(key: string, name: string): readonly string[] {
  const parts = splitKey(key);
  if (parts === undefined) return [];
  return keysBelow(parts, parts.descriptors.slice(0, -1), name);
}

/** The same of a member of this owner. */
export function memberKeys(owner: string, name: string): readonly string[] {
  const parts = splitKey(owner);
  return parts === undefined ? [] : keysBelow(parts, parts.descriptors, name);
}

const accessors = ['<get>', '<set>'] as const;

function keysBelow(parts: KeyParts, above: readonly Descriptor[], name: string): readonly string[] {
  const make = (suffix: Descriptor['suffix'], text: string, disambiguator = '') =>
    joinKey(parts, [...above, { name: text, suffix, disambiguator }]);
  return [
    make('type', name),
    make('term', name),
    make('namespace', name),
    ...['', '+1', '+2', '+3', '+4', '+5', '+6', '+7', '+8', '+9'].map((count) => make('method', name, count)),
    ...accessors.map((prefix) => make('method', `${prefix}${name}`)),
  ];
}

/** A parameter of the same name of another function. */
function parameterKey(method: string, name: string): string | undefined {
  const parts = splitKey(method);
  if (parts === undefined) return undefined;
  return joinKey(parts, [...parts.descriptors, { name, suffix: 'parameter', disambiguator: '' }]);
}

export function isTypeKey(key: string): boolean {
  return key.endsWith('#');
}

/** Owned by a type: a field, a method, an enum member. */
export function isMemberKey(key: string): boolean {
  const suffix = splitKey(key)?.last.suffix;
  return ownerSuffix(key) === 'type' && suffix !== 'type_parameter' && !key.endsWith('`<constructor>`().');
}

export function isParameterKey(key: string): boolean {
  return splitKey(key)?.last.suffix === 'parameter';
}
