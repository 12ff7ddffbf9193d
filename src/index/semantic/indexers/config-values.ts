/** Reading a context's stored configuration: what is not there, or is of another kind, counts as absent. */

import { isJsonObject, type Json, type JsonObject } from '../../../kernel/base/json.ts';

export function textIn(config: JsonObject, key: string): string | undefined {
  const value = config[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function textsIn(config: JsonObject, key: string): readonly string[] {
  const value = config[key];
  return Array.isArray(value) ? (value as readonly Json[]).filter((entry) => typeof entry === 'string') : [];
}

export function objectsIn(config: JsonObject, key: string): readonly JsonObject[] {
  const value = config[key];
  return Array.isArray(value) ? (value as readonly Json[]).filter(isJsonObject) : [];
}
