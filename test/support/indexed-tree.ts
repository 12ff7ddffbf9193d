/** A tree of files with a code index of its own, in a temporary directory: real git, real workers, real SQLite. */

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { giveUpStore } from '../../src/index/store/current-file.ts';
import { checkInvariants } from '../../src/index/store/invariants.ts';
import { type IndexSession, openIndexSession, type SessionSettings } from '../../src/index/sync/index-session.ts';
import { renderDump } from './canonical-dump.ts';
import { commitAll, initRepository } from './new-repository.ts';
import { sharedPool } from './shared-pool.ts';

export type IndexedTree = {
  /** Holds the root and the data dir; also a place outside of both. */
  readonly base: string;
  readonly root: string;
  readonly stateDir: string;
  write(path: string, content: string | Uint8Array): void;
  remove(path: string): void;
  git(...args: string[]): string;
  /** The session of this tree; opened once, closed by `dispose`. */
  session(): Promise<IndexSession>;
  /** As the program does when a question finds the store damaged. */
  forgetStore(): Promise<void>;
  /** Ends the session; the next `session()` opens the store again. */
  closeSession(): Promise<void>;
  /** What the session's store holds, after a full reconcile. */
  dump(): Promise<string>;
  /** What a store built from nothing holds. */
  cleanDump(): Promise<string>;
  dispose(): Promise<void>;
};

export function createIndexedTree(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: { readonly git?: boolean /** Of the root directory. */; readonly name?: string } = {},
): IndexedTree {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'codegenie-')));
  const root = join(base, options.name ?? 'tree');
  const stateDir = join(base, 'data');
  const isGit = options.git ?? true;
  mkdirSync(root);
  mkdirSync(stateDir, { mode: 0o700 });
  let open: IndexSession | undefined;
  let cleanCount = 0;

  const tree: IndexedTree = {
    base,
    root,
    stateDir,
    write(path, content) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    },
    remove: (path) => rmSync(join(root, path), { recursive: true, force: true }),
    git: (...args) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
        cwd: root,
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], HOME: base, GIT_CONFIG_NOSYSTEM: '1' },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    async session() {
      open ??= await openSession(root, stateDir, isGit);
      return open;
    },
    async forgetStore() {
      await tree.closeSession();
      giveUpStore(stateDir);
    },
    async closeSession() {
      await open?.close();
      open = undefined;
    },
    async dump() {
      const session = await tree.session();
      await session.reconcile('all');
      return dumpOf(session);
    },
    async cleanDump() {
      cleanCount += 1;
      const other = join(base, `clean-${cleanCount}`);
      mkdirSync(join(other, 'state'), { recursive: true, mode: 0o700 });
      // Secrets are stored as keyed hashes: equal stores have the same key.
      cpSync(join(stateDir, 'state/key'), join(other, 'state/key'));
      const session = await openSession(root, other, isGit);
      try {
        return dumpOf(session);
      } finally {
        await session.close();
        rmSync(other, { recursive: true });
      }
    },
    async dispose() {
      await open?.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
  for (const [path, content] of Object.entries(files)) tree.write(path, content);
  if (isGit) {
    initRepository(root);
    commitAll(root, {
      message: 'first',
      author: { name: 't', email: 't@example.com' },
      environment: { PATH: process.env['PATH'], HOME: base, GIT_CONFIG_NOSYSTEM: '1' },
    });
  }
  return tree;
}

/** What a session over a tree is opened with when nothing particular is asked of it. */
export function sessionSettings(root: string, stateDir: string, isGit: boolean): SessionSettings {
  return {
    root,
    isGit,
    stateDir,
    cacheDir: stateDir,
    environment: process.env,
    extraExtensions: new Map(),
    nowMs: Date.now,
    signal: new AbortController().signal,
    onProgress: () => {},
    pool: sharedPool(),
  };
}

async function openSession(root: string, stateDir: string, isGit: boolean): Promise<IndexSession> {
  const opened = await openIndexSession({ ...sessionSettings(root, stateDir, isGit), waitMs: 100_000 });
  if (opened.kind !== 'open') throw new Error(`the index did not open: ${JSON.stringify(opened)}`);
  return opened.session;
}

function dumpOf(session: IndexSession): string {
  const broken = session.facts.read(checkInvariants);
  if (broken.length > 0) throw new Error(`invariants do not hold: ${JSON.stringify(broken)}`);
  return session.facts.read(renderDump);
}
