/**
 * Does a lockfile hold what a manifest asks for? `true` and `false` are proofs; what can be neither is `null`.
 * Ranges that name a place instead of a version (workspace, file, git, URL) are covered when the lock has an entry for them.
 */

import { satisfies, validRange } from 'semver';
import { isJsonObject, type JsonObject } from '../../kernel/base/json.ts';
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
  // A catalog or a tag names no version that could be compared; an entry with one is all there is to ask for.
  if (range.startsWith('catalog:')) return found.version === null ? null : true;
  if (isPlace(range) || validRange(wanted, lenient) === null) return true;
  if (found.version === null) return context.workspaceNames.has(name) ? true : null;
  return satisfies(withoutPeers(found.version), wanted, lenient);
}

/** Yarn classic and linked packages have no entry for what lives in the repository itself. */
function isOwnPackage(name: string, range: string, context: CoverageContext): boolean {
  return /^(workspace|link|portal):/.test(range) || context.workspaceNames.has(name);
}

function isPlace(range: string): boolean {
  return (
    /^(workspace|file|link|portal|patch|exec|git|git\+[a-z]+|github|gitlab|bitbucket|https?|ssh):/.test(range) ||
    /^[^@/\s]+\/[^/\s]+$/.test(range)
  );
}

/** `18.2.0(react@18.2.0)` → `18.2.0`. */
function withoutPeers(version: string): string {
  const open = version.indexOf('(');
  return open < 0 ? version : version.slice(0, open);
}

/** Runtime, development and optional dependencies; peers are somebody else's to provide. */
function directRanges(manifest: JsonObject): ReadonlyMap<string, string> {
  const ranges = new Map<string, string>();
  for (const key of ['dependencies', 'devDependencies', 'optionalDependencies']) {
    const map = manifest[key];
    if (!isJsonObject(map)) continue;
    for (const [name, range] of Object.entries(map)) if (typeof range === 'string') ranges.set(name, range);
  }
  return ranges;
}
