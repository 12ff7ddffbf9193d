/** What counts as a test file, by name alone (probes.md, test_inventory); language counts and the test inventory agree because of it. */

export function isTestFile(path: string): boolean {
  const slash = path.lastIndexOf('/');
  const name = path.slice(slash + 1);
  if (path.startsWith('__tests__/') || path.slice(0, slash + 1).includes('/__tests__/')) return true;
  return namePatterns.some((pattern) => pattern.test(name));
}

const namePatterns: readonly RegExp[] = [/\.(test|spec)\.[^/]+$/s, /^test_[^/]*\.py$/s, /_test\.go$/s, /Test\.java$/s];
