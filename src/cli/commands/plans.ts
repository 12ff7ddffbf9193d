/** `codegenie plan`: what has been planned here, shown again, committed, given up or taken back. */

import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { itemKinds } from '../../mutate/vocabulary.ts';
import type { ShownPlace } from '../../serve/changes/shown-places.ts';
import { type Argument, type Command, defineCommand, type Invocation, printJson, type Terminal } from '../command.ts';
import type { Ending } from '../exit-codes.ts';

const planArgument: Argument = { name: '<id>', says: 'the plan, as `plan list` names it', words: 'plans' };
const openPlanArgument: Argument = { ...planArgument, words: 'open plans' };

/** Those that a person can go on with. */
const acceptedKinds = Object.entries(itemKinds).flatMap(([kind, options]) =>
  options.some((option) => option === 'accept') ? [kind] : [],
);

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
  defineCommand({
    name: 'plan commit',
    says: 'Apply a plan; a proven plan without questions needs its id alone',
    args: [
      openPlanArgument,
      {
        name: '[answer...]',
        says: '`<n>=<option>` for question n, `<kind>=<option>` for all of a kind; `definition=<line>` for a plan that is not proven',
      },
    ],
    flags: [
      {
        flags: '--accept <kind,…>',
        says: 'go on with every question of these kinds',
        kind: 'list',
        words: acceptedKinds,
      },
      { flags: '--hash <plan-hash>', says: 'refuse another plan than the one with this hash', kind: 'text' },
      { flags: '--select <id,…>', says: 'groups and candidates by their ids, instead of answers', kind: 'list' },
      {
        flags: '--proof <file>',
        says: 'what was read at the places the plan names, as JSON; `-` reads stdin',
        kind: 'text',
      },
      { flags: '--request-id <id>', says: 'asked again with the same id, nothing is done twice', kind: 'text' },
    ],
    run: commit,
  }),
  defineCommand({
    name: 'plan cancel',
    says: 'Give a plan up before it is committed',
    args: [openPlanArgument],
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

/**
 * Where nothing is chosen and something is asked, the questions are shown again, or asked one by one on a terminal. An answer that wants a line
 * quoted gets the line that was shown with its question: who reads on a screen does not type it again.
 */
async function commit(invocation: Invocation): Promise<Ending> {
  const { args, flags, terminal } = invocation;
  const [id, ...words] = args;
  const { endChange, endWith, openForCommand, requestChange } = await import('../ask.ts');
  const proof = await readProofFile(flags['proof'] as string | undefined, terminal);
  if (proof.kind === 'unreadable') return endWith(invocation, 'usage', `--proof: ${proof.why}`);
  const read = readAnswers(words, flags['accept'] as readonly string[] | undefined);
  if (typeof read === 'string') return endWith(invocation, 'usage', read);
  const { planCommit, planShow } = await import('../../serve/changes/plan-requests.ts');
  const opened = await openForCommand(invocation, undefined);
  if (opened.kind === 'ended') return opened.ending;
  const { workspace } = opened;
  const selections = flags['select'] as readonly string[] | undefined;
  const isAnswered = Object.keys(read).length > 0;
  let answers = read;
  if (proof.proof === undefined && selections === undefined) {
    const show = (from?: number) => requestChange(invocation, workspace, planShow, { plan_id: id, from });
    const first = await show();
    if (first.kind !== 'answered') return endChange(invocation, planShow, first);
    const { outcome } = first.answer;
    // A commit that was cut off is finished by committing again, whatever was chosen then.
    const isCutOff = outcome.kind === 'blocked' && outcome.reason === 'recovery_conflict';
    const plan = 'plan' in outcome ? outcome.plan : null;
    if (plan === null && !isCutOff) return endChange(invocation, planShow, first);
    const isAsked =
      outcome.kind === 'needs_decision' || (terminal.keyboard !== undefined && plan?.to_quote.length !== 0);
    if (isAsked && !isCutOff && !isAnswered) {
      const { endOrAsk } = await import('../ask-questions.ts');
      return endOrAsk(invocation, workspace, planShow, first);
    }
    if (outcome.kind === 'needs_decision') {
      const { listShownPlaces, textsOnDisk } = await import('../../serve/changes/shown-places.ts');
      const places = await listShownPlaces(textsOnDisk(workspace.root), outcome, async (from) => {
        const page = await show(from);
        return page.kind === 'answered' ? page.answer.outcome : undefined;
      });
      answers = withShownLines(answers, places);
    }
  }
  const input = {
    plan_id: id,
    plan_hash: flags['hash'],
    selections,
    answers: isAnswered ? answers : undefined,
    proof: proof.proof,
    request_id: flags['requestId'],
  };
  return endChange(invocation, planCommit, await requestChange(invocation, workspace, planCommit, input));
}

/** `2=accept` and `--accept dynamic_access` as the fields of a request; a sentence about what cannot be read. */
function readAnswers(
  words: readonly (string | undefined)[],
  accepted: readonly string[] = [],
): Readonly<Record<string, string>> | string {
  const answers = new Map<string, string>();
  for (const word of words) {
    const [, key = '', value = ''] = /^([^=\s]+)=(.+)$/s.exec(word ?? '') ?? [];
    if (key === '') return `'${word}' is no answer; write <number>=<option> or <kind>=<option>`;
    if (answers.has(key)) return `${key} is answered twice`;
    answers.set(key, value);
  }
  for (const kind of accepted) {
    if (answers.has(kind)) return `${kind} is answered twice`;
    answers.set(kind, 'accept');
  }
  return Object.fromEntries(answers);
}

/** An answer to a whole kind stands for each of its questions that want a line; one that quotes a line itself stays as it is. */
function withShownLines(
  answers: Readonly<Record<string, string>>,
  places: readonly ShownPlace[],
): Readonly<Record<string, string>> {
  const quoted = places.flatMap(({ number, kind, quote }): [string, string][] => {
    const said = answers[String(number)] ?? answers[kind];
    return quote === undefined || said === undefined || said.includes(':')
      ? []
      : [[String(number), `${said}: ${quote}`]];
  });
  return { ...answers, ...Object.fromEntries(quoted) };
}

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
