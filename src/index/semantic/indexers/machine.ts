/** Where things are on this machine, as far as the user's environment tells and the analysed repository cannot have arranged. */

import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../../../kernel/exec/environment.ts';
import { filterPath, isInside } from '../../../kernel/exec/resolve-tool.ts';

export type Machine = {
  /** Realpath; nothing below it is a program. */
  readonly repoRoot: string;
  readonly environment: Environment;
};

/** An executable file on the filtered PATH, not resolved. */
export function findOnPath(name: string, machine: Machine): string | undefined {
  return filterPath(machine.environment['PATH'], machine.repoRoot)
    .map((entry) => join(entry, name))
    .find((path) => isProgram(path, machine.repoRoot));
}

/** PATH as a tool may have it. */
export function safePath(machine: Machine): string {
  return filterPath(machine.environment['PATH'], machine.repoRoot).join(':');
}

function isProgram(path: string, repoRoot: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile() && !isInside(repoRoot, realpathSync(path));
  } catch {
    return false;
  }
}
