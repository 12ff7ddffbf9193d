/**
 * Every advisory of an OSV directory against every package of an image: which part of OSV speaks of a package, under which name, in which
 * order its versions stand, and whether an advisory speaks of this one (ossf.github.io/osv-schema, "Evaluation"). Total over any JSON.
 */

import semver from 'semver';
import type { ProbeRepo } from '../../gather/contract.ts';
import type { Json, JsonObject } from '../../kernel/base/json.ts';
import { listAt, objectAt, textAt, textsOf } from '../../kernel/base/json-access.ts';
import { shortLine } from '../../kernel/base/text.ts';
import { parseJsonObject } from '../../kernel/formats/parse-json.ts';
import type { ImageOs, ImagePackage } from '../sbom/sbom-section.ts';
import { type CveFinding, severityOfVector, severityOfWord } from './cve-findings.ts';
import type { CveSeverity } from './cve-section.ts';
import { compareAlpineVersions, compareDebianVersions } from './package-versions.ts';

export type OsvScan = {
  readonly findings: readonly CveFinding[];
  /** Advisories that speak of a package in the image in ranges that cannot be judged. */
  readonly unjudged: readonly string[];
  /** Ids of inputs that are no advisory. */
  readonly unread: readonly string[];
  readonly advisories: number;
  /** Packages of a kind that no advisory speaks of: nothing was looked up for them. */
  readonly uncovered: number;
};

/** What an advisory about this package would name. */
export type OsvIdentity = { readonly ecosystem: string; readonly name: string; readonly version: string };

type OsvMatch = {
  /** The CVE where it has one, else OSV's own. */
  readonly id: string;
  readonly severity: CveSeverity;
  readonly fixState: 'fixed' | 'not-fixed' | 'unknown';
  /** The lowest version above ours that is said to be fixed. */
  readonly fixedIn: string | null;
};
type OsvVerdict = {
  readonly match: OsvMatch | null;
  /** It speaks of the package in ranges whose order we do not know, and lists no versions. */
  readonly unjudged: boolean;
};

type VersionOrder = {
  /** Null: this text is no version that can be placed. */
  compare(a: string, b: string): number | null;
};

const advisoryBytes = 16 * 1024 * 1024;

export async function scanOsv(
  repo: ProbeRepo,
  ids: readonly string[],
  image: { readonly os: ImageOs | null; readonly packages: readonly ImagePackage[] },
): Promise<OsvScan> {
  const wanted = new Map<string, { readonly identity: OsvIdentity; readonly each: ImagePackage }[]>();
  for (const each of image.packages) {
    const identity = osvIdentity(each, image.os);
    if (identity === null) continue;
    const key = packageKey(identity.ecosystem, identity.name);
    const known = wanted.get(key);
    if (known === undefined) wanted.set(key, [{ identity, each }]);
    else known.push({ identity, each });
  }
  const findings: CveFinding[] = [];
  const unjudged = new Set<string>();
  const families = new Set<string>();
  const unread: string[] = [];
  let advisories = 0;
  for (const id of ids) {
    const read = await repo.inputs.read(id, advisoryBytes);
    const parsed = read.kind === 'read' ? parseJsonObject(read.bytes, { maxBytes: advisoryBytes, maxDepth: 64 }) : null;
    if (parsed?.ok !== true || !Array.isArray(parsed.value['affected'])) {
      unread.push(id);
      continue;
    }
    advisories += 1;
    const advisory = parsed.value;
    if (isWithdrawn(advisory)) continue;
    const keys = advisoryKeys(advisory);
    for (const key of keys) families.add(familyOf(key));
    for (const { identity, each } of new Set(keys.flatMap((key) => wanted.get(key) ?? []))) {
      const verdict = matchOsv(advisory, identity);
      if (verdict.unjudged) unjudged.add(id);
      if (verdict.match === null) continue;
      findings.push({
        cve_id: shortLine(verdict.match.id, 100),
        package_name: each.name,
        package_version: each.version,
        package_type: each.type,
        severity: verdict.match.severity,
        fix_state: verdict.match.fixState,
        fixed_in: verdict.match.fixedIn === null ? null : shortLine(verdict.match.fixedIn),
        reachable: each.reach,
      });
    }
  }
  const uncovered = image.packages.filter((each) => {
    const identity = osvIdentity(each, image.os);
    return identity === null || !families.has(familyOf(packageKey(identity.ecosystem, identity.name)));
  }).length;
  return { findings, unjudged: [...unjudged], unread, advisories, uncovered };
}

