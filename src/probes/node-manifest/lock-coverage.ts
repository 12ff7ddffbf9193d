/**
 * Does a lockfile hold what a manifest asks for? `true` and `false` are proofs; what can be neither is `null`.
 * Ranges that name a place instead of a version (workspace, file, git, URL) are covered when the lock has an entry for them.
 */

import { satisfies, validRange } from 'semver';
import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import type { Lockfile } from '../../kernel/formats/lockfiles/lockfile.ts';

export type CoverageContext = {
  readonly lock: Lockfile;
  /** Root-relative directory of the manifest, `.` for the root. */
  readonly importer: string;
  /** Names of the repository's own packages: a plain range may mean one of them, and no lock has a version for it. */
  readonly workspaceNames: ReadonlySet<string>;
  /** Names that overrides or resolutions of the root manifest pin: their ranges no longer decide. */
  readonly overridden: ReadonlySet<string>;
};

export function coversManifest(manifest: JsonObject, context: CoverageContext): boolean | null {
  const find = createLookup(context);
  let undecided = false;
  for (const [name, range] of directRanges(manifest)) {
    const covered = isCovered(name, range, find(name, range), context);
    if (covered === false) return false;
    if (covered === null) undecided = true;
  }
  return undecided ? null : true;
}

/** What the lock says about one dependency: `undefined` nothing, `null` an entry without a version. */
type Found = { readonly version: string | null } | undefined;

function createLookup({ lock, importer }: CoverageContext): (name: string, range: string) => Found {
  const own = lock.importers.find((each) => each.path === importer);
  if (own !== undefined) {
    const byName = new Map(own.dependencies.map((each) => [each.name, each.resolved]));
    return (name) => (byName.has(name) ? { version: byName.get(name) ?? null } : undefined);
  }
  if (lock.descriptors.size > 0) {
    return (name, range) => {
      const version = lock.descriptors.get(`${name}@${range}`) ?? lock.descriptors.get(`${name}@npm:${range}`);
      return version === undefined ? undefined : { version };
    };
  }
  // Nothing but a list of packages (npm's oldest format): any version of that name that fits is an answer.
  const versionsOf = new Map<string, string[]>();
  for (const { name, version } of lock.packages) {
    const known = versionsOf.get(name);
    if (known === undefined) versionsOf.set(name, [version]);
    else known.push(version);
  }
  return (name, range) => {
    const versions = versionsOf.get(name) ?? [];
    const fitting = versions.find((version) => satisfies(version, range, lenient)) ?? versions[0];
    return fitting === undefined ? undefined : { version: fitting };
  };
}

const lenient = { loose: true, includePrerelease: true } as const;

function isCovered(name: string, range: string, found: Found, context: CoverageContext): boolean | null {
  if (found === undefined) return isOwnPackage(name, range, context);
  if (context.overridden.has(name)) return true;
  const wanted = /^npm:.+@([^@/]+)$/.exec(range)?.[1] ?? range;
  // A catalog, a tag or a place names no version that could be compared; an entry with one is all there is to ask for.
  if (range.startsWith('catalog:')) return found.version === null ? null : true;
  if (validRange(wanted, lenient) === null) return true;
  if (found.version === null) return context.workspaceNames.has(name) ? true : null;
  return satisfies(withoutPeers(found.version), wanted, lenient);
}

/** Yarn classic and linked packages have no entry for what lives in the repository itself. */
function isOwnPackage(name: string, range: string, context: CoverageContext): boolean {
  return /^(workspace|link|portal):/.test(range) || context.workspaceNames.has(name);
}

/** `18.2.0(react@18.2.0)` → `18.2.0`. */
function withoutPeers(version: string): string {
  const open = version.indexOf('(');
  return open < 0 ? version : version.slice(0, open);
}

/** Runtime, development and optional dependencies; peers are for the dependents to provide. */
function directRanges(manifest: JsonObject): ReadonlyMap<string, string> {
  const ranges = new Map<string, string>();
  for (const key of ['dependencies', 'devDependencies', 'optionalDependencies']) {
    const map = manifest[key];
    if (!isJsonObject(map)) continue;
    for (const [name, range] of Object.entries(map)) if (typeof range === 'string') ranges.set(name, range);
  }
  return ranges;
}

// Whether every package a lockfile takes from a registry carries a checksum that could be one. Nothing is downloaded or compared.

/** Null when the format has no checksums or nothing comes from a registry. */
export function hasValidIntegrity(lock: Lockfile): boolean | null {
  const fetched = lock.packages.filter((each) => each.fromRegistry);
  if (!lock.hasIntegrity || fetched.length === 0) return null;
  return fetched.every((each) => each.integrity !== null && isWellFormedIntegrity(each.integrity));
}

/** Subresource integrity (`sha512-…`, several by spaces) or yarn berry's `10c0/<hex>`. */
export function isWellFormedIntegrity(text: string): boolean {
  const hashes = text.split(' ').filter((each) => each !== '');
  return hashes.length > 0 && hashes.every((each) => isSubresourceHash(each) || isYarnChecksum(each));
}

const digestBytes: ReadonlyMap<string, number> = new Map([
  ['sha1', 20],
  ['sha256', 32],
  ['sha384', 48],
  ['sha512', 64],
]);

function isSubresourceHash(text: string): boolean {
  const match = /^(sha\d+)-([A-Za-z0-9+/]+={0,2})(\?.*)?$/.exec(text);
  const bytes = match?.[1] === undefined ? undefined : digestBytes.get(match[1]);
  return bytes !== undefined && match?.[2]?.length === Math.ceil(bytes / 3) * 4;
}

function isYarnChecksum(text: string): boolean {
  return /^(\d+(c\d+)?\/)?[0-9a-f]{128}$/.test(text);
}

// Dependencies whose versions the root manifest decides for all packages: npm's overrides, yarn's resolutions, pnpm's overrides.

const maxDepth = 8;

export function overriddenNames(rootManifest: JsonObject | null): ReadonlySet<string> {
  const pnpm = rootManifest?.['pnpm'];
  const names = new Set<string>();
  collect(rootManifest?.['overrides'], names, 0);
  collect(rootManifest?.['resolutions'], names, 0);
  collect(isJsonObject(pnpm) ? pnpm['overrides'] : undefined, names, 0);
  return names;
}

/** npm nests: a key with an object overrides what is inside, and itself only where the object says `.`. */
function collect(map: Json | undefined, names: Set<string>, depth: number): void {
  if (!isJsonObject(map) || depth > maxDepth) return;
  for (const [key, value] of Object.entries(map)) {
    if (!isJsonObject(value) || Object.hasOwn(value, '.')) names.add(targetOf(key));
    collect(value, names, depth + 1);
  }
}

// `a>@s/b@^2` (pnpm), `a/@s/b` (yarn) and `@s/b` all mean `@s/b`.
function targetOf(key: string): string {
  const segments = (key.split('>').at(-1) ?? key).trim().split('/');
  const last = (segments.at(-1) ?? '').replace(/(?<=.)@.*$/s, '');
  const scope = segments.at(-2);
  return scope?.startsWith('@') ? `${scope}/${last}` : last;
}
