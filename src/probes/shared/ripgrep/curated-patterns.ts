/**
 * What is looked for everywhere, in code and beside it: places where a program leans on the system around it. The texts are
 * expressions for rg and for JavaScript alike, so that a line that rg reports can be told to belong to one of them.
 */

export type CuratedPattern = { readonly id: string; readonly pattern: string };

export const curatedPatterns: readonly CuratedPattern[] = [
  { id: 'bin_path', pattern: '/(usr/)?s?bin/' },
  { id: 'exec_call', pattern: '\\bexec(File)?(Sync)?\\(' },
  { id: 'spawn_call', pattern: '\\bspawn(Sync)?\\(' },
  { id: 'platform_check', pattern: 'process\\.platform|os\\.platform\\(' },
  { id: 'ld_preload', pattern: 'LD_PRELOAD|LD_LIBRARY_PATH' },
  { id: 'shell_true', pattern: 'shell\\s*:\\s*true' },
  { id: 'tmp_path', pattern: '/tmp/' },
];

/** Which of the curated patterns a line has: an alternation tells only the one that came first. */
export function idsOnLine(line: string): string[] {
  return compiled.filter(({ expression }) => expression.test(line)).map(({ id }) => id);
}

const compiled = curatedPatterns.map(({ id, pattern }) => ({ id, expression: new RegExp(pattern) }));
