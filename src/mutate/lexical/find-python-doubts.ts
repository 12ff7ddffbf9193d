/** What Python's indexer does not say: which other class a variable may hold, and which arguments a dictionary brings. */

import type { Question } from '../../index/state/navigate/question.ts';
import { listDefinitionsOf, listOccurrencesOf } from '../../index/store/queries/list-occurrences.ts';
import { findSymbolByKey, listSemanticSymbolsNamed } from '../../index/store/queries/list-semantic-symbols.ts';
import type { CompilerEdit, CompilerItem } from '../compiler/types.ts';
import { item } from './count-tokens.ts';
import { indexAt } from './find-clashes.ts';
import type { FamilySymbol } from './symbol-family.ts';
import { isMemberKey, ownerKey } from './symbol-keys.ts';

const looked = 200;

/**
 * Of a union the indexer names one member. Where an unrelated class has a member of the same name, a variable that may hold either would
 * be half renamed; only a reader can tell.
 */
export function findUnionDoubts(
  question: Question,
  symbols: readonly FamilySymbol[],
  oldName: string,
  edits: readonly CompilerEdit[],
): readonly CompilerItem[] {
  const ids = new Set(symbols.map(({ id }) => id));
  const { isLive } = question.semantic();
  const other = question.ask((session) =>
    listSemanticSymbolsNamed(session, { name: oldName, nameFold: oldName.toLowerCase() }, looked).find(
      ({ id, key, inRepo }) =>
        inRepo && !ids.has(id) && isMemberKey(key) && listDefinitionsOf(session, [id]).some(isLive),
    ),
  );
  const doubtful = other === undefined ? undefined : edits.find((edit) => isOfVariable(question, edit));
  if (other === undefined || doubtful === undefined) return [];
  const owner = other.key.slice(other.key.lastIndexOf(' ') + 1);
  const why = `${owner} has the same name: where a variable may hold either, this rename is half of what is needed`;
  return [item(doubtful.path, doubtful, 'dynamic_access', why)];
}

/** `x.a`, where the text does not say what `x` is: not `self.a`, `super().a`, `Class.a`. */
function isOfVariable(question: Question, { path, start, form }: CompilerEdit): boolean {
  if (form === 'string') return false;
  const before = (question.source(path)?.text ?? '').slice(Math.max(0, start - 80), start);
  return /\.\s*$/.test(before) && !/(?:\b(?:self|cls)|super\(\)|\b[A-Z]\w*)\s*\.\s*$/.test(before);
}

/** `f(**options)`: the names of the arguments are in the dictionary. */
export function findSplatDoubts(question: Question, symbols: readonly FamilySymbol[]): readonly CompilerItem[] {
  const { isLive } = question.semantic();
  const items: CompilerItem[] = [];
  for (const key of new Set(symbols.flatMap((symbol) => listCalled(symbol.key)))) {
    const uses = question.ask((session) => {
      const found = findSymbolByKey(session, key);
      return found === undefined ? [] : listOccurrencesOf(session, [found.id]).filter(isLive);
    });
    for (const { path, line, endColumn } of uses) {
      const text = question.source(path)?.text ?? '';
      const end = indexAt(text, line, endColumn);
      if (hasSplat(text, end))
        items.push(
          item(path, { start: end, end: end + 1 }, 'dynamic_access', 'a dictionary may bring the argument by its name'),
        );
    }
  }
  return items;
}

/** The function of a parameter; a class is called for its constructor. */
function listCalled(key: string): readonly string[] {
  const called = ownerKey(key);
  const owner = called?.endsWith('__init__().') === true ? ownerKey(called) : undefined;
  return [called ?? [], owner ?? []].flat();
}

const longestCall = 4_000;

function hasSplat(text: string, from: number): boolean {
  if (text[from] !== '(') return false;
  let depth = 0;
  for (let at = from; at < Math.min(text.length, from + longestCall); at += 1) {
    const sign = text[at];
    if (sign === '(' || sign === '[' || sign === '{') depth += 1;
    else if (sign === ')' || sign === ']' || sign === '}') depth -= 1;
    if (depth === 0) return false;
    if (depth === 1 && text.startsWith('**', at) && /[(,]\s*$/.test(text.slice(from, at))) {
      // Of a definition it takes arguments; of a call it gives them.
      return !/\b(?:def|lambda)\s+\w*$/.test(text.slice(Math.max(0, from - 200), from));
    }
  }
  return false;
}
