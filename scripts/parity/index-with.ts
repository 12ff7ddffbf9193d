/** One indexer on one tree, as a refresh would run it: planned by its adapter, in the sandbox where there is one. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeJobDir, removeJobDir } from '../../src/index/semantic/indexers/job-dir.ts';
import { probeIndexer } from '../../src/index/semantic/indexers/probe-indexer.ts';
import { type IndexerRun, runIndexer } from '../../src/index/semantic/indexers/run-indexer.ts';
import { silentLogger } from '../../src/kernel/base/log.ts';
import { createExecHost } from '../../src/kernel/exec/exec-host.ts';
import type { IndexerAdapter } from '../../src/languages/indexers/indexer-adapter.ts';

export type Tree = {
  /** Realpath. */
  readonly root: string;
  readonly configPath: string | null;
  readonly members: readonly string[];
};

/** `use` gets the run while its output is there. */
export async function indexWith<T>(
  adapter: IndexerAdapter,
  { root, configPath, members }: Tree,
  scope: readonly string[] | null,
  use: (run: IndexerRun) => T | Promise<T>,
): Promise<T> {
  const environment = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
  const host = createExecHost({ root, environment, toolPaths: {}, logger: silentLogger });
  const jobDir = makeJobDir({ root, environment: process.env, job: `parity-${adapter.id}-${process.pid}` });
  const { signal } = new AbortController();
  const exec = host.bind({ name: 'parity', signal, workspace: jobDir });
  try {
    const probe = await probeIndexer(adapter, { host, exec, repoRoot: root, environment });
    const context = {
      key: `ts:${configPath ?? ''}`,
      family: adapter.family,
      root: '',
      configPath,
      config: {},
      members,
    };
    const settings = { exec, repoRoot: root, jobDir, maxFileMb: 4, probe, signal, scope };
    return await use(await runIndexer(adapter, context, settings));
  } finally {
    await host.killAll();
    removeJobDir(jobDir);
  }
}

const source = /\.(?:[cm]?ts|tsx|[cm]?js|jsx)$/;

/** Every source file that is not installed, sorted. JavaScript only where it is asked for. */
export function listSources(root: string, withJavaScript: boolean): string[] {
  const found: string[] = [];
  for (const entry of readdirSync(root, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name).slice(root.length + 1);
    if (!entry.isFile() || !source.test(path) || path.split('/').includes('node_modules')) continue;
    if (withJavaScript || /\.(?:[cm]?ts|tsx)$/.test(path)) found.push(path);
  }
  return found.sort();
}
