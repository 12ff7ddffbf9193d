/**
 * Git that executes nothing the analysed repository says (gather.md §5, rule 9).
 * A repository's own configuration can name programs: hooks, file-system monitors, filters, text converters, pagers, ssh
 * commands, signature checkers, transports. The fixed ones are switched off on the command line; those with free names are
 * found by listing the configuration once, which executes nothing, and blanked. Without that listing no other command runs.
 *
 * What is blanked goes through `GIT_CONFIG_COUNT` instead of `-c`: `-c` ends a key at its first `=`, so a filter named `a=b`
 * would escape it.
 *
 * The listing and the user's own `core.excludesFile` are asked once per host: a host lives as long as one gather.
 */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { limits } from '../base/limits.ts';
import { decodeLenient } from '../base/text.ts';
import type { Environment } from './environment.ts';
import type { ExecOutcome } from './exec.ts';

type GitStart = {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutS: number;
  readonly maxStdoutBytes: number;
  readonly stdin?: Uint8Array | undefined;
};
export type StartGit = (start: GitStart) => Promise<ExecOutcome>;

type GitOptions = {
  readonly timeoutS?: number | undefined;
  readonly maxStdoutBytes?: number | undefined;
  readonly stdin?: Uint8Array | undefined;
};

type Git = {
  /**
   * `start` adds the base environment and binds the caller's signal. The two preparing commands go through `prepare` instead,
   * so that one cancelled caller does not spoil them for the others.
   */
  run(args: readonly string[], options: GitOptions, start: StartGit, prepare: StartGit): Promise<ExecOutcome>;
};

/** None of these fetches, checks out or writes. */
const subcommands = 'rev-parse rev-list ls-files check-ignore ls-tree cat-file status merge-base config log'.split(' ');
const configReads = ['--list', '-l', '--get', '--get-all', '--get-regexp'];
/** Options, and their abbreviations, that write a file or start a program. */
const refusedOption = /^--(?:out|ext-d|textc)/;

const defaultTimeoutS = 30;

export function createGit(root: string, userEnvironment: Environment): Git {
  let preparation: Promise<Preparation> | undefined;

  return {
    async run(args, options, start, prepare) {
      const subcommand = args[0] ?? '';
      if (!isAllowed(subcommand, args)) return { kind: 'disallowed', argv0: `git ${subcommand}` };
      const odd = findPipe(root, subcommand);
      if (odd !== undefined) return { kind: 'timed_out', elapsedMs: 0, stderrTail: `${odd} is no file` };
      preparation ??= prepareGit(root, userEnvironment, prepare);
      const prepared = await preparation;
      if (prepared.kind === 'refused') {
        if (prepared.outcome.kind !== 'exited') preparation = undefined;
        return prepared.outcome;
      }
      if (args.join(' ') === 'config --list -z') return prepared.listing;
      return start({
        args: [...fixedArgs(root, prepared.excludesFile), ...hardenSubcommand(subcommand, args.slice(1))],
        cwd: root,
        environment: { ...gitEnvironment(root), ...renderOverrides(prepared.overrides), ...prepared.workTree },
        timeoutS: options.timeoutS ?? defaultTimeoutS,
        maxStdoutBytes: options.maxStdoutBytes ?? limits.externalStdoutBytes,
        stdin: options.stdin,
      });
    },
  };
}

/** What git opens whatever it is asked. Where one is a pipe git waits for ever, so it is not asked. */
const openedByGit = [
  '.git/HEAD',
  '.git/commondir',
  '.git/index',
  '.git/config',
  '.git/config.worktree',
  '.git/packed-refs',
  '.git/info/exclude',
  '.git/info/attributes',
  '.git/shallow',
  '.gitignore',
  '.gitattributes',
];

/** What is opened besides by those that look at commits and their objects. */
const openedForObjects = ['.git/info/grafts', '.git/objects/info/alternates'];
const readsObjects = ['rev-list', 'ls-tree', 'cat-file', 'status', 'merge-base', 'log'];

function findPipe(root: string, subcommand: string): string | undefined {
  const isPipe = (path: string) => {
    try {
      const found = statSync(`${root}/${path}`);
      return !found.isFile() && !found.isDirectory();
    } catch {
      // Not there, or not to be looked at: git says what is wrong with it.
      return false;
    }
  };
  const odd = [...openedByGit, ...(readsObjects.includes(subcommand) ? openedForObjects : [])].find(isPipe);
  const ref = odd === undefined && subcommand !== 'config' ? readHeadRef(root) : undefined;
  return odd ?? (ref !== undefined && isPipe(ref) ? ref : undefined);
}

const refBytes = 4096;

/** The file of the branch that is checked out, which is opened where HEAD is asked for. */
function readHeadRef(root: string): string | undefined {
  try {
    const head = `${root}/.git/HEAD`;
    if (statSync(head).size > refBytes) return undefined;
    const name = /^ref: (refs\/[^\0\n]+)/.exec(readFileSync(head, 'utf8'))?.[1];
    return name === undefined ? undefined : `.git/${name}`;
  } catch {
    return undefined;
  }
}

function isAllowed(subcommand: string, args: readonly string[]): boolean {
  if (!subcommands.includes(subcommand)) return false;
  const options = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  if (options.some((option) => refusedOption.test(option))) return false;
  return subcommand !== 'config' || configReads.some((read) => options.includes(read));
}

