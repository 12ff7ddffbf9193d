/** Reading what a configuration file says, whatever it says: a value of the wrong shape is no value. */

import { isJsonObject, type Json, type JsonObject } from '../../../kernel/base/json.ts';
import { limits } from '../../../kernel/base/limits.ts';
import type { ParseLimits, ParseOutcome } from '../../../kernel/formats/parse-outcome.ts';
import type { ResolveWorld } from '../types.ts';

/** `null` where there is no such file or it cannot be parsed. */
export function readConfigWith<T>(
  world: ResolveWorld,
  path: string,
  parse: (bytes: Uint8Array, limits: ParseLimits) => ParseOutcome<T>,
  maxBytes: number = limits.manifestBytes,
): T | null {
  const bytes = world.readConfig(path);
  if (bytes === undefined) return null;
  const outcome = parse(bytes, { maxBytes, maxDepth: limits.parseDepth });
  return outcome.ok ? outcome.value : null;
}

/** The object at a path of keys; an empty one where there is none. */
export function objectAt(value: Json | undefined, ...keys: readonly string[]): JsonObject {
  const found = valueAt(value, ...keys);
  return isJsonObject(found) ? found : {};
}

export function stringAt(value: Json | undefined, ...keys: readonly string[]): string | null {
  const found = valueAt(value, ...keys);
  return typeof found === 'string' ? found : null;
}

/** A list of strings; a lone string is a list of one. */
export function stringsAt(value: Json | undefined, ...keys: readonly string[]): readonly string[] {
  const found = valueAt(value, ...keys);
  if (typeof found === 'string') return [found];
  return Array.isArray(found) ? (found as readonly Json[]).filter((item) => typeof item === 'string') : [];
}

export function objectsAt(value: Json | undefined, ...keys: readonly string[]): readonly JsonObject[] {
  const found = valueAt(value, ...keys);
  return Array.isArray(found) ? (found as readonly Json[]).filter(isJsonObject) : [];
}

function valueAt(value: Json | undefined, ...keys: readonly string[]): Json | undefined {
  let at = value;
  for (const key of keys) {
    if (!isJsonObject(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at;
}
