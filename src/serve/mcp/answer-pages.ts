/**
 * An answer in pieces that fit the budget. The lists of an answer are one long list of units, cut where the budget ends; the token
 * names the question, the generation and the unit to go on with. What an operation pages by itself is asked for page by page, and each of
 * its pages is cut again: the token carries the operation's own.
 *
 * Promise: the pieces of one answer, put together, are all of its units, each once and in order. The rest of an answer (counts,
 * heads) is in every piece.
 */

import { visibleJson } from '../../kernel/secrets/outgoing.ts';

type Fields = Readonly<Record<string, unknown>>;

/** `symbols`: a list. `semantic.contexts`: a list in an object. `files[].hits`: lists in a list, whose items are the units. */
export type ListPath = string;

type Piece = {
  readonly fields: Fields;
  /** How many units of the page there are before the next piece; null where nothing is left. */
  readonly end: number | null;
  /** Something that is no unit had to be shortened, too. */
  readonly shortened: boolean;
};

export function cutPiece(answer: Fields, lists: readonly ListPath[], offset: number, maxBytes: number): Piece {
  const units = lists.flatMap((list) => listUnits(answer, list));
  const bare = shrinkTo(build(answer, lists, []), maxBytes);
  // No answer is that large without its lists; if one were, it would not be sent.
  const frame: Fields = bare.value ?? {};
  if (offset >= units.length) return { fields: frame, end: null, shortened: bare.isCut };
  const kept: Unit[] = [];
  let left = maxBytes - sizeOf(frame);
  let group: unknown;
  for (const unit of units.slice(offset)) {
    const head = unit.group === undefined || unit.group === group ? 0 : sizeOf(unit.group.head) + groupBytes;
    const bytes = sizeOf(unit.item) + 1 + head;
    if (bytes > left && kept.length > 0) break;
    if (bytes > left) {
      // A unit larger than an answer is shown in part: skipping it would hide it.
      const item = shrinkTo(unit.item, Math.max(0, left - head - 1));
      if (item.value !== null) kept.push({ ...unit, item: item.value });
      const end = offset + 1 < units.length ? offset + 1 : null;
      return { fields: build(frame, lists, kept), end, shortened: true };
    }
    left -= bytes;
    group = unit.group;
    kept.push(unit);
  }
  const end = offset + kept.length < units.length ? offset + kept.length : null;
  return { fields: build(frame, lists, kept), end, shortened: bare.isCut };
}

type Group = { readonly index: number; readonly head: Fields };
type Unit = { readonly list: ListPath; readonly item: unknown; readonly group?: Group };

/** `"hits":[],` and the braces around. */
const groupBytes = 16;

function listUnits(answer: Fields, list: ListPath): readonly Unit[] {
  const [outer = '', inner] = list.split('[].');
  const held = at(answer, outer);
  if (!Array.isArray(held)) return [];
  if (inner === undefined) return held.map((item) => ({ list, item }));
  return held.flatMap((one: Fields, index) => {
    const { [inner]: items, ...head } = one;
    const group = { index, head };
    return Array.isArray(items) ? items.map((item) => ({ list, item, group })) : [];
  });
}

/** The answer with nothing but these units in its lists. */
function build(answer: Fields, lists: readonly ListPath[], units: readonly Unit[]): Fields {
  let built = answer;
  for (const list of lists) {
    const [outer = '', inner] = list.split('[].');
    if (!Array.isArray(at(answer, outer))) continue;
    const own = units.filter((unit) => unit.list === list);
    if (inner === undefined) {
      built = put(
        built,
        outer,
        own.map(({ item }) => item),
      );
      continue;
    }
    const groups = new Map<number, { readonly head: Fields; readonly items: unknown[] }>();
    for (const { item, group } of own) {
      if (group === undefined) continue;
      const known = groups.get(group.index);
      if (known === undefined) groups.set(group.index, { head: group.head, items: [item] });
      else known.items.push(item);
    }
    built = put(
      built,
      outer,
      [...groups.values()].map(({ head, items }) => ({ ...head, [inner]: items })),
    );
  }
  return built;
}

function at(value: unknown, path: string): unknown {
  let here = value;
  for (const step of path.split('.')) here = (here as Fields | null | undefined)?.[step];
  return here;
}

function put(fields: Fields, path: string, value: unknown): Fields {
  const dot = path.indexOf('.');
  if (dot < 0) return { ...fields, [path]: value };
  const key = path.slice(0, dot);
  return { ...fields, [key]: put(fields[key] as Fields, path.slice(dot + 1), value) };
}

/** How large an answer may be (surfaces.md §2), and the last resort that makes any JSON fit. */
export const answerBytes = 8 * 1024;

export function sizeOf(value: unknown): number {
  return Buffer.byteLength(visibleJson(value));
}

/** How many items of a list, and characters of a text, are left; from generous to hardly anything. */
const cuts: readonly (readonly [items: number, chars: number])[] = [
  [100, 1_000],
  [30, 400],
  [10, 200],
  [5, 100],
  [2, 60],
  [1, 30],
  [0, 20],
];

/** The same value with its lists and texts cut until it fits; null for what does not even then. */
export function shrinkTo<T>(value: T, maxBytes: number): { readonly value: T | null; readonly isCut: boolean } {
  if (sizeOf(value) <= maxBytes) return { value, isCut: false };
  for (const [items, chars] of cuts) {
    const cut = cutDeep(value, items, chars) as T;
    if (sizeOf(cut) <= maxBytes) return { value: cut, isCut: true };
  }
  return { value: null, isCut: true };
}

function cutDeep(value: unknown, items: number, chars: number): unknown {
  if (typeof value === 'string') return value.length > chars ? `${value.slice(0, chars)}…` : value;
  if (Array.isArray(value)) return value.slice(0, items).map((item) => cutDeep(item, items, chars));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, cutDeep(held, items, chars)]));
}
