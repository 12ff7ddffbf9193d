/**
 * Which context's result goes into which other's: one that uses files of another is imported after it, because whether a reference
 * leads somewhere is asked of what the store has then (code-plane.md §6.2). Contexts that use each other are left as they come.
 */

export type ContextNeeds = ReadonlyMap<number, ReadonlySet<number>>;

/** Linear in members and imports. */
export function findNeeds(
  contexts: readonly { readonly id: number; readonly members: readonly string[] }[],
  targetsOf: (path: string) => readonly string[],
): ContextNeeds {
  const owners = new Map<string, number[]>();
  for (const { id, members } of contexts) {
    for (const path of members) {
      const known = owners.get(path);
      if (known === undefined) owners.set(path, [id]);
      else known.push(id);
    }
  }
  const needs = new Map<number, ReadonlySet<number>>();
  for (const { id, members } of contexts) {
    const found = new Set<number>();
    for (const path of members) {
      for (const target of targetsOf(path)) {
        const having = owners.get(target);
        if (having === undefined || having.includes(id)) continue;
        for (const other of having) found.add(other);
      }
    }
    needs.set(id, found);
  }
  return needs;
}

/** Those of `due` that need nobody who is busy; never none of them unless somebody of `running` is needed. */
export function listUnblocked(due: readonly number[], running: readonly number[], needs: ContextNeeds): number[] {
  const busy = new Set([...due, ...running]);
  const reached = new Map<number, ReadonlySet<number>>();
  const reach = (id: number): ReadonlySet<number> => {
    let found = reached.get(id);
    if (found === undefined) {
      const all = new Set(needs.get(id));
      for (const next of all) for (const further of needs.get(next) ?? []) all.add(further);
      found = all;
      reached.set(id, found);
    }
    return found;
  };
  return due.filter((id) => {
    for (const other of reach(id)) if (other !== id && busy.has(other) && !reach(other).has(id)) return false;
    return true;
  });
}
