/**
 * The declaration of a subject, where indexers tell which it is: enough of its family for all files that they have told of, without
 * following a single import. Undefined where scope has to be asked: other languages, names that stay in their file, scripts that share
 * one scope, and whatever the two layers do not see alike.
 */

import { isJavaScript } from '../../../languages/language-family.ts';
import { listDefinitionsOf } from '../../store/queries/list-occurrences.ts';
import { bindingKey, type Family, isConfinedBinding, listPublicNames } from './collect-family.ts';
import { listKindDoubts } from './kind-doubts.ts';
import type { Question } from './question.ts';
import type { Subject } from './subject.ts';
import type { Semantics } from './tally.ts';

/** More than these are no declaration that somebody wrote. */
const maxDefinitions = 20;

export async function findDeclared(
  question: Question,
  { facts: home, token }: Subject,
  { layer, family: told }: Semantics,
): Promise<Family | undefined> {
  if (told === undefined || told.isAlias || told.isMerged || !told.isPlain || told.isKeyword) return undefined;
  if (!isJavaScript(home.language) || layer.said(home.path)?.isClean !== true) return undefined;
  const places = question
    .ask((session) => listDefinitionsOf(session, told.ids))
    .filter((place) => layer.isLive(place) && place.form === 'name');
  if (places.length === 0 || places.length > maxDefinitions) return undefined;
  const family = { bindings: new Set<string>(), exports: new Set<string>(), names: new Set([token.text]) };
  const doubts = new Set<string>();
  for (const { path, start } of places) {
    const facts = await question.facts(path);
    const bound = facts?.boundAt.get(facts.toIndex(start));
    const binding = bound === undefined ? undefined : facts?.bindings[bound.binding];
    if (facts === undefined || bound === undefined || binding === undefined) return undefined;
    if (!facts.isIndexed || !facts.scopes.isModule || binding.importOf !== undefined) return undefined;
    if (facts.scopes.scopes[binding.scope]?.kind !== 'module' || isConfinedBinding(question, facts, bound.binding))
      return undefined;
    family.bindings.add(bindingKey(path, bound.binding));
    family.names.add(binding.name);
    for (const name of listPublicNames(question, facts, binding)) {
      family.exports.add(`${path}\0${name}`);
      if (name !== 'default' && name !== '=') family.names.add(name);
    }
    for (const doubt of listKindDoubts(question, facts, binding)) doubts.add(doubt);
  }
  return {
    ...family,
    name: token.text,
    hits: new Map(),
    holders: new Map(),
    isConfined: false,
    isProperty: false,
    doubts,
  };
}
