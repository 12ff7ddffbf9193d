/** The binding that a position names: anywhere in the name, or just behind it where no other name begins. */

import type { TextSpan } from '../facts.ts';
import type { Binding, ScopeTree } from './scope-tree.ts';

export function findBinding({ bindings, labels }: ScopeTree, offset: number): Binding | undefined {
  const find = (isAt: (span: TextSpan) => boolean): Binding | undefined =>
    [...bindings, ...labels].find(({ declarations, references }) => declarations.some(isAt) || references.some(isAt));
  return (
    find(({ start, end }) => start <= offset && offset < end) ??
    find(({ start, end }) => start <= offset && offset <= end)
  );
}
