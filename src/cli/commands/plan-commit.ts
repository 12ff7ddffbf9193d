/**
 * `codegenie plan commit`: apply a plan. What the command line fills in is what it is shown a moment before: an id names one plan that
 * never changes, so its hash can be looked up; the root is the one it stands in; and without a question there is one group to select.
 * What has to be read in the code is never filled in.
 */

import { defineCommand, planArgs } from '../command.ts';
import { present } from '../present.ts';

export default defineCommand({
  name: 'plan commit',
  says: 'Apply a plan; a proven plan without questions needs its id alone',
  args: planArgs,
  flags: [
    { flags: '--hash <plan-hash>', says: 'the hash that was shown (looked up by the id)', kind: 'text' },
    {
      flags: '--select <id,…>',
      says: 'the main group and one option of every question (the main group, where nothing is asked)',
      kind: 'list',
    },
    {
      flags: '--proof <file>',
      says: 'what was read at the places the plan names, as JSON; `-` reads stdin',
      kind: 'text',
    },
    { flags: '--request-id <id>', says: 'asked again with the same id, nothing is done twice', kind: 'text' },
  ],
  async run(invocation) {
    const { args, flags } = invocation;
    const { readProofFile } = await import('../read-proof-file.ts');
    const { endWith, openForCommand } = await import('../ask.ts');
    const proof = await readProofFile(flags['proof'] as string | undefined, invocation.terminal);
    if (proof.kind === 'unreadable') return endWith(invocation, 'usage', `--proof: ${proof.why}`);
    const { planShow } = await import('../../serve/changes/plan-requests.ts');
    const { planCommit } = await import('../../serve/changes/plan-requests.ts');
    const { mainGroupOf } = await import('../../serve/changes/render-change.ts');
    const { askChange, endChange } = await import('../ask.ts');
    const opened = await openForCommand(invocation, undefined);
    if (opened.kind === 'ended') return opened.ending;
    const { workspace } = opened;
    let hash = flags['hash'] as string | undefined;
    let selections = flags['select'] as readonly string[] | undefined;
    if (hash === undefined || selections === undefined) {
      const shown = await askChange(invocation, workspace, planShow, { plan_id: args[0] });
      if (shown.kind !== 'answered') return endChange(invocation, planShow, shown);
      const { outcome } = shown.answer;
      const isAsked = outcome.kind === 'needs_decision' && selections === undefined;
      const plan = 'plan' in outcome ? outcome.plan : null;
      // A commit that was cut off is finished by committing again, whatever was selected then.
      const isCutOff = outcome.kind === 'blocked' && outcome.reason === 'recovery_conflict';
      // Whoever has been asked something has to say what they chose: the questions, again.
      if (isAsked || (plan === null && !isCutOff)) return endChange(invocation, planShow, shown);
      const main = plan === null ? undefined : mainGroupOf(plan, 'review' in outcome ? outcome.review : []);
      hash ??= plan?.hash ?? 'unknown';
      selections ??= main === undefined ? [] : [main.id];
    }
    const input = present({
      plan_id: args[0],
      plan_hash: hash,
      root_hash: workspace.repo().root_hash,
      selections,
      proof: proof.proof ?? { identity: '', lines: [], anchors: [] },
      request_id: flags['requestId'],
    });
    return endChange(invocation, planCommit, await askChange(invocation, workspace, planCommit, input));
  },
});