export function matchOsv(advisory: JsonObject, ours: OsvIdentity): OsvVerdict {
  let match: OsvMatch | null = null;
  let unjudged = false;
  for (const affected of listAt(advisory, 'affected')) {
    const ecosystem = textAt(affected, 'package', 'ecosystem') ?? '';
    const name = textAt(affected, 'package', 'name') ?? '';
    if (!sameEcosystem(ecosystem, ours.ecosystem) || normaliseName(ecosystem, name) !== ours.name) continue;
    const versions = textsOf(listAt(affected, 'versions'));
    const ranges = listAt(affected, 'ranges').map((range) => judgeRange(range, ours));
    if (versions.length === 0 && ranges.some((range) => range === 'unjudged')) unjudged = true;
    const judged = ranges.filter((range) => range !== 'unjudged');
    if (!versions.includes(ours.version) && !judged.some((range) => range.affected)) continue;
    // A later block may know of a fix that this one does not.
    if (match === null || match.fixedIn === null) match = describeMatch(advisory, objectAt(affected), judged);
  }
  return { match, unjudged: unjudged && match === null };
}

/** Null where OSV has nothing of that kind. Distributions keep their advisories by source package. */
export function osvIdentity(each: ImagePackage, os: ImageOs | null): OsvIdentity | null {
  const { name, version } = each;
  switch (each.type) {
    case 'npm':
      return { ecosystem: 'npm', name, version };
    case 'python':
      return { ecosystem: 'PyPI', name: normalisePython(name), version };
    case 'rust':
      return { ecosystem: 'crates.io', name, version };
    case 'go':
      return { ecosystem: 'Go', name, version: version.replace(/^v/, '') };
    case 'ruby':
      return { ecosystem: 'RubyGems', name, version };
    case 'deb':
    case 'apk': {
      const ecosystem = os === null ? null : distribution(os, each.type);
      return ecosystem === null ? null : { ecosystem, ...(each.source ?? { name, version }) };
    }
    default:
      return null;
  }
}

const familyOf = (key: string) => key.slice(0, key.indexOf(' '));

/** Names of the packages an advisory speaks of, as `ecosystem family` and name: what it can be looked up by. */
function advisoryKeys(advisory: JsonObject): readonly string[] {
  return listAt(advisory, 'affected').flatMap((affected) => {
    const ecosystem = textAt(affected, 'package', 'ecosystem');
    const name = textAt(affected, 'package', 'name');
    return ecosystem === null || name === null ? [] : [packageKey(ecosystem, name)];
  });
}

function packageKey(ecosystem: string, name: string): string {
  return `${ecosystem.split(':')[0]} ${normaliseName(ecosystem, name)}`;
}

function isWithdrawn(advisory: JsonObject): boolean {
  return textAt(advisory, 'withdrawn') !== null;
}

type Judged = { readonly affected: boolean; readonly fixedIn: string | null; readonly hasFix: boolean };

function judgeRange(range: Json, ours: OsvIdentity): Judged | 'unjudged' {
  const order = orderFor(ours.ecosystem, textAt(range, 'type') ?? '');
  if (order === null) return textAt(range, 'type') === 'GIT' ? nothingSaid : 'unjudged';
  const events = eventsOf(range);
  // A version that cannot be placed, ours or one of theirs, leaves the range without an answer.
  if (events.some((event) => event.version !== '0' && order.compare(event.version, ours.version) === null))
    return 'unjudged';
  const sorted = [...events].sort(
    (a, b) => place(order, a.version, b.version) || kindOrder[a.kind] - kindOrder[b.kind],
  );
  let affected = false;
  for (const { kind, version } of sorted) {
    const reached = place(order, ours.version, version);
    if (kind === 'introduced' && reached >= 0) affected = true;
    else if (kind === 'fixed' && reached >= 0) affected = false;
    else if (kind === 'last_affected' && reached > 0) affected = false;
    else if (kind === 'limit' && reached >= 0) affected = false;
  }
  const fixes = sorted.filter((event) => event.kind === 'fixed');
  return {
    affected,
    fixedIn: fixes.find((event) => place(order, event.version, ours.version) > 0)?.version ?? null,
    hasFix: fixes.length > 0,
  };
}

const nothingSaid: Judged = { affected: false, fixedIn: null, hasFix: false };
const eventKinds = ['introduced', 'fixed', 'last_affected', 'limit'] as const;
type EventKind = (typeof eventKinds)[number];
/** At the same version what begins a range comes after what ends one. */
const kindOrder: Readonly<Record<EventKind, number>> = { fixed: 0, limit: 0, last_affected: 1, introduced: 2 };

