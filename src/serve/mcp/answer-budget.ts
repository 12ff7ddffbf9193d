/** How large an answer may be (surfaces.md §2), and the last resort that makes any JSON fit. */

export const answerBytes = 8 * 1024;

export function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}

/** How many items of a list, and characters of a text, are left; from generous to hardly anything. */
const cuts: readonly (readonly [items: number, chars: number])[] = [
  [100, 1_000],
  [30, 400],
  [10, 200],
  [5, 100],
  [2, 60],
  [1, 30],
  [0, 20],
];

/** The same value with its lists and texts cut until it fits; null for what does not even then. */
export function shrinkTo<T>(value: T, maxBytes: number): { readonly value: T | null; readonly isCut: boolean } {
  if (sizeOf(value) <= maxBytes) return { value, isCut: false };
  for (const [items, chars] of cuts) {
    const cut = cutDeep(value, items, chars) as T;
    if (sizeOf(cut) <= maxBytes) return { value: cut, isCut: true };
  }
  return { value: null, isCut: true };
}

function cutDeep(value: unknown, items: number, chars: number): unknown {
  if (typeof value === 'string') return value.length > chars ? `${value.slice(0, chars)}…` : value;
  if (Array.isArray(value)) return value.slice(0, items).map((item) => cutDeep(item, items, chars));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, cutDeep(held, items, chars)]));
}
