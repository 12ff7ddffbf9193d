/**
 * What a person, an editor or an agent can ask of the code index, defined once: input, output, one function, and how the answer reads
 * as text. Command line, HTTP and MCP are made of these.
 */

import type { Lacking } from '../../index/navigate/lacking.ts';
import type { CodeView } from '../../index/view/code-view.ts';
import type { NotAnswered } from '../../index/view/not-answered.ts';
import { z } from '../../kernel/base/schema.ts';

export type Operation<I, O> = {
  readonly name: string;
  readonly says: string;
  readonly input: z.ZodType<I>;
  readonly output: z.ZodType<O>;
  /** It says something about compiler facts: contexts and the queue of jobs are brought up to date first. */
  readonly semantic?: true;
  /** What compilers would tell of it and have not is asked of them before it is answered, where that takes seconds. */
  readonly asksCompiler?: (input: I) => boolean;
  /** What it says is about all files: each is compared with the disk first (code-plane.md §2), however many there are. */
  readonly sweeps?: true | ((input: I) => boolean);
  /** It speaks of the index, not of files: where not all files have to be compared with the disk, none has to be. */
  readonly tellsOf?: 'index';
  /** Places in the answer rest on compiler facts of older bytes. */
  readonly isBehind?: (output: O) => boolean;
  /** Expected failures are answers: see `NotAnswered`. */
  readonly run: (view: CodeView, input: I, world: OperationWorld) => Promise<O | NotAnswered>;
  /** For people: lines without a final newline. */
  readonly render: (output: O) => string;
  /** The same for a model, which pays for every word; without it, what people read. */
  readonly brief?: (output: O) => string;
};

export type OperationWorld = {
  readonly signal: AbortSignal;
  readonly nowMs: () => number;
  /** Compiler facts that the answer lacks: whoever asked may have them made, and asks again. */
  readonly onLacking?: ((lacking: Lacking) => void) | undefined;
};

export function defineOperation<I, O>(operation: Operation<I, O>): Operation<I, O> {
  return operation;
}

/** Of one or many sites: a lower bound, unless nothing unresolved could add to it (P2). */
export const Count = z.object({
  value: z.number().int(),
  relation: z.enum(['eq', 'gte']),
  /** Why it is a lower bound; empty for `eq`. */
  unresolved: z.array(z.string()),
});
export type Count = z.infer<typeof Count>;

/** The same, where nothing may be found before anything is known: `value` is then null and never 0. */
export const KnownCount = Count.extend({ value: z.number().int().nullable() });
export type KnownCount = z.infer<typeof KnownCount>;

/** `path:line:col`, both 1-based, the column in UTF-16 units. */
export const Place = z.object({ path: z.string(), line: z.number().int(), col: z.number().int() });
export type Place = z.infer<typeof Place>;

export const provenances = ['resolved', 'syntactic', 'text'] as const;

export const RepoHead = z.object({
  root: z.string(),
  root_hash: z.string(),
  worktree: z.string(),
  head: z.string().nullable(),
  generation: z.number().int().nullable(),
});

export const Freshness = z.object({
  /**
   * `clean`: every file in scope was compared with the disk after the question began, and none differs from the index. `facts_behind`:
   * so it is, and places of the answer rest on compiler facts of older bytes; each says so.
   */
  state: z.enum(['clean', 'facts_behind', 'dirty', 'unverified']),
  watch: z.enum(['ok', 'degraded', 'off']),
  files: z.array(z.object({ path: z.string(), state: z.enum(['changed', 'added', 'gone']) })),
  more: z.number().int(),
  /** Files that the compiler was asked about for this answer, because their facts were missing or behind. */
  compiled: z.number().int().optional(),
  /** Compiler facts that are not there yet: of how many files, and how long making them is reckoned to take. Absent: none is known to be missing. */
  missing: z.object({ files: z.number().int(), about_s: z.number().int(), under_way: z.boolean() }).optional(),
});
export type Freshness = z.infer<typeof Freshness>;

/** What every answer begins with. */
export const heads = z.object({ outcome: z.literal('ok'), repo: RepoHead, freshness: Freshness });

export const changeHeads = z.object({ repo: RepoHead, freshness: Freshness });
