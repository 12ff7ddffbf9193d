/**
 * What can be asked that changes code, or is about such a change, defined once: input, output, one function, and how the answer reads.
 * Its siblings in `operations/` only look. Nothing here writes: `mutate` does, and only when a plan is committed or undone (M2).
 */

import type { z } from '../../kernel/base/schema.ts';
import type { OutcomeKind } from '../../mutate/vocabulary.ts';
import type { MutationWorld } from '../../mutate/world.ts';

/** `ok` alone where nothing was asked to change. */
export type AnyAnswer = { readonly outcome: 'ok' | { readonly kind: OutcomeKind } };

export type Change<I, O extends AnyAnswer> = {
  readonly name: string;
  readonly says: string;
  readonly input: z.ZodType<I>;
  readonly output: z.ZodType<O>;
  /** It may rest on compiler facts: contexts are brought up to date first, and indexers may be run. */
  readonly semantic?: true | ((input: I) => boolean);
  /** It will most likely ask the compiler, whose process is then started before anything else. */
  readonly asksCompiler?: (input: I) => boolean;
  readonly run: (world: MutationWorld, input: I) => Promise<O>;
  /** For people: lines without a final newline. */
  readonly render: (output: O, look: SourceLines) => string;
};

/** The code an answer speaks of, as it stands on disk when it is shown. */
export type SourceLines = {
  readonly line: (path: string, line: number) => string | undefined;
  /** For a model, which pays for every word: of an edited line only what it becomes. */
  readonly isBrief?: boolean;
};

export function defineChange<I, O extends AnyAnswer>(change: Change<I, O>): Change<I, O> {
  return change;
}

export function outcomeKindOf({ outcome }: AnyAnswer): OutcomeKind {
  return outcome === 'ok' ? 'ok' : outcome.kind;
}
