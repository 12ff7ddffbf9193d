/**
 * The code plane's store as a gather sees it: its syntactic layer is brought up to date within the time given, then read. Another
 * writer, or too little time, makes the answer incomplete, never a failure; semantic jobs are not started.
 */

import type { SessionSettings } from '../../index/sync/index-session.ts';
import type { FactsDescription } from '../../index/view/describe-facts.ts';
import { OutputRefused } from '../../kernel/base/write-file.ts';

export type CodeFactsSettings = Omit<SessionSettings, 'signal' | 'onProgress'>;

export type CodeFacts =
  /** `incomplete`: why the store may not be as the disk is; null: it is. */
  | { readonly kind: 'described'; readonly facts: FactsDescription; readonly incomplete: Incomplete | null }
  | { readonly kind: 'absent' | 'outdated' | 'corrupt'; readonly detail: string };

type Incomplete = { readonly kind: 'time_ran_out' | 'not_verified'; readonly detail: string };

/** How long to wait for a store that another process is building. */
const patienceMs = 5_000;

export async function readCodeFacts(
  settings: CodeFactsSettings,
  budgetMs: number,
  signal: AbortSignal,
): Promise<CodeFacts> {
  const { StoreFailed } = await import('../../index/store/store-failed.ts');
  const ownTime = AbortSignal.timeout(budgetMs);
  try {
    return await describeNow(settings, AbortSignal.any([signal, ownTime]), Math.min(patienceMs, budgetMs));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof OutputRefused) return { kind: 'absent', detail: `${error.path}: ${error.why}` };
    if (error instanceof StoreFailed) return { kind: 'corrupt', detail: error.detail };
    if (!ownTime.aborted) throw error;
  }
  try {
    const detail = `not up to date within ${Math.round(budgetMs / 1000)} s`;
    return await describeStored(settings, { kind: 'time_ran_out', detail });
  } catch (error) {
    if (error instanceof StoreFailed) return { kind: 'corrupt', detail: error.detail };
    throw error;
  }
}

async function describeNow(settings: CodeFactsSettings, signal: AbortSignal, waitMs: number): Promise<CodeFacts> {
  const { openCodeView } = await import('../../index/view/code-view.ts');
  const { describeFacts } = await import('../../index/view/describe-facts.ts');
  const opened = await openCodeView({ ...settings, signal, onProgress: () => {}, waitMs });
  if (opened.kind === 'refused') return { kind: 'absent', detail: `${opened.path}: ${opened.why}` };
  if (opened.kind === 'busy') {
    const holder = `process ${opened.holder?.pid ?? 'unknown'}`;
    return opened.reason === 'other_version'
      ? { kind: 'outdated', detail: `${holder} keeps a store of another version` }
      : { kind: 'absent', detail: `${holder} is building the store` };
  }
  const { view } = opened;
  try {
    const { whyUnverified } = await import('../../index/view/not-answered.ts');
    const { countDifferences } = await import('../../index/sync/find-differences.ts');
    const differing = countDifferences(view.differences);
    const detail = whyUnverified(view) ?? (differing > 0 ? `${differing} files differ from the store` : null);
    const incomplete = detail === null ? null : ({ kind: 'not_verified', detail } as const);
    return { kind: 'described', facts: describeFacts(view), incomplete };
  } finally {
    await view.close();
  }
}

/** What is there, as it is. */
async function describeStored(settings: CodeFactsSettings, incomplete: Incomplete): Promise<CodeFacts> {
  const { openFactsForRead } = await import('../../index/store/facts-file.ts');
  const { describeFacts } = await import('../../index/view/describe-facts.ts');
  const { noDifferences } = await import('../../index/sync/find-differences.ts');
  const { identityOf } = await import('../../index/sync/index-session.ts');
  const opened = openFactsForRead(identityOf(settings));
  if (opened.kind === 'refused') return { kind: 'absent', detail: `${opened.path}: ${opened.why}` };
  if (opened.kind === 'unavailable') {
    const kinds: Partial<Record<string, 'outdated' | 'corrupt'>> = {
      schema: 'outdated',
      extractor: 'outdated',
      damaged: 'corrupt',
    };
    return { kind: kinds[opened.reason] ?? 'absent', detail: opened.detail };
  }
  try {
    const read: typeof opened.facts.read = (ask) => opened.facts.read(ask);
    return { kind: 'described', facts: describeFacts({ read, differences: noDifferences }), incomplete };
  } finally {
    opened.facts.close();
  }
}
