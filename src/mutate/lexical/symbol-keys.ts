/** Keys of symbols, taken apart: the last name, who owns it, and how the same place would be called with another name. */

import { type Descriptor, parseDescriptors, renderDescriptors } from '../../index/semantic/scip/parse-symbol.ts';

export type KeyParts = {
  /** `family SP package`, as far as the descriptors. */
  readonly head: string;
  readonly descriptors: readonly Descriptor[];
  readonly last: Descriptor;
};

const known = new Map<string, KeyParts | null>();
const maxKnown = 20_000;

/** Undefined for locals, and for what cannot be read. */
export function splitKey(key: string): KeyParts | undefined {
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

export function joinKey({ head }: Pick<KeyParts, 'head'>, descriptors: readonly Descriptor[]): string {
  return `${head} ${renderDescriptors(descriptors)}`;
}

/** The key of what it is a member, parameter or declaration of; undefined at the top. */
export function ownerKey(key: string): string | undefined {
  const parts = splitKey(key);
  if (parts === undefined || parts.descriptors.length < 2) return undefined;
  return joinKey(parts, parts.descriptors.slice(0, -1));
}

export function ownerSuffix(key: string): Descriptor['suffix'] | undefined {
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
export function parameterKey(method: string, name: string): string | undefined {
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
