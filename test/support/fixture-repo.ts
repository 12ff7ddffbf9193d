/** A repository and a home of its own in a temporary directory, gathered through the real workspace. */

import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Probe } from '../../src/gather/contract.ts';
import type { GatherOutcome } from '../../src/gather/gather.ts';
import type { Envelope, ProbeRecord } from '../../src/gather/publish/envelope.ts';
import { withoutVolatile } from '../../src/gather/run/coordinate.ts';
import type { Json } from '../../src/kernel/base/json.ts';
import { ownDirsOf } from '../../src/kernel/base/own-dirs.ts';
import { createLocalWorkspace } from '../../src/serve/workspace/local-workspace.ts';
import type { GatherAsk, Workspace } from '../../src/serve/workspace/workspace.ts';
import { commitAll, initRepository } from './new-repository.ts';
import { sharedPool } from './shared-pool.ts';

export type Published = Extract<GatherOutcome, { kind: 'published' }>;

export type FixtureRepo = {
  readonly base: string;
  readonly root: string;
  readonly home: string;
  /** Where this user's program keeps what it derives of the root. */
  readonly stateDir: string;
  readonly cacheDir: string;
  /** `~/` is the fixture's home. */
  write(path: string, content: string | Uint8Array): void;
  git(...args: string[]): string;
  commit(message?: string): void;
  workspace(settings?: FixtureSettings): Workspace;
  gather(ask?: Partial<GatherAsk>, settings?: FixtureSettings): Promise<GatherOutcome>;
  /** A gather that must be published. */
  publish(ask?: Partial<GatherAsk>, settings?: FixtureSettings): Promise<Published>;
  /** Every file below the root but `.git` and the data dir, with its content: what a gather must not change. */
  tree(): Record<string, string>;
  /** Everything codegenie wrote, as one text per file. */
  written(): Record<string, string>;
  dispose(): void;
};

export type FixtureSettings = {
  readonly probes?: readonly Probe[];
  readonly nowMs?: () => number;
  readonly signal?: AbortSignal;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly isGit?: boolean;
  /** Where it is not the fixture's: nothing of it is made, and `environment` has to say where things are kept. */
  readonly home?: string;
};

export function createFixtureRepo(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  options: {
    readonly git?: boolean;
    /** False: the branch has no commit yet. */
    readonly committed?: boolean;
    /** A folder that the first commit leaves out. */
    readonly uncommitted?: string;
  } = {},
): FixtureRepo {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'codegenie-')));
  const root = join(base, 'repo');
  const home = join(base, 'home');
  mkdirSync(root);
  mkdirSync(home);
  const withGit = options.git ?? true;
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
    });
  if (withGit) initRepository(root);
  const commitWith = (message: string, paths: readonly string[] = []) =>
    commitAll(root, {
      message,
      paths,
      author: { name: 'a', email: 'a@example.com' },
      environment: { PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
    });
  const repo: FixtureRepo = {
    base,
    root,
    home,
    ...ownDirsOf({ root, home, environment: {} }),
    git,
    write(path, content) {
      const file = path.startsWith('~/') ? join(home, path.slice(2)) : join(root, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    },
    commit: (message = 'change') => commitWith(message),
    workspace(settings = {}) {
      return createLocalWorkspace({
        root,
        home: settings.home ?? home,
        isGit: settings.isGit ?? withGit,
        environment: settings.environment ?? { PATH: process.env['PATH'], HOME: home },
        cliVersion: '0.0.0',
        nowMs: settings.nowMs ?? Date.now,
        signal: settings.signal ?? new AbortController().signal,
        pool: sharedPool(),
        ...(settings.probes === undefined ? {} : { probes: settings.probes }),
      });
    },
    gather(ask = {}, settings = {}) {
      return repo.workspace(settings).gather({
        task: null,
        only: null,
        // Seconds each time; tests about it ask for it by name.
        skip: ask.only == null && settings.probes === undefined ? ['semgrep'] : [],
        mode: 'default',
        maxConcurrency: null,
        onProgress: () => {},
        ...ask,
      });
    },
    async publish(ask, settings) {
      const outcome = await repo.gather(ask, settings);
      if (outcome.kind !== 'published') throw new Error(`not published: ${JSON.stringify(outcome).slice(0, 2000)}`);
      return outcome;
    },
    tree: () => readTree(root, (name) => name !== '.git' && name !== '.codegenie'),
    written: () => ({
      ...readIfThere(join(root, '.codegenie'), ''),
      ...readIfThere(repo.stateDir, 'state dir: '),
      ...readIfThere(repo.cacheDir, 'cache dir: '),
    }),
    dispose: () => rmSync(base, { recursive: true, force: true }),
  };
  for (const [path, content] of Object.entries(files)) repo.write(path, content);
  if (withGit && options.committed !== false)
    commitWith('fixture', ['--', '.', ...(options.uncommitted === undefined ? [] : [`:!${options.uncommitted}`])]);
  return repo;
}

function readIfThere(directory: string, prefix: string): Record<string, string> {
  if (!existsSync(directory)) return {};
  return Object.fromEntries(
    Object.entries(readTree(directory, () => true)).map(([path, text]) => [`${prefix}${path}`, text]),
  );
}

export function readTree(directory: string, enters: (name: string) => boolean = () => true): Record<string, string> {
  const found: Record<string, string> = {};
  const visit = (below: string): void => {
    for (const name of readdirSync(join(directory, below)).sort()) {
      if (below === '' && !enters(name)) continue;
      const path = below === '' ? name : `${below}/${name}`;
      const stat = lstatSync(join(directory, path), { throwIfNoEntry: false });
      if (stat?.isDirectory() === true) visit(path);
      else if (stat?.isSymbolicLink() === true) found[path] = `link to ${readlinkSync(join(directory, path))}`;
      else if (stat?.isFile() === true) found[path] = readFileSync(join(directory, path)).toString('latin1');
    }
  };
  visit('');
  return found;
}

export function recordOf(envelope: Envelope, probe: string): ProbeRecord {
  const record = envelope.probes[probe];
  if (record === undefined) throw new Error(`no probe ${probe}`);
  return record;
}

/** The document without the fields that may differ between two gathers of the same bytes. */
export function stableText(envelope: Envelope): string {
  return JSON.stringify(withoutVolatile(envelope as unknown as Json), null, 1);
}
