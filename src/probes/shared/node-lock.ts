/** Reads the root lockfile of a Node repository with the parser of its kind. Heavy parsers are loaded only when one is needed. */

import type { ProbeRepo } from '../../gather/contract.ts';
import { limits } from '../../kernel/base/limits.ts';
import type { Lockfile } from '../../kernel/formats/lockfiles/lockfile.ts';
import type { ParseLimits, ParseOutcome } from '../../kernel/formats/parse-outcome.ts';
import type { LockfileKind } from './node-packages.ts';
import { type Findings, readParsed } from './probe-reading.ts';

type Parser = (bytes: Uint8Array, limits: ParseLimits) => ParseOutcome<Lockfile>;
type ParsedKind = Exclude<LockfileKind, 'bun-binary'>;

/** Ids of a lockfile that cannot be read begin with these. */
export const nodeLockFamilies = {
  pnpm: 'pnpm_lock',
  'yarn-classic': 'yarn_lock',
  'yarn-berry': 'yarn_lock',
  bun: 'bun_lock',
  npm: 'npm_lock',
} as const satisfies Record<ParsedKind, string>;

const lockLimits: ParseLimits = { maxBytes: limits.lockfileBytes, maxDepth: limits.parseDepth };

const parsers: Record<ParsedKind, () => Promise<Parser>> = {
  pnpm: async () => (await import('../../kernel/formats/lockfiles/pnpm-lock.ts')).parsePnpmLock,
  'yarn-classic': async () =>
    (await import('../../kernel/formats/lockfiles/yarn-classic-lock.ts')).parseYarnClassicLock,
  'yarn-berry': async () => (await import('../../kernel/formats/lockfiles/yarn-berry-lock.ts')).parseYarnBerryLock,
  bun: async () => (await import('../../kernel/formats/lockfiles/bun-lock.ts')).parseBunLock,
  npm: async () => (await import('../../kernel/formats/lockfiles/npm-lock.ts')).parseNpmLock,
};

/** Null with an error reported when it cannot be read. */
export async function readNodeLock(
  repo: ProbeRepo,
  path: string,
  kind: ParsedKind,
  findings: Findings,
): Promise<Lockfile | null> {
  const parse = await parsers[kind]();
  const outcome = await readParsed(repo, path, limits.lockfileBytes, (bytes) => parse(bytes, lockLimits));
  if ('absent' in outcome) return null;
  if (outcome.ok) return outcome.value;
  findings.failed(nodeLockFamilies[kind], path, outcome.failure);
  return null;
}
