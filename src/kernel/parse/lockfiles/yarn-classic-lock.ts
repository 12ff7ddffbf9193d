/**
 * yarn.lock of yarn 1. It knows packages and which range came to which version, and nothing of the manifests: there are no
 * importers, and what is needed for development only cannot be told.
 */

import { malformed, type ParseLimits, type ParseOutcome, parsed } from '../outcome.ts';
import { parseText } from '../text.ts';
import { splitDescriptor } from './fields.ts';
import type { LockEdge, ResolvedLockfile, ResolvedPackage } from './lockfile.ts';
import { mergePackages } from './merge-packages.ts';
import { sourceOfRange } from './source-of-range.ts';
import { readYarnClassic, type YarnClassicBlock } from './yarn-classic-lines.ts';

export function parseYarnClassicLock(bytes: Uint8Array, limits: ParseLimits): ParseOutcome<ResolvedLockfile> {
  const text = parseText(bytes, limits);
  if (!text.ok) return text;
  const blocks = readYarnClassic(text.value);
  if (!('length' in blocks)) return malformed(`yarn lock: ${blocks.detail}`, blocks.line);

  const identities = blocks.map(identify);
  const byDescriptor = new Map<string, Identity>();
  for (const [index, block] of blocks.entries()) {
    const identity = identities[index];
    if (identity) for (const pattern of block.patterns) byDescriptor.set(pattern, identity);
  }
  if (blocks.length > 0 && byDescriptor.size === 0) return malformed('yarn lock: no package has a version', 1);

  const edgesOf = (block: YarnClassicBlock, section: string, kind: LockEdge['kind']): LockEdge[] =>
    (block.sections.get(section) ?? []).map(([name, range]) => {
      const found = byDescriptor.get(`${name}@${range}`);
      const target = found === undefined ? null : ({ kind: 'package', id: found.id } as const);
      return { name, range, resolved: found?.version ?? null, kind, target };
    });

  const packages = blocks.flatMap((block, index): ResolvedPackage[] => {
    const identity = identities[index];
    if (!identity) return [];
    const integrity = block.fields.get('integrity') ?? null;
    return [
      {
        ...identity,
        integrity,
        fromRegistry: identity.source === 'registry',
        hasInstallScript: null,
        dependencies: [
          ...edgesOf(block, 'dependencies', 'prod'),
          ...edgesOf(block, 'optionalDependencies', 'optional'),
        ],
        optional: false,
        dev: false,
      },
    ];
  });
  return parsed({
    format: 'yarn-classic-1',
    packages: mergePackages(packages),
    importers: [],
    descriptors: new Map([...byDescriptor].map(([descriptor, { version }]) => [descriptor, version])),
    // Before 1.10 there was only the hash inside the address.
    hasIntegrity: packages.some((each) => each.integrity !== null),
  });
}

type Identity = Pick<ResolvedPackage, 'id' | 'name' | 'version' | 'source'>;

/** Null for a block without a version or a pattern with a name. */
function identify(block: YarnClassicBlock): Identity | null {
  const version = block.fields.get('version');
  const descriptor = splitDescriptor(block.patterns[0] ?? '');
  if (version === undefined || descriptor === null) return null;
  const alias = descriptor.range.startsWith('npm:') ? descriptor.range.slice('npm:'.length) : null;
  const name = alias === null ? descriptor.name : (splitDescriptor(alias)?.name ?? alias);
  return { id: `${name}@${version}`, name, version, source: sourceOfRange(descriptor.range) };
}
