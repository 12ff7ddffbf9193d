import { expect, test } from 'vitest';
import { sayForTools } from './tool-wording.ts';

test.each([
  [
    'Nothing is written yet: run `codegenie plan commit p-1`.',
    'Nothing is written yet: call commit_plan {plan: "p-1"}.',
  ],
  [
    'or all of a kind by `<kind>=<option>`: `codegenie plan commit p-1 1=<option> 2=<option>`.',
    'or all of a kind by "<kind>": "<option>": commit_plan {plan: "p-1", answers: {"1": "<option>", "2": "<option>"}}.',
  ],
  [
    "run `codegenie plan commit p-1 'definition=<the line at a.go:3:6>'`; quote `2=<option>: <the line at a.go:9:1>`.",
    'call commit_plan {plan: "p-1", answers: {"definition": "<the line at a.go:3:6>"}}; quote "2": "<option>: <the line at a.go:9:1>".',
  ],
  [
    'run `codegenie plan commit p-1 --select g-1,<groups> --proof <file>`.',
    'call commit_plan {plan: "p-1", selections: ["g-1", <groups>], proof}.',
  ],
  ['`codegenie plan undo p-1` takes it back', 'commit_plan {op: "undo", plan: "p-1"} takes it back'],
  ['List the plans with `codegenie plan list`', 'List the plans with commit_plan {op: "list"}'],
  ['See why with `codegenie status`', 'See why with the tool status'],
  ['or with a longer `--wait`', 'or with a longer wait_ms'],
  ['plan with `--mode force_syntactic`', 'plan with mode "force_syntactic"'],
  ['Run `codegenie index --semantic`, then', 'Run `codegenie index --semantic` in a shell, then'],
])('%s', (said, meant) => expect(sayForTools(said)).toBe(meant));
