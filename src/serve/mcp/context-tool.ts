/** `repo_context`: what this repository is in one answer; any fact or section of it; or a gather now. */

import { readFacts } from '../../gather/facts/fact.ts';
import { outcomeSince, type Since } from '../../gather/freshness/since.ts';
import type { GatherOutcome } from '../../gather/gather.ts';
import { shortOverview } from '../../gather/report/build-overview.ts';
import { viewEnvelope } from '../../gather/report/envelope-view.ts';
import { linesAt, listAt, textAt } from '../../gather/report/loose-json.ts';
import { isJsonObject } from '../../kernel/base/json.ts';
import { strictInput, z } from '../../kernel/base/schema.ts';
import { adviceOn, afterInterrupt } from '../operations/answer-words.ts';
import { markOf, readToken, writeToken } from '../operations/page.ts';
import {
  findInContext,
  nearestSections,
  probeOf,
  type ReadContext,
  readContext,
} from '../workspace/context-sections.ts';
import { answerBytes, cutPiece, shrinkTo, sizeOf } from './answer-pages.ts';
import { invalidAnswer, problemAnswer } from './problem-answers.ts';
import { defineTool, type ToolAnswer, type ToolInput, type ToolWorld } from './tool.ts';

export const repoContextTool = defineTool({
  name: 'repo_context',
  says: 'What this repository is: parts, commands, deployment, risks. Call first, instead of reading manifests; then facts. Outcome no_context: call with gather (component: one directory).',
  readsOnly: true,
  input: strictInput({
    section: z.string().optional().describe('dotted path; * lists'),
    facts: z.string().optional().describe('id or prefix, scope: docker web'),
    explain: z.string().optional().describe('field'),
    gather: z.boolean().optional(),
    component: z.string().optional(),
    task: z.string().optional(),
    continue: z.string().optional(),
  }),
  async run(input, world) {
    if (input['component'] !== undefined && input['gather'] !== true)
      return invalidAnswer('component: only with gather; for facts of a directory call {facts: "* <directory>"}');
    if (input['gather'] === true && input['continue'] === undefined) {
      const failed = await gatherNow(input, world);
      if (failed !== undefined) return failed;
    }
    if (typeof input['facts'] === 'string') return listFacts(input['facts'], input['continue'], world);
    if (typeof input['explain'] === 'string') return explain(input['explain'], world);
    const context = await readContext(world.workspace);
    if (context.kind === 'config_invalid') return problemAnswer(context);
    if (context.kind !== 'context') return noContext(context);
    const { section } = input;
    if (typeof section !== 'string') return tellOverview(context, world);
    return section === '*'
      ? listContext(context, input['continue'], world)
      : readSection(context, section, input['continue'], world);
  },
});

async function gatherNow(
  { task, component }: ToolInput,
  { workspace, onStep }: ToolWorld,
): Promise<ToolAnswer | undefined> {
  const outcome = await workspace.gather({
    task: typeof task === 'string' ? task : null,
    only: null,
    skip: [],
    component: typeof component === 'string' ? component : undefined,
    mode: 'default',
    maxConcurrency: null,
    onProgress: (progress) => {
      if (progress.kind === 'started') onStep(`gathering: ${progress.probe}`);
    },
  });
  return outcome.kind === 'published' ? undefined : notGathered(outcome);
}

function notGathered(outcome: Exclude<GatherOutcome, { kind: 'published' }>): ToolAnswer {
  switch (outcome.kind) {
    case 'config_invalid':
      return problemAnswer(outcome);
    case 'task_invalid':
      return invalidAnswer(`task: ${outcome.detail}`);
    case 'unknown_probe':
      return invalidAnswer(`configuration: unknown probe '${outcome.name}'`);
    case 'unknown_component': {
      const nearest = outcome.nearest === undefined ? [] : [outcome.nearest];
      return invalidAnswer(`component: there is no directory '${outcome.given.slice(0, 80)}'`, nearest);
    }
    case 'busy':
      return problemAnswer({ kind: 'busy', message: `another gather is publishing (${outcome.owner})` });
    case 'refused':
      return problemAnswer({
        kind: 'refused',
        message: `cannot write ${outcome.path}: it ${outcome.why}${adviceOn(outcome)}`,
      });
    case 'cancelled':
      return {
        outcome: 'cancelled',
        message: afterInterrupt(outcome),
        next: 'Call again if it is wanted.',
      };
    case 'nothing_produced':
    case 'schema_invalid':
      return {
        outcome: 'incomplete',
        message: 'the gather was not published; the previous context, if any, is untouched',
        next: 'Tell the user to run `codegenie gather` in a shell, which says why.',
      };
  }
}

