/** Looking into parsed documents of unknown shape: what is not there, or of another kind, reads as nothing. */

import { isJsonObject, type Json, type JsonObject } from './json.ts';

const nothing: JsonObject = {};

export function member(from: Json | undefined, ...path: readonly string[]): Json | undefined {
  let value = from;
  for (const key of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

export function objectAt(from: Json | undefined, ...path: readonly string[]): JsonObject {
  const value = member(from, ...path);
  return isJsonObject(value) ? value : nothing;
}

export function listAt(from: Json | undefined, ...path: readonly string[]): readonly Json[] {
  const value = member(from, ...path);
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

export function textAt(from: Json | undefined, ...path: readonly string[]): string | null {
  const value = member(from, ...path);
  return typeof value === 'string' ? value : null;
}

/** The strings of a list; a lone string is a list of one. */
export function textsAt(from: Json | undefined, ...path: readonly string[]): readonly string[] {
  const value = member(from, ...path);
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? (value as readonly Json[]).filter((item) => typeof item === 'string') : [];
}

/** The objects of a list. */
export function objectsAt(from: Json | undefined, ...path: readonly string[]): readonly JsonObject[] {
  return listAt(from, ...path).filter(isJsonObject);
}

/** A string, or the strings of a list; numbers and booleans as YAML would have written them. */
export function textsOf(value: Json | undefined): string[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(textsOf);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : [];
}
