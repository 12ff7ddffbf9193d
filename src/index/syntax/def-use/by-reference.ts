/** Places where a language hands out the variable itself instead of its value. */

import type { TextSpan } from '../facts.ts';
import { type FlatTree, firstChild, textOf } from '../flat-tree.ts';
import type { Binding } from '../scopes/scope-tree.ts';

/** The node around the name, and the sign or word it begins with. */
const referenceForms: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  c: { pointer_expression: /^&$/ },
  cpp: { pointer_expression: /^&$/ },
  go: { unary_expression: /^&$/ },
  rust: { reference_expression: /^&/ },
  csharp: { argument: /^(?:ref|out|in)$/, prefix_unary_expression: /^&$/ },
  php: { by_ref: /^&$/ },
};

export function listByReference(
  tree: FlatTree,
  { declarations, references }: Binding,
  language: string,
): (TextSpan & { kind: 'by_reference' })[] {
  const forms = referenceForms[language];
  if (forms === undefined) return [];
  const places = new Set([...declarations, ...references].map(({ start }) => start));
  const found: (TextSpan & { kind: 'by_reference' })[] = [];
  for (let node = 0; node < tree.count; node++) {
    const type = tree.type[node] ?? '';
    const sign = Object.hasOwn(forms, type) ? forms[type] : undefined;
    const first = firstChild(tree, node);
    if (sign === undefined || first < 0 || !sign.test(textOf(tree, first))) continue;
    for (let child = tree.next[first] ?? -1; child >= 0; child = tree.next[child] ?? -1) {
      const name = language === 'php' && tree.type[child] === 'variable_name' ? child + 1 : child;
      const span = { start: tree.start[name] ?? 0, end: tree.end[name] ?? 0 };
      const bare = language === 'php' ? child + 2 : name;
      const start = tree.start[bare] ?? span.start;
      if (places.has(start)) found.push({ start, end: tree.end[bare] ?? span.end, kind: 'by_reference' });
    }
  }
  return found;
}
