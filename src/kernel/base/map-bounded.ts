/** `Promise.all` over a list with at most so many at once; the answers are in the order of the list. The first failure ends it. */

export async function mapBounded<T, R>(
  items: readonly T[],
  atOnce: number,
  map: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) results[index] = await map(items[index] as T, index);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane));
  return results;
}
