/** An edit in the body of a function of the most imported file: who stays clean, and how soon `status` knows. */

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFileStates } from '../../src/index/freshness/file-states.ts';
import { listDependents } from '../../src/index/store/stored-facts.ts';
import { findFile } from '../../src/index/store/stored-files.ts';
import type { IndexSession } from '../../src/index/sync/index-session.ts';
import { openSessionView } from '../../src/index/view/code-view.ts';
import { answerFrom } from '../../src/serve/operations/run-operation.ts';
import status from '../../src/serve/operations/status.ts';
import { createTable, median, ms, time } from '../figures.ts';
import { openIndex, world } from './open-index.ts';
import { listSources } from './projects.ts';

const rounds = 11;

type Edited = { readonly path: string; readonly importers: readonly string[]; readonly isClosed: boolean };

/** And of the most imported one whose interface is closed, if the other's is not. */
export async function benchBodyEdit(name: string, root: string): Promise<void> {
  const session = await openIndex(root);
  try {
    const files = listImported(session, root);
    const chosen = new Set([files[0], files.find(({ isClosed }) => isClosed)]);
    for (const file of chosen) if (file !== undefined) await benchFile(name, root, session, file);
  } finally {
    await session.close();
  }
}

async function benchFile(name: string, root: string, session: IndexSession, file: Edited): Promise<void> {
  const { path, importers, isClosed } = file;
  const before = readFileSync(join(root, path), 'utf8');
  try {
    const [known, swept, git]: [number[], number[], number[]] = [[], [], []];
    let clean = importers.length;
    for (let round = 0; round < rounds; round += 1) {
      writeFileSync(join(root, path), editBody(before, 2 * round) ?? before);
      git.push(await time(() => execFileSync('git', ['-C', root, 'status', '--porcelain=v2'])));
      known.push(await time(() => askStatus(root, session, path, [path])));
      clean = Math.min(clean, await countClean(root, session, importers));
      writeFileSync(join(root, path), editBody(before, 2 * round + 1) ?? before);
      swept.push(await time(() => askStatus(root, session, path, 'all')));
      clean = Math.min(clean, await countClean(root, session, importers));
    }
    const table = createTable(
      `${name}: an edit in a body of \`${path}\`, interface ${isClosed ? 'closed' : 'not closed'}, ${rounds} rounds`,
    );
    table.add({
      measure: 'importers that stay clean',
      ours: `${clean} of ${importers.length}`,
      ...(isClosed ? { target: { says: 'all of them', value: importers.length - clean, most: 0 } } : {}),
    });
    const peer = `git status ${ms(git)}`;
    const row = (measure: string, times: readonly number[]) =>
      table.add({ measure, ours: ms(times), peer, ratio: median(times) / median(git) });
    row('`status` knows, the file named by a watcher', known);
    row('`status` knows, every file compared with the disk', swept);
  } finally {
    writeFileSync(join(root, path), before);
    await session.reconcile('all');
  }
}

/** Files with a body to edit, the most imported ones first. */
function listImported(session: IndexSession, root: string): readonly Edited[] {
  const files = listSources(root).flatMap((path) => {
    if (editBody(readFileSync(join(root, path), 'utf8'), 0) === undefined) return [];
    const dependents = session.facts.read((moment) => listDependents(moment, path));
    const importers = [...new Set(dependents.map((one) => one.path))].filter((one) => one !== path);
    const isClosed = session.facts.read((moment) => findFile(moment, path)?.ifaceClosed === true);
    return [{ path, importers, isClosed }];
  });
  return files.sort((a, b) => b.importers.length - a.importers.length);
}

/** A statement before the first `return` that is indented, which is one of a body. */
function editBody(text: string, round: number): string | undefined {
  const edited = text.replace(/\n( +)return\b/, (found, indent: string) => `\n${indent}void ${round};${found}`);
  return edited === text ? undefined : edited;
}

async function askStatus(
  root: string,
  session: IndexSession,
  path: string,
  changed: readonly string[] | 'all',
): Promise<void> {
  await session.reconcile(changed === 'all' ? 'all' : new Set(changed));
  const outcome = await answerFrom(status, {}, await openSessionView(root, session, 'none'), world);
  if (outcome.kind !== 'answered') throw new Error(outcome.kind);
  const { unsettled } = outcome.answer.semantic;
  if (!unsettled.some((one) => one.path === path && one.freshness === 'dirty')) {
    throw new Error(`status does not call ${path} dirty: ${JSON.stringify(unsettled)}`);
  }
}

async function countClean(root: string, session: IndexSession, paths: readonly string[]): Promise<number> {
  const states = createFileStates(await openSessionView(root, session, 'none'));
  return paths.filter((path) => states.of(path).freshness === 'clean').length;
}
