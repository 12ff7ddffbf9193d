/**
 * `exports` and `imports` of a `package.json`: conditions are tried in the order they are written, an array in its order, and what
 * leads to no file lets the next one speak. `null` leads to no file.
 */

import type { Json, JsonObject } from '../../../kernel/base/json.ts';
import { loadNamedFile } from './load-path.ts';
import type { PackageInfo } from './package-info.ts';
import { joinPath } from './paths.ts';
import { matchPattern, type PatternMatch } from './pattern-table.ts';
import { type Search, spend } from './search.ts';
import { isVersionedTypesCondition } from './types-versions.ts';

/** `subpath` is `.` or begins with `./`. */
export function loadFromExports(search: Search, info: PackageInfo, subpath: string): string | undefined {
  const match = matchExports(info, subpath);
  return match === undefined ? undefined : loadTarget(search, info, match, match.value, undefined);
}

/** `"./internal/*": null` closes a subpath to everybody. */
export function isBlocked(info: PackageInfo, subpath: string): boolean {
  return matchExports(info, subpath)?.value === null;
}

/** `resolvePackage` answers for targets that name another package. */
export function loadFromImports(
  search: Search,
  info: PackageInfo,
  name: string,
  resolvePackage: (specifier: string) => string | undefined,
): string | undefined {
  const match = info.imports === undefined ? undefined : matchPattern(info.imports, name);
  return match === undefined ? undefined : loadTarget(search, info, match, match.value, resolvePackage);
}

/** Every file a subpath may stand for under these conditions, or under any, in order, existing or not. */
export function listTargetsUnder(
  info: PackageInfo,
  subpath: string,
  conditions: ReadonlySet<string> | 'any',
): readonly string[] {
  const match = matchExports(info, subpath);
  const found: string[] = [];
  const pending: Json[] = match === undefined ? [] : [match.value];
  for (
    let next = pending.pop(), steps = 0;
    next !== undefined && steps < targetsMax;
    next = pending.pop(), steps += 1
  ) {
    if (typeof next === 'string') {
      const path = match === undefined ? undefined : targetPath(info, next, match);
      if (path !== undefined) found.push(path);
    } else if (Array.isArray(next)) pending.push(...(next as readonly Json[]).slice(0, targetsMax).reverse());
    else if (typeof next === 'object' && next !== null) {
      const held = Object.entries(next).filter(
        ([key]) => conditions === 'any' || key === 'default' || conditions.has(key),
      );
      pending.push(
        ...held
          .slice(0, targetsMax)
          .map(([, value]) => value)
          .reverse(),
      );
    }
  }
  return found;
}

const targetsMax = 256;

function matchExports(info: PackageInfo, subpath: string): PatternMatch<Json> | undefined {
  if (info.exports === undefined) return undefined;
  if (subpath !== '.') return matchPattern(info.exports.subpaths, subpath);
  return info.exports.main === undefined ? undefined : { value: info.exports.main, star: '', kind: 'exact' };
}

/** Recursion is as deep as the file is nested, which parsing has bounded. */
function loadTarget(
  search: Search,
  info: PackageInfo,
  match: PatternMatch<Json>,
  target: Json,
  resolvePackage: ((specifier: string) => string | undefined) | undefined,
): string | undefined {
  if (!spend(search)) return undefined;
  if (typeof target === 'string') {
    if (resolvePackage !== undefined && namesPackage(target)) return resolvePackage(fillIn(target, match));
    const path = targetPath(info, target, match);
    return path === undefined ? undefined : loadNamedFile(search, path);
  }
  if (typeof target !== 'object' || target === null) return undefined;
  if (Array.isArray(target)) {
    for (const element of target as readonly Json[]) {
      const hit = loadTarget(search, info, match, element, resolvePackage);
      if (hit !== undefined || search.trail.looksLeft <= 0) return hit;
    }
    return undefined;
  }
  for (const condition of Object.keys(target)) {
    if (!holds(search, condition)) continue;
    const hit = loadTarget(search, info, match, (target as JsonObject)[condition] ?? null, resolvePackage);
    if (hit !== undefined || search.trail.looksLeft <= 0) return hit;
  }
  return undefined;
}

function holds(search: Search, condition: string): boolean {
  if (condition === 'default' || search.conditions.has(condition) || search.anyCondition) return true;
  return search.conditions.has('types') && isVersionedTypesCondition(condition);
}

function namesPackage(target: string): boolean {
  return !target.startsWith('./') && !target.startsWith('../') && !target.startsWith('/');
}

/** `undefined`: the target is not a path inside its package. */
function targetPath(info: PackageInfo, target: string, match: PatternMatch<Json>): string | undefined {
  if (!target.startsWith('./') || leavesPackage.test(target.slice(2)) || leavesPackage.test(match.star))
    return undefined;
  if (match.kind === 'directory' && match.star !== '' && !target.endsWith('/')) return undefined;
  return joinPath(info.directory, fillIn(target, match));
}

const leavesPackage = /(?:^|\/)(?:\.{1,2}|node_modules)(?:\/|$)/;

function fillIn(target: string, match: PatternMatch<Json>): string {
  return match.kind === 'pattern' ? target.replaceAll('*', () => match.star) : target + match.star;
}
