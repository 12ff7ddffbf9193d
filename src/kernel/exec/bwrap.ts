/**
 * The sandbox of analysers and indexers (gather.md §5, rule 7). Inside: the repository is read-only, our data directory and
 * the home directory are empty, only `lo` exists, no capability is left. Paths inside equal paths outside.
 *
 * `--cap-drop ALL` is mandatory: without it root inside can remount `/` writable. Every `--tmpfs` precedes the binds that live
 * below it, so the order of the arguments is part of the meaning.
 */

import { existsSync } from 'node:fs';

export type Sandbox = {
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
export const sandboxHome = '/tmp/probe';

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
export function listEmptied(home: string | null): string[] {
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
