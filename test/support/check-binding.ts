/** One check for every language's scopes: the marked places are exactly those of one binding, and the other marks are bound to nothing. */

import { expect } from 'vitest';
import { analyseScopes } from '../../src/languages/readers.ts';
import type { Binding, ScopeTree } from '../../src/languages/scopes/scope-tree.ts';
import { readMarked, withSource } from './marked-source.ts';

/** All of one binding in «», names that must stay unbound in ‹›. */
export async function checkBinding(language: string, marked: string, path?: string): Promise<Binding | undefined> {
  const { text, marks, others } = readMarked(marked);
  const tree = await withSource(language, text, (source) => analyseScopes(source, language), path);
  const [first] = marks;
  const binding = first === undefined ? undefined : findBinding(tree, first.start);
  if (first !== undefined) expect(placesOf(binding, text)).toEqual(marks.map(({ start, end }) => at(text, start, end)));
  for (const { start, end } of others) {
    expect(findBinding(tree, start)?.name, `${at(text, start, end)} is unbound`).toBeUndefined();
    expect(tree.unbound.some((reference) => reference.start === start && reference.end === end)).toBe(true);
  }
  return binding;
}

function findBinding({ bindings, labels }: ScopeTree, start: number): Binding | undefined {
  return [...bindings, ...labels].find(({ declarations, references }) =>
    [...declarations, ...references].some((span) => span.start === start),
  );
}

function placesOf(binding: Binding | undefined, text: string): string[] {
  return [...(binding?.declarations ?? []), ...(binding?.references ?? [])]
    .sort((a, b) => a.start - b.start)
    .map(({ start, end }) => at(text, start, end));
}

function at(text: string, start: number, end: number): string {
  const before = text.slice(0, start).split('\n');
  return `${text.slice(start, end)}@${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}
