/**
 * Bindings of TypeScript and JavaScript that are more than one thing to the language, so that "a reference to it" has more than one
 * answer: merged declarations of different kinds, a class that is called `this` by its static members, a keyword used as a name.
 */

import type { Binding } from '../../../languages/scopes/scope-tree.ts';
import type { Question } from './question.ts';
import type { FileFacts } from './read-file-facts.ts';

export function listKindDoubts(question: Question, facts: FileFacts, binding: Binding): readonly string[] {
  const doubts: string[] = [];
  const { text } = facts.source;
  const kinds = new Set(binding.declarations.map(({ start }) => kindBefore(text, start)));
  if (kinds.size > 1) doubts.push('a type, a value or a namespace share its name');
  if (binding.declarations.length > 1 && once.has(binding.kind)) doubts.push('it is declared more than once');
  if (hasRival(facts, binding)) doubts.push('a parameter and a variable of the function share its name');
  if (reserved.has(binding.name)) doubts.push('its name is a keyword');
  if (binding.kind === 'class' && usesStaticThis(facts, binding)) doubts.push('static members call it `this`');
  if (facts.scopes.scopes[binding.scope]?.kind === 'name' && isAssigned(question, facts))
    doubts.push('the module is assigned as a whole');
  return doubts;
}

function isAssigned(question: Question, facts: FileFacts): boolean {
  return question.exports(facts.path).some(({ publicName, specifier }) => publicName === '=' && specifier === null);
}

/** The word that declares what follows; nothing for later names of one statement. */
function kindBefore(text: string, start: number): string {
  const word = /(\w+)[\s*]*$/.exec(text.slice(Math.max(0, start - 40), start))?.[1] ?? '';
  if (word === 'module') return 'namespace';
  return declaring.has(word) ? word : '';
}

const once: ReadonlySet<string> = new Set(['let', 'const', 'using', 'class', 'type', 'import']);

/** `function f(x) { let x = x }` is an error that compilers and engines mend in different ways. */
function hasRival(facts: FileFacts, binding: Binding): boolean {
  const { scopes } = facts.scopes;
  const body = scopes[binding.scope]?.kind === 'function_body' ? binding.scope : undefined;
  const isRival = ({ name, scope }: Binding) =>
    name === binding.name &&
    (body === undefined
      ? scopes[scope]?.kind === 'function_body' && scopes[scope]?.parent === binding.scope
      : scope === scopes[body]?.parent);
  return scopes[binding.scope]?.kind === 'function' || body !== undefined ? facts.bindings.some(isRival) : false;
}

const declaring: ReadonlySet<string> = new Set('class interface type enum namespace function import'.split(' '));

function usesStaticThis(facts: FileFacts, binding: Binding): boolean {
  const { text } = facts.source;
  return facts.scopes.scopes.some(
    ({ kind, start, end }) =>
      kind === 'class' &&
      binding.declarations.some((span) => span.start >= start && span.end <= end) &&
      /\bstatic\b[\s\S]*\bthis\b/.test(text.slice(start, end)),
  );
}

const reserved: ReadonlySet<string> = new Set(
  'await break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof new null return super switch this throw true try typeof var void while with yield'.split(
    ' ',
  ),
);
