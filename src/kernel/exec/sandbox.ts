/**
 * The sandbox of analysers and indexers (gather.md §5, rule 7). Inside: the repository is read-only, our data directory and
 * the home directory are empty, only `lo` exists, no capability is left. Paths inside equal paths outside.
 *
 * `--cap-drop ALL` is mandatory: without it root inside can remount `/` writable. Every `--tmpfs` precedes the binds that live
 * below it, so the order of the arguments is part of the meaning.
 */

import { closeSync, existsSync, lstatSync, openSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type FoundTool, isInside, readFirstLine } from './resolve-tool.ts';

type Sandbox = {
  /** False only for tools that were given hosts to reach. */
  readonly shareNetwork: boolean;
  readonly environment: Readonly<Record<string, string>>;
  /** Directories that are empty inside. */
  readonly emptied: readonly string[];
  /** Shown again, read-only, after being emptied: the tool's own package, then what the caller asked for. */
  readonly readable: readonly string[];
  /** The analysed repository; null in the self-test. */
  readonly root: string | null;
  /** Our own data inside the repository, null while there is none: a mount point cannot be made in a read-only bind. */
  readonly dataDirectory: string | null;
  /** Files of the repository that read as empty inside, and the empty file that replaces them. */
  readonly masked: readonly string[];
  readonly emptyFile: string;
  readonly writable: readonly string[];
  readonly cwd: string;
  readonly command: readonly string[];
};

/** Home and temporary directory inside: a tool that cannot write temporary files may report "clean" after reading nothing. */
const sandboxHome = '/tmp/probe';

export function renderBwrapArgs(sandbox: Sandbox): string[] {
  return [
    '--unshare-all',
    ...(sandbox.shareNetwork ? ['--share-net'] : []),
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--clearenv'],
    ...Object.entries(sandbox.environment).flatMap(([key, value]) => ['--setenv', key, value]),
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...sandbox.emptied.flatMap((path) => ['--tmpfs', path]),
    ...['--tmpfs', '/tmp', '--dir', sandboxHome],
    ...sandbox.readable.flatMap((path) => ['--ro-bind', path, path]),
    ...(sandbox.root === null ? [] : ['--ro-bind', sandbox.root, sandbox.root]),
    ...(sandbox.dataDirectory === null ? [] : ['--tmpfs', sandbox.dataDirectory]),
    ...sandbox.masked.flatMap((path) => ['--ro-bind', sandbox.emptyFile, path]),
    ...sandbox.writable.flatMap((path) => ['--bind', path, path]),
    ...['--chdir', sandbox.cwd, '--', ...sandbox.command],
  ];
}

/** Home and the services' sockets; a home that does not exist cannot be mounted over, and one that is `/` must not be. */
function listEmptied(home: string | null): string[] {
  return ['/run', ...(home === null || home === '/' ? [] : [home])].filter((path) => existsSync(path));
}

/** The smallest sandbox that needs everything a real one needs: bwrap inside bwrap says its version. */
export function renderSelfTestArgs(bwrap: string, home: string | null): string[] {
  return renderBwrapArgs({
    shareNetwork: false,
    environment: { HOME: sandboxHome },
    emptied: listEmptied(home),
    readable: [],
    root: null,
    dataDirectory: null,
    masked: [],
    emptyFile: '/dev/null',
    writable: [],
    cwd: '/',
    command: [bwrap, '--version'],
  });
}

type SandboxRequest = {
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

/** What a sandbox for one call must show, hide and mask, found out by looking at the disk. */
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
