/** The section `sbom`, and a package of an image as both generators and the vulnerability scan speak of it. */

import { namedOnly } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';
import { scannerOutcome } from '../shared/scanners.ts';

export const packageTypes = [
  'deb',
  'apk',
  'rpm',
  'npm',
  'python',
  'go',
  'java',
  'rust',
  'ruby',
  'php',
  'dotnet',
  'other',
] as const;
export type PackageType = (typeof packageTypes)[number];

export const osPackageTypes: ReadonlySet<PackageType> = new Set(['deb', 'apk', 'rpm']);

/** `loaded`: it owns a file that the trace saw mapped or executed; `present`: it owns none; `unknown`: no trace, or no list of its files. */
export type Reach = 'loaded' | 'present' | 'unknown';

export type ImageOs = { readonly id: string; readonly version: string };

export type ImagePackage = {
  readonly type: PackageType;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  /** What the distribution built it from; null where that is the package itself, or where there is no such thing. */
  readonly source: { readonly name: string; readonly version: string } | null;
  /** Path in the image of what told of it. */
  readonly location: string;
  readonly reach: Reach;
};

export const sbomSection = z.strictObject({
  /** Root-relative; null where there is no bill. */
  artifact_uri: namedOnly(z.string()).nullable(),
  generator: z.enum(['syft', 'builtin']),
  built_image_digest: namedOnly(z.string()).nullable(),
  package_count: z.int(),
  /** Only the kinds that occur. */
  packages_by_source: z.partialRecord(z.enum(packageTypes), z.int()),
  os: z.strictObject({ id: namedOnly(z.string()), version: namedOnly(z.string()) }).nullable(),
  /** Packages of the distribution; `runtime_required` are those that own a file the trace saw mapped or executed. */
  os_packages_classification: z.strictObject({
    runtime_required: z.int(),
    build_only: z.int(),
    convenience: z.int(),
    unknown: z.int(),
  }),
  npm_packages_native_module_count: z.int(),
  /** Of the files of all layers. */
  total_size_bytes: z.int(),
  outcome: scannerOutcome,
  scanned_at: z.string(),
});

/** How many of each kind, in the order of the kinds; only those that occur. */
export function countBy<T, K extends string>(
  items: readonly T[],
  kinds: readonly K[],
  kindOf: (item: T) => K | null,
): Record<string, number> {
  const counts = new Map<K, number>();
  for (const item of items) {
    const kind = kindOf(item);
    if (kind !== null) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return Object.fromEntries(kinds.flatMap((kind) => (counts.has(kind) ? [[kind, counts.get(kind) ?? 0]] : [])));
}
