/** Every way the program can end, once: code, when, and what a person can do. The reference page is made from this table. */

export const exitCodes = {
  ok: { code: 0, when: 'everything asked for was done' },
  internal: { code: 1, when: 'an internal error: a bug in codegenie' },
  usage: { code: 2, when: 'a command, flag, name or configuration key that is not understood' },
  schema_invalid: { code: 3, when: 'the context did not fit its schema; it was written as repo-context.yaml.invalid' },
  incomplete: {
    code: 4,
    when: 'under --strict a partial gather or confidence below the floor of the task; a --cache-only miss; no probe produced anything',
  },
  output_refused: { code: 5, when: 'the output path is a link, not ours, or not writable' },
  secret_field: { code: 6, when: 'a probe emitted a field whose name looks like a secret; it was refused' },
  blocked: { code: 7, when: 'a change is blocked' },
  needs_decision: { code: 8, when: 'a change needs a decision' },
  refused: { code: 9, when: 'a change was refused' },
  unsupported: { code: 10, when: 'a change, or an index that was asked for, is not supported' },
  audit: { code: 11, when: 'the audit found a difference, or there is no run record' },
  busy: { code: 12, when: 'another writer holds the lock past the wait' },
  interrupted: { code: 130, when: 'interrupted' },
} as const satisfies Record<string, { readonly code: number; readonly when: string }>;

export type Ending = keyof typeof exitCodes;
