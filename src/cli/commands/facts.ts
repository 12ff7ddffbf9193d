/**
 * `codegenie facts`: what is true of the repository, one fact a line. It answers from the published context; where there is none, or what facts
 * of these ids are made from has changed since, it gathers first and says so.
 */

import { defineCommand, type Invocation, printJson } from '../command.ts';
import type { Ending } from '../exit-codes.ts';

export default defineCommand({
  name: 'facts',
  says: 'Facts about the repository by id and scope, with their evidence; gathers first where the context is missing, or what facts of these ids are made from has changed',
  args: [
    {
      name: '[id]',
      says: 'a fact id, or how ids begin (`docker`); `*` for all; nothing for those of the repository itself',
    },
    { name: '[scope]', says: 'only of this: `.`, a directory, a file, or a part of one (`Dockerfile#build`)' },
  ],
  flags: [
    { flags: '--explain', says: 'what each id means, and the lines that are its evidence', kind: 'boolean' },
    { flags: '--no-gather', says: 'answer from the last context, also where that has changed', kind: 'boolean' },
  ],
  async run(invocation): Promise<Ending> {
    const { endWith, noContext, openForCommand, showConfigProblems } = await import('../ask.ts');
    const { globals, terminal, flags, args } = invocation;
    const opened = await openForCommand(invocation, undefined);
    if (opened.kind === 'ended') return opened.ending;
    const { workspace } = opened;
    const ask = { id: args[0] ?? null, scope: args[1] ?? null, explain: flags['explain'] === true };
    let answer = await workspace.facts(ask);
    if (flags['gather'] !== false) {
      const why =
        answer.kind === 'no_context'
          ? 'there is no context yet'
          : answer.kind === 'broken_context'
            ? `the context cannot be used (${answer.why})`
            : answer.kind === 'facts' && answer.outcome === 'stale'
              ? (answer.since?.says ?? null)
              : null;
      if (why !== null) {
        const component = answer.kind === 'facts' ? answer.component : undefined;
        const ending = await gatherFirst(invocation, workspace, why, component);
        if (ending !== 'ok') return ending;
        answer = await workspace.facts(ask);
      }
    }
    switch (answer.kind) {
      case 'no_context':
      case 'broken_context':
        return noContext(invocation, answer);
      case 'config_invalid':
        return showConfigProblems(invocation, answer.problems);
      case 'unknown_id':
      case 'unknown_scope': {
        const what = answer.kind === 'unknown_id' ? 'fact' : 'scope';
        const [nearest, ...others] = answer.nearest;
        const hint = nearest === undefined ? '' : `; did you mean ${[nearest, ...others.slice(0, 2)].join(', ')}?`;
        return endWith(invocation, 'usage', `there is no ${what} '${answer.given}'${hint}`);
      }
      case 'facts': {
        const { kind: _, outcome, ...fields } = answer;
        if (globals.json) {
          printJson(terminal, { outcome, repo: workspace.repo(), ...fields });
          return 'ok';
        }
        const { renderFacts, shortList } = await import('../../gather/facts/render-facts.ts');
        const width = terminal.stdout.isTTY === true ? (terminal.stderr.columns ?? 100) : 140;
        const { facts, more } =
          ask.id === null && ask.scope === null && !ask.explain
            ? shortList(answer.facts)
            : { facts: answer.facts, more: 0 };
        terminal.stdout.write(`${renderFacts(facts, width)}\n`);
        if (more > 0 && !globals.quiet)
          terminal.stderr.write(`${more} more of parts and files: codegenie facts <id>, <directory>, or '*' for all\n`);
        if (!globals.quiet && outcome === 'stale')
          terminal.stderr.write(`note: as gathered ${answer.gathered_at}; ${answer.since?.says}\n`);
        return 'ok';
      }
    }
  },
});

async function gatherFirst(
  invocation: Invocation,
  workspace: import('../../serve/workspace/workspace.ts').Workspace,
  why: string,
  component: string | undefined,
): Promise<Ending> {
  const { globals, terminal } = invocation;
  const { endWith, showConfigProblems } = await import('../ask.ts');
  const { createProgress } = await import('../progress.ts');
  if (!globals.quiet) terminal.stderr.write(`gathering first: ${why}\n`);
  const progress = createProgress(terminal, globals);
  const outcome = await workspace
    .gather({
      task: null,
      only: null,
      skip: [],
      component,
      mode: 'default',
      maxConcurrency: null,
      onProgress: progress.show,
    })
    .finally(() => progress.end());
  switch (outcome.kind) {
    case 'published':
      return 'ok';
    case 'config_invalid':
      return showConfigProblems(invocation, outcome.problems);
    case 'cancelled': {
      const { afterInterrupt } = await import('../../serve/operations/answer-words.ts');
      return endWith(invocation, 'interrupted', afterInterrupt(outcome));
    }
    case 'busy':
      return endWith(invocation, 'busy', `another gather is publishing (${outcome.owner}); try again`);
    case 'refused': {
      const { adviceOn } = await import('../../serve/operations/answer-words.ts');
      return endWith(
        invocation,
        'output_refused',
        `cannot write ${outcome.path}: it ${outcome.why}${adviceOn(outcome)}`,
      );
    }
    case 'nothing_produced':
    case 'schema_invalid':
    case 'task_invalid':
    case 'unknown_probe':
    case 'unknown_component':
      return endWith(invocation, 'incomplete', 'the gather was not published; `codegenie gather` says why');
  }
}
