/** What a probe has to say besides its data: ids, each once and in order, with diagnostics that say where. */

import type { Diagnostic, Evidence, ProbeRepo } from '../../gather/contract.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { singleLine } from '../../kernel/base/text.ts';
import type { ParseFailure } from '../../kernel/formats/parse-outcome.ts';
import { failureId } from './read.ts';

export type Place = { readonly path?: string; readonly line?: number; readonly detail?: string };

export type Findings = {
  warn(id: string, place?: Place): void;
  fail(id: string, place?: Place): void;
  /** A file of a family that could not be read: an error, at the line the parser knows, never with the text around it. */
  failed(family: string, path: string, failure: ParseFailure): void;
  warned(id: string): boolean;
  hasErrors(): boolean;
  /** The three lists of a probe's output. */
  report(): { readonly warnings: string[]; readonly errors: string[]; readonly diagnostics: Diagnostic[] };
};

export function createFindings(): Findings {
  const warnings = new Set<string>();
  const errors = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  const note = (id: string, { detail, ...where }: Place) =>
    void diagnostics.push({ id, ...where, ...(detail === undefined ? {} : { detail: singleLine(detail) }) });
  return {
    warn(id, place) {
      warnings.add(id);
      if (place !== undefined) note(id, place);
    },
    fail(id, place) {
      errors.add(id);
      if (place !== undefined) note(id, place);
    },
    failed(family, path, failure) {
      const id = failureId(family, failure);
      errors.add(id);
      note(id, { path, ...(failure.kind === 'malformed' && failure.line !== undefined ? { line: failure.line } : {}) });
    },
    warned: (id) => warnings.has(id),
    hasErrors: () => errors.size > 0,
    report: () => ({
      warnings: [...warnings].sort(compareCodeUnits),
      errors: [...errors].sort(compareCodeUnits),
      diagnostics,
    }),
  };
}

/** The files an answer rests on, with the hash they had; what is absent or refused is no evidence. */
export function evidenceOf(repo: ProbeRepo, ids: readonly (string | null)[]): readonly Evidence[] {
  return [...new Set(ids)].flatMap((id) => {
    const hash = id === null ? undefined : repo.inputs.fingerprint(id)?.contentHash;
    return id !== null && hash?.startsWith('blake3:') ? [{ path: id, hash }] : [];
  });
}
