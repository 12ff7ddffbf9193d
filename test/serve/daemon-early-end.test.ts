/** A tree that vanishes while its daemon starts: it looks after the tree from its first moment, ends by itself, and makes nothing anew. */

import { existsSync, renameSync, rmSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import type { IndexProgress } from '../../src/index/sync/reconcile.ts';
import { type DaemonSettings, runDaemon } from '../../src/serve/daemon/run-daemon.ts';
import { createDaemonRepo, settingsFor } from '../support/daemon-world.ts';
import type { FixtureRepo } from '../support/fixture-repo.ts';

let repo: FixtureRepo | undefined;
afterEach(() => {
  repo?.dispose();
  repo = undefined;
});

const files = Object.fromEntries(
  Array.from({ length: 40 }, (_, n) => [
    `src/f${n}.ts`,
    `import { v${n + 1} } from './f${n + 1}';\nexport const v${n} = v${n + 1};\n`,
  ]),
);

function start(of: FixtureRepo, given: Partial<DaemonSettings>) {
  return runDaemon({
    ...settingsFor(of, new AbortController().signal),
    watch: false,
    indexers: 'asked',
    waitMs: 100_000,
    port: null,
    background: false,
    onListening: () => {},
    onProgress: () => {},
    onEvent: () => {},
    onRefresh: () => {},
    times: { lookMs: 1 },
    ...given,
  });
}

const ends: Readonly<Record<string, (root: string) => void>> = {
  deleted: (root) => rmSync(root, { recursive: true }),
  'moved away': (root) => renameSync(root, `${root}-moved`),
};

const moments: readonly (IndexProgress['step'] | 'listening')[] = ['listening', 'listing', 'describing'];

test.each(moments.flatMap((moment) => Object.keys(ends).map((how) => [how, moment] as const)))(
  'its tree is %s at %s: it ends, and nothing is there again',
  async (how, moment) => {
    const made = createDaemonRepo(files);
    repo = made;
    let done = false;
    const act = () => {
      if (!done) ends[how]?.(made.root);
      done = true;
    };
    const outcome = await start(made, {
      onListening: () => {
        if (moment === 'listening') act();
      },
      onProgress: ({ step }) => {
        if (step === moment) act();
      },
    });
    expect(done).toBe(true);
    expect(outcome).toMatchObject({ kind: 'ended', why: expect.stringContaining('is gone') });
    expect(existsSync(made.root)).toBe(false);
    rmSync(`${made.root}-moved`, { recursive: true, force: true });
  },
);
