/** `codegenie state` and `codegenie clean`: what is kept of work trees in the user's own directories, and how to be rid of it. */

import { type Command, defineCommand, type Invocation, printJson, repoArgument } from '../command.ts';

export default [
  defineCommand({
    name: 'state',
    says: 'List what codegenie keeps of work trees outside of them: where, how much, and of which trees that are gone',
    args: [],
    flags: [],
    async run(invocation) {
      const { globals, terminal } = invocation;
      const trees = await readTrees(invocation);
      if (globals.json) {
        printJson(terminal, { outcome: 'ok', trees });
        return 'ok';
      }
      const { formatBytes } = await import('../../kernel/base/quantities.ts');
      const { quotedPath } = await import('../../kernel/base/text.ts');
      if (trees.length === 0) terminal.stdout.write('nothing is kept\n');
      for (const { root, exists, state_dir, cache_dir, state_bytes, cache_bytes } of trees) {
        const name = root === null ? 'a tree that is not noted' : quotedPath(root);
        terminal.stdout.write(`${name}${exists ? '' : ' (gone)'}\n`);
        terminal.stdout.write(`  state  ${formatBytes(state_bytes)}  ${quotedPath(state_dir)}\n`);
        if (cache_dir !== state_dir)
          terminal.stdout.write(`  cache  ${formatBytes(cache_bytes)}  ${quotedPath(cache_dir)}\n`);
      }
      return 'ok';
    },
  }),
  defineCommand({
    name: 'clean',
    says: 'Remove the index and the caches of a work tree, which costs time to build again',
    args: [repoArgument],
    flags: [
      { flags: '--all', says: 'also what cannot be derived again: plans, decisions, copies for undo', kind: 'boolean' },
      { flags: '--gone', says: 'everything of trees that are not there any more', kind: 'boolean' },
    ],
    async run(invocation) {
      const { flags, globals, terminal } = invocation;
      const { endWith, locateForCommand, settingsOf } = await import('../ask.ts');
      const { ownDirsOf, removeDerived, removeKeptTree } = await import('../../kernel/base/own-dirs.ts');
      const { takeWriterLock } = await import('../../index/store/writer-lock.ts');
      const { isFull, whyRefused } = await import('../../serve/operations/answer-words.ts');
      const { existsSync } = await import('node:fs');
      const settings = settingsOf(invocation);
      const removed: string[] = [];
      const say = () => {
        if (globals.json) printJson(terminal, { outcome: 'ok', removed });
        else if (!globals.quiet)
          terminal.stdout.write(
            removed.length === 0 ? 'nothing to remove\n' : removed.map((path) => `removed ${path}\n`).join(''),
          );
        return 'ok' as const;
      };
      if (flags['gone'] === true) {
        for (const { root, exists, state_dir, cache_dir } of await readTrees(invocation)) {
          if (root === null || exists) continue;
          removeKeptTree({ stateDir: state_dir, cacheDir: cache_dir });
          removed.push(...new Set([state_dir, cache_dir]));
        }
        return say();
      }
      const located = await locateForCommand(invocation, invocation.args[0]);
      if (located.kind === 'ended') return located.ending;
      const dirs = ownDirsOf({ ...settings, root: located.root });
      if (!existsSync(dirs.stateDir) && !existsSync(dirs.cacheDir)) return say();
      const lock = await takeWriterLock({ stateDir: dirs.stateDir, waitMs: 0, signal: terminal.signal });
      if (lock.kind === 'busy')
        return endWith(
          invocation,
          'busy',
          `process ${lock.holder?.pid ?? 'unknown'} keeps the index of ${located.root}; \`codegenie daemon stop\` ends a daemon`,
        );
      // On a full disk no process gets the lock, this one neither: none writes, and what is removed is the room that is wanted.
      if (lock.kind === 'refused' && !isFull(lock)) return endWith(invocation, 'output_refused', whyRefused(lock));
      try {
        removed.push(...removeDerived(dirs));
      } finally {
        if (lock.kind !== 'refused') lock.release();
      }
      if (flags['all'] === true) {
        removeKeptTree(dirs);
        removed.push(...new Set([dirs.stateDir, dirs.cacheDir]));
      }
      return say();
    },
  }),
] satisfies readonly Command[];

type ShownTree = {
  readonly root: string | null;
  readonly exists: boolean;
  readonly state_dir: string;
  readonly cache_dir: string;
  readonly state_bytes: number;
  readonly cache_bytes: number;
};

async function readTrees(invocation: Invocation): Promise<readonly ShownTree[]> {
  const { settingsOf } = await import('../ask.ts');
  const { listKeptTrees, measureDirectory } = await import('../../kernel/base/own-dirs.ts');
  const { existsSync } = await import('node:fs');
  return listKeptTrees(settingsOf(invocation)).map(({ root, stateDir, cacheDir }) => ({
    root,
    exists: root !== null && existsSync(root),
    state_dir: stateDir,
    cache_dir: cacheDir,
    state_bytes: measureDirectory(stateDir).bytes,
    cache_bytes: cacheDir === stateDir ? 0 : measureDirectory(cacheDir).bytes,
  }));
}
