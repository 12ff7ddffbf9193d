/**
 * `codegenie facts`: what is true of the repository, one fact a line. It answers from the published context; where there is none, or what facts
 * of these ids are made from has changed since, it gathers first and says so.
 */

import type { UnknownId, UnknownScope } from '../../gather/facts/find-facts.ts';
import { defineCommand, type Invocation, printJson } from '../command.ts';
import type { Ending } from '../exit-codes.ts';

export default defineCommand({
  name: 'facts',
  says: 'Facts about the repository by id and scope, with their evidence; gathers first where the context is missing, or what facts of these ids are made from has changed',
  args: [
    {
      name: '[id]',
      says: 'a fact id, or how ids begin (`docker`); `*` for all; nothing for those of the repository itself',
      words: 'facts',
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
        const wrong = await unknownId(workspace.root, ask.id, terminal.home);
        if (wrong !== null) return endWith(invocation, 'usage', wrong);
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
        return endWith(invocation, 'usage', notThere(answer));
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
        if (!globals.quiet && outcome === 'stale') {
          const { formatTime } = await import('../../kernel/base/quantities.ts');
          terminal.stderr.write(`note: as gathered ${formatTime(answer.gathered_at ?? '?')}; ${answer.since?.says}\n`);
        }
        return 'ok';
      }
    }
  },
});

/** What is no id and no place of the tree needs no gather to be told. */
async function unknownId(root: string, id: string | null, home: string): Promise<string | null> {
  if (id === null) return null;
  const { listKnownProbes } = await import('../../serve/workspace/local-gathering.ts');
  const { findFacts } = await import('../../gather/facts/find-facts.ts');
  const { existsSync } = await import('node:fs');
  const rules = (await listKnownProbes({ root, home })).flatMap((probe) => probe.facts);
  const found = findFacts([], rules, { id, scope: null }, (path) => existsSync(`${root}/${path}`));
  return found.kind === 'unknown_id' ? notThere(found) : null;
}

function notThere(answer: UnknownId | UnknownScope): string {
  const [nearest, ...others] = answer.nearest;
  const hint = nearest === undefined ? '' : `; did you mean ${[nearest, ...others.slice(0, 2)].join(', ')}?`;
  return `there is no ${answer.kind === 'unknown_id' ? 'fact' : 'scope'} '${answer.given}'${hint}`;
}

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
