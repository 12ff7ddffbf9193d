/** The section of the dockerfile probe, as the probes that build on it are given it. */

import type { ProbeContext, Requirement, Slice } from '../../../gather/contract.ts';
import { isJsonObject, type Json } from '../../../kernel/base/json.ts';
import type { DockerfileFacts, Stage } from './types.ts';

export type DockerfileRow = { readonly path: string } & DockerfileFacts;

export const dockerfileRequirement = {
  probe: 'dockerfile',
  select: (slice: Slice): Json => slice['containerization'] ?? null,
} as const satisfies Requirement;

/** Validated against its schema before it was handed on, so its shape is known. */
export function upstreamDockerfiles(ctx: Pick<ProbeContext<never>, 'upstream'>): readonly DockerfileRow[] {
  const section = ctx.upstream['dockerfile']?.value;
  const rows = isJsonObject(section) ? section['dockerfiles'] : undefined;
  return Array.isArray(rows) ? (rows as unknown as readonly DockerfileRow[]) : [];
}

export function finalStageOf(row: DockerfileRow): Stage | undefined {
  return row.final_stage === null ? undefined : row.stages[row.final_stage];
}

/** `''` for the root. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}