function fixedArgs(root: string, excludesFile: string): string[] {
  const settings = [
    'core.hooksPath=/dev/null',
    'core.fsmonitor=false',
    'core.untrackedCache=false',
    'core.pager=cat',
    'core.sshCommand=false',
    'credential.helper=',
    'diff.external=',
    'core.attributesFile=/dev/null',
    `core.excludesFile=${excludesFile}`,
    'protocol.allow=never',
    `safe.directory=${root}`,
  ];
  return [...settings.flatMap((setting) => ['-c', setting]), '-C', root, '--no-pager'];
}

/** What the configuration can switch on for these sub-commands is switched off again where the sub-command has a flag for it. */
function hardenSubcommand(subcommand: string, rest: readonly string[]): string[] {
  if (subcommand === 'status') return ['status', '--ignore-submodules=all', ...rest];
  if (subcommand !== 'log') return [subcommand, ...rest];
  return ['log', '--no-ext-diff', '--no-textconv', '--no-show-signature', '--submodule=short', ...rest];
}

/** The ceiling keeps git from finding a repository above the root, which another user may have put there. */
function gitEnvironment(root: string): Record<string, string> {
  return {
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_CEILING_DIRECTORIES: dirname(root),
    // A partial clone fetches missing objects by itself; newer gits can be told not to try.
    GIT_NO_LAZY_FETCH: '1',
  };
}

type Setting = readonly [key: string, value: string];

type Preparation =
  | {
      readonly kind: 'ready';
      readonly listing: ExecOutcome;
      readonly excludesFile: string;
      readonly overrides: readonly Setting[];
      readonly workTree: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'refused'; readonly outcome: ExecOutcome };

async function prepareGit(root: string, userEnvironment: Environment, start: StartGit): Promise<Preparation> {
  const [listing, excludesFile] = await Promise.all([
    start({
      args: [...fixedArgs(root, '/dev/null'), 'config', '--list', '-z'],
      cwd: root,
      environment: gitEnvironment(root),
      timeoutS: defaultTimeoutS,
      maxStdoutBytes: limits.stdoutBytes,
    }),
    findUserExcludes(userEnvironment, start),
  ]);
  if (listing.kind !== 'exited' || listing.code !== 0) return { kind: 'refused', outcome: listing };
  if (listing.truncated.stdout) {
    // What was cut off could name a program: as good as unreadable.
    return {
      kind: 'refused',
      outcome: { ...listing, code: 128, stderr: Buffer.from('fatal: configuration too large\n') },
    };
  }
  const keys = parseConfigKeys(listing.stdout);
  // A configuration that moves the work tree elsewhere would make us list files outside the root.
  const workTree = keys.includes('core.worktree') ? { GIT_WORK_TREE: root } : {};
  return { kind: 'ready', listing, excludesFile, overrides: planOverrides(keys), workTree };
}

/** Keys of a `config --list -z`: `key LF value NUL`, or `key NUL` for a setting without a value. */
export function parseConfigKeys(listing: Uint8Array): string[] {
  const entries = decodeLenient(listing).split('\0');
  return entries.map((entry) => entry.split('\n', 1)[0] ?? '').filter((key) => key !== '');
}

/** Every setting that names a program, blanked; a filter that is required must not be, because a blank one would be fatal. */
export function planOverrides(keys: readonly string[]): Setting[] {
  const overrides = new Map<string, string>();
  for (const key of keys) {
    if (/^(?:filter\..*\.(?:clean|smudge|process)|diff\..*\.(?:command|textconv)|gpg\.(?:.*\.)?program)$/is.test(key)) {
      overrides.set(key, '');
    }
    if (/^core\.(?:gitproxy|alternaterefscommand)$/i.test(key)) overrides.set(key, '');
    if (/^filter\..*\.[a-z]+$/is.test(key)) overrides.set(`${key.slice(0, key.lastIndexOf('.'))}.required`, 'false');
  }
  return [...overrides];
}

function renderOverrides(settings: readonly Setting[]): Record<string, string> {
  const rendered: Record<string, string> = { GIT_CONFIG_COUNT: String(settings.length) };
  for (const [index, [key, value]] of settings.entries()) {
    rendered[`GIT_CONFIG_KEY_${index}`] = key;
    rendered[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return rendered;
}

/** The ignore file the user's own git would use: asked of the user's global configuration, never of the repository's. */
async function findUserExcludes(user: Environment, start: StartGit): Promise<string> {
  const home = user['HOME'];
  if (home === undefined || !isAbsolute(home)) return '/dev/null';
  const configHome = user['XDG_CONFIG_HOME'] || join(home, '.config');
  const own = user['GIT_CONFIG_GLOBAL'];
  const configFiles = own === undefined ? [join(home, '.gitconfig'), join(configHome, 'git/config')] : [own];
  const byDefault = join(configHome, 'git/ignore');
  // Most often there is no such file, and a process less to start.
  const configured = configFiles.some((file) => existsSync(file))
    ? await askExcludes(home, configHome, own, start)
    : undefined;
  return [configured ?? byDefault].find((file) => isAbsolute(file) && existsSync(file)) ?? '/dev/null';
}

async function askExcludes(
  home: string,
  configHome: string,
  own: string | undefined,
  start: StartGit,
): Promise<string | undefined> {
  const outcome = await start({
    args: ['config', '--global', '--includes', '--type=path', '-z', '--get', 'core.excludesFile'],
    cwd: '/',
    environment: {
      HOME: home,
      XDG_CONFIG_HOME: configHome,
      ...(own === undefined ? {} : { GIT_CONFIG_GLOBAL: own }),
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CEILING_DIRECTORIES: '/',
    },
    timeoutS: defaultTimeoutS,
    maxStdoutBytes: limits.stdoutBytes,
  });
  if (outcome.kind !== 'exited' || outcome.code !== 0) return undefined;
  return decodeLenient(outcome.stdout).split('\0', 1)[0];
}
