/** The section about manifests: one row for each, whatever its ecosystem. */

import { namedOnly } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';
import { singleLine } from '../../kernel/base/text.ts';
import { frameworkOf } from '../shared/framework-catalog.ts';
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

const manager = z.strictObject({
  name: z.string(),
  version: version.nullable(),
  because: z.enum(['declared', 'follows', 'convention', 'resembles']),
  evidence: z.array(z.strictObject({ path, shows: z.string().nullable() })),
});
export type ManagerRow = Readonly<z.output<typeof manager>>;

const manifest = {
  path,
  name: namedOnly(z.string()).nullable(),
  version: version.nullable(),
  direct_dependencies: z.strictObject({
    runtime: z.int().min(0),
    dev: z.int().min(0),
    /** Listed beside the direct ones (go.mod). */
    indirect: z.int().min(0).nullable(),
    /** The part of `dev` that the build needs (Cargo). */
    build: z.int().min(0).nullable(),
    /** Extras that are installed on demand (pyproject.toml). */
    optional: z.int().min(0).nullable(),
  }),
  /** False where dependencies stand elsewhere or a program decides; the counts are at most part of the truth. */
  dependencies_complete: z.boolean(),
  /** The file is itself the output of a compiler of requirements. */
  compiled: z.boolean(),
  declared_engines: z.array(
    z.strictObject({
      name: z.string(),
      range: version,
      /** The manifest of the workspace that gives it, where it is not this one. */
      from: path.nullable(),
    }),
  ),
  lockfile: lockfile.nullable(),
  /** The lock file, also where it could not be read. */
  lockfile_path: path.nullable(),
  /** Frameworks that it declares: of the catalog alone, with the words of the manifest that name each. */
  frameworks: z.array(
    z.strictObject({
      name: z.string(),
      shows: namedOnly(z.string()),
      slot: z.enum(['runtime', 'peer', 'dev', 'tool']),
    }),
  ),
  /** What installs it. */
  manager: manager.nullable(),
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
  /** Files that only say which version of a runtime is used; the name as the file writes it. */
  runtime_pins: z.array(z.strictObject({ path, name: z.string(), version })),
  catalog_version: version,
});

export function manifestRow(
  ecosystem: ManifestRow['ecosystem'],
  path: string,
  facts: ManifestFacts,
  { lock, lockPath }: { readonly lock: LockInfo | null; readonly lockPath: string | null },
): ManifestRow {
  const { runtime, dev, indirect, build, optional } = facts;
  return {
    ecosystem,
    path: singleLine(path),
    name: facts.name,
    version: facts.version,
    direct_dependencies: {
      runtime: runtime.size,
      dev: dev.size,
      indirect: indirect?.size ?? null,
      build: build?.size ?? null,
      optional: optional?.size ?? null,
    },
    dependencies_complete: facts.isComplete !== false,
    compiled: facts.isCompiled === true,
    declared_engines: facts.engines.map((engine) => ({ ...engine, from: null })),
    lockfile: lock,
    lockfile_path: lockPath === null ? null : singleLine(lockPath),
    frameworks: frameworksIn(ecosystem, facts),
    manager: null,
  };
}

/** The strongest slot of each. `tool`: what only developers of a library install, its users do not run. */
function frameworksIn(ecosystem: ManifestRow['ecosystem'], facts: ManifestFacts): ManifestRow['frameworks'] {
  if (facts.isCompiled === true) return [];
  const found = new Map<string, ManifestRow['frameworks'][number]>();
  const add = (names: Iterable<string>, slot: ManifestRow['frameworks'][number]['slot']) => {
    for (const name of names) {
      const hit = frameworkOf(ecosystem, name);
      if (hit !== undefined && !found.has(hit.framework.name))
        found.set(hit.framework.name, { name: hit.framework.name, shows: hit.shows, slot });
    }
  };
  add(facts.runtime, 'runtime');
  add(facts.platforms ?? [], 'runtime');
  add(facts.peer ?? [], 'peer');
  if (ecosystem === 'node') add(facts.dev, facts.isLibrary === true ? 'tool' : 'dev');
  return [...found.values()];
}
