/** Manifests of the other ecosystems as rows; a lockfile at the root belongs to the manifest beside it. */

import type { ProbeRepo } from '../../gather/contract.ts';
import { limits } from '../../kernel/base/limits.ts';
import { isForeignManifest } from '../../kernel/tree/file-roles.ts';
import type { Findings } from './findings.ts';
import { type LockInfo, type ManifestRow, manifestRow } from './manifest-rows.ts';
import { lockKinds, type ManifestKind, manifestKinds } from './other-ecosystems.ts';
import { readParsed } from './read.ts';

export async function listOtherManifests(repo: ProbeRepo, findings: Findings): Promise<readonly ManifestRow[]> {
  const rows: ManifestRow[] = [];
  for (const kind of manifestKinds) {
    for (const path of repo.inputs.list([kind.glob]).filter((id) => !isForeignManifest(id))) {
      const row = await readRow(repo, kind, path, findings);
      if (row !== null) rows.push(row);
    }
  }
  return rows;
}

async function readRow(
  repo: ProbeRepo,
  kind: ManifestKind,
  path: string,
  findings: Findings,
): Promise<ManifestRow | null> {
  const parse = await kind.parser();
  const outcome = await readParsed(repo, path, limits.manifestBytes, (bytes) => parse(bytes, path));
  if ('absent' in outcome) return null;
  if (!outcome.ok) {
    findings.failed(kind.family, path, outcome.failure);
    return null;
  }
  return manifestRow(kind.ecosystem, path, outcome.value, await readLockOf(repo, path, findings));
}

async function readLockOf(repo: ProbeRepo, manifest: string, findings: Findings): Promise<LockInfo | null> {
  const kind = lockKinds.find((each) => each.manifest === manifest && repo.inputs.has(each.path));
  if (kind === undefined) return null;
  const count = await kind.counter();
  const outcome = await readParsed(repo, kind.path, limits.lockfileBytes, count);
  if ('absent' in outcome) return null;
  if (!outcome.ok) {
    findings.failed(kind.family, kind.path, outcome.failure);
    return null;
  }
  return {
    path: kind.path,
    format: kind.format,
    total_packages_resolved: outcome.value,
    integrity_valid: null,
    covers_manifest: null,
  };
}
