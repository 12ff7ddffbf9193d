/** `codegenie plan`: what has been planned here, shown again, committed, given up or taken back. */

import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Argument, type Command, defineCommand, printJson, type Terminal } from '../command.ts';

const planArgument: Argument = { name: '<id>', says: 'the plan, as `plan list` names it' };

export default [
  defineCommand({
    name: 'plan list',
    says: 'List the plans of this repository, newest first',
    args: [],
    flags: [{ flags: '--limit <n>', says: 'plans to show (20)', kind: 'count' }],
    async run(invocation) {
      const { planList } = await import('../../serve/changes/plan-requests.ts');
      const { askChange } = await import('../ask.ts');
      return askChange(invocation, planList, { limit: invocation.flags['limit'] });
    },
  }),
  defineCommand({
    name: 'plan show',
    says: 'Show a plan again, which extends its life',
    args: [planArgument],
    flags: [
      { flags: '--from <n>', says: 'the first question to show, where there are more than fit (1)', kind: 'count' },
      {
        flags: '--proof-template',
        says: 'print only the proof that a commit needs, as JSON whose empty texts are to be filled in with what stands at each place',
        kind: 'boolean',
      },
    ],
    async run(invocation) {
      const { planShow } = await import('../../serve/changes/plan-requests.ts');
      const { endChange, openForCommand, requestChange } = await import('../ask.ts');
      const opened = await openForCommand(invocation, undefined);
      if (opened.kind === 'ended') return opened.ending;
      const input = { plan_id: invocation.args[0], from: invocation.flags['from'] };
      const outcome = await requestChange(invocation, opened.workspace, planShow, input);
      const template = outcome.kind === 'answered' ? outcome.answer.proof_template : null;
      if (invocation.flags['proofTemplate'] !== true || template === null)
        return endChange(invocation, planShow, outcome);
      printJson(invocation.terminal, template, invocation.globals.json ? 0 : 2);
      return 'ok';
    },
  }),
  /**
   * The command line fills in what it was shown a moment before: an id names one plan that never changes, so its hash can be looked up;
   * the root is the one it stands in; and without a question there is one group to select. What has to be read in the code is never
   * filled in.
   */
  defineCommand({
    name: 'plan commit',
    says: 'Apply a plan; a proven plan without questions needs its id alone',
    args: [planArgument],
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
      const { endChange, endWith, openForCommand, requestChange } = await import('../ask.ts');
      const proof = await readProofFile(flags['proof'] as string | undefined, invocation.terminal);
      if (proof.kind === 'unreadable') return endWith(invocation, 'usage', `--proof: ${proof.why}`);
      const { planCommit, planShow } = await import('../../serve/changes/plan-requests.ts');
      const { mainGroupOf } = await import('../../serve/changes/render-change.ts');
      const opened = await openForCommand(invocation, undefined);
      if (opened.kind === 'ended') return opened.ending;
      const { workspace } = opened;
      let hash = flags['hash'] as string | undefined;
      let selections = flags['select'] as readonly string[] | undefined;
      if (hash === undefined || selections === undefined) {
        const shown = await requestChange(invocation, workspace, planShow, { plan_id: args[0] });
        if (shown.kind !== 'answered') return endChange(invocation, planShow, shown);
        const { outcome } = shown.answer;
        const isAsked = outcome.kind === 'needs_decision' && selections === undefined;
        const plan = 'plan' in outcome ? outcome.plan : null;
        // A commit that was cut off is finished by committing again, whatever was selected then.
        const isCutOff = outcome.kind === 'blocked' && outcome.reason === 'recovery_conflict';
        // A question needs the user's choice: they are shown the questions again.
        if (isAsked || (plan === null && !isCutOff)) return endChange(invocation, planShow, shown);
        const main = plan === null ? undefined : mainGroupOf(plan, 'review' in outcome ? outcome.review : []);
        hash ??= plan?.hash ?? 'unknown';
        selections ??= main === undefined ? [] : [main.id];
      }
      const input = {
        plan_id: args[0],
        plan_hash: hash,
        root_hash: workspace.repo().root_hash,
        selections,
        proof: proof.proof ?? { identity: '', lines: [], anchors: [] },
        request_id: flags['requestId'],
      };
      return endChange(invocation, planCommit, await requestChange(invocation, workspace, planCommit, input));
    },
  }),
  defineCommand({
    name: 'plan cancel',
    says: 'Give a plan up before it is committed',
    args: [planArgument],
    flags: [],
    async run(invocation) {
      const { planCancel } = await import('../../serve/changes/plan-requests.ts');
      const { askChange } = await import('../ask.ts');
      return askChange(invocation, planCancel, { plan_id: invocation.args[0] });
    },
  }),
  defineCommand({
    name: 'plan undo',
    says: 'Restore every file of a committed plan as it was, if none has changed since',
    args: [planArgument],
    flags: [],
    async run(invocation) {
      const { planUndo } = await import('../../serve/changes/plan-requests.ts');
      const { askChange } = await import('../ask.ts');
      return askChange(invocation, planUndo, { plan_id: invocation.args[0] });
    },
  }),
] satisfies readonly Command[];

type ProofFile =
  | { readonly kind: 'read'; readonly proof: unknown }
  | { readonly kind: 'unreadable'; readonly why: string };

const maxProofBytes = 1024 * 1024;

/** The proof that goes with a commit, from a file or from standard input. That it is the right one is not judged here. */
async function readProofFile(named: string | undefined, terminal: Terminal): Promise<ProofFile> {
  if (named === undefined) return { kind: 'read', proof: undefined };
  let text: string;
  try {
    text = named === '-' ? await readStdin(terminal) : readFile(resolve(terminal.cwd, named));
  } catch (error) {
    return {
      kind: 'unreadable',
      why: `${named} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'too large'})`,
    };
  }
  try {
    return { kind: 'read', proof: dropUnfilled(JSON.parse(text)) };
  } catch {
    return {
      kind: 'unreadable',
      why: `${named === '-' ? 'standard input' : named} is not JSON; see plan show --proof-template`,
    };
  }
}

/** A place of the template that was left empty is as if it were not there: what is missing is told better than what is wrong. */
function dropUnfilled(proof: unknown): unknown {
  if (typeof proof !== 'object' || proof === null) return proof;
  const isFilled = (entry: unknown) =>
    !(typeof entry === 'object' && entry !== null && 'text' in entry && entry.text === '' && !('hash' in entry));
  return Object.fromEntries(
    Object.entries(proof).map(([field, value]) => [field, Array.isArray(value) ? value.filter(isFilled) : value]),
  );
}

function readFile(path: string): string {
  if (statSync(path).size > maxProofBytes) throw new Error('too large');
  return readFileSync(path, 'utf8');
}

async function readStdin({ stdin }: Terminal): Promise<string> {
  let text = '';
  for await (const chunk of stdin ?? []) {
    text += chunk;
    if (text.length > maxProofBytes) throw new Error('too large');
  }
  return text;
}
