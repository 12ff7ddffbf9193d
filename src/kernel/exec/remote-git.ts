/**
 * The one exception to "git fetches nothing" (gather.md §5, rule 9): repositories that a person added to a fleet are asked for their head, fetched
 * into a mirror of ours and checked out into scratch of ours. Promises:
 * - `https`, `ssh` and `file` alone, each call with the one protocol of its address; an address holds no password and begins no option;
 * - neither the mirror nor the work tree runs anything: hooks, filters, submodules and lazy fetches are off, also in the other end of a `file` address;
 * - a fetch ends when its time is up, or when what it has written is larger than was allowed;
 * - a token comes from the environment and leaves in the environment of git: it is in no argument, file, answer or log.
 */

import { copyFileSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { silentLogger } from '../base/log.ts';
import { decodeLenient, shortLine } from '../base/text.ts';
import { ensureOwnDirectory, writeAtomically } from '../base/write-file.ts';
import { buildEnvironment, type Environment } from './environment.ts';
import { filterPath, resolveTool } from './resolve-tool.ts';
import { createProcessGroups, type ProcessOutcome, runProcess } from './run-process.ts';
import { tools } from './tools.ts';

/** What this door opens: made by `admitRemote` alone. */
export type Remote = {
  readonly url: string;
  readonly scheme: 'https' | 'ssh' | 'file';
  /** Empty for a repository of this machine. */
  readonly host: string;
  readonly path: string;
};

export type RemoteRefusal = { readonly refused: string };

/** Why a call did not do what was asked; each is a state that a repository can be in. */
export type RemoteFailure = {
  readonly kind: 'failed';
  readonly why:
    | 'not_found'
    | 'denied'
    | 'unreachable'
    | 'rate_limited'
    | 'empty'
    | 'timed_out'
    | 'too_large'
    | 'disk_full'
    | 'git_missing'
    | 'cancelled'
    | 'git_failed';
  readonly detail: string;
};

type RemoteHead = { readonly kind: 'head'; readonly commit: string; readonly branch: string | null };

export type RemoteGit = {
  head(
    remote: Remote,
    limits: { readonly timeoutS: number; readonly signal: AbortSignal },
  ): Promise<RemoteHead | RemoteFailure>;
  /** What the remote's head is now, alone, into the bare repository at `mirror`, which is made where there is none. */
  fetch(
    remote: Remote,
    mirror: string,
    limits: { readonly timeoutS: number; readonly maxBytes: number; readonly signal: AbortSignal },
  ): Promise<{ readonly kind: 'fetched'; readonly commit: string } | RemoteFailure>;
  /** A repository of its own at `place`, which does not exist yet, with that one commit of the mirror in its work tree. */
  checkOut(
    of: {
      readonly mirror: string;
      readonly commit: string;
      readonly place: string;
      readonly origin: Remote;
      readonly branch: string | null;
    },
    limits: {
      readonly timeoutS: number;
      readonly maxBytes: number;
      readonly maxFiles: number;
      readonly signal: AbortSignal;
    },
  ): Promise<{ readonly kind: 'checked_out'; readonly files: number } | RemoteFailure>;
};

/** `git@host:path` is taken for what it means; a path that is absolute is one of this machine. */
export function admitRemote(given: string): Remote | RemoteRefusal {
  if (isAbsolute(given) && !given.includes('\0')) return admitUrl(pathToFileURL(given));
  if (/[\0-\x20\x7f]/.test(given)) return { refused: 'holds a space or a control character' };
  // `ext::command` is a transport that starts programs.
  if (/^\w+::/.test(given)) return { refused: 'names a transport that is not https, ssh or file' };
  const short = /^([\w.-]+@)?([\w.-]+):(?!\/\/)(.+)$/.exec(given);
  const text = short === null ? given : `ssh://${short[1] ?? ''}${short[2]}/${short[3]?.replace(/^\/+/, '')}`;
  return URL.canParse(text) ? admitUrl(new URL(text)) : { refused: 'is no address that git could fetch' };
}

function admitUrl(url: URL): Remote | RemoteRefusal {
  const scheme = url.protocol.slice(0, -1);
  if (scheme !== 'https' && scheme !== 'ssh' && scheme !== 'file')
    return { refused: `begins with ${shortLine(scheme, 20)}; https, ssh and file can be fetched from` };
  if (url.password !== '' || (scheme !== 'ssh' && url.username !== ''))
    return { refused: 'holds a user name or password; credentials come from the environment or a credential helper' };
  if (url.search !== '' || url.hash !== '') return { refused: 'has a part behind ? or #, which no repository has' };
  if ((scheme === 'file') !== (url.host === ''))
    return { refused: scheme === 'file' ? 'names another machine' : 'names no host' };
  if (url.hostname.startsWith('-') || url.username.startsWith('-') || /^\/+-/.test(url.pathname))
    return { refused: 'begins a part with -, which a program could take for an option' };
  const path = url.pathname.replace(/^\/+/, '').replace(/\/+$/, '');
  if (path === '') return { refused: 'names no repository' };
  return {
    url: url.href.replace(/\/+$/, ''),
    scheme,
    host: url.host,
    path: decodeLenient(Buffer.from(safeDecode(path))),
  };
}

function safeDecode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** How often a fetch is measured. */
const measureMs = 250;
/** Packs of one mirror; with more it is made anew, which is cheaper than keeping house in it. */
const maxPacks = 30;
const headRef = 'refs/fleet/head';
const answerBytes = 64 * 1024;

/**
 * `place`: a directory of ours for the settings of git. `environment`: PATH, HOME for a credential helper and for ssh, SSH_AUTH_SOCK, and tokens
 * as `CODEGENIE_TOKEN_<HOST>`, the host in capitals with `_` for what is no letter or digit.
 */
export function createRemoteGit(place: string, environment: Environment): RemoteGit {
  const groups = createProcessGroups();
  const pathEntries = filterPath(environment['PATH'], place);
  const git = resolveTool('git', tools.git, { root: place, toolPaths: {}, pathEntries });
  const settings = `${place}/gitconfig`;
  let isWritten = false;

  const run = async (
    remote: Remote | undefined,
    args: readonly string[],
    limits: { readonly timeoutS: number; readonly signal: AbortSignal },
    onLine?: (line: string, stream: 'stdout' | 'stderr') => void,
  ): Promise<ProcessOutcome | RemoteFailure> => {
    if (git.kind === 'missing') return failed('git_missing', tools.git.install);
    if (!isWritten) {
      ensureOwnDirectory(place);
      writeAtomically(settings, fixedSettings, { durable: false });
      isWritten = true;
    }
    const base = buildEnvironment({
      path: pathEntries.join(delimiter),
      workspace: place,
      extra: undefined,
      logger: silentLogger,
    });
    return runProcess({
      file: git.tool.file,
      args: [...git.tool.prefix, '--no-pager', ...args],
      cwd: place,
      environment: {
        ...base,
        ...fixedEnvironment(settings),
        ...(remote === undefined ? {} : reach(remote, environment)),
      },
      timeoutS: limits.timeoutS,
      maxStdoutBytes: answerBytes,
      signal: limits.signal,
      onLine,
      groups,
    });
  };

  return {
    async head(remote, limits) {
      const outcome = await run(remote, ['ls-remote', '--symref', '--', remote.url, 'HEAD'], limits);
      if (!('stdout' in outcome) || outcome.kind !== 'exited' || outcome.code !== 0)
        return explain(outcome, limits.signal);
      const said = decodeLenient(outcome.stdout);
      const commit = /^([0-9a-f]{40,64})\tHEAD$/m.exec(said)?.[1];
      if (commit === undefined) return failed('empty', 'it has no commit at its head');
      return { kind: 'head', commit, branch: branchOf(said) };
    },

    async fetch(remote, mirror, limits) {
      makeMirror(mirror);
      const tooLarge = new AbortController();
      const timer = setInterval(() => {
        if (packBytes(mirror) > limits.maxBytes) tooLarge.abort();
      }, measureMs);
      const signal = AbortSignal.any([limits.signal, tooLarge.signal]);
      const args = [
        'fetch',
        '--quiet',
        '--no-tags',
        '--no-recurse-submodules',
        '--no-auto-maintenance',
        '--no-write-fetch-head',
      ];
      try {
        const outcome = await run(
          remote,
          [
            '--git-dir',
            mirror,
            ...args,
            '--depth=1',
            '--update-shallow',
            '--force',
            '--',
            remote.url,
            `HEAD:${headRef}`,
          ],
          { timeoutS: limits.timeoutS, signal },
        );
        const larger = `more than ${Math.round(limits.maxBytes / 1e6)} MB`;
        if (tooLarge.signal.aborted || packBytes(mirror) > limits.maxBytes) {
          // What was fetched in part, or in vain, is not kept.
          rmSync(mirror, { recursive: true, force: true });
          return failed('too_large', larger);
        }
        if (outcome.kind !== 'exited' || outcome.code !== 0) return explain(outcome, limits.signal);
        const commit = readFileSync(`${mirror}/${headRef}`, 'latin1').trim();
        return { kind: 'fetched', commit };
      } catch (error) {
        return explainErrno(error);
      } finally {
        clearInterval(timer);
      }
    },

    async checkOut({ mirror, commit, place: at, origin, branch }, limits) {
      const counted = { files: 0, bytes: 0 };
      const tooMuch = new AbortController();
      const signal = AbortSignal.any([limits.signal, tooMuch.signal]);
      const listed = await run(
        undefined,
        ['--git-dir', mirror, 'ls-tree', '-r', '-l', commit],
        { timeoutS: limits.timeoutS, signal },
        (line) => {
          counted.files += 1;
          counted.bytes += Number(/^\d+ \w+ \w+ +(\d+)\t/.exec(line)?.[1] ?? 0);
          if (counted.files > limits.maxFiles || counted.bytes > limits.maxBytes) tooMuch.abort();
        },
      );
      if (tooMuch.signal.aborted)
        return failed(
          'too_large',
          `a work tree of more than ${limits.maxFiles} files or ${Math.round(limits.maxBytes / 1e6)} MB`,
        );
      if (listed.kind !== 'exited' || listed.code !== 0) return explain(listed, limits.signal);
      try {
        makeWorkTree(mirror, at, commit, origin, branch);
      } catch (error) {
        return explainErrno(error);
      }
      const outcome = await run(
        undefined,
        ['--git-dir', `${at}/.git`, '--work-tree', at, 'read-tree', '--reset', '-u', 'HEAD'],
        limits,
      );
      if (outcome.kind !== 'exited' || outcome.code !== 0) return explain(outcome, limits.signal);
      return { kind: 'checked_out', files: counted.files };
    },
  };
}

/** In a file, because the other end of a `file` address reads it too, and takes nothing of the command line. */
const fixedSettings = `[core]
	hooksPath = /dev/null
	fsmonitor = false
	attributesFile = /dev/null
	excludesFile = /dev/null
	pager = cat
[safe]
	directory = *
[gc]
	auto = 0
[maintenance]
	auto = false
[fetch]
	unpackLimit = 1
	writeCommitGraph = false
	recurseSubmodules = false
[submodule]
	recurse = false
[pack]
	threads = 1
[credential]
	interactive = false
[advice]
	detachedHead = false
`;

function fixedEnvironment(settings: string): Record<string, string> {
  return {
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: settings,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_PROTOCOL_FROM_USER: '0',
  };
}

/** What a call needs of the user's own surroundings to reach one host, and nothing else. */
function reach(remote: Remote, environment: Environment): Record<string, string> {
  const reached: Record<string, string> = { GIT_ALLOW_PROTOCOL: remote.scheme };
  const take = (...names: readonly string[]) => {
    for (const name of names) if (environment[name] !== undefined) reached[name] = environment[name];
  };
  if (remote.scheme === 'file') return reached;
  take('HOME', 'XDG_CONFIG_HOME', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'GIT_SSL_CAINFO');
  if (remote.scheme === 'ssh') {
    take('SSH_AUTH_SOCK');
    reached['GIT_SSH_COMMAND'] = 'ssh -oBatchMode=yes -oConnectTimeout=20 -oForwardAgent=no -oClearAllForwardings=yes';
    return reached;
  }
  take('HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy');
  const config: (readonly [string, string])[] = [
    ['http.lowSpeedLimit', '1000'],
    ['http.lowSpeedTime', '60'],
  ];
  const token = environment[tokenVariable(remote.host)];
  if (token !== undefined && token !== '') {
    const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
    // A redirect could carry it to another host.
    config.push(
      [`http.https://${remote.host}/.extraHeader`, `Authorization: Basic ${basic}`],
      ['http.followRedirects', 'false'],
    );
  } else if (environment['CODEGENIE_CREDENTIAL_HELPER'] !== undefined)
    config.push(['credential.helper', environment['CODEGENIE_CREDENTIAL_HELPER']]);
  reached['GIT_CONFIG_COUNT'] = String(config.length);
  for (const [at, [key, value]] of config.entries()) {
    reached[`GIT_CONFIG_KEY_${at}`] = key;
    reached[`GIT_CONFIG_VALUE_${at}`] = value;
  }
  return reached;
}

export function tokenVariable(host: string): string {
  return `CODEGENIE_TOKEN_${host.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;
}

/** Git itself would take three processes for it. */
function makeMirror(mirror: string): void {
  if (countPacks(mirror) > maxPacks) rmSync(mirror, { recursive: true, force: true });
  mkdirSync(`${mirror}/objects/pack`, { recursive: true, mode: 0o700 });
  mkdirSync(`${mirror}/refs/fleet`, { recursive: true, mode: 0o700 });
  writeFileSync(`${mirror}/config`, '[core]\n\trepositoryformatversion = 0\n\tbare = true\n', { mode: 0o600 });
  writeFileSync(`${mirror}/HEAD`, `ref: ${headRef}\n`, { mode: 0o600 });
}

/** The packs are the mirror's own files under another name where the file system allows: nobody writes into a pack. */
function makeWorkTree(mirror: string, place: string, commit: string, origin: Remote, branch: string | null): void {
  const packs = `${place}/.git/objects/pack`;
  mkdirSync(packs, { recursive: true, mode: 0o700 });
  mkdirSync(`${place}/.git/refs/heads`, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(`${mirror}/objects/pack`)) {
    if (!/^pack-[0-9a-f]+\.(?:pack|idx)$/.test(name)) continue;
    try {
      linkSync(`${mirror}/objects/pack/${name}`, `${packs}/${name}`);
    } catch {
      // Another file system, or one without links.
      copyFileSync(`${mirror}/objects/pack/${name}`, `${packs}/${name}`);
    }
  }
  const remote = origin.scheme === 'file' ? '' : `[remote "origin"]\n\turl = "${origin.url.replace(/["\\]/g, '')}"\n`;
  writeFileSync(`${place}/.git/config`, `[core]\n\trepositoryformatversion = 0\n\tbare = false\n${remote}`, {
    mode: 0o600,
  });
  // A branch of several parts is kept among the packed, which need no directories.
  writeFileSync(`${place}/.git/packed-refs`, branch === null ? '' : `${commit} refs/heads/${branch}\n`, {
    mode: 0o600,
  });
  writeFileSync(`${place}/.git/HEAD`, branch === null ? `${commit}\n` : `ref: refs/heads/${branch}\n`, { mode: 0o600 });
  try {
    copyFileSync(`${mirror}/shallow`, `${place}/.git/shallow`);
  } catch (error) {
    // A history of one commit is whole.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** One that can stand in a file of git as it is. */
function branchOf(said: string): string | null {
  const name = /^ref: refs\/heads\/([\w./+@-]{1,200})\tHEAD$/m.exec(said)?.[1];
  return name === undefined || /\.\.|\/\/|^[./-]|[./]$|\.lock(?:\/|$)|@$/.test(name) ? null : name;
}

function packBytes(mirror: string): number {
  return listPacks(mirror).reduce(
    (sum, name) => sum + (statSync(join(mirror, 'objects/pack', name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

function countPacks(mirror: string): number {
  return listPacks(mirror).filter((name) => name.endsWith('.pack')).length;
}

function listPacks(mirror: string): readonly string[] {
  try {
    return readdirSync(`${mirror}/objects/pack`);
  } catch {
    return [];
  }
}

function failed(why: RemoteFailure['why'], detail: string): RemoteFailure {
  return { kind: 'failed', why, detail };
}

/** The first that fits, in what git and its helpers say. */
const sayings: readonly (readonly [RegExp, RemoteFailure['why']])[] = [
  [/No space left on device|Disk quota exceeded/i, 'disk_full'],
  [/returned error: 429|rate limit/i, 'rate_limited'],
  [/couldn't find remote ref HEAD/i, 'empty'],
  [
    /Authentication failed|could not read (?:Username|Password)|Permission denied|access denied|returned error: 40[13]|Host key verification failed/i,
    'denied',
  ],
  [
    /not found|does not appear to be a git repository|does not exist|returned error: 404|No such file or directory/i,
    'not_found',
  ],
  [
    /Could not resolve|Connection (?:refused|timed out|reset)|Failed to connect|unable to access|early EOF|hung up|returned error: 5\d\d|Network is unreachable|kex_exchange/i,
    'unreachable',
  ],
];

function explain(outcome: ProcessOutcome | RemoteFailure, signal: AbortSignal): RemoteFailure {
  switch (outcome.kind) {
    case 'failed':
      return outcome;
    case 'timed_out':
      return failed('timed_out', `git did not end within ${Math.round(outcome.elapsedMs / 1000)} s`);
    case 'cancelled':
      return failed('cancelled', 'the work was ended');
    case 'not_started':
      return failed('git_missing', `git could not be started: ${outcome.errno}`);
    case 'exited':
    case 'signalled': {
      if (signal.aborted) return failed('cancelled', 'the work was ended');
      const said = decodeLenient(outcome.stderr);
      const why = sayings.find(([pattern]) => pattern.test(said))?.[1] ?? 'git_failed';
      const line = said.split('\n').find((each) => /^(?:fatal|error|remote):/.test(each)) ?? said.split('\n')[0] ?? '';
      return failed(why, shortLine(line.replace(/^fatal: /, ''), 200));
    }
  }
}

function explainErrno(error: unknown): RemoteFailure {
  const { code, message } = error as NodeJS.ErrnoException;
  return failed(code === 'ENOSPC' || code === 'EDQUOT' ? 'disk_full' : 'git_failed', code ?? shortLine(message, 200));
}
