/**
 * One answer for one question. Every pass of a rename asks the compiler what an earlier one has asked, and each question is a message to
 * another process and one back, whatever it costs there. A program never changes, so what was said of it holds; a question that
 * fails is asked again.
 */

import type { Checker, Node } from '../../../languages/typescript/compiler/typescript-api.ts';

/** The compiler's interface has one object for one node, symbol, type or signature of a program. */
const aboutOne = [
  'getAliasedSymbol',
  'getApparentType',
  'getBaseConstraintOfType',
  'getContextualType',
  'getImmediateAliasedSymbol',
  'getIndexInfosOfType',
  'getNonNullableType',
  'getPropertiesOfType',
  'getResolvedSignature',
  'getReturnTypeOfSignature',
  'getTypeArguments',
  'getTypeFromTypeNode',
] as const satisfies readonly (keyof Checker)[];

export function rememberAnswers(checker: Checker): void {
  for (const method of aboutOne) remember(checker, method);
  rememberPairs(checker, 'getPropertyOfType');
  rememberPairs(checker, 'getSignaturesOfType');
  rememberMany(checker, 'getSymbolAtLocation');
  rememberMany(checker, 'getTypeAtLocation');
}

function remember(checker: Checker, method: (typeof aboutOne)[number]): void {
  const ask = (checker[method] as (about: object) => unknown).bind(checker);
  const known = new WeakMap<object, { readonly answer: unknown }>();
  const asked = (about: object) => {
    const found = known.get(about) ?? { answer: ask(about) };
    known.set(about, found);
    return found.answer;
  };
  Object.assign(checker, { [method]: asked });
}

/** About one thing and a word: a name, a kind. */
function rememberPairs(checker: Checker, method: 'getPropertyOfType' | 'getSignaturesOfType'): void {
  const ask = (checker[method] as (about: object, word: unknown) => unknown).bind(checker);
  const known = new WeakMap<object, Map<unknown, unknown>>();
  const asked = (about: object, word: unknown) => {
    const answers = known.get(about) ?? new Map<unknown, unknown>();
    known.set(about, answers);
    if (!answers.has(word)) answers.set(word, ask(about, word));
    return answers.get(word);
  };
  Object.assign(checker, { [method]: asked });
}

/** About one node or many: of many, those that are not known yet are asked about together. */
function rememberMany(checker: Checker, method: 'getSymbolAtLocation' | 'getTypeAtLocation'): void {
  const ask = (checker[method] as (about: Node | readonly Node[]) => unknown).bind(checker);
  const known = new WeakMap<Node, { readonly answer: unknown }>();
  const asked = (about: Node | readonly Node[]) => {
    if (!Array.isArray(about)) {
      const found = known.get(about as Node) ?? { answer: ask(about) };
      known.set(about as Node, found);
      return found.answer;
    }
    const nodes = about as readonly Node[];
    const unknown = [...new Set(nodes.filter((node) => !known.has(node)))];
    if (unknown.length > 0)
      for (const [at, answer] of (ask(unknown) as readonly unknown[]).entries())
        known.set(unknown[at] as Node, { answer });
    return nodes.map((node) => known.get(node)?.answer);
  };
  Object.assign(checker, { [method]: asked });
}
