/** One question from its words to its answer: checks the input, opens a verified view of the root, asks, and says how fresh it was. */

import { describeUnderWay, type Lacking } from '../../index/navigate/lacking.ts';
import type { SessionSettings } from '../../index/sync/index-session.ts';
import { type CodeView, openCodeView, type SemanticAsk } from '../../index/view/code-view.ts';
import { isNotAnswered, type NotAnswered, notAnswered } from '../../index/view/not-answered.ts';
import { sha256Hex } from '../../kernel/base/hash.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import type { z } from '../../kernel/base/schema.ts';
import { whyRefused, whyUnverified } from './answer-words.ts';
import type { Freshness, Operation, RepoHead } from './operation.ts';

export type Answered<O> = {
  readonly outcome: 'ok';
  readonly repo: z.infer<typeof RepoHead>;
  readonly freshness: Freshness;
} & O;

export type OperationOutcome<O> =
  | { readonly kind: 'answered'; readonly answer: Answered<O>; readonly view: ViewFacts }
  | { readonly kind: 'not_answered'; readonly problem: NotAnswered }
  | { readonly kind: 'busy'; readonly message: string }
  | { readonly kind: 'refused'; readonly message: string };

/** What was done to the index on the way, for people. */
type ViewFacts = Pick<CodeView, 'reconciled' | 'rebuilt'> & {
  /** Why the freshness is `unverified`, where it is. */
  readonly unverified: string | null;
};

const shownFiles = 20;

export async function runOperation<I, O extends object>(
  operation: Operation<I, O>,
  given: unknown,
  settings: SessionSettings & { readonly waitMs: number; readonly semantic?: SemanticAsk | undefined },
): Promise<OperationOutcome<O>> {
  const input = readInput(operation, given);
  if (isNotAnswered(input)) return { kind: 'not_answered', problem: input };
  const needsIt = operation.semantic === true;
  const opened = await openCodeView({ ...settings, semantic: needsIt ? settings.semantic : undefined });
  if (opened.kind === 'busy') {
    const who = opened.holder === null ? 'another process' : `process ${opened.holder.pid}`;
    const message =
      opened.reason === 'other_version'
        ? `${who}, which is another version of codegenie, keeps the index of ${settings.root}; stop it, or wait for it`
        : `${who} is building the index of ${settings.root}; try again when it is done`;
    return { kind: 'busy', message };
  }
  if (opened.kind === 'refused') return { kind: 'refused', message: whyRefused(opened) };
  return answerAndClose(operation, input.input, opened.view, settings);
}

/** What a compiler says may lead to files that are lacking too: so often. */
const maxRounds = 3;

/**
 * Asks, and where compiler facts are missing that would tell, has the compiler asked about the bytes of now and asks again: what it says may
 * lead to files that are lacking too.
 */
export async function answerAndClose<I, O extends object>(
  operation: Operation<I, O>,
  input: I,
  opened: CodeView,
  world: { readonly signal: AbortSignal; readonly nowMs: () => number },
): Promise<OperationOutcome<O>> {
  let view = opened;
  try {
    let compiled = 0;
    const asked = new Set<string>();
    for (let round = 1; ; round += 1) {
      const { outcome, lacking } = await answerOnce(operation, input, view, world, compiled);
      const keys = listAskable(operation, input, lacking, asked);
      if (keys === undefined || view.catchUp === undefined || round > maxRounds) return outcome;
      for (const key of keys) asked.add(key);
      view = await view.catchUp(keys);
      compiled += view.refreshed?.ran.reduce((sum, { accepted }) => sum + accepted, 0) ?? 0;
    }
  } finally {
    await view.close();
  }
}

/** Contexts of TypeScript and JavaScript that have not been asked for this answer; undefined where none would tell more. */
export function listAskable<I>(
  { asksCompiler }: { readonly asksCompiler?: ((input: I) => boolean) | undefined },
  input: I,
  lacking: Lacking | undefined,
  asked: ReadonlySet<string> = new Set(),
): readonly string[] | undefined {
  if (asksCompiler?.(input) !== true || lacking === undefined || lacking.paths.length === 0) return undefined;
  if (lacking.standing === 'under_way' && lacking.contexts.length === 0) return [];
  const open = lacking.contexts.filter(({ key, family }) => family === 'typescript' && !asked.has(key));
  return open.length === 0 ? undefined : open.map(({ key }) => key);
}

