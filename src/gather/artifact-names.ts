/** Artifact names: what a probe may declare, what it may hand over, and which of the two belong together (gather.md §1). */

const MAX_NAME_CHARS = 255;

/** A leaf name, `prefix-*.ext` (the star stands for at least one character and no slash), or `dir/` for all that is below. */
export function artifactMatches(pattern: string, name: string): boolean {
  if (pattern.endsWith('/')) return name.length > pattern.length && name.startsWith(pattern);
  const star = pattern.indexOf('*');
  if (star < 0) return pattern === name;
  const [prefix, suffix] = [pattern.slice(0, star), pattern.slice(star + 1)];
  if (!name.startsWith(prefix) || !name.endsWith(suffix) || name.length <= prefix.length + suffix.length) return false;
  return !name.slice(prefix.length, name.length - suffix.length).includes('/');
}

/** Relative, plain segments only: it can be joined to any directory and stays below it. */
export function isSafeArtifactName(name: string): boolean {
  if (name.length === 0 || name.length > MAX_NAME_CHARS) return false;
  return name.split('/').every((segment) => /^[A-Za-z0-9_][A-Za-z0-9._@+-]*$/.test(segment));
}
