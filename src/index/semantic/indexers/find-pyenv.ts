/** A shim of pyenv is a script that looks for the chosen version; the choice is in a file, and is read here. */

import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** `~/.pyenv/shims/python3` → `~/.pyenv/versions/<global version>/bin/python3`. */
export function findDefaultPyenv(shim: string): string | undefined {
  const home = dirname(dirname(shim));
  try {
    const name = readFileSync(join(home, 'version'), 'utf8').split('\n', 1)[0]?.trim() ?? '';
    const program = join(home, 'versions', name, 'bin', basename(shim));
    return /^[A-Za-z0-9._-]+$/.test(name) && existsSync(program) ? program : undefined;
  } catch {
    return undefined;
  }
}
