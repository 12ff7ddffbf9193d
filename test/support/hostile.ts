/** What every adversarial gather owes: it goes on, and nothing but the data dir is touched. */

import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Envelope } from '../../src/gather/publish/envelope.ts';
import type { GatherAsk } from '../../src/serve/workspace/workspace.ts';
import type { FixtureRepo, FixtureSettings, Published } from './fixture-repo.ts';

/** A gather that must be published and must leave everything outside the data dir as it was, the folders beside the root too. */
export async function publishUnharmed(
  repo: FixtureRepo,
  ask?: Partial<GatherAsk>,
  settings?: FixtureSettings,
): Promise<Published> {
  const before = everythingElse(repo);
  const outcome = await repo.publish(ask, settings);
  expect(everythingElse(repo)).toEqual(before);
  return outcome;
}

/** Every file of the fixture but git's own, the data dir and what is kept below the home: size, time of change and target, so that large files cost nothing. */
export function everythingElse(repo: FixtureRepo): Record<string, string> {
  const found: Record<string, string> = {};
  const ours = new Set(['.git', '.codegenie'].map((name) => join(repo.root, name)));
  for (const name of ['.local', '.cache', '.codegenie/state']) ours.add(join(repo.home, name));
  const visit = (directory: string): void => {
    for (const name of readdirSync(directory).sort()) {
      const path = join(directory, name);
      if (ours.has(path)) continue;
      const stat = lstatSync(path);
      const target = stat.isSymbolicLink() ? readlinkSync(path) : '';
      if (stat.isDirectory()) visit(path);
      // It may have been made for the user's key.
      if (path === join(repo.home, '.codegenie')) continue;
      found[path.slice(repo.base.length)] = stat.isDirectory()
        ? 'directory'
        : `${stat.mode} ${stat.size} ${stat.ctimeMs} ${target}`;
    }
  };
  visit(repo.base);
  return found;
}

/** Probes that did not come to a normal end, with their ids: empty when all others went on. */
export function troubled(envelope: Envelope): Record<string, readonly string[]> {
  return Object.fromEntries(
    Object.entries(envelope.probes).flatMap(([name, { status, errors }]) =>
      status === 'ok' || status === 'skipped' ? [] : [[name, errors] as const],
    ),
  );
}

export const contextFile = (repo: FixtureRepo): string => join(repo.root, '.codegenie/context/repo-context.yaml');
export const readContext = (repo: FixtureRepo): string => readFileSync(contextFile(repo), 'utf8');

/** Does a text occur in anything that was written? */
export function isWritten(repo: FixtureRepo, text: string): boolean {
  return Object.values(repo.written()).some((content) => content.includes(text));
}

/** The cache state of every probe that delivered and may be cached, by name: what was skipped is never stored. */
export function cacheStates(envelope: Envelope): Record<string, string> {
  return Object.fromEntries(
    Object.entries(envelope.probes)
      .filter(([, record]) => record.cache.state !== 'none' && record.status !== 'skipped')
      .map(([name, record]) => [name, record.cache.state]),
  );
}
