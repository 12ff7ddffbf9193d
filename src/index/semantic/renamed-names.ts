/** Names after a renaming: in symbols, where the renamed name is part of the spelling of everything below it, and in signatures. */

import {
  type Descriptor,
  type GlobalSymbol,
  parseScipSymbol,
  renderScipSymbol,
  type ScipSymbol,
} from '../../kernel/formats/scip.ts';
import type { Family } from '../../languages/projects/context-spec.ts';
import { Unfit } from './renaming.ts';

/** `x`, `<get>x`, `'x'`, `"x"`, and of an object literal's key `x0`, `x1`, … */
const around = /^(<[gs]et>)?(['"])?(.*?)\2$/s;

/** Where the name stands in a descriptor, if it is that descriptor's. */
function spells(descriptor: Descriptor, name: string): { before: string; after: string } | undefined {
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
    // Whether a static member is spelled so depends on the members beside it, and on their names.
    if (raw.includes('<static>')) throw new Unfit('a static member shares a name');
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

// ---- signatures: what a tool says of types. A word in that text may be the renamed symbol or another of that name. It is replaced where
// only one can be meant, left where it is certainly another's, and `Unfit` otherwise. A compiler cuts long types by their length, so a long
// one may be cut elsewhere once a name is longer or shorter.

/** Well below the 160 characters at which the TypeScript compiler begins to cut a type. */
const safeLength = 120;

export type SignatureOwner = {
  /** As the source spells it; null: not known. */
  readonly name: string | null;
  readonly isRenamed: boolean;
  /** A parameter of it is spelled like that: the renamed one, or another. */
  readonly parameter: 'renamed' | 'other' | 'none';
};

/** Where the name of a symbol can stand in a type: before a colon, where a type or value is named, or it is not known. */
export type NameClass = 'member' | 'top' | 'any';

/** Who has the name in question: what was renamed, and all others. */
export type NameHolders = { readonly renamed: ReadonlySet<NameClass>; readonly others: ReadonlySet<NameClass> };

/** Of TypeScript, where a member's name is followed by a colon and nothing else is. In `any` the name may be any symbol's. */
function placeIn(text: string, at: number, length: number): NameClass {
  const [before, after] = [text.slice(0, at), text.slice(at + length)];
  if (/^\??:/.test(after)) return 'member';
  if (/[{;] $/.test(before) && /^[(<]/.test(after)) return 'member';
  return /[.]$|asserts $/.test(before) || /^ is /.test(after) ? 'any' : 'top';
}

/** A value that is described as it is written: `const o = { a }` becomes `{ a: b }`, or `{ b }`, and the text does not say which. */
function isShorthandIn(text: string, at: number, length: number): boolean {
  if (!/^\s*[,}]/.test(text.slice(at + length)) || !/[{,]\s*$/.test(text.slice(0, at))) return false;
  let depth = 0;
  for (let before = at - 1; before >= 0; before -= 1) {
    const char = text[before] as string;
    if ('}])'.includes(char)) depth += 1;
    else if ('{[('.includes(char) && depth === 0) return char === '{';
    else if ('{[('.includes(char)) depth -= 1;
  }
  return false;
}

/** True: the renamed one. Undefined: it may be either. */
function isRenamedAt(place: NameClass, { renamed, others }: NameHolders): boolean | undefined {
  if (others.size === 0) return true;
  if (place === 'any') return undefined;
  const isPossible = (holders: ReadonlySet<NameClass>) => holders.has(place) || holders.has('any');
  if (!isPossible(renamed)) return false;
  return isPossible(others) ? undefined : true;
}

function quotedIn(text: string): readonly { readonly start: number; readonly end: number }[] {
  const found = [];
  for (const match of text.matchAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g)) {
    found.push({ start: match.index, end: match.index + match[0].length - 1 });
  }
  return found;
}

/** The text that is stored of a symbol. */
export function saidOf({ signature, documentation }: Pick<ScipSymbol, 'signature' | 'documentation'>): string {
  return signature === '' ? (documentation[0] ?? '') : signature;
}

export function withSaid<T extends Pick<ScipSymbol, 'signature' | 'documentation'>>(info: T, said: string): T {
  if (info.signature !== '') return { ...info, signature: said };
  return { ...info, documentation: [said, ...info.documentation.slice(1)] };
}

export function createSignatures(names: { readonly oldName: string; readonly newName: string }) {
  const { oldName, newName } = names;
  const word = /[\p{ID_Continue}$#]/u;
  const find = (text: string): readonly number[] => {
    const places: number[] = [];
    for (let at = text.indexOf(oldName); at >= 0; at = text.indexOf(oldName, at + 1)) {
      const [before, after] = [text[at - 1] ?? '', text[at + oldName.length] ?? ''];
      if (!word.test(before) && !word.test(after)) places.push(at);
    }
    return places;
  };
  return {
    mentions: (text: string): boolean => find(text).length > 0,
    /** `mayMean`: can so many words of a type be the renamed symbol, and nothing from outside? */
    rewrite(text: string, owner: SignatureOwner, holders: NameHolders, mayMean: (count: number) => boolean): string {
      const quoted = quotedIn(text);
      const places = find(text).filter((at) => !quoted.some(({ start, end }) => at > start && at < end));
      // The keys of a type as a union of strings follow the names of its members; other texts are no names.
      const isKey = quoted.some(({ start, end }) => text.slice(start + 1, end) === oldName);
      if (isKey && (holders.renamed.has('member') || holders.renamed.has('any'))) {
        throw new Unfit('a signature has the name in quotes');
      }
      const chosen: number[] = [];
      let [rest, inferred] = [places, 0];
      if (owner.name === oldName) {
        rest = places.slice(1);
        if (owner.isRenamed) chosen.push(...places.slice(0, 1));
      }
      if (rest.length > 0) {
        const isParameter = rest.length === 1 && owner.parameter !== 'none';
        for (const at of rest) {
          const place = placeIn(text, at, oldName.length);
          const isOurs = isRenamedAt(place, holders) ?? (isParameter ? owner.parameter === 'renamed' : undefined);
          if (isOurs === undefined) throw new Unfit('a signature may speak of another symbol of that name');
          if (isOurs && isShorthandIn(text, at, oldName.length))
            throw new Unfit('a signature has the name in a shorthand');
          if (isOurs) chosen.push(at);
          if (isOurs && !(isParameter && owner.parameter === 'renamed')) inferred += 1;
        }
        if (inferred > 0 && !mayMean(inferred)) throw new Unfit('a signature may speak of something from outside');
      }
      let result = '';
      let end = 0;
      for (const at of chosen) {
        result += text.slice(end, at) + newName;
        end = at + oldName.length;
      }
      result += text.slice(end);
      // What a declaration says of itself is not cut.
      const isWhole = chosen.length === 1 && rest.length === 0;
      if (result !== text && !isWhole && Math.max(result.length, text.length) > safeLength) {
        throw new Unfit('a signature is so long that it may be cut elsewhere');
      }
      return result;
    },
  };
}
