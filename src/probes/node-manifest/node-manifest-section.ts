/** The section about manifests: one row for each, whatever its ecosystem. */

import { namedOnly } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';
import { singleLine } from '../../kernel/base/text.ts';
import type { ManifestFacts } from '../shared/manifest-facts.ts';

export const otherEcosystems = ['python', 'go', 'rust', 'java', 'ruby', 'php', 'dotnet'] as const;

const path = namedOnly(z.string());
const version = namedOnly(z.string());

const lockfile = z.strictObject({
  path,
  format: version,
  total_packages_resolved: z.int().min(0),
  integrity_valid: z.boolean().nullable(),
  covers_manifest: z.boolean().nullable(),
});
export type LockInfo = Readonly<z.output<typeof lockfile>>;

const manifest = {
  path,
  name: namedOnly(z.string()).nullable(),
  version: version.nullable(),
  direct_dependencies: z.strictObject({ runtime: z.int().min(0), dev: z.int().min(0) }),
  declared_engines: z.array(z.strictObject({ name: z.string(), range: version })),
  lockfile: lockfile.nullable(),
};
const row = z.strictObject({ ecosystem: z.enum(['node', ...otherEcosystems]), ...manifest });
export type ManifestRow = Readonly<z.output<typeof row>>;

const nativeModule = z.strictObject({
  name: namedOnly(z.string()),
  versions: z.array(version),
  requires_node_gyp: z.boolean(),
  system_deps_required: z.array(z.string()),
  binary_artifacts: z.array(path),
  catalog_entry_version: version,
});
export type NativeModule = Readonly<z.output<typeof nativeModule>>;

export const manifestsSection = z.strictObject({
  primary: z
    .strictObject({
      ecosystem: z.literal('node'),
      ...manifest,
      native_modules: z.strictObject({ detected: z.boolean(), packages: z.array(nativeModule) }),
      optional_dependencies: z.int().min(0),
      bundled_dependencies: z.array(namedOnly(z.string())),
    })
    .nullable()
    .describe('the package.json at the root'),
  all: z.array(row),
  catalog_version: version,
});

export function manifestRow(
  ecosystem: ManifestRow['ecosystem'],
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
    declared_engines: [...facts.engines],
    lockfile,
  };
}