function noContext({
  kind,
  path,
  why,
}: {
  readonly kind: string;
  readonly path: string;
  readonly why?: string;
}): ToolAnswer {
  const message = kind === 'no_context' ? `${path} does not exist yet` : `${path} cannot be used (${why ?? 'unknown'})`;
  return { outcome: 'no_context', message, next: 'Call repo_context {gather: true}.' };
}

/** `component`: the one directory that the last gather looked at, where it was not the whole tree. */
function repoOf(envelope: ReadContext['envelope'], workspace: ToolWorld['workspace']) {
  const component = textAt(envelope, 'repo', 'component');
  const repo = { ...workspace.repo(), head: findInContext(envelope, 'repo.git_commit') ?? null };
  return component === null ? { repo } : { repo, component };
}

function headOf({ envelope, since }: ReadContext, { workspace }: ToolWorld) {
  const { gathered_at = null, gather_status = null } = envelope;
  const changed = since === null ? {} : { since: shortSince(since) };
  // `complete` is said of what could be looked at.
  const unseen = linesAt(listAt(envelope, 'not_looked').map((entry) => textAt(entry, 'probe')));
  const blind = unseen.length === 0 ? {} : { not_looked: unseen };
  return { ...repoOf(envelope, workspace), gathered_at, gather_status, ...blind, ...changed };
}

/** With what stands around them, at most 600 tokens: an agent reads this before everything else. */
const overviewBytes = 1_500;

function tellOverview({ envelope, since }: ReadContext, { workspace }: ToolWorld): ToolAnswer {
  const ids = [...new Set(readFacts(envelope).map(({ id }) => id.split('.')[0]))].join(' ');
  return {
    outcome: outcomeSince(since),
    ...repoOf(envelope, workspace),
    gather_status: envelope['gather_status'] ?? null,
    ...(since === null ? {} : { since: shortSince(since) }),
    overview: shortOverview(viewEnvelope(envelope, []), overviewBytes),
    more: ids,
    next: `${outcomeSince(since) === 'ok' ? '' : 'The tree has changed since: call with gather. '}For values with evidence call repo_context {facts: "<id of more> [directory or file]"}, e.g. {facts: "test"}.`,
  };
}

/** Of long lists the beginning. */
const sinceListed = 6;

function shortSince({ says, files, sections, perhaps }: Since) {
  const begin = (list: readonly string[]) =>
    list.length <= sinceListed ? list : [...list.slice(0, sinceListed), `… ${list.length - sinceListed} more`];
  return { says, files: begin(files), sections: begin(sections), perhaps: begin(perhaps) };
}

function listContext(context: ReadContext, token: unknown, world: ToolWorld): ToolAnswer {
  const { envelope, sections } = context;
  const fields = {
    ...headOf(context, world),
    probe_failures: envelope['probe_failures'] ?? [],
    warnings: envelope['warnings'] ?? [],
    sections,
  };
  const lists = ['sections', 'probe_failures', 'warnings'];
  const outcome = outcomeSince(context.since);
  const next = outcome === 'ok' ? 'Call again with the section you need.' : callGather;
  return pieceOf(outcome, fields, lists, ['list', envelope['run_id'] ?? null], token, next);
}

