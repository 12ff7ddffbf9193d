/** `typesVersions` and `types@range` conditions: which of them hold for the compiler this resolver speaks for. */

import { satisfies } from 'semver';
import { isJsonObject, type Json } from '../../../kernel/base/json.ts';
import { listStrings } from './config-file.ts';
import { createPatternTable, type PatternTable } from './pattern-table.ts';

/** Ranges in the wild tell old compilers from new ones; any recent version answers them alike. */
const compilerVersion = '5.9.3';
const rangesMax = 64;
const rangeLengthMax = 256;
const substitutionsMax = 256;

/** Patterns to paths relative to the package. */
export type TypesVersions = PatternTable<readonly string[]>;

export function readTypesVersions(value: Json | undefined): TypesVersions | undefined {
  if (!isJsonObject(value)) return undefined;
  for (const [range, paths] of Object.entries(value).slice(0, rangesMax)) {
    if (!holdsForCompiler(range)) continue;
    if (!isJsonObject(paths)) return undefined;
    const entries = Object.entries(paths).map(([key, list]) => [key, listStrings(list, substitutionsMax)] as const);
    return createPatternTable(entries, 'paths');
  }
  return undefined;
}

export function isVersionedTypesCondition(condition: string): boolean {
  return condition.startsWith('types@') && holdsForCompiler(condition.slice('types@'.length));
}

function holdsForCompiler(range: string): boolean {
  return range.length <= rangeLengthMax && satisfies(compilerVersion, range);
}
