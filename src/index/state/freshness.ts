/** The words of file states (code-plane.md §8), from best to worst: the worst of several is the one that comes last. */

export const freshnesses = ['clean', 'pending_check', 'stale', 'dirty', 'unindexed', 'unsupported'] as const;
export type Freshness = (typeof freshnesses)[number];

/** Position in `freshnesses`, for columns. */
export const freshnessCode = {
  clean: 0,
  pending_check: 1,
  stale: 2,
  dirty: 3,
  unindexed: 4,
  unsupported: 5,
} as const satisfies Readonly<Record<Freshness, number>>;

export function freshnessOf(code: number): Freshness {
  return freshnesses[code] ?? 'unsupported';
}