function readSection(context: ReadContext, section: string, token: unknown, world: ToolWorld): ToolAnswer {
  const outcome = outcomeSince(context.since, section);
  const found = findInContext(context.envelope, section);
  // What is not there, and may be by now, is no wrong name.
  if (found === undefined && outcome === 'ok') {
    const nearest = nearestSections(context, section);
    const hint = nearest[0] === undefined ? '' : ` (did you mean '${nearest[0]}'?)`;
    return invalidAnswer(`section: '${section.slice(0, 80)}' is not in the context${hint}`, nearest);
  }
  const head = { ...headOf(context, world), section, from: probeOf(context, section) };
  const question = [section, context.envelope['run_id'] ?? null];
  const value = found ?? null;
  const next = outcome === 'ok' ? 'For the evidence behind a field call repo_context {explain}.' : callGather;
  if (token === undefined && sizeOf({ ...head, value }) < answerBytes - 300)
    return pieceOf(outcome, { ...head, value }, [], question, token, next);
  const entries = Array.isArray(value)
    ? value.map((item, index) => ({ key: index, value: item as unknown }))
    : isJsonObject(value)
      ? Object.entries(value).map(([key, held]) => ({ key, value: held as unknown }))
      : [{ key: '', value }];
  const deeper = `${next} A field that is cut: ask for its own path, ${section}.<key>.`;
  return pieceOf(outcome, { ...head, entries }, ['entries'], question, token, deeper);
}

const callGather = 'What this was made from has changed (`since`): call repo_context {gather: true}, then again.';

function pieceOf(
  outcome: 'ok' | 'stale',
  fields: Readonly<Record<string, unknown>>,
  lists: readonly string[],
  question: unknown,
  token: unknown,
  next: string,
): ToolAnswer {
  const mark = markOf(['repo_context', question], null);
  const from = token === undefined ? undefined : readToken(String(token));
  if (token !== undefined && from?.mark !== mark)
    return invalidAnswer('continue: the token is of other arguments or an older context; call again without it');
  const goOn = ' For the rest call again with the same arguments and `continue`.';
  const piece = cutPiece(fields, lists, from?.offset ?? 0, answerBytes - sizeOf(next) - sizeOf(goOn) - 100);
  const rest = piece.end === null ? null : writeToken(mark, { inner: undefined, offset: piece.end });
  return {
    outcome,
    ...piece.fields,
    truncated: rest !== null || piece.shortened,
    continue: rest,
    next: rest === null ? next : `${next}${goOn}`,
  };
}

/** `facts` is an id, or how ids begin, and after a blank the scope. */
async function listFacts(asked: string, token: unknown, { workspace }: ToolWorld): Promise<ToolAnswer> {
  const [, id = '', scope = null] = /^\s*(\S*)\s*(.*\S)?\s*$/s.exec(asked) ?? [];
  const answer = await workspace.facts({ id: id === '' ? null : id, scope, explain: false });
  switch (answer.kind) {
    case 'no_context':
    case 'broken_context':
      return noContext(answer);
    case 'unknown_id':
    case 'unknown_scope': {
      const what = answer.kind === 'unknown_id' ? 'fact' : 'scope';
      return invalidAnswer(`facts: there is no ${what} '${answer.given.slice(0, 80)}'`, answer.nearest);
    }
    case 'config_invalid':
      return problemAnswer(answer);
    case 'facts': {
      const { outcome, gathered_at, since, facts } = answer;
      const next =
        outcome === 'ok'
          ? 'Where you need to be sure read the lines in `evidence`. unknown and not_looked are not none.'
          : callGather;
      const fields = { gathered_at, since: since === null ? null : shortSince(since), facts };
      return pieceOf(outcome, fields, ['facts'], ['facts', id, scope, gathered_at], token, next);
    }
  }
}

async function explain(field: string, { workspace }: ToolWorld): Promise<ToolAnswer> {
  const answer = await workspace.explain(field);
  switch (answer.kind) {
    case 'no_context':
    case 'broken_context':
      return noContext(answer);
    case 'unknown_field': {
      const { path: given, isFact, stale } = answer.field;
      if (isFact) return invalidAnswer(`explain: '${given}' is a fact; call repo_context {facts: "${given}"}`);
      if (stale !== null)
        return { outcome: 'stale', message: answer.text, next: 'Call repo_context {gather: true}, then again.' };
      return invalidAnswer(`explain: ${answer.text}`);
    }
    case 'config_invalid':
      return problemAnswer(answer);
    case 'explained': {
      const since = answer.since === null ? null : shortSince(answer.since);
      const { value, isCut } = shrinkTo({ since, explanation: answer.explanation }, answerBytes - 300);
      const outcome = outcomeSince(answer.since, answer.explanation.path);
      const next = outcome === 'ok' ? 'Read the evidence files where you need to be sure.' : callGather;
      return { outcome, repo: workspace.repo(), ...value, truncated: isCut, continue: null, next };
    }
  }
}
