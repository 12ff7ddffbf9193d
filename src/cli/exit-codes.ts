/** Every way the program can end, once: code, when, and what a person can do. The reference pages are made from this table. */

export const exitCodes = {
  ok: { code: 0, when: 'everything asked for was done', remedy: '' },
  internal: {
    code: 1,
    when: 'an internal error: a bug in codegenie',
    remedy: 'run again with `CODEGENIE_DEBUG=1` for the stack, and report it',
  },
  usage: {
    code: 2,
    when: 'a command, flag, name or configuration key that is not understood',
    remedy: 'the message names what is wrong and the nearest name; `codegenie <command> --help` lists what there is',
  },
  schema_invalid: {
    code: 3,
    when: 'the context did not fit its schema; it was written as repo-context.yaml.invalid',
    remedy: 'report it; the file that was written shows the place',
  },
  incomplete: {
    code: 4,
    when: 'under --strict a partial gather or confidence below the floor of the task; a --cache-only miss; no probe produced anything',
    remedy: '`codegenie report` names what failed; without `--strict` the rest is used',
  },
  output_refused: {
    code: 5,
    when: 'the output path is a link, not ours, not writable, or its volume is full',
    remedy: 'the message names the place: make room, see to its permissions, or move a link away; nothing is lost',
  },
  secret_field: {
    code: 6,
    when: 'a probe emitted a field whose name looks like a secret; it was refused',
    remedy: 'report it: the probe is wrong',
  },
  blocked: { code: 7, when: 'a change is blocked', remedy: 'do what `next` says, then ask again' },
  needs_decision: {
    code: 8,
    when: 'a change needs a decision',
    remedy: 'read the places, and commit with an answer to each question',
  },
  refused: { code: 9, when: 'a change was refused', remedy: 'see the reason and its places; choose otherwise' },
  unsupported: {
    code: 10,
    when: 'a change, or an index that was asked for, is not supported',
    remedy: 'install what is missing, or force it by spelling and look at each edit',
  },
  audit: {
    code: 11,
    when: 'the audit found a difference, or there is no run record',
    remedy: 'gather again; if it happens twice, another program writes below `.codegenie/`',
  },
  busy: { code: 12, when: 'another writer holds the lock past the wait', remedy: 'wait, or `codegenie daemon stop`' },
  risky: {
    code: 13,
    when: 'under --fail-on a risk of that severity was found; the context was written',
    remedy: '`codegenie report` shows the risk and its places; what was not judged does not fail',
  },
  interrupted: { code: 130, when: 'interrupted', remedy: 'nothing is left behind; run it again' },
} as const satisfies Record<string, { readonly code: number; readonly when: string; readonly remedy: string }>;

export type Ending = keyof typeof exitCodes;
