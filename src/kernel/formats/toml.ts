/**
 * TOML within caps: Cargo.toml, Cargo.lock, pyproject.toml, uv.lock, poetry.lock, mise.toml.
 *
 * Promises: never throws; plain JSON values only. Dates stay the text of their ISO form, `inf` and `nan` are strings, integers
 * beyond 2^53 lose precision rather than the file. Duplicate keys and tables are malformed, as TOML demands.
 */

import { createRequire } from 'node:module';
import type * as TomlLibrary from 'smol-toml';
import { type Json, type JsonObject, setOwn } from '../base/json.ts';
import { failedParse, malformed, type ParseLimits, type ParseOutcome, parsed, parseText } from './parse-outcome.ts';

const load = createRequire(import.meta.url);

export function parseToml(bytes: Uint8Array, limits: ParseLimits): ParseOutcome<JsonObject> {
  const text = parseText(bytes, limits);
  if (!text.ok) return text;
  const toml = load('smol-toml') as typeof TomlLibrary;
  const tooDeep = failedParse({ kind: 'depth_cap_exceeded', cap: limits.maxDepth });
  let table: TomlLibrary.TomlTable;
  try {
    // The library recurses only for inline values; one level more keeps the exact check in one place, below.
    table = toml.parse(text.value, { maxDepth: limits.maxDepth + 1, integersAsBigInt: 'asNeeded' });
  } catch (error) {
    if (!(error instanceof toml.TomlError)) return malformed('toml: not readable');
    const [message = ''] = error.message.split('\n');
    if (message.includes('excessively nested')) return tooDeep;
    return malformed(message.replace('Invalid TOML document: ', 'toml: '), error.line);
  }
  return toJson(table, limits.maxDepth) ?? tooDeep;
}

/** Null when the tables nest deeper than allowed: `[a.b.c]` and `a.b.c = 1` nest without any recursion of the reader. */
function toJson(root: TomlLibrary.TomlTable, maxDepth: number): ParseOutcome<JsonObject> | null {
  const value: Record<string, Json> = {};
  const pending: { source: object; target: Json[] | Record<string, Json>; depth: number }[] = [
    { source: root, target: value, depth: 0 },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.depth > maxDepth) return null;
    for (const [key, item] of Object.entries(next.source) as [string, TomlLibrary.TomlValue][]) {
      let converted: Json;
      if (typeof item !== 'object' || item instanceof Date) {
        converted = toScalar(item);
      } else {
        const target: Json[] | Record<string, Json> = Array.isArray(item) ? [] : {};
        pending.push({ source: item, target, depth: next.depth + 1 });
        converted = target;
      }
      if (Array.isArray(next.target)) next.target.push(converted);
      else setOwn(next.target, key, converted);
    }
  }
  return parsed(value);
}

function toScalar(item: string | number | bigint | boolean | Date): Json {
  if (item instanceof Date) return item.toISOString();
  if (typeof item === 'bigint') return Number(item);
  if (typeof item !== 'number' || Number.isFinite(item)) return item === 0 ? 0 : item;
  return Number.isNaN(item) ? 'nan' : item > 0 ? 'inf' : '-inf';
}
