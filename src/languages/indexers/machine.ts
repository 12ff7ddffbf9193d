/** Where things are on this machine, as far as the user's environment tells and the analysed repository cannot have arranged. */

import { accessSync, constants, existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { realPathIfThere } from '../../kernel/base/if-there.ts';
import type { Environment } from '../../kernel/exec/environment.ts';
import { filterPath, isInside } from '../../kernel/exec/resolve-tool.ts';
import { createDirectoryGuard, readRegular } from '../../kernel/tree/safe-read.ts';

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

export function belowHome(machine: Machine, path: string): string | undefined {
  return joinIf(machine.environment['HOME'], path);
}

export function joinIf(directory: string | undefined, path: string): string | undefined {
  return directory === undefined || directory === '' ? undefined : join(directory, path);
}

export function existing(path: string | undefined): string {
  return path !== undefined && existsSync(path) ? path : '';
}

/** Empty for what cannot be read. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

export type Found = Readonly<Record<string, string>>;

/**
 * A small text file of the machine that may also lie in the analysed repository, as an interpreter's environment often does. Below
 * the repository's root no link is followed: one could lead to a device without an end, or to a directory that must not be shown.
 * Elsewhere links are the user's own. Undefined for what is absent, not regular, too long, or behind a link of the repository;
 * nothing blocks.
 */
export function readBounded(path: string, maxBytes: number, repoRoot: string): string | undefined {
  const at = isInside(repoRoot, path) ? path : realPathIfThere(path);
  if (at === undefined) return undefined;
  const [base, name] = divide(at, repoRoot);
  const read = readRegular(base, name, maxBytes, createDirectoryGuard(base));
  return read.kind === 'read' ? Buffer.from(read.bytes).toString('utf8') : undefined;
}

/** Is it a directory that no link of the repository leads to? */
export function isPlainDirectory(path: string, repoRoot: string): boolean {
  const at = isInside(repoRoot, path) ? path : realPathIfThere(path);
  if (at === undefined) return false;
  const [base, name] = divide(at, repoRoot);
  return createDirectoryGuard(base).holds(`${name}/x`);
}

/** What is trusted to be where it is, and the way from there. */
function divide(path: string, repoRoot: string): [string, string] {
  return isInside(repoRoot, path) ? [repoRoot, path.slice(repoRoot.length + 1)] : [dirname(path), basename(path)];
}
