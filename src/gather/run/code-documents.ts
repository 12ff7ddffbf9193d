/**
 * The index of the TypeScript projects that a gather publishes: the store's documents are brought up to date, which asks indexers for what is
 * not clean and nothing else, and are written to one file. Where another process keeps the store and cannot be asked, a store of this gather
 * alone is filled instead, which takes as long as the first time.
 */

import { mkdirSync } from 'node:fs';
import type { RunSummary } from '../../index/refresh/refresher.ts';
import type { CodeView, SemanticAsk } from '../../index/view/code-view.ts';
import type { ScipDocument, ScipMetadata } from '../../kernel/formats/scip.ts';
import type { Failure } from '../../languages/projects/context-spec.ts';
import type { CodeFactsSettings } from './code-facts.ts';

/** Where indexers run in this process already: gives a view of after they have run. Undefined: it runs none. */
export type LentIndexers = (run: NonNullable<SemanticAsk['run']>, signal: AbortSignal) => Promise<CodeView | undefined>;

export type CodeDocumentsSettings = CodeFactsSettings & {
  readonly semantic: Omit<SemanticAsk, 'run' | 'onEvent'>;
  readonly lent: LentIndexers | undefined;
  /** How long to wait for a command that works on the store; a daemon of another version keeps it. */
  readonly patienceMs?: number;
};

export type CodeDocumentsAsk = {
  /** Root-relative; null: the files that no configuration means. */
  readonly configs: readonly (string | null)[];
  readonly isWanted: (path: string) => boolean;
  readonly metadata: ScipMetadata;
  /** Replaced. */
  readonly to: string;
  /** Private, empty. */
  readonly scratch: string;
  readonly budgetMs: number;
  readonly onDocument: (document: ScipDocument) => void;
};

export type CodeDocuments =
  | {
      readonly kind: 'written';
      readonly documents: number;
      /** Why projects have none, or fewer than they could. */
      readonly failures: readonly Failed[];
    }
  | ({ readonly kind: 'failed' } & Failed);

type Failed = { readonly configPath: string | null; readonly failure: Failure; readonly detail: string };

const usualPatienceMs = 20_000;

export async function writeCodeDocuments(
  settings: CodeDocumentsSettings,
  ask: CodeDocumentsAsk,
  signal: AbortSignal,
): Promise<CodeDocuments> {
  const untilMs = settings.nowMs() + ask.budgetMs;
  const configs = new Set(ask.configs);
  const run = {
    waitMs: ask.budgetMs,
    only: ({ family, configPath }: { family: string; configPath: string | null }) =>
      family === 'typescript' && configs.has(configPath),
  };
  const view = (await settings.lent?.(run, signal)) ?? (await openOwn(settings, ask, run, signal));
  if ('failure' in view) return view;
  try {
    return await writeFrom(view, ask, run.only, settings.nowMs() >= untilMs, signal);
  } finally {
    await view.close();
  }
}

async function openOwn(
  settings: CodeDocumentsSettings,
  ask: CodeDocumentsAsk,
  run: NonNullable<SemanticAsk['run']>,
  signal: AbortSignal,
): Promise<CodeView | Extract<CodeDocuments, { kind: 'failed' }>> {
  const { openRefreshedView } = await import('../../index/view/code-view.ts');
  const semantic = { ...settings.semantic, run, onEvent: () => {} };
  const common = { ...settings, semantic, signal, onProgress: () => {} };
  const opened = await openRefreshedView({
    ...common,
    waitMs: Math.min(settings.patienceMs ?? usualPatienceMs, ask.budgetMs / 4),
  });
  if (opened.kind === 'open') return opened.view;
  if (opened.kind === 'refused') {
    return { kind: 'failed', configPath: null, failure: 'io_error', detail: `${opened.path}: ${opened.why}` };
  }
  const [stateDir, cacheDir] = ['state', 'cache'].map((name) => `${ask.scratch}/${name}`) as [string, string];
  for (const path of [stateDir, cacheDir]) mkdirSync(path, { recursive: true, mode: 0o700 });
  // What a writer left undone is for the one who has the lock.
  const alone = await openRefreshedView({ ...common, stateDir, cacheDir, recover: undefined, waitMs: 0 });
  if (alone.kind === 'open') return alone.view;
  const detail = `process ${opened.holder?.pid ?? 'unknown'} keeps the store, and a store beside it cannot be made`;
  return { kind: 'failed', configPath: null, failure: 'io_error', detail };
}

async function writeFrom(
  view: CodeView,
  { isWanted, metadata, to, onDocument }: CodeDocumentsAsk,
  only: NonNullable<NonNullable<SemanticAsk['run']>['only']>,
  isLate: boolean,
  signal: AbortSignal,
): Promise<CodeDocuments> {
  const { writeStoredIndex } = await import('../../index/semantic/stored-documents.ts');
  const { createFileStates } = await import('../../index/freshness/file-states.ts');
  const { listContexts } = await import('../../index/store/stored-contexts.ts');
  const contexts = view.read(listContexts).filter(only);
  const failures = contexts.flatMap((context): Failed[] => {
    const { key, configPath, probe, probeDetail } = context;
    const found = probe === 'ok' ? findFailure(view.refreshed, key, isLate) : describe(probe, probeDetail);
    return found === undefined ? [] : [{ configPath, ...found }];
  });
  const late = failures.find(({ failure }) => failure === 'tool_timeout');
  if (late !== undefined && isLate) return { kind: 'failed', ...late };
  const states = createFileStates(view);
  const failed = new Set(failures.map(({ configPath }) => configPath));
  const ended = new Map(contexts.flatMap(({ id, key, configPath }) => (failed.has(configPath) ? [] : [[id, key]])));
  // What depends on a file that cannot be read waits for ever to be checked: its bytes are those that the job has just read.
  const isSettled = (path: string, contextId: number): boolean =>
    states.isCleanIn(path, contextId) ||
    states
      .of(path)
      .contexts.some(({ key, freshness }) => key === ended.get(contextId) && freshness === 'pending_check');
  const documents = await writeStoredIndex((read) => view.read(read), {
    contexts: contexts.map(({ id }) => id),
    isWanted: (path, contextId) => isWanted(path) && isSettled(path, contextId),
    metadata,
    to,
    signal,
    onDocument,
  });
  return { kind: 'written', documents, failures };
}

function describe(probe: string, detail: string | null): Omit<Failed, 'configPath'> {
  const failure = probe === 'disabled' ? 'config_error' : (probe as Failure);
  return { failure, detail: detail ?? probe };
}

function findFailure(summary: RunSummary | null, key: string, isLate: boolean): Omit<Failed, 'configPath'> | undefined {
  const isOf = ({ context }: { readonly context: string }) => context === key;
  const ended = summary?.failed.find(isOf);
  if (ended !== undefined) return { failure: ended.failure, detail: ended.detail };
  const waiting = summary?.waiting.find(isOf);
  if (waiting !== undefined && waiting.failure !== null) {
    const said = summary?.ran.findLast((report) => report.context === key)?.detail;
    return { failure: waiting.failure, detail: said ?? waiting.failure };
  }
  const isUnderWay = isLate && (waiting !== undefined || summary?.running.includes(key) === true);
  return isUnderWay ? { failure: 'tool_timeout', detail: 'not done within the time of the probe' } : undefined;
}
