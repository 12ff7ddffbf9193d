/** A small project in a directory of its own, opened in the compiler; gone again with `closePrograms`. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Programs } from '../../src/mutate/compiler/job/job-types.ts';
import { openPrograms } from '../../src/mutate/compiler/job/programs.ts';
import type { ProgramSpec } from '../../src/mutate/compiler/session/messages.ts';

const roots: string[] = [];
const opened: Programs[] = [];

export function renderConfig(options: object = {}, rest: object = {}): string {
  const usual = {
    module: 'nodenext',
    target: 'es2022',
    // Without the browser's library a program opens in a fifth of the time.
    lib: ['es2022'],
    jsx: 'preserve',
    allowJs: true,
    strict: true,
    noEmit: true,
    types: [],
  };
  return JSON.stringify({ compilerOptions: { ...usual, ...options }, ...rest });
}

/** Realpath of a new directory with these files. */
export function writeTree(files: Readonly<Record<string, string>>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'programs-')));
  roots.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** With a `tsconfig.json` that means everything, where the files bring none. */
export function openTree(
  files: Readonly<Record<string, string>>,
  specs: readonly ProgramSpec[] = [{ key: 'main', config: 'tsconfig.json' }],
): Programs {
  const root = writeTree({ 'tsconfig.json': renderConfig(), ...files });
  const programs = openPrograms(root, specs);
  opened.push(programs);
  return programs;
}

export function closePrograms(): void {
  for (const programs of opened.splice(0)) programs.close();
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
}
