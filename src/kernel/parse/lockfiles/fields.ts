/** Reading parsed lockfiles: a field that is not what it should be is absent, never a crash. */

import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';

const nothing: JsonObject = {};

export function objectAt(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isJsonObject(value) ? value : nothing;
}

export function textAt(object: JsonObject, key: string): string | null {
  const value = object[key];
  return typeof value === 'string' ? value : null;
}

/** The members that are objects. */
export function objectsAt(object: JsonObject, key: string): [string, JsonObject][] {
  return Object.entries(objectAt(object, key)).filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]));
}

/** The members that are strings: a map of names to ranges. */
export function textsAt(object: JsonObject, key: string): [string, string][] {
  return Object.entries(objectAt(object, key)).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
}

/** Names whose member says `optional: true`, as `peerDependenciesMeta` and `dependenciesMeta` do. */
export function optionalNames(object: JsonObject, key: string): ReadonlySet<string> {
  return new Set(objectsAt(object, key).flatMap(([name, meta]) => (isTrue(meta['optional']) ? [name] : [])));
}

/** Lockfiles read as strings say `true` in words. */
export function isTrue(value: Json | undefined): boolean {
  return value === true || value === 'true';
}

/** `name@range` and `@scope/name@range`; null without a name or an `@`. */
export function splitDescriptor(descriptor: string): { readonly name: string; readonly range: string } | null {
  const at = descriptor.indexOf('@', 1);
  return at === -1 ? null : { name: descriptor.slice(0, at), range: descriptor.slice(at + 1) };
}
