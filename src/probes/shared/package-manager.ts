/**
 * Which package manager a repository uses and which lockfile counts: one decision, made here for every probe (probes.md,
 * node_build_system). The `packageManager` field names the manager; the lockfile that is there decides what is parsed.
 */

import type { ProbeRepo } from '../../gather/contract.ts';
import type { Json } from '../../kernel/base/json.ts';
import { decodeLenient } from '../../kernel/base/text.ts';

export const packageManagers = ['bun', 'pnpm', 'yarn-classic', 'yarn-berry', 'npm'] as const;
export type PackageManager = (typeof packageManagers)[number];

type Family = 'pnpm' | 'yarn' | 'bun' | 'npm';
/** What reads a lockfile: a manager's parser, or nothing for bun's binary form. */
export type LockfileKind = PackageManager | 'bun-binary';

/** In order of precedence: of two families the first wins, within a family the manager's own preference. */
const lockfileFamilies = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['npm-shrinkwrap.json', 'npm'],
  ['package-lock.json', 'npm'],
] as const satisfies readonly (readonly [string, Family])[];

export const nodeLockfiles: readonly string[] = lockfileFamilies.map(([path]) => path);

/** What a probe must declare to call `readPackageManager`. */
export const packageManagerInputs: readonly string[] = ['package.json', ...nodeLockfiles, '.yarnrc.yml', '.pnp.cjs'];

export type PackageManagerNote =
  | 'multi_lockfile'
  | 'declaration_lockfile_disagree'
  | 'yarn_variant_inferred'
  | 'field_unparseable';

export type PackageManagerDecision = {
  readonly manager: PackageManager | null;
  readonly version: string | null;
  readonly lockfile: string | null;
  readonly lockfileKind: LockfileKind | null;
  readonly additionalLockfiles: readonly string[];
  readonly notes: readonly PackageManagerNote[];
};

export type PackageManagerFacts = {
  /** `package.json#packageManager` as parsed; undefined when absent. */
  readonly field: Json | undefined;
  /** Root lockfiles that exist, in any order. */
  readonly lockfiles: readonly string[];
  /** What the text of yarn.lock says, null when it says nothing or is not there. */
  readonly yarnLockVariant: YarnVariant | null;
  readonly hasYarnrc: boolean;
  readonly hasPnp: boolean;
};

const headBytes = 4096;

type YarnVariant = 'yarn-classic' | 'yarn-berry';

export async function readPackageManager(repo: ProbeRepo, field: Json | undefined): Promise<PackageManagerDecision> {
  const outcome = repo.inputs.has('yarn.lock') ? await repo.inputs.readHead('yarn.lock', headBytes) : null;
  return decidePackageManager({
    field,
    lockfiles: nodeLockfiles.filter((path) => repo.inputs.has(path)),
    yarnLockVariant: outcome?.kind === 'read' ? yarnLockVariant(outcome.bytes) : null,
    hasYarnrc: repo.inputs.has('.yarnrc.yml'),
    hasPnp: repo.inputs.has('.pnp.cjs'),
  });
}

export function decidePackageManager(facts: PackageManagerFacts): PackageManagerDecision {
  const declared = parseField(facts.field);
  const present = lockfileFamilies.filter(([path]) => facts.lockfiles.includes(path));
  const chosen = present.find(([, family]) => family === declared.family) ?? present[0];
  const notes: PackageManagerNote[] = [];

  const family = declared.family ?? chosen?.[1] ?? null;
  const yarn = decideYarnVariant(declared.version, facts);
  const manager = family === 'yarn' ? yarn.variant : family;
  const lockfileKind = chosen === undefined ? null : kindOf(chosen, facts.yarnLockVariant ?? yarn.variant);

  if (declared.unparseable) notes.push('field_unparseable');
  if (new Set(present.map(([, each]) => each)).size > 1) notes.push('multi_lockfile');
  const lockManager = lockfileKind === 'bun-binary' ? 'bun' : lockfileKind;
  if (declared.family !== null && lockManager !== null && lockManager !== manager)
    notes.push('declaration_lockfile_disagree');
  if (family === 'yarn' && yarn.inferred) notes.push('yarn_variant_inferred');

  return {
    manager,
    version: declared.version,
    lockfile: chosen?.[0] ?? null,
    lockfileKind,
    additionalLockfiles: present.map(([path]) => path).filter((path) => path !== chosen?.[0]),
    notes,
  };
}

/** A v1 header or a `__metadata` block, both of which stand at the top of the file. */
export function yarnLockVariant(bytes: Uint8Array): YarnVariant | null {
  const head = decodeLenient(bytes.subarray(0, headBytes));
  if (/^__metadata:/m.test(head)) return 'yarn-berry';
  return /^# yarn lockfile v1\b/m.test(head) ? 'yarn-classic' : null;
}

function kindOf([path, family]: (typeof lockfileFamilies)[number], yarn: YarnVariant): LockfileKind {
  if (path === 'bun.lockb') return 'bun-binary';
  return family === 'yarn' ? yarn : family;
}

type DeclaredManager = {
  readonly family: Family | null;
  readonly version: string | null;
  readonly unparseable: boolean;
};

/** `pnpm@9.1.0+sha512.…`: the name counts even where the version is not exact, but then the field is reported. */
function parseField(field: Json | undefined): DeclaredManager {
  if (field === undefined) return { family: null, version: null, unparseable: false };
  const match = typeof field === 'string' ? /^(npm|pnpm|yarn|bun)(?:@(.*))?$/.exec(field) : null;
  if (match === null) return { family: null, version: null, unparseable: true };
  const version = /^(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)(?:\+[0-9A-Za-z.-]+)?$/.exec(match[2] ?? '')?.[1] ?? null;
  return { family: match[1] as Family, version, unparseable: version === null };
}

/** The field's version, then the text of the lock; what merely lies beside them is an inference, and classic is the last guess. */
function decideYarnVariant(
  version: string | null,
  facts: PackageManagerFacts,
): { readonly variant: YarnVariant; readonly inferred: boolean } {
  if (version !== null) return { variant: version.startsWith('1.') ? 'yarn-classic' : 'yarn-berry', inferred: false };
  if (facts.yarnLockVariant !== null) return { variant: facts.yarnLockVariant, inferred: false };
  return { variant: facts.hasYarnrc || facts.hasPnp ? 'yarn-berry' : 'yarn-classic', inferred: true };
}
