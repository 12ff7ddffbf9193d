/**
 * Navigation over a tree of marked sources, through the real operations. For references «x» is expected as a hit and ‹x› as an
 * unresolved site, the question is about the first «x» unless said otherwise; for definitions «x» is asked and ‹x› expected.
 */

import { expect } from 'vitest';
import { type CodeView, openSessionView } from '../../src/index/view/code-view.ts';
import type { TextSpan } from '../../src/languages/facts.ts';
import def from '../../src/serve/operations/def.ts';
import refs from '../../src/serve/operations/refs.ts';
import { answerFrom } from '../../src/serve/operations/run-operation.ts';
import { createIndexedTree } from './indexed-tree.ts';
import { type MarkedSource, readMarked } from './marked-source.ts';

export type RefsCase = {
  readonly shows: string;
  readonly files: Readonly<Record<string, string>>;
  /** The file and the number of the mark in it that is asked about; the first mark of all by default. */
  readonly at?: readonly [path: string, mark: number];
  /** What is asked instead of a place. */
  readonly target?: string;
  readonly relation: 'eq' | 'gte';
  /** Of the reasons why there may be more. */
  readonly because?: readonly RegExp[];
  readonly excluded?: Readonly<Partial<Record<'other_symbols' | 'mentions' | 'other_languages', number>>>;
};

export type DefCase = {
  readonly shows: string;
  readonly files: Readonly<Record<string, string>>;
  readonly provenance?: 'syntactic' | 'text';
  readonly relation?: 'eq' | 'gte';
  /** Files on the way. */
  readonly via?: readonly string[];
  readonly outside?: string;
  readonly modules?: readonly string[];
};

export type Navigator = {
  refs(one: RefsCase): Promise<void>;
  def(one: DefCase): Promise<void>;
  dispose(): Promise<void>;
};

/** One index for all cases of a file: the tree of the next case replaces that of the one before. */
export function createNavigator(): Navigator {
  const indexed = createIndexedTree({}, { git: false });
  let present: readonly string[] = [];
  async function open(files: Readonly<Record<string, string>>) {
    for (const path of present) indexed.remove(path);
    present = Object.keys(files);
    const sources = new Map(Object.entries(files).map(([path, marked]) => [path, readMarked(marked)]));
    for (const [path, { text }] of sources) indexed.write(path, text);
    return { tree: { sources }, view: await openSessionView(indexed.root, await indexed.session(), 'sweep') };
  }
  return {
    async refs(one) {
      const { tree, view } = await open(one.files);
      await checkRefs(tree, view, one);
    },
    async def(one) {
      const { tree, view } = await open(one.files);
      await checkDef(tree, view, one);
    },
    dispose: () => indexed.dispose(),
  };
}

/** Every look at the clock is a minute later: no answer about few files depends on how busy the machine is. */
let minutes = 0;
const world = { nowMs: () => ++minutes * 60_000, signal: new AbortController().signal };

async function checkRefs(tree: MarkedTree, view: CodeView, one: RefsCase): Promise<void> {
  const target = one.target ?? placeOf(tree, one.at ?? firstMark(tree));
  const outcome = await answerFrom(refs, { target, limit: 1_000 }, view, world);
  if (outcome.kind !== 'answered') throw new Error(JSON.stringify(outcome));
  const { answer } = outcome;
  refs.output.parse(answer);
  expect(listPlaces(answer.files)).toEqual(expected(tree, 'marks'));
  expect(listPlaces(answer.unresolved)).toEqual(expected(tree, 'others'));
  const { relation, unresolved, value } = answer.count;
  expect({ relation, unresolved: relation === 'eq' ? unresolved : [] }).toEqual({
    relation: one.relation,
    unresolved: [],
  });
  expect(value ?? 0).toBe(answer.files.reduce((sum, { hits }) => sum + hits.length, 0));
  for (const reason of one.because ?? []) expect(unresolved.join('\n')).toMatch(reason);
  expect(answer.excluded).toMatchObject(one.excluded ?? {});
  expect(refs.render(answer)).toContain(
    value === null ? 'not known: references' : `${relation === 'gte' ? '≥ ' : ''}${value} reference`,
  );
}

async function checkDef(tree: MarkedTree, view: CodeView, one: DefCase): Promise<void> {
  const outcome = await answerFrom(def, { target: placeOf(tree, firstMark(tree)) }, view, world);
  if (outcome.kind !== 'answered') throw new Error(JSON.stringify(outcome));
  const { answer } = outcome;
  def.output.parse(answer);
  const places = answer.definitions.map(({ path, line, col, end_col }) => `${path}:${line}:${col}+${end_col - col}`);
  expect(places.sort()).toEqual(expected(tree, 'others'));
  for (const { provenance } of answer.definitions) expect(provenance).toBe(one.provenance ?? 'syntactic');
  expect(answer.count.relation, answer.count.unresolved.join('; ')).toBe(one.relation ?? 'eq');
  expect(answer.chain.map(({ path }) => path)).toEqual(one.via ?? []);
  expect(answer.modules).toEqual(one.modules ?? []);
  expect(answer.outside[0]?.external ?? answer.outside[0]?.specifier).toBe(one.outside);
}

type MarkedTree = { readonly sources: ReadonlyMap<string, MarkedSource> };

function firstMark(tree: MarkedTree): readonly [string, number] {
  for (const [path, { marks }] of tree.sources) if (marks.length > 0) return [path, 0];
  throw new Error('nothing is marked');
}

function placeOf(tree: MarkedTree, [path, mark]: readonly [string, number]): string {
  const source = tree.sources.get(path);
  const span = source?.marks[mark];
  if (source === undefined || span === undefined) throw new Error(`no mark ${mark} in ${path}`);
  return `${path}:${lineColumn(source.text, span)}`;
}

function lineColumn(text: string, { start }: TextSpan): string {
  const before = text.slice(0, start);
  return `${before.split('\n').length}:${start - before.lastIndexOf('\n')}`;
}

function expected(tree: MarkedTree, which: 'marks' | 'others'): string[] {
  return [...tree.sources]
    .flatMap(([path, source]) =>
      source[which].map((span) => `${path}:${lineColumn(source.text, span)}+${span.end - span.start}`),
    )
    .sort();
}

function listPlaces(
  files: readonly { path: string; hits: readonly { line: number; col: number; end_col: number }[] }[],
): string[] {
  return files
    .flatMap(({ path, hits }) => hits.map(({ line, col, end_col }) => `${path}:${line}:${col}+${end_col - col}`))
    .sort();
}
