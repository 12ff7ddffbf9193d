/** What imports what, in layers: what nothing imports on top, below it what only those above import. Those that import each other share a layer. */

export type Edge = { readonly from: string; readonly to: string; readonly count: number };

export type Layers = {
  /** Each a list of groups; a group of several is a cycle. */
  readonly layers: readonly (readonly (readonly string[])[])[];
  /** By name, the number of its group; two of one group with an import between them lie on a cycle. */
  readonly groupOf: ReadonlyMap<string, number>;
};

/** Of the names that some edge has. */
export function layImports(edges: readonly Edge[]): Layers {
  const targets = new Map<string, string[]>();
  for (const { from, to } of edges) {
    const known = targets.get(from);
    if (known === undefined) targets.set(from, [to]);
    else known.push(to);
    if (!targets.has(to)) targets.set(to, []);
  }
  const groups = findCycles(targets);
  const groupOf = new Map(groups.flatMap((group, at) => group.map((name) => [name, at] as const)));
  // Groups come after all that they lead to, so from the last to the first each knows all that lead to it.
  const depths = groups.map(() => 0);
  for (let at = groups.length - 1; at >= 0; at -= 1)
    for (const name of groups[at] ?? [])
      for (const target of targets.get(name) ?? []) {
        const to = groupOf.get(target) as number;
        if (to !== at) depths[to] = Math.max(depths[to] as number, (depths[at] as number) + 1);
      }
  const layers: string[][][] = [];
  for (const [at, group] of groups.entries()) {
    const depth = depths[at] as number;
    layers[depth] ??= [];
    layers[depth].push(group);
  }
  return { layers: layers.map((layer) => layer.sort((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1))), groupOf };
}

/** Tarjan's, without recursion: a chain of imports may be as long as there are files. */
function findCycles(targets: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const groups: string[][] = [];
  for (const start of targets.keys()) {
    if (order.has(start)) continue;
    const work: { readonly name: string; next: number }[] = [];
    const enter = (name: string) => {
      order.set(name, order.size);
      low.set(name, order.get(name) as number);
      open.push(name);
      isOpen.add(name);
      work.push({ name, next: 0 });
    };
    enter(start);
    while (work.length > 0) {
      const step = work.at(-1) as { readonly name: string; next: number };
      const { name } = step;
      const target = targets.get(name)?.[step.next];
      step.next += 1;
      if (target === undefined) {
        work.pop();
        const above = work.at(-1)?.name;
        if (above !== undefined) low.set(above, Math.min(low.get(above) as number, low.get(name) as number));
        if (low.get(name) !== order.get(name)) continue;
        const group = open.splice(open.lastIndexOf(name));
        for (const member of group) isOpen.delete(member);
        groups.push(group.sort());
      } else if (!order.has(target)) enter(target);
      else if (isOpen.has(target)) low.set(name, Math.min(low.get(name) as number, order.get(target) as number));
    }
  }
  return groups;
}
