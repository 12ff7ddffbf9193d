/** Doubts about names rather than about members: `eval` around a local, files nobody reads, what an import left open, owners of the new name. */

import type { Question } from '../../index/state/navigate/question.ts';
import { listSaidOf } from '../../index/state/navigate/semantic-layer.ts';
import { listItemsOfSymbol } from '../../index/store/queries/list-items.ts';
import { listUnsearchableFiles } from '../../index/store/queries/list-searchable.ts';
import { familyOf } from '../../languages/language-family.ts';
import type { CompilerEdit, CompilerItem } from '../compiler/types.ts';
import type { ItemKind } from '../outcome.ts';
import { holdsBytes } from '../rename/holds-bytes.ts';
import { type Counting, item } from './count-tokens.ts';
import { findReflective } from './find-doubts.ts';
import type { Target } from './find-target.ts';
import type { FamilySymbol, SymbolFamily } from './symbol-family.ts';
import { isMemberKey } from './symbol-keys.ts';

/** Where text becomes code inside the scope of a name, the name may be in that text. */
export async function findConfinedDoubts({ facts, binding }: Target): Promise<readonly CompilerItem[]> {
  const { scopes, dynamic } = facts.scopes;
  const own = facts.bindings[binding ?? -1];
  const scope = scopes[own?.scope ?? -1];
  if (own === undefined || scope === undefined || !dynamic) return [];
  const isPython = facts.language === 'python';
  const isImport = own.importOf !== undefined;
  const call = findReflective(
    facts,
    isPython && !isImport
      ? /^(?:eval|exec|locals|vars)$/
      : /^(?:eval|exec|globals|vars|Function|compact|extract|binding|instance_eval)$/,
    scope,
  );
  if (call !== undefined) return [item(facts.path, call, 'dynamic_access', `${call.text} may reach it by its name`)];
  // A star import makes a Python file dynamic, and says nothing about locals.
  if (isPython) return [];
  const [first] = own.declarations;
  return first === undefined
    ? []
    : [item(facts.path, first, 'dynamic_access', 'something in its scope reaches names by their text')];
}

/** Files of the language that are too large or oddly encoded for the index, and hold the name. */
export function findUnreadable(question: Question, language: string, name: string): readonly CompilerItem[] {
  const { code } = familyOf(language);
  const files = question.ask(listUnsearchableFiles);
  return files
    .filter(
      (file) =>
        file.language !== null && code.includes(file.language) && file.reason !== 'binary' && file.reason !== 'secret',
    )
    .filter(({ path }) => holdsBytes(question.view.root, path, name) !== 'no')
    .map(({ path, reason }) =>
      item(path, { start: 0, end: 0 }, 'unreadable_file', `${path} is not read (${reason}) and may name it`),
    );
}

const asked: ReadonlySet<string> = new Set<ItemKind>(['indexer_gap', 'dist_boundary']);

/** What the import of the indexer's output could not place. */
export function findStoredDoubts(
  question: Question,
  symbols: readonly FamilySymbol[],
  edits: readonly CompilerEdit[],
): readonly CompilerItem[] {
  const { isLive } = question.semantic();
  const planned = new Set(edits.map(({ path, start }) => `${path}\0${start}`));
  const items: CompilerItem[] = [];
  for (const { id } of symbols)
    for (const stored of question.ask((session) => listItemsOfSymbol(session, id)).filter(isLive)) {
      const source = asked.has(stored.kind) ? question.source(stored.path) : undefined;
      if (source === undefined) continue;
      const from = source.bom ? 3 : 0;
      const start = source.bytes.subarray(from, stored.start).toString('utf8').length;
      const end = start + source.bytes.subarray(stored.start, stored.end).toString('utf8').length;
      if (planned.has(`${stored.path}\0${start}`)) continue;
      items.push(item(stored.path, { start, end }, stored.kind, stored.detail));
    }
  return items;
}

/**
 * The fresh-name proof has failed for a member: who already asks something for a member of the new name might then be asking for this
 * one. What an indexer binds to a known member of another type is no such thing, except in Go, where an interface is satisfied by having
 * the methods and an embedding type hides what it embeds.
 */
export async function findNewNameDoubts(
  { question, newName }: Counting,
  paths: readonly string[],
  family: SymbolFamily | undefined,
  language: string,
): Promise<readonly CompilerItem[]> {
  const layer = question.semantic();
  const items: CompilerItem[] = [];
  for (const path of paths) {
    const facts = await question.facts(path);
    const said = layer.said(path);
    for (const token of facts?.tokens ?? []) {
      if (facts === undefined || token.text !== newName || token.class !== 'code') continue;
      if (!facts.memberAt.has(token.start) && token.role !== 'property') continue;
      const says = listSaidOf(said?.at, facts, token);
      const isKnown = said?.isClean === true && says.length > 0 && says.every((one) => layer.isSettled(one));
      const isGoMember = language === 'go' && says.some(({ key }) => isMemberKey(key)) && family !== undefined;
      if (isKnown && !isGoMember) continue;
      const why = isGoMember
        ? `another type has a member ${newName}: interfaces and embedding may confuse the two`
        : `something whose type is not known is asked for ${newName}`;
      items.push(item(path, token, 'dynamic_access', why));
      // One is enough to ask about a file.
      break;
    }
  }
  return items;
}
