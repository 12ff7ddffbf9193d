/** A repository that is asked about through the command line, with real indexers: what `status` and `index --semantic` say of it. */

import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RefreshEvent } from '../../src/index/refresh/refresher.ts';
import { sha256Hex } from '../../src/kernel/base/hash.ts';
import { ownDirsOf } from '../../src/kernel/base/own-dirs.ts';
import index from '../../src/serve/operations/index.ts';
import { createLocalWorkspace } from '../../src/serve/workspace/local-workspace.ts';
import { createIndexedTree, type IndexedTree } from './indexed-tree.ts';
import { type CliEnding, runCli } from './run-cli.ts';
import { sharedPool } from './shared-pool.ts';

/** The parts of an answer that tests look at; see `describe-semantics.ts`. */
type SemanticAnswer = {
  readonly state: string;
  readonly files: { readonly by_freshness: Readonly<Record<string, number>> };
  readonly contexts: readonly {
    readonly key: string;
    readonly probe: string;
    readonly detail: string | null;
    readonly job: string;
    readonly last_job: {
      readonly status: string;
      readonly failure: string | null;
      readonly detail: string | null;
    } | null;
  }[];
  readonly jobs: { readonly queued: number; readonly running: number; readonly failed: number };
  readonly symbols: number;
  readonly occurrences: number;
  readonly unsettled: readonly { readonly path: string; readonly freshness: string; readonly why: string | null }[];
};

type RefreshedAnswer = {
  readonly jobs: readonly {
    readonly context: string;
    readonly status: string;
    readonly by: string | null;
    readonly accepted: number;
    readonly rejected: number;
    readonly failure: string | null;
    readonly detail: string | null;
  }[];
  readonly waiting: readonly string[];
  readonly running: readonly string[];
};

type IndexAnswer = {
  /** Of the process. */
  readonly code: number;
  readonly refreshed: RefreshedAnswer;
  readonly semantic: SemanticAnswer;
};

export type SemanticRepo = Pick<IndexedTree, 'base' | 'root' | 'write' | 'remove' | 'git' | 'dispose'> & {
  readonly stateDir: string;
  run(...argv: string[]): Promise<CliEnding>;
  status(): Promise<SemanticAnswer>;
  /** Beside PATH and HOME, for a process that a test starts itself. */
  readonly environment: Readonly<Record<string, string>>;
  /** Files that are not clean: freshness and why, by path. */
  unsettled(): Promise<Readonly<Record<string, string>>>;
  /** `--semantic`; also where indexers fail, which is an answer too. */
  index(...flags: string[]): Promise<IndexAnswer>;
  /** The same by the façade, which tells what happens while it happens. */
  indexWatched(onRefresh: (event: RefreshEvent) => void): Promise<IndexAnswer>;
  /** From what is indexed: places of references to what is at `file:line:col`, as `path:line:col`, in order. */
  refs(at: string): Promise<readonly string[]>;
  /** Where jobs of this root have their directories; nothing is there when none runs. */
  hasJobDirs(): boolean;
};

export function createSemanticRepo(files: Readonly<Record<string, string>>): SemanticRepo {
  const tree = createIndexedTree(files);
  // State and cache in one directory, so that a test can open what a command left.
  const environment = { CODEGENIE_STATE_DIR: join(tree.base, 'own') };
  const place = { root: tree.root, home: tree.base, environment };
  const run = (...argv: string[]) => runCli(argv, { cwd: tree.root, home: tree.base, environment });
  const ask = async (...argv: string[]) => {
    const ending = await run(...argv, '--json');
    if (ending.code !== 0) throw new Error(`${argv.join(' ')}: ${ending.code} ${ending.stderr}${ending.stdout}`);
    return JSON.parse(ending.stdout);
  };
  return {
    ...tree,
    environment,
    stateDir: ownDirsOf(place).stateDir,
    run,
    status: async () => (await ask('status')).semantic,
    async unsettled() {
      const { unsettled } = (await ask('status')).semantic as SemanticAnswer;
      return byPath(unsettled);
    },
    async index(...flags) {
      const { code, stdout, stderr } = await run('index', '--semantic', '--json', ...flags);
      if (stdout === '') throw new Error(`index: ${code} ${stderr}`);
      return { ...JSON.parse(stdout), code };
    },
    async indexWatched(onRefresh) {
      const workspace = createLocalWorkspace({
        root: tree.root,
        isGit: true,
        home: tree.base,
        environment: { PATH: process.env['PATH'], HOME: tree.base, ...environment },
        cliVersion: '0.0.0',
        nowMs: Date.now,
        signal: new AbortController().signal,
        pool: sharedPool(),
      });
      const asked = { waitMs: 100_000, onProgress: () => {}, refresh: { waitMs: null }, onRefresh };
      const outcome = await workspace.ask(index, {}, asked);
      if (outcome.kind !== 'answered') throw new Error(outcome.kind);
      const { refreshed, semantic } = outcome.answer;
      if (refreshed === null) throw new Error('another process has the index');
      return { refreshed, semantic, code: 0 };
    },
    async refs(at) {
      type Files = readonly { path: string; hits: readonly { line: number; col: number }[] }[];
      const { files } = (await ask('refs', at, '--as-indexed')) as { files: Files };
      return files.flatMap(({ path, hits }) => hits.map(({ line, col }) => `${path}:${line}:${col}`));
    },
    hasJobDirs: () =>
      ['/dev/shm', tmpdir()].some((base) =>
        existsSync(join(base, `codegenie-${process.getuid?.() ?? 'user'}`, sha256Hex(tree.root).slice(0, 16))),
      ),
  };
}

export function byPath(
  states: readonly { readonly path: string; readonly freshness: string; readonly why: string | null }[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(states.map(({ path, freshness, why }) => [path, `${freshness}: ${why}`]));
}
