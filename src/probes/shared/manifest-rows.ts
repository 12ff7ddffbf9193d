/** One row of the `manifests` section, whatever the ecosystem. */

import { singleLine } from '../../kernel/base/text.ts';
import type { ManifestFacts } from './manifest-facts.ts';

export type LockInfo = {
  readonly path: string;
  readonly format: string;
  readonly total_packages_resolved: number;
  readonly integrity_valid: boolean | null;
  readonly covers_manifest: boolean | null;
};

export type ManifestRow = {
  readonly ecosystem: string;
  readonly path: string;
  readonly name: string | null;
  readonly version: string | null;
  readonly direct_dependencies: { readonly runtime: number; readonly dev: number };
  readonly declared_engines: readonly { readonly name: string; readonly range: string }[];
  readonly lockfile: LockInfo | null;
};

export function manifestRow(
  ecosystem: string,
  path: string,
  facts: ManifestFacts,
  lockfile: LockInfo | null,
): ManifestRow {
  return {
    ecosystem,
    path: singleLine(path),
    name: facts.name,
    version: facts.version,
    direct_dependencies: { runtime: facts.runtime.size, dev: facts.dev.size },
    declared_engines: facts.engines,
    lockfile,
  };
}
