import { expect, test } from 'vitest';
import { sayForTools } from './tool-wording.ts';

test.each([
  [
    'Nothing is written yet: run `codegenie plan commit p-1 --hash h1 --select g-1`.',
    'Nothing is written yet: call commit_plan {op: "commit", plan_id: "p-1", plan_hash: "h1", root_hash: repo.root_hash, selections: ["g-1"]}.',
  ],
  [
    'then run `codegenie plan commit p-1 --hash h1 --select g-1,<one candidate per question> --proof -`.',
    'then call commit_plan {op: "commit", plan_id: "p-1", plan_hash: "h1", root_hash: repo.root_hash, selections: ["g-1", <one candidate per question>], proof}.',
  ],
  ['`codegenie plan undo p-1` takes it back', 'commit_plan {op: "undo", plan_id: "p-1"} takes it back'],
  ['List the plans with `codegenie plan list`', 'List the plans with commit_plan {op: "list"}'],
  ['See why with `codegenie status`', 'See why with the tool status'],
  ['or with a longer `--wait`', 'or with a longer wait_ms'],
  ['plan with `--mode force_syntactic`', 'plan with mode "force_syntactic"'],
  ['Run `codegenie index --semantic`, then', 'Run `codegenie index --semantic` in a shell, then'],
])('%s', (said, meant) => expect(sayForTools(said)).toBe(meant));
