/** `codegenie index`: bring the index up to date with the disk now. */

import type { AskedScope } from '../../index/refresh/asked-scope.ts';
import { defineCommand } from '../command.ts';

export default defineCommand({
  name: 'index',
  says: 'Bring the index up to date with the disk now',
  args: [],
  flags: [
    { flags: '--semantic', says: 'also run indexers until compiler facts are up to date', kind: 'boolean' },
    {
      flags: '--again',
      says: 'with --semantic: run every indexer, also where nothing in the repository has changed',
      kind: 'boolean',
    },
    {
      flags: '--scope <json>',
      says: 'run indexers for this alone: {"files": […], "packages": […], "changed_since": …, "context": …}, or a list, as a blocked answer suggests it',
      kind: 'text',
    },
    { flags: '--syntactic-only', says: 'only what needs no indexer (the default)', kind: 'boolean' },
    {
      flags: '--wait <s>',
      says: 'how long to wait for another process that builds the index (60), and for indexers (until they are done)',
      kind: 'seconds',
    },
  ],
  async run(invocation) {
    const { flags, terminal, globals } = invocation;
    const { endWith } = await import('../ask.ts');
    const scopes = await readScopes(flags['scope']);
    if (scopes?.kind === 'wrong') return endWith(invocation, 'usage', `--scope: ${scopes.why}`);
    const semantic = flags['semantic'] === true || scopes !== undefined;
    if (semantic && flags['syntacticOnly'] === true) {
      return endWith(invocation, 'usage', '--semantic and --syntactic-only exclude each other');
    }
    const again = flags['again'] === true;
    if (again && !semantic) return endWith(invocation, 'usage', '--again needs --semantic');
    const { formatDuration } = await import('../../kernel/base/quantities.ts');
    const startedMs = terminal.nowMs();
    const { default: operation } = await import('../../serve/operations/index.ts');
    const { askQuestion } = await import('../ask.ts');
    const { createRefreshProgress } = await import('../progress.ts');
    const waitS = flags['wait'] as number | undefined;
    const progress = createRefreshProgress(terminal, globals);
    const onRefresh: typeof progress.show = (event) => {
      if (!terminal.signal.aborted) progress.show(event);
    };
    let ending: 'ok' | 'blocked' | 'busy' = 'ok';
    const timed = {
      ...operation,
      render: (answer: Parameters<typeof operation.render>[0]) => {
        const [first = '', ...rest] = operation.render(answer).split('\n');
        return [`${first} · ${formatDuration(terminal.nowMs() - startedMs)}`, ...rest].join('\n');
      },
    };
    const options = {
      onAnswer: (answer: Parameters<typeof endingOf>[0]) => {
        if (!semantic) return;
        // A run that was stopped gets no answer.
        terminal.signal.throwIfAborted();
        ending = endingOf(answer);
      },
      ...(waitS === undefined ? {} : { waitS }),
      ...(semantic
        ? { refresh: { waitMs: waitS === undefined ? null : waitS * 1000, again, scopes: scopes?.scopes }, onRefresh }
        : {}),
    };
    try {
      const ended = await askQuestion(invocation, timed, {}, options).finally(progress.end);
      if (ended !== 'ok') return ended;
      return terminal.signal.aborted ? 'interrupted' : ending;
    } catch (error) {
      if (!semantic || !terminal.signal.aborted) throw error;
      return endWith(invocation, 'interrupted', 'stopped; what was queued goes on with the next `index --semantic`');
    }
  },
});

type ReadScopes =
  | { readonly kind: 'scopes'; readonly scopes: readonly AskedScope[] }
  | { readonly kind: 'wrong'; readonly why: string; readonly scopes?: undefined };

async function readScopes(given: unknown): Promise<ReadScopes | undefined> {
  if (typeof given !== 'string') return undefined;
  const { AskedScopes } = await import('../../index/refresh/asked-scope.ts');
  try {
    const read = AskedScopes.safeParse(JSON.parse(given));
    if (read.success) return { kind: 'scopes', scopes: read.data };
    const [issue] = read.error.issues;
    return { kind: 'wrong', why: `${issue?.path.join('.') ?? ''} ${issue?.message ?? 'not understood'}`.trim() };
  } catch {
    return { kind: 'wrong', why: 'it is no JSON' };
  }
}

/** Asked for and not done is no success: a job failed, time ran out, or another process has the index. */
function endingOf(answer: {
  readonly refreshed: {
    readonly jobs: readonly { readonly status: string }[];
    readonly waiting: readonly string[];
    readonly running: readonly string[];
  } | null;
}): 'ok' | 'blocked' | 'busy' {
  const { refreshed } = answer;
  if (refreshed === null) return 'busy';
  const isOpen = refreshed.running.length + refreshed.waiting.length > 0;
  return isOpen || refreshed.jobs.some(({ status }) => status === 'failed') ? 'blocked' : 'ok';
}
