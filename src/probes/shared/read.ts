/** Reading a declared input and parsing it, in one step, with failures as ids of the probe's own family. */

import type { ProbeRepo } from '../../gather/contract.ts';
import { failedParse, type ParseFailure, type ParseOutcome } from '../../kernel/formats/parse-outcome.ts';

export type ReadParsed<T> = ParseOutcome<T> | { readonly ok: false; readonly absent: true };

export async function readParsed<T>(
  repo: ProbeRepo,
  id: string,
  maxBytes: number,
  parse: (bytes: Uint8Array) => ParseOutcome<T>,
): Promise<ReadParsed<T>> {
  const outcome = await repo.inputs.read(id, maxBytes);
  if (outcome.kind === 'absent') return { ok: false, absent: true };
  if (outcome.kind === 'failed') return failedParse(outcome.failure);
  return parse(outcome.bytes);
}

/** `package_json` + malformed → `package_json.malformed`; the less common failures fold into the four ids every family has. */
export function failureId(family: string, failure: ParseFailure): string {
  const leaf = {
    size_cap_exceeded: 'size_cap_exceeded',
    depth_cap_exceeded: 'depth_cap_exceeded',
    expansion_cap_exceeded: 'depth_cap_exceeded',
    malformed: 'malformed',
    symlink_refused: 'symlink_refused',
    not_regular: 'malformed',
    io: 'malformed',
  } as const satisfies Record<ParseFailure['kind'], string>;
  return `${family}.${leaf[failure.kind]}`;
}

/** The four ids of a family, for `errorIds`. */
export function familyIds(family: string): string[] {
  return ['size_cap_exceeded', 'malformed', 'depth_cap_exceeded', 'symlink_refused'].map((leaf) => `${family}.${leaf}`);
}
