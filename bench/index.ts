/** The code index beside its peers in the same run: parsing alone, ctags, a full-text load, `git status`, `rg`. */

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type IndexSession, openIndexSession } from '../src/index/sync/index-session.ts';
import { openSessionView } from '../src/index/view/code-view.ts';
import { answerFrom } from '../src/serve/operations/run-operation.ts';
import search from '../src/serve/operations/search.ts';
import { forget } from './build-program.ts';
import { median, p95, processorMs, time } from './figures.ts';
import { makeRealCorpus } from './real-corpus.ts';
import { makeSyntheticRepo } from './synthetic-repo.ts';

const project = fileURLToPath(new URL('..', import.meta.url));
const pairs = 5;

/** `--cold`: only the cold index of the real sources, beside parsing alone. */
export async function benchIndex(flags: readonly string[] = []): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'codegenie-bench-'));
  try {
    console.log(
      `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, Node ${process.version}\n`,
    );
    const real = join(scratch, 'real');
    mkdirSync(real);
    makeRealCorpus(real);
    await benchCold('real sources', real, !flags.includes('--cold'));
    if (flags.includes('--cold')) return;
    await benchSearch('real sources', real);
    const times: [files: number, ms: number][] = [];
    for (const count of [5_000, 50_000]) {
      const root = join(scratch, `n${count}`);
      makeSyntheticRepo(root, count);
      times.push([count, await benchCold(`synthetic ${count}`, root, count > 5_000)]);
      if (count === 50_000) {
        await benchReconcile(root);
        await benchSearch(`synthetic ${count}`, root);
        await benchIdle(root);
      }
    }
    const [[fewer, short], [more, long]] = times as [[number, number], [number, number]];
    console.log(`\nlinear: ${more / fewer} times the files take ${(long / short).toFixed(1)} times as long`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Pairs of a cold index and of the peers, one after the other, so that the machine's moods meet both. */
async function benchCold(name: string, root: string, withPeers: boolean): Promise<number> {
  const files = listSources(root);
  const bytes = files.reduce((sum, file) => sum + statSync(join(root, file)).size, 0);
  const oxc: number[] = [];
  const tree: number[] = [];
  const cold: number[] = [];
  const peers: number[] = [];
  const used = { oxc: [] as number[], tree: [] as number[], cold: [] as number[] };
  for (let round = 0; round < pairs; round += 1) {
    oxc.push(await time(() => spent(used.oxc, () => parseOnly(root, files, 'oxc'))));
    cold.push(await time(() => spent(used.cold, async () => (await openFresh(root)).close())));
    if (withPeers && round < 3) {
      tree.push(await time(() => spent(used.tree, () => parseOnly(root, files, 'tree-sitter'))));
      peers.push(await time(() => tagsAndText(root, files)));
    }
  }
  const ratio = (ours: readonly number[], theirs: readonly number[]) => (median(ours) / median(theirs)).toFixed(2);
  console.log(
    `${name}: ${files.length} sources, ${(bytes / 1e6).toFixed(1)} MB\n` +
      `  parse by oxc, same threads  ${spread(oxc)}   processor ${spread(used.oxc)}\n` +
      `  cold index                  ${spread(cold)}   ${ratio(cold, oxc)}× that; processor ${spread(used.cold)}, ${ratio(used.cold, used.oxc)}×\n` +
      (peers.length === 0
        ? ''
        : `  parse by tree-sitter        ${spread(tree)}   ${ratio(cold, tree)}× of that; processor ${spread(used.tree)}\n` +
          `  ctags -R + trigram FTS load ${spread(peers)}   ${ratio(cold, peers)}× of that\n`),
  );
  return median(cold);
}

async function benchReconcile(root: string): Promise<void> {
  const session = await openFresh(root);
  // Until the racy window is over every file is hashed again.
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  await session.reconcile('all');
  const status: number[] = [];
  const sweep: number[] = [];
  for (let round = 0; round < 11; round += 1) {
    status.push(await time(async () => void execFileSync('git', ['-C', root, 'status', '--porcelain=v2'])));
    sweep.push(await time(async () => void (await session.reconcile('all'))));
  }
  console.log(
    `  no-change reconcile         ${spread(sweep)}   ${(median(sweep) / median(status)).toFixed(2)}× git status (${spread(status)})`,
  );
  const edited = 'packages/p0/src/m3.ts';
  const before = readFileSync(join(root, edited), 'utf8');
  const saves: number[] = [];
  for (let round = 0; round < 21; round += 1) {
    writeFileSync(join(root, edited), `${before}\nexport const saved${round} = ${round};\n`);
    saves.push(await time(async () => void (await session.reconcile(new Set([edited])))));
  }
  writeFileSync(join(root, edited), before);
  console.log(`  one saved file, visible     ${spread(saves)}, p95 ${Math.round(p95(saves))} ms after the debounce\n`);
  await session.close();
}

async function benchSearch(name: string, root: string): Promise<void> {
  const session = await openFresh(root);
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  await session.reconcile('all');
  const view = await openSessionView(root, session, 'none');
  const world = { signal: new AbortController().signal, nowMs: Date.now };
  const queries = chooseQueries(root);
  for (const kind of ['literal', 'identifier'] as const) {
    const ours: number[] = [];
    const theirs: number[] = [];
    let lost = 0;
    let extra = 0;
    let hits = 0;
    for (const query of queries[kind]) {
      const input = { query, word: kind === 'identifier', limit: 1_000 };
      await answerFrom(search, input, view, world);
      const found: Set<string> = new Set();
      ours.push(
        await time(async () => {
          const outcome = await answerFrom(search, input, view, world);
          if (outcome.kind !== 'answered') throw new Error(outcome.kind);
          for (const file of outcome.answer.files) for (const hit of file.hits) found.add(`${file.path}:${hit.line}`);
        }),
      );
      const flags = kind === 'identifier' ? ['-w'] : [];
      let output = '';
      theirs.push(
        await time(async () => {
          output = run('rg', ['-F', '-n', '--no-heading', '--hidden', '-g', '!.git', ...flags, '-e', query, '.'], root);
        }),
      );
      const expected = new Set(
        output
          .split('\n')
          .filter(Boolean)
          .map((line) => line.slice(2).split(':').slice(0, 2).join(':')),
      );
      if (expected.size > 1_000) continue;
      hits += expected.size;
      for (const place of expected) if (!found.has(place)) lost += 1;
      for (const place of found) if (!expected.has(place)) extra += 1;
    }
    console.log(
      `  ${name}, ${kind} search (${ours.length} queries): median ${median(ours).toFixed(1)} ms, p95 ${p95(ours).toFixed(1)} ms; ` +
        `rg median ${median(theirs).toFixed(0)} ms, p95 ${p95(theirs).toFixed(0)} ms: ${(median(theirs) / median(ours)).toFixed(0)}× faster; ` +
        `${hits} lines of rg's, ${lost} lost, ${extra} extra`,
    );
  }
  const swept = await time(async () => {
    const verified = await openSessionView(root, session, 'sweep');
    await answerFrom(search, { query: queries.literal[0] ?? 'export', limit: 200 }, verified, world);
  });
  console.log(`  the same with every file compared with the disk first: ${Math.round(swept)} ms\n`);
  await session.close();
}

/** A daemon that has nothing to do: memory after its start, and processor time over ten seconds. */
async function benchIdle(root: string): Promise<void> {
  forget(root);
  execFileSync(process.execPath, [join(project, 'bin/codegenie.mjs'), '-C', root, 'index', '--quiet']);
  const child = spawn(process.execPath, [join(project, 'bin/codegenie.mjs'), '-C', root, 'serve'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
    // Until it has given back what its start needed.
    await new Promise((resolve) => setTimeout(resolve, 40_000));
    const before = processorMs(child.pid as number).own;
    await new Promise((resolve) => setTimeout(resolve, 10_000));
    const used = processorMs(child.pid as number).own - before;
    const rss = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;
    console.log(`  serve, idle: ${Math.round(rss)} MB, ${(used / 100).toFixed(1)} % of one core\n`);
  } finally {
    child.kill('SIGINT');
    await new Promise((resolve) => child.once('exit', resolve));
    forget(root);
  }
}

async function openFresh(root: string): Promise<IndexSession> {
  const stateDir = mkdtempSync(join(tmpdir(), 'codegenie-bench-data-'));
  const opened = await openIndexSession({
    root,
    isGit: true,
    stateDir,
    cacheDir: stateDir,
    environment: process.env,
    extraExtensions: new Map(),
    nowMs: Date.now,
    signal: new AbortController().signal,
    onProgress: () => {},
    waitMs: 0,
  });
  if (opened.kind !== 'open') throw new Error(opened.kind);
  const { session } = opened;
  return {
    ...session,
    facts: session.facts,
    reconciler: session.reconciler,
    close: async () => {
      await session.close();
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}

/** Read, decode and parse on as many threads as the index uses. */
/** Notes the processor time of all threads of this process. */
async function spent(into: number[], run: () => Promise<void>): Promise<void> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  into.push((user + system) / 1000);
}

async function parseOnly(root: string, files: readonly string[], parser: 'oxc' | 'tree-sitter'): Promise<void> {
  const threads = Math.min(8, availableParallelism());
  const parsed = files.filter((file) => /\.tsx?$/.test(file) && statSync(join(root, file)).size <= 1024 * 1024);
  await Promise.all(
    Array.from({ length: threads }, (_, index) => {
      const share = parsed.filter((_, position) => position % threads === index).map((file) => join(root, file));
      const worker = new Worker(new URL('./parse-only-worker.ts', import.meta.url), {
        workerData: { files: share, parser },
      });
      return new Promise<void>((resolve, reject) => {
        worker.once('error', reject);
        worker.once('exit', () => resolve());
      });
    }),
  );
}

async function tagsAndText(root: string, files: readonly string[]): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'codegenie-bench-tags-'));
  run('ctags', ['-R', '-f', join(place, 'tags'), '.'], root);
  const db = new DatabaseSync(join(place, 'text.db'));
  db.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;
    CREATE VIRTUAL TABLE t USING fts5(body, content='', detail=none, tokenize='trigram'); BEGIN`);
  const insert = db.prepare('INSERT INTO t(rowid, body) VALUES(?, ?)');
  for (const [index, file] of files.entries()) insert.run(index + 1, readFileSync(join(root, file), 'utf8'));
  db.exec('COMMIT');
  db.close();
  rmSync(place, { recursive: true });
}

function listSources(root: string): string[] {
  return run('git', ['ls-files', '-z'], root)
    .split('\0')
    .filter((path) => path !== '');
}

/** Lines and names of the tree itself, spread over it; the same for the same tree. */
function chooseQueries(root: string): { readonly literal: readonly string[]; readonly identifier: readonly string[] } {
  const files = listSources(root).filter((path) => path.endsWith('.ts'));
  const literal = new Set<string>();
  const identifier = new Set<string>();
  for (let at = 0; at < 60; at += 1) {
    const text = readFileSync(join(root, files[Math.floor((files.length * at) / 60)] as string), 'utf8');
    const lines = text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => /^[\x20-\x7e]{12,}$/.test(line));
    const line = lines[(at * 7) % Math.max(1, lines.length)];
    if (line !== undefined) literal.add(line.slice(0, 40));
    const names = text.match(/[A-Za-z_]\w{5,}/g) ?? [];
    const name = names[(at * 13) % Math.max(1, names.length)];
    if (name !== undefined) identifier.add(name);
  }
  return { literal: [...literal], identifier: [...identifier] };
}

function run(command: string, args: readonly string[], cwd: string): string {
  try {
    return execFileSync(command, args, {
      cwd,
      encoding: 'utf8',
      maxBuffer: 1 << 30,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch (error) {
    // No match is exit 1 for rg.
    if ((error as { status?: number }).status === 1) return '';
    throw error;
  }
}

function spread(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  const half = ((sorted.at(-1) as number) - (sorted[0] as number)) / 2;
  return `${Math.round(median(values))} ± ${Math.round(half)} ms`;
}
