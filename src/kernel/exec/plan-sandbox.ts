/** What a sandbox for one call must show, hide and mask, found out by looking at the disk. */

import { closeSync, existsSync, lstatSync, openSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { listEmptied, type Sandbox, sandboxHome } from './bwrap.ts';
import { type FoundTool, isInside, readFirstLine } from './resolve-tool.ts';

export type SandboxRequest = {
  readonly root: string;
  /** Realpath of the user's home, null where there is none. */
  readonly home: string | null;
  readonly pathEntries: readonly string[];
  readonly workspace: string;
  readonly tool: FoundTool;
  readonly toolEnvironment: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly egress: readonly string[];
  readonly readable: readonly string[];
  readonly masked: readonly string[];
  readonly writable: readonly string[];
};

export function planSandbox(request: SandboxRequest): Sandbox {
  const { root, home, tool } = request;
  const emptied = listEmptied(home);
  const hidden = (path: string) => [...emptied, '/tmp', '/dev'].some((directory) => isInside(directory, path));
  const packages = [tool.path, tool.file, ...listInterpreters(tool, request.pathEntries)]
    .flatMap((path) => (existsSync(path) ? [path, realpathSync(path)] : []))
    .map((path) => packageDirectory(path, home))
    .filter((path) => hidden(path) && !isInside(root, path));
  const dataDirectory = join(root, '.codegenie');
  const masked = request.masked.map((path) => findMaskable(resolve(root, path))).filter((path) => path !== undefined);
  return {
    shareNetwork: request.egress.length > 0,
    environment: {
      PATH: request.pathEntries.join(':'),
      HOME: sandboxHome,
      TMPDIR: sandboxHome,
      LANG: 'C.UTF-8',
      LC_ALL: 'C.UTF-8',
      NO_COLOR: '1',
      ...request.toolEnvironment,
    },
    emptied,
    readable: [...new Set([...packages, ...request.readable.filter((path) => existsSync(path))])],
    root,
    dataDirectory: isRealDirectory(dataDirectory) ? dataDirectory : null,
    masked: [...new Set(masked)],
    emptyFile: masked.length > 0 ? makeEmptyFile(request.workspace) : '/dev/null',
    writable: request.writable,
    cwd: request.cwd,
    command: [tool.file, ...tool.prefix, ...request.args],
  };
}

/**
 * The directory a program needs to find its own parts: the outermost `node_modules`, a Python environment, else the folder it
 * lies in. Never all of the home directory, nor all of `~/.local`, where keyrings live.
 */
function packageDirectory(path: string, home: string | null): string {
  const modules = path.indexOf('/node_modules/');
  if (modules !== -1) return path.slice(0, modules + '/node_modules'.length);
  const folder = dirname(path);
  const prefix = dirname(folder);
  if (home !== null && (prefix === home || prefix === join(home, '.local'))) return folder;
  if (basename(folder) === 'shims') return prefix;
  const ownsLibraries = existsSync(join(prefix, 'pyvenv.cfg')) || isRealDirectory(join(prefix, 'lib'));
  return basename(folder) === 'bin' && ownsLibraries ? prefix : folder;
}

/** `#!/home/me/venv/bin/python` → that python; `#!/usr/bin/env python3` → the one that PATH gives. */
function listInterpreters(tool: FoundTool, pathEntries: readonly string[]): string[] {
  const [, interpreter, argument] = /^#!\s*(\/\S+)(?:\s+(\S+))?/.exec(readFirstLine(tool.path)) ?? [];
  if (interpreter === undefined) return [];
  const named = basename(interpreter) === 'env' && argument !== undefined;
  const candidates = named ? pathEntries.map((entry) => join(entry, argument)) : [interpreter];
  return candidates.filter((path) => existsSync(path)).slice(0, 1);
}

/** Mounting over a link would mount over whatever it names: the file behind it is masked instead. */
function findMaskable(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    return statSync(real).isFile() ? real : undefined;
  } catch {
    return undefined;
  }
}

/** A regular file: `/dev/null` bound over a file reads as "permission denied". */
function makeEmptyFile(workspace: string): string {
  const path = join(workspace, '.empty');
  closeSync(openSync(path, 'w', 0o600));
  return path;
}

export function isRealDirectory(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch {
    return false;
  }
}
