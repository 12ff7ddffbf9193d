/** Text the parser gave up on: what it says is unknown, but not which names occur in it. */

import { compareCodeUnits } from '../../../kernel/base/json.ts';
import type { FlatTree } from '../flat-tree.ts';
import { textOf } from '../flat-tree.ts';
import { listIdentifierRuns } from '../normalise-identifier.ts';
import type { ScopeBuilder } from './scope-builder.ts';

export function listDoubtfulNames(tree: FlatTree, language: string): string[] {
  const names = new Set<string>();
  for (let node = 0; node < tree.count; node++) {
    if (tree.type[node] !== 'ERROR') continue;
    for (const { name } of listIdentifierRuns(textOf(tree, node), language)) names.add(name);
    node = (tree.after[node] ?? node + 1) - 1;
  }
  return [...names].sort(compareCodeUnits);
}

/** Every name in an ERROR node, as a reference that nothing is known of. */
export function addErrorNames(
  tree: FlatTree,
  node: number,
  scope: number,
  language: string,
  { addUnbound }: ScopeBuilder,
): void {
  const offset = tree.start[node] ?? 0;
  for (const { name, start, end } of listIdentifierRuns(textOf(tree, node), language))
    addUnbound(scope, name, { start: offset + start, end: offset + end }, 'read', false);
}
