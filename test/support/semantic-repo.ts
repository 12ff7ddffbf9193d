/** A repository that is asked about through the command line, with real indexers: what `status` and `index --semantic` say of it. */

import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256Hex } from '../../src/kernel/base/hash.ts';
import { createIndexedTree, type IndexedTree } from './indexed-tree.ts';
import { type CliEnding, runCli } from './run-cli.ts';

/** The parts of an answer that tests look at; see `describe-semantics.ts`. */
export type SemanticAnswer = {
  readonly state: string;
  readonly files: { readonly by_freshness: Readonly<Record<string, number>> };
  readonly contexts: readonly {
    readonly key: string;
    readonly probe: string;
    readonly detail: string | null;
    readonly job: string;
    readonly last_job: { readonly status: string; readonly failure: string | null; readonly detail: string | null } | null;
  }[];
  readonly jobs: { readonly queued: number; readonly running: number; readonly failed: number };
  readonly symbols: number;
  readonly occurrences: number;
  readonly unsettled: readonly { readonly path: string; readonly freshness: string; readonly why: string | null }[];
};

export type RefreshedAnswer = {
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
};

export type SemanticRepo = Pick<IndexedTree, 'base' | 'root' | 'write' | 'remove' | 'git' | 'dispose'> & {
  readonly dataDir: string;
  run(...argv: string[]): Promise<CliEnding>;
  status(): Promise<SemanticAnswer>;
  /** Files that are not clean: freshness and why, by path. */
  unsettled(): Promise<Readonly<Record<string, string>>>;
  index(): Promise<{ readonly refreshed: RefreshedAnswer; readonly semantic: SemanticAnswer }>;
  /** Places of references to what is at `file:line:col`, as `path:line:col`, in order. */
  refs(at: string): Promise<readonly string[]>;
  /** Where jobs of this root have their directories; nothing is there when none runs. */
  hasJobDirs(): boolean;
};

export function createSemanticRepo(files: Readonly<Record<string, string>>): SemanticRepo {
  const tree = createIndexedTree(files);
  const run = (...argv: string[]) => runCli(argv, { cwd: tree.root, home: tree.base });
  const ask = async (...argv: string[]) => {
    const ending = await run(...argv, '--json');
    if (ending.code !== 0) throw new Error(`${argv.join(' ')}: ${ending.code} ${ending.stderr}${ending.stdout}`);
    return JSON.parse(ending.stdout);
  };
  return {
    ...tree,
    dataDir: join(tree.root, '.codegenie'),
    run,
    status: async () => (await ask('status')).semantic,
    async unsettled() {
      const { unsettled } = (await ask('status')).semantic as SemanticAnswer;
      return byPath(unsettled);
    },
    index: () => ask('index', '--semantic'),
    async refs(at) {
      type Files = readonly { path: string; hits: readonly { line: number; col: number }[] }[];
      const { files } = (await ask('refs', at)) as { files: Files };
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
