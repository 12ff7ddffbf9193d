/** What a parser answers. It never throws for what a file may contain: failures are values. */

export type ParseFailure =
  | { readonly kind: 'size_cap_exceeded'; readonly bytes: number; readonly cap: number }
  | { readonly kind: 'depth_cap_exceeded'; readonly cap: number }
  | { readonly kind: 'expansion_cap_exceeded'; readonly cap: number }
  | { readonly kind: 'malformed'; readonly line?: number; readonly detail: string }
  | { readonly kind: 'symlink_refused' }
  | { readonly kind: 'not_regular' }
  | { readonly kind: 'io'; readonly errno: string };

/** Worth telling, not worth failing: a duplicate key, an unknown section. */
export type ParseNote = { readonly id: string; readonly line?: number; readonly detail: string };

export type ParseOutcome<T> =
  | { readonly ok: true; readonly value: T; readonly notes: readonly ParseNote[] }
  | { readonly ok: false; readonly failure: ParseFailure };

export type ParseLimits = { readonly maxBytes: number; readonly maxDepth: number };

export function parsed<T>(value: T, notes: readonly ParseNote[] = []): ParseOutcome<T> {
  return { ok: true, value, notes };
}

export function failedParse(failure: ParseFailure): { readonly ok: false; readonly failure: ParseFailure } {
  return { ok: false, failure };
}

/** The commonest failure. Details name what is wrong and never quote the file: it may hold anything. */
export function malformed(detail: string, line?: number): { readonly ok: false; readonly failure: ParseFailure } {
  return failedParse(line === undefined ? { kind: 'malformed', detail } : { kind: 'malformed', line, detail });
}
