/** Does an OSV advisory speak of a version? (ossf.github.io/osv-schema, "Evaluation".) Total over any JSON. */

import type { Json, JsonObject } from '../../../kernel/base/json.ts';
import { listAt, objectAt, textAt, textsOf } from '../json-access.ts';
import { type CveSeverity, severityOfVector, severityOfWord } from './cvss-severity.ts';
import { normaliseName, type OsvIdentity, orderFor, sameEcosystem, type VersionOrder } from './osv-ecosystem.ts';

export type OsvMatch = {
  /** The CVE where it has one, else OSV's own. */
  readonly id: string;
  readonly severity: CveSeverity;
  readonly fixState: 'fixed' | 'not-fixed' | 'unknown';
  /** The lowest version above ours that is said to be fixed. */
  readonly fixedIn: string | null;
};
export type OsvVerdict = {
  readonly match: OsvMatch | null;
  /** It speaks of the package in ranges whose order we do not know, and lists no versions. */
  readonly unjudged: boolean;
};

/** Names of the packages an advisory speaks of, as `ecosystem family` and name: what it can be looked up by. */
export function advisoryKeys(advisory: JsonObject): readonly string[] {
  return listAt(advisory, 'affected').flatMap((affected) => {
    const ecosystem = textAt(affected, 'package', 'ecosystem');
    const name = textAt(affected, 'package', 'name');
    return ecosystem === null || name === null ? [] : [packageKey(ecosystem, name)];
  });
}

export function packageKey(ecosystem: string, name: string): string {
  return `${ecosystem.split(':')[0]} ${normaliseName(ecosystem, name)}`;
}

export function isWithdrawn(advisory: JsonObject): boolean {
  return textAt(advisory, 'withdrawn') !== null;
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

/** `0` is before every version, whatever the order says of it. */
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
