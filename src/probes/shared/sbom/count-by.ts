/** How many of each kind, in the order of the kinds, for a slice whose keys are a closed list. */

/** Only the kinds that occur. */
export function countBy<T, K extends string>(
  items: readonly T[],
  kinds: readonly K[],
  kindOf: (item: T) => K | null,
): Record<string, number> {
  const counts = new Map<K, number>();
  for (const item of items) {
    const kind = kindOf(item);
    if (kind !== null) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return Object.fromEntries(kinds.flatMap((kind) => (counts.has(kind) ? [[kind, counts.get(kind) ?? 0]] : [])));
}
