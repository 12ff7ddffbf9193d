/**
 * Globs that a repository wrote are compiled to regexes, and each `*` multiplies the ways a long name can be tried
 * (measured: `*a*a*a*b` takes 2 s on a name of 255 letters). Few of them are enough for people and keep the worst case small.
 */

const STARS_PER_SEGMENT_MAX = 2;
const DOUBLE_STARS_MAX = 2;

export function isBoundedGlob(glob: string): boolean {
  const segments = glob.split('/');
  return (
    glob.length <= 1000 &&
    segments.filter((segment) => segment.includes('**')).length <= DOUBLE_STARS_MAX &&
    segments.every((segment) => (segment.match(/\*+/g)?.length ?? 0) <= STARS_PER_SEGMENT_MAX)
  );
}
