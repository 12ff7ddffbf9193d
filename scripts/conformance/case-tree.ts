/** The tree of a case in a temporary directory of its own, and what a session over a tree is opened with. */

import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export type CaseFiles = readonly { readonly path: string; readonly text: string }[];

/** The caller removes `base`. */
export function makeCaseTree(files: CaseFiles): {
  readonly base: string;
  readonly root: string;
  readonly stateDir: string;
} {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'codegenie-case-')));
  const root = join(base, 'tree');
  const stateDir = join(base, 'data');
  mkdirSync(root);
  mkdirSync(stateDir, { mode: 0o700 });
  for (const { path, text } of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return { base, root, stateDir };
}

/** For one reader in this process; no watcher runs. */
export function quietSettings(root: string, stateDir: string, isGit: boolean, signal: AbortSignal) {
  return {
    root,
    isGit,
    stateDir,
    cacheDir: stateDir,
    environment: process.env,
    extraExtensions: new Map<string, string>(),
    nowMs: Date.now,
    signal,
    onProgress: () => {},
    waitMs: 10_000,
    workers: 1,
    random: () => randomBytes(8).toString('hex'),
    onStep: () => {},
  };
}
