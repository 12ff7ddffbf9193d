/**
 * Groups of nodes that reach each other (Tarjan's strongly connected components), without recursion: a long chain in a repository
 * must not exhaust the stack. A node alone is a group only if it leads to itself.
 */

import { compareCodeUnits } from './json.ts';

/** Each group sorted, groups by their first node. */
export function findCycles(
  nodes: Iterable<string>,
  targetsOf: (node: string) => Iterable<string>,
): readonly (readonly string[])[] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const groups: (readonly string[])[] = [];

  for (const start of nodes) {
    if (order.has(start)) continue;
    const trail = [begin(start)];
    for (let step = trail.at(-1); step !== undefined; step = trail.at(-1)) {
      const { node } = step;
      const next = step.targets.next();
      if (next.done !== true) {
        if (next.value === node) step.leadsToItself = true;
        if (!order.has(next.value)) trail.push(begin(next.value));
        else if (isOpen.has(next.value)) lower(node, order.get(next.value) as number);
        continue;
      }
      trail.pop();
      const above = trail.at(-1);
      if (above !== undefined) lower(above.node, low.get(node) as number);
      if (low.get(node) === order.get(node)) close(node, step.leadsToItself);
    }
  }
  return groups.sort((a, b) => compareCodeUnits(a[0] as string, b[0] as string));

  function begin(node: string): { node: string; targets: Iterator<string>; leadsToItself: boolean } {
    order.set(node, order.size);
    low.set(node, order.get(node) as number);
    open.push(node);
    isOpen.add(node);
    return { node, targets: targetsOf(node)[Symbol.iterator](), leadsToItself: false };
  }

  function lower(node: string, to: number): void {
    if (to < (low.get(node) as number)) low.set(node, to);
  }

  function close(node: string, leadsToItself: boolean): void {
    const group = open.splice(open.lastIndexOf(node));
    for (const each of group) isOpen.delete(each);
    if (group.length > 1 || leadsToItself) groups.push(group.sort(compareCodeUnits));
  }
}
