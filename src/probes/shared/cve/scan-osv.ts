/** Every advisory of an OSV directory against every package of an image. */

import type { ProbeRepo } from '../../../gather/contract.ts';
import { parseJsonObject } from '../../../kernel/parse/json.ts';
import { shortLine } from '../json-access.ts';
import type { ImageOs, ImagePackage } from '../sbom/package-types.ts';
import type { CveFinding } from './cve-finding.ts';
import { advisoryKeys, isWithdrawn, matchOsv, packageKey } from './match-osv.ts';
import { type OsvIdentity, osvIdentity } from './osv-ecosystem.ts';

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

const familyOf = (key: string) => key.slice(0, key.indexOf(' '));