function eventsOf(range: Json): { readonly kind: EventKind; readonly version: string }[] {
  return listAt(range, 'events').flatMap((event) =>
    eventKinds.flatMap((kind) => {
      const version = textAt(event, kind);
      // `limit: "*"` is no limit.
      return version === null || version === '*' ? [] : [{ kind, version }];
    }),
  );
}

/** `0` is before every version, in any order. */
function place(order: VersionOrder, a: string, b: string): number {
  if (a === '0' || b === '0') return a === b ? 0 : a === '0' ? -1 : 1;
  return order.compare(a, b) ?? 0;
}

function describeMatch(advisory: JsonObject, affected: JsonObject, ranges: readonly Judged[]): OsvMatch {
  const fixedIn = ranges.find((range) => range.affected && range.fixedIn !== null)?.fixedIn ?? null;
  const knowsRanges = ranges.some((range) => range.affected);
  const names = [
    textAt(advisory, 'id') ?? '',
    ...textsOf(listAt(advisory, 'aliases')),
    ...textsOf(listAt(advisory, 'upstream')),
  ];
  return {
    id: names.find((name) => /^CVE-\d{4}-\d+$/.test(name)) ?? (names[0] || 'unknown'),
    severity: severityOf(advisory, affected),
    fixState: fixedIn !== null ? 'fixed' : knowsRanges ? 'not-fixed' : 'unknown',
    fixedIn,
  };
}

/** The highest that its vectors give; the database's own word where they give none. */
function severityOf(advisory: JsonObject, affected: JsonObject): CveSeverity {
  const vectors = [...listAt(advisory, 'severity'), ...listAt(affected, 'severity')].map((each) =>
    severityOfVector(textAt(each, 'score') ?? ''),
  );
  for (const severity of ['critical', 'high', 'medium', 'low', 'negligible'] as const)
    if (vectors.includes(severity)) return severity;
  const word =
    textAt(advisory, 'database_specific', 'severity') ??
    textAt(affected, 'database_specific', 'severity') ??
    textAt(affected, 'ecosystem_specific', 'severity') ??
    textAt(affected, 'ecosystem_specific', 'urgency');
  return severityOfWord(word);
}

/** As OSV spells the release: `Debian:12`, `Alpine:v3.18`, `Ubuntu:22.04`. Null for a package that the distribution does not make. */
function distribution({ id, version }: ImageOs, type: 'deb' | 'apk'): string | null {
  const [major, minor] = version.split('.');
  if (type === 'apk') return id !== 'alpine' ? null : major && minor ? `Alpine:v${major}.${minor}` : 'Alpine';
  if (id === 'debian') return major ? `Debian:${major}` : 'Debian';
  return id === 'ubuntu' ? `Ubuntu:${version}` : null;
}

/** Does an advisory for `stated` speak of packages of `ours`? One without a release speaks of all; Ubuntu's add `:LTS`. */
function sameEcosystem(stated: string, ours: string): boolean {
  if (stated === ours || stated === ours.split(':')[0]) return true;
  const parts = stated.split(':').filter((part) => part !== 'LTS');
  return parts.join(':') === ours;
}

function normaliseName(ecosystem: string, name: string): string {
  return ecosystem.startsWith('PyPI') ? normalisePython(name) : name;
}

const normalisePython = (name: string) => name.toLowerCase().replace(/[-_.]+/g, '-');

/** Null: ranges of that type cannot be judged there, and only the versions that an advisory lists can. */
function orderFor(ecosystem: string, rangeType: string): VersionOrder | null {
  if (rangeType === 'SEMVER') return semverOrder;
  if (rangeType !== 'ECOSYSTEM') return null;
  const family = ecosystem.split(':')[0];
  if (family === 'Debian' || family === 'Ubuntu') return { compare: compareDebianVersions };
  if (family === 'Alpine') return { compare: compareAlpineVersions };
  return family === 'npm' || family === 'crates.io' || family === 'Go' ? semverOrder : null;
}

const semverOrder: VersionOrder = {
  compare(a, b) {
    const [first, second] = [semver.parse(padded(a), { loose: true }), semver.parse(padded(b), { loose: true })];
    return first === null || second === null ? null : semver.compare(first, second);
  },
};

/** Advisories write `0` and `1.2` where they mean `0.0.0` and `1.2.0`. */
function padded(version: string): string {
  const [, numbers = '', rest = ''] = /^v?(\d+(?:\.\d+){0,2})(?![.\d])(.*)$/s.exec(version) ?? [];
  if (numbers === '') return version;
  const missing = 3 - numbers.split('.').length;
  return `${numbers}${'.0'.repeat(missing)}${rest}`;
}
