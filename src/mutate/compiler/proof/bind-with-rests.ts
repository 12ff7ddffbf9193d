/**
 * Bindings for the proof. Of a token spelled like the old or the new name, all that ties it to others counts; of any other, what it means
 * (docs/decisions/0018). And of the former one tie that no plan follows: a rest element (`{ x, ...rest }`) is tied to the property of its
 * own name, if the destructured type has one. The language keeps the two apart, the compiler's own tools do not: their references and
 * renames join them. A rename must not make such a pair of names where there was none.
 */

import { describeFailure } from '../../../kernel/compiler/ask-in-batches.ts';
import { type Node, SyntaxKind } from '../../../kernel/compiler/typescript-api.ts';
import { bindMeanings, bindTokens } from '../bind-tokens.ts';
import { createPlaces } from '../declaration-places.ts';
import type { Binding, NameToken, OpenProgram } from '../in-job.ts';

/** In the order of the tokens. */
export function bindWithRests(
  program: OpenProgram,
  tokens: readonly NameToken[],
  names: ReadonlySet<string>,
): readonly Binding[] {
  const [named, others] = [tokens.filter(({ text }) => names.has(text)), tokens.filter(({ text }) => !names.has(text))];
  const tied = bindTokens(program, named).map((binding, at) => {
    const token = named[at];
    const pattern = token === undefined || binding.kind !== 'bound' ? undefined : findRestPattern(token.node);
    return token === undefined || pattern === undefined ? binding : addProperty(program, binding, token.text, pattern);
  });
  const meant = bindMeanings(program, others);
  let [nextTied, nextMeant] = [0, 0];
  return tokens.map(({ text }) => {
    const binding = names.has(text) ? tied[nextTied++] : meant[nextMeant++];
    return binding ?? { kind: 'failed', detail: 'no answer' };
  });
}

function findRestPattern(node: Node): Node | undefined {
  const element = node.parent as (Node & { readonly name?: Node; readonly dotDotDotToken?: Node }) | undefined;
  if (element?.kind !== SyntaxKind.BindingElement || element.name !== node || element.dotDotDotToken === undefined)
    return undefined;
  return element.parent?.kind === SyntaxKind.ObjectBindingPattern ? element.parent : undefined;
}

function addProperty(program: OpenProgram, binding: Binding, name: string, pattern: Node): Binding {
  if (binding.kind !== 'bound') return binding;
  const { checker } = program.project;
  try {
    const type = checker.getTypeAtLocation(pattern);
    const symbol = type === undefined ? undefined : checker.getPropertyOfType(type, name);
    if (symbol === undefined) return binding;
    return {
      kind: 'bound',
      links: [...binding.links, { role: 'contextual', symbol, places: createPlaces(program)(symbol) }],
    };
  } catch (error) {
    return { kind: 'failed', detail: describeFailure(error) };
  }
}
