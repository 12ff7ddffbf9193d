/**
 * How many items at the beginning of a list in order pass a test that none behind them passes, found by halving: also the position of the
 * first that does not. Searches that run for every token or node of a file have their own loop, because a call with many tests is slower.
 */
export function countWhile<T>(sorted: ArrayLike<T>, passes: (item: T) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (passes(sorted[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}
