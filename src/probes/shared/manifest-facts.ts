/** One shape for what a package manifest of any ecosystem declares. */

import type { Json, JsonObject } from '../../kernel/base/json.ts';
import { isJsonObject } from '../../kernel/base/json.ts';
import { singleLine, truncate } from '../../kernel/base/text.ts';

export type ManifestFacts = {
  readonly name: string | null;
  readonly version: string | null;
  /** Names of direct dependencies, as the ecosystem compares them. */
  readonly runtime: ReadonlySet<string>;
  readonly dev: ReadonlySet<string>;
  readonly engines: readonly { readonly name: string; readonly range: string }[];
};

export const noFacts: ManifestFacts = {
  name: null,
  version: null,
  runtime: new Set(),
  dev: new Set(),
  engines: [],
};

/** The names a map of dependencies declares; anything that is no map declares nothing. */
export function namesIn(map: Json | undefined): readonly string[] {
  return isJsonObject(map) ? Object.keys(map) : [];
}

/** The member if it is text, as one printable line of a length a reader can take. */
export function textMember(from: JsonObject, key: string): string | null {
  const value = from[key];
  return typeof value === 'string' ? shown(value) : null;
}

export function shown(text: string): string {
  return truncate(singleLine(text), 256);
}
