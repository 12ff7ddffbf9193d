/** `repo_context`: what this repository is in one answer; any fact or section of it; or a gather now. */

import { readFacts } from '../../gather/facts/fact.ts';
import type { GatherOutcome } from '../../gather/gather.ts';
import { shortOverview } from '../../gather/report/build-overview.ts';
import { viewEnvelope } from '../../gather/report/envelope-view.ts';
import { isJsonObject } from '../../kernel/base/json.ts';
import { strictInput, z } from '../../kernel/base/schema.ts';
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
  says: 'What this repository is: parts, commands, deployment, risks. Call it first, instead of reading manifests; then facts. Outcome no_context: call with gather.',
  readsOnly: true,
  input: strictInput({
    section: z.string().optional().describe('a section or dotted path; * lists them'),
    facts: z.string().optional().describe('id or prefix, scope: docker web'),
    explain: z.string().optional().describe('what is behind a field'),
    gather: z.boolean().optional().describe('takes a minute'),
    task: z.string().optional(),
    continue: z.string().optional(),
  }),
  async run(input, world) {
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

async function gatherNow({ task }: ToolInput, { workspace, onStep }: ToolWorld): Promise<ToolAnswer | undefined> {
  const outcome = await workspace.gather({
    task: typeof task === 'string' ? task : null,
    only: null,
    skip: [],
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
    case 'unknown_component':
      return invalidAnswer(`there is no directory '${outcome.given}'`);
    case 'busy':
      return problemAnswer({ kind: 'busy', message: `another gather is publishing (${outcome.owner})` });
    case 'refused':
      return problemAnswer({ kind: 'refused', message: `cannot write ${outcome.path}: it ${outcome.why}` });
    case 'cancelled':
      return {
        outcome: 'cancelled',
        message: 'interrupted; nothing was published',
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

function headOf({ envelope }: ReadContext, { workspace }: ToolWorld) {
  const head = findInContext(envelope, 'repo.git_commit') ?? null;
  const { gathered_at = null, gather_status = null } = envelope;
  return { repo: { ...workspace.repo(), head }, gathered_at, gather_status };
}

/** With what stands around them, at most 600 tokens: an agent reads this before everything else. */
const overviewBytes = 1_500;

async function tellOverview({ envelope }: ReadContext, { workspace }: ToolWorld): Promise<ToolAnswer> {
  const asked = await workspace.facts({ id: 'language.primary', scope: '.', explain: false });
  const stale = asked.kind === 'facts' ? asked.stale : null;
  const ids = [...new Set(readFacts(envelope).map(({ id }) => id.split('.')[0]))].join(' ');
  return {
    outcome: 'ok',
    repo: { ...workspace.repo(), head: findInContext(envelope, 'repo.git_commit') ?? null },
    gather_status: envelope['gather_status'] ?? null,
    ...(stale === null ? {} : { stale }),
    overview: shortOverview(viewEnvelope(envelope, []), overviewBytes),
    more: ids,
    next: `${stale === null ? '' : 'The tree has changed since: call with gather. '}For values with evidence call repo_context {facts: "<id of more> [directory or file]"}, e.g. {facts: "test"}.`,
  };
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
  return pieceOf(fields, lists, ['list', envelope['run_id'] ?? null], token, 'Call again with the section you need.');
}

function readSection(context: ReadContext, section: string, token: unknown, world: ToolWorld): ToolAnswer {
  const value = findInContext(context.envelope, section);
  if (value === undefined) {
    const nearest = nearestSections(context, section);
    const hint = nearest[0] === undefined ? '' : ` (did you mean '${nearest[0]}'?)`;
    return invalidAnswer(`section: '${section.slice(0, 80)}' is not in the context${hint}`, nearest);
  }
  const head = { ...headOf(context, world), section, from: probeOf(context, section) };
  const question = [section, context.envelope['run_id'] ?? null];
  const next = 'For the evidence behind a field call repo_context {explain}.';
  if (token === undefined && sizeOf({ ...head, value }) < answerBytes - 300)
    return pieceOf({ ...head, value }, [], question, token, next);
  const entries = Array.isArray(value)
    ? value.map((item, index) => ({ key: index, value: item as unknown }))
    : isJsonObject(value)
      ? Object.entries(value).map(([key, held]) => ({ key, value: held as unknown }))
      : [{ key: '', value }];
  const deeper = `${next} A field that is cut: ask for its own path, ${section}.<key>.`;
  return pieceOf({ ...head, entries }, ['entries'], question, token, deeper);
}

function pieceOf(
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
    outcome: 'ok',
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
    case 'facts': {
      const { gathered_at, stale, facts } = answer;
      const next =
        stale === null
          ? 'Where you need to be sure read the lines in `evidence`. unknown and not_looked are not none.'
          : 'The tree has changed since (`stale`): call repo_context {gather: true}, then again.';
      return pieceOf({ gathered_at, stale, facts }, ['facts'], ['facts', id, scope, gathered_at], token, next);
    }
  }
}

async function explain(field: string, { workspace }: ToolWorld): Promise<ToolAnswer> {
  const answer = await workspace.explain(field);
  switch (answer.kind) {
    case 'no_context':
    case 'broken_context':
      return noContext(answer);
    case 'unknown_field':
      return invalidAnswer(`explain: ${answer.text}`);
    case 'explained': {
      const { value, isCut } = shrinkTo({ explanation: answer.explanation }, answerBytes - 300);
      const next = 'Read the evidence files where you need to be sure.';
      return { outcome: 'ok', repo: workspace.repo(), ...value, truncated: isCut, continue: null, next };
    }
  }
}
