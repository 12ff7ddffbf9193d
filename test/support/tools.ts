/** Which of the external tools this machine has, found as the program finds them. For tests that are skipped by name without. */

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findTool } from '../../src/kernel/exec/tools.ts';

/**
 * PATH for tests that are about something else: without the directories that are there for semgrep alone, which needs seconds for every
 * gather. Tests about scanners name the probes they want.
 */
export function quickPath(): string {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((directory) => !/semgrep[^/]*\/bin\/?$/.test(directory))
    .join(delimiter);
}

export function hasTool(name: string): boolean {
  const binary = findTool(name)?.binary ?? name;
  return (process.env['PATH'] ?? '').split(delimiter).some((directory) => {
    if (!directory.startsWith('/')) return false;
    try {
      accessSync(join(directory, binary), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** The probes that look at every repository and have no tool here: a gather of all of them lists these as `not_looked`. */
export const unequipped: readonly string[] = [
  ['ripgrep_curated', 'rg'] as const,
  ['semgrep', 'semgrep'] as const,
].flatMap(([probe, tool]) => (hasTool(tool) ? [] : [probe]));
