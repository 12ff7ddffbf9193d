/** The program as it is published, in a place of its own. */

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownDirsOf } from '../src/kernel/base/own-dirs.ts';

const project = fileURLToPath(new URL('..', import.meta.url));

/** From here on the programs that a benchmark starts keep what they derive in a place of their own. */
export function useOwnState(): void {
  const place = mkdtempSync(join(tmpdir(), 'codegenie-bench-state-'));
  process.env['CODEGENIE_STATE_DIR'] = place;
  process.on('exit', () => rmSync(place, { recursive: true, force: true }));
}

/** So that the next gather or question is a first one; the tree's own folder is where older programs keep everything. */
export function forget(root: string): void {
  for (const path of [join(root, '.codegenie'), join(process.env['CODEGENIE_STATE_DIR'] ?? root, 'trees')])
    rmSync(path, { recursive: true, force: true });
}

/** Where the programs of a benchmark keep state and cache of a tree. */
export function stateOf(root: string): string {
  return ownDirsOf({ root, home: '/', environment: process.env }).stateDir;
}

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
