/**
 * Two command lines and a server at once on one root (code-plane.md §11, C9), as real processes: every command answers or is busy, and
 * afterwards the store is sound and holds everything. And Ctrl-C in the middle of a build.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { checkInvariants } from '../../src/index/store/invariants.ts';
import { takeWriterLock } from '../../src/index/store/writer-lock.ts';
import { openIndexSession } from '../../src/index/sync/index-session.ts';
import { ownDirsOf } from '../../src/kernel/base/own-dirs.ts';
import { renderDump } from '../support/canonical-dump.ts';
import { createIndexedTree, type IndexedTree, sessionSettings } from '../support/indexed-tree.ts';

const bin = fileURLToPath(new URL('../../bin/codegenie.mjs', import.meta.url));

const trees: IndexedTree[] = [];
const running = new Set<ChildProcess>();
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL');
  for (const tree of trees.splice(0)) await tree.dispose();
});

type Ended = {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
};

function start(tree: IndexedTree, ...args: string[]): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: tree.root,
    env: { PATH: process.env['PATH'], HOME: tree.base },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code, signal) => {
      running.delete(child);
      resolve({ code, signal, stdout, stderr });
    });
  });
  return { child, ended };
}

/** What the store holds now, after it was found sound, and what one built from nothing holds. */
async function compareWithClean(tree: IndexedTree): Promise<void> {
  const opened = await openIndexSession({ ...sessionSettings(tree.root, '', true), ...dirsOf(tree), waitMs: 0 });
  if (opened.kind !== 'open') throw new Error(opened.kind);
  const { session } = opened;
  expect(session.rebuilt).toBeNull();
  expect(session.facts.read(checkInvariants)).toEqual([]);
  // Commands also write down which indexer projects there are; a bare session does not.
  const dump = session.facts.read(renderDump).replace(/^(?:context|member) .*\n/gm, '');
  await session.close();
  expect(dump).toBe(await tree.dump());
}

/** Of the commands that these tests start. */
function dirsOf(tree: IndexedTree) {
  const { stateDir, cacheDir } = ownDirsOf({ root: tree.root, home: tree.base, environment: {} });
  return { stateDir, cacheDir };
}

function make(files: Readonly<Record<string, string>>): IndexedTree {
  const tree = createIndexedTree({ ...files, '.gitignore': '.codegenie/\n' });
  trees.push(tree);
  return tree;
}

function many(count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `m/d${at % 40}/f${at}.py`,
      `from .f${at + 1} import g\n\ndef f${at}(): pass\n`,
    ]),
  );
}

test('R6 R10 two command lines and a server race on one root', async () => {
  const tree = make({ ...many(60), 'a.ts': "import { b } from './b';\n", 'b.ts': 'export const b = 1;\n' });
  const server = start(tree, 'serve', '--wait', '0');
  const endings: (Ended & { readonly says: string })[] = [];
  const lane = async (name: string) => {
    for (let turn = 0; turn < 9; turn += 1) {
      tree.write(`${name}/t${turn}.ts`, `import { b } from '../b';\nexport const ${name}${turn} = b;\n`);
      if (turn % 3 === 2) tree.remove(`${name}/t${turn - 1}.ts`);
      const args = [['index'], ['search', `${name}${turn}`], ['symbols', `${name}${turn}`]][turn % 3] as string[];
      endings.push({ ...(await start(tree, ...args, '--json').ended), says: args.join(' ') });
      if (turn === 4 && name === 'left') server.child.kill('SIGKILL');
    }
  };
  await Promise.all([lane('left'), lane('right')]);
  await server.ended;
  for (const { code, signal, says, stdout, stderr } of endings) {
    expect([0, 12], `${says}: ${signal} ${stdout} ${stderr}`).toContain(code);
    if (code !== 0 || says === 'index') continue;
    // The file was there before the question: an answer that is clean has it.
    const answer = JSON.parse(stdout) as { freshness: { state: string }; count: { value: number } };
    if (answer.freshness.state === 'clean') expect(answer.count.value, says).toBe(1);
  }
  expect(endings.filter(({ code }) => code === 0).length).toBeGreaterThan(0);
  await compareWithClean(tree);
});

test('R10 Ctrl-C in the middle of a build leaves no lock and no half store, and the next run works', async () => {
  const tree = make(many(1_500));
  const { stateDir, cacheDir } = dirsOf(tree);
  const building = start(tree, 'index');
  await vi.waitFor(() => expect(existsSync(join(cacheDir, 'index/facts-1.db'))).toBe(true), {
    timeout: 300_000,
    interval: 5,
  });
  building.child.kill('SIGINT');
  const ended = await building.ended;
  expect(ended).toMatchObject({ code: 130, signal: null });
  expect(existsSync(join(cacheDir, 'index/CURRENT'))).toBe(false);
  expect(readdirSync(join(cacheDir, 'index'))).toEqual([]);
  expect(existsSync(join(stateDir, 'run/writer.json'))).toBe(false);
  const lock = await takeWriterLock({ stateDir, waitMs: 0, signal: new AbortController().signal });
  expect(lock.kind).toBe('taken');
  if (lock.kind === 'taken') lock.release();
  expect(await start(tree, 'index').ended).toMatchObject({ code: 0 });
  expect(readFileSync(join(cacheDir, 'index/CURRENT'), 'latin1')).toMatch(/^facts-\d+\.db [0-9a-f]{32}\n$/);
  await compareWithClean(tree);
});
