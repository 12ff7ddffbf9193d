/** What comes of editing a user's file as text: everything that is not the entry stays as it is, byte for byte. */

import { isDeepStrictEqual } from 'node:util';
import type { ServerEntry } from './clients.ts';

export type EditOutcome =
  | { readonly kind: 'edited'; readonly text: string }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly why: string };

/** A file as text: `eol` is what its lines end with. */
export type FileEditor = {
  /** The entry with these fields; other fields that the user gave it stay. */
  readonly add: (text: string, at: readonly [string, string], entry: ServerEntry) => Promise<EditOutcome>;
  readonly remove: (text: string, at: readonly [string, string]) => Promise<EditOutcome>;
};

type Document = Readonly<Record<string, unknown>>;

/**
 * Whether nothing but the entry differs. Asked of every edit before it is written: an editor of text that is wrong about a corner of
 * the format must not cost anybody their configuration.
 */
export function isOnlyEntry(before: Document, after: Document, at: readonly [string, string]): boolean {
  return isDeepStrictEqual(withoutEntry(before, at), withoutEntry(after, at));
}

function withoutEntry(document: Document, [parent, name]: readonly [string, string]): Document {
  const { [parent]: held, ...others } = document;
  if (typeof held !== 'object' || held === null) return { ...document };
  const { [name]: _, ...siblings } = held as Document;
  // A parent that holds nothing is as good as none.
  return Object.keys(siblings).length === 0 ? others : { ...others, [parent]: siblings };
}

export function entryOf(document: Document, [parent, name]: readonly [string, string]): unknown {
  const held = document[parent];
  return typeof held === 'object' && held !== null && Object.hasOwn(held, name) ? (held as Document)[name] : undefined;
}

export function hasFields(held: unknown, entry: ServerEntry): boolean {
  return (
    typeof held === 'object' &&
    held !== null &&
    Object.entries(entry).every(([key, value]) => isDeepStrictEqual((held as Document)[key], value))
  );
}

export function eolOf(text: string): '\n' | '\r\n' {
  return /\r\n/.test(text) ? '\r\n' : '\n';
}

/** 1-based. */
export function placeIn(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}
