/** What is said between the thread that keeps a root and the one that imports an indexer's output. One answer to each request, in order. */

import type { Failure } from '../../../languages/context-spec.ts';
import type { CommitOutcome } from '../../semantic/import/commit-import.ts';
import type { ImportSource } from '../../semantic/import/prepare-import.ts';
import type { FactsPlace } from '../../store/open-facts.ts';
import type { StoredContext } from '../../store/queries/list-contexts.ts';
import type { CommitAsk } from './import-output.ts';

export type ImportStart = {
  readonly root: string;
  readonly place: FactsPlace;
  /** One of `importPhase`. Whoever changes it from `open` first has decided: stopped by the one, or committed by the other. */
  readonly phase: Int32Array;
  readonly ask: Pick<ImportSource, 'outputPath' | 'documentBase' | 'members' | 'adapter' | 'pre'> & {
    readonly context: StoredContext;
    readonly isPart: boolean;
  };
};

export const importPhase = { open: 0, stopped: 1, committing: 2 } as const;

/** The first answer comes by itself, when everything is prepared. */
export type ImportRequest =
  | {
      readonly kind: 'commit';
      readonly ask: CommitAsk;
      readonly sweep: 'all' | 'replaced';
      /** See `JobWriter`. */
      readonly nextJobId: number;
    }
  | { readonly kind: 'redact'; readonly to: string };

export type ImportAnswer =
  | { readonly kind: 'prepared' }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly detail: string }
  | { readonly kind: 'ended'; readonly outcome: CommitOutcome }
  | { readonly kind: 'redacted'; readonly isMade: boolean }
  /** See `StoreFailed`. */
  | { readonly kind: 'store_failed'; readonly detail: string; readonly damaged: boolean };