/** No path, name or query is longer; what takes a text apart need not be made for more. */
const textChars = 10_000;

/** What was given, if it is what is taken; else the first thing that is wrong with it. */
export function readInput<I>(
  operation: { readonly name: string; readonly input: z.ZodType<I> },
  given: unknown,
): { readonly input: I } | NotAnswered {
  const long = Object.entries(given ?? {}).find(([, value]) => typeof value === 'string' && value.length > textChars);
  if (long !== undefined) return notAnswered('invalid', `${long[0]}: longer than ${textChars} characters`);
  const input = operation.input.safeParse(given);
  if (input.success) return { input: input.data };
  const [issue] = input.error.issues;
  const field = issue?.path.join('.') ?? '';
  return notAnswered(
    'invalid',
    `${operation.name}: ${field === '' ? '' : `${field}: `}${issue?.message ?? 'not understood'}`,
  );
}

/** From the view as it is. */
export async function answerFrom<I, O extends object>(
  operation: Operation<I, O>,
  input: I,
  view: CodeView,
  world: { readonly signal: AbortSignal; readonly nowMs: () => number },
): Promise<OperationOutcome<O>> {
  return (await answerOnce(operation, input, view, world, 0)).outcome;
}

/** `compiled`: files that the compiler was asked about for it. */
export async function answerOnce<I, O extends object>(
  operation: Operation<I, O>,
  input: I,
  view: CodeView,
  world: { readonly signal: AbortSignal; readonly nowMs: () => number },
  compiled: number,
): Promise<{ readonly outcome: OperationOutcome<O>; readonly lacking: Lacking | undefined }> {
  let lacking: Lacking | undefined;
  const output = await operation.run(view, input, {
    ...world,
    onLacking: (found) => {
      lacking = found;
    },
  });
  if (isNotAnswered(output)) return { outcome: { kind: 'not_answered', problem: output }, lacking };
  const { reconciled, rebuilt } = view;
  const freshness = describeFreshness(view);
  const state = freshness.state === 'clean' && operation.isBehind?.(output) === true ? 'facts_behind' : freshness.state;
  const missing = lacking === undefined || lacking.paths.length === 0 ? freshness.missing : missingOf(lacking);
  const told = { ...freshness, state, ...(compiled > 0 ? { compiled } : {}), ...(missing ? { missing } : {}) };
  const outcome: OperationOutcome<O> = {
    kind: 'answered',
    answer: { outcome: 'ok', repo: describeRepo(view), freshness: told, ...output },
    view: { reconciled, rebuilt, unverified: whyUnverified(view) },
  };
  return { outcome, lacking };
}

function missingOf({
  paths,
  aboutMs,
  standing,
}: Pick<Lacking, 'paths' | 'aboutMs' | 'standing'>): Freshness['missing'] {
  return { files: paths.length, about_s: Math.ceil(aboutMs / 1_000), under_way: standing === 'under_way' };
}

export function describeRepo(view: CodeView): z.infer<typeof RepoHead> {
  return {
    root: view.root,
    root_hash: sha256Hex(view.root).slice(0, 16),
    worktree: view.root,
    head: view.head,
    generation: view.generation,
  };
}

export function describeFreshness(view: CodeView): Freshness {
  const { changed, added, gone } = view.differences;
  const files = [
    ...[...changed].map((path) => ({ path, state: 'changed' as const })),
    ...[...added].map((path) => ({ path, state: 'added' as const })),
    ...[...gone].map((path) => ({ path, state: 'gone' as const })),
  ].sort((a, b) => compareCodeUnits(a.path, b.path));
  return {
    state: whyUnverified(view) !== null ? 'unverified' : files.length === 0 ? 'clean' : 'dirty',
    watch: view.watch,
    files: files.slice(0, shownFiles),
    more: Math.max(0, files.length - shownFiles),
    ...describeIndexing(view),
  };
}

/** While a process makes compiler facts, whatever is asked is told what part of them is not there yet. */
function describeIndexing(view: CodeView): Pick<Freshness, 'missing'> {
  const indexing = view.read((session) => describeUnderWay(session, view.indexesItself));
  return indexing === undefined ? {} : { missing: missingOf(indexing) };
}
