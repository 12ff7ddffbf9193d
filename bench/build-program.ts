/** The program as it is published, in a place of its own. */

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('..', import.meta.url));

/** Gives its entry. */
export function buildProgram(place: string): string {
  mkdirSync(place, { recursive: true });
  execFileSync(process.execPath, [join(project, 'scripts/build.ts'), place], { cwd: project, stdio: 'pipe' });
  for (const part of ['bin', 'schemas', 'package.json']) {
    cpSync(join(project, part), join(place, part), { recursive: true });
  }
  // The compile cache lies in node_modules/.cache, so only the packages are shared.
  mkdirSync(join(place, 'node_modules'));
  for (const name of readdirSync(join(project, 'node_modules'))) {
    if (!name.startsWith('.')) symlinkSync(join(project, 'node_modules', name), join(place, 'node_modules', name));
  }
  return join(place, 'bin/codegenie.mjs');
}
