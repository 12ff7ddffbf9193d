/**
 * Behaviour cases through the workspace that the command line uses, in this process: each in a repository of its own, changed as
 * `--apply` would, its command run before and after. The projects are the corpus's own, so their commands run as they are, with a time limit.
 */

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { DATA_DIR } from '../../src/gather/data-dir.ts';
import { openIndexPool } from '../../src/index/sync/index-pool.ts';
import { packageVersion } from '../../src/kernel/base/package-files.ts';
import { mapBounded } from '../../src/kernel/base/turns.ts';
import type { Outcome } from '../../src/mutate/answer.ts';
import move from '../../src/serve/changes/move.ts';
import rename from '../../src/serve/changes/rename.ts';
import { createLocalWorkspace } from '../../src/serve/workspace/local-workspace.ts';
import type { LocalSettings, Workspace } from '../../src/serve/workspace/workspace.ts';
import { type BehaviourCase, judge, type Observed, type Verdict } from './behaviour-case.ts';

export type BehaviourResult = Pick<BehaviourCase, 'id' | 'class' | 'expect'> & {
  readonly verdict: Verdict;
  readonly ms: number;
} & Observed;

/** Half of a case's time is the compiler's, which has its own process. */
const parallel = 2;
const runLimitMs = 30_000;

export async function runBehaviour(
  cases: readonly BehaviourCase[],
  onResult: (result: BehaviourResult) => void = () => {},
): Promise<readonly BehaviourResult[]> {
  const { signal } = new AbortController();
  const pool = openIndexPool({ signal, workers: parallel });
  try {
    return await mapBounded(cases, parallel, async (asked) => {
      const started = performance.now();
      const observed = await observe(asked, pool);
      const { id, expect } = asked;
      const ms = Math.round(performance.now() - started);
      const result = { id, class: asked.class, expect, verdict: judge(asked, observed), ms, ...observed };
      onResult(result);
      return result;
    });
  } finally {
    await pool.close();
  }
}

async function observe(asked: BehaviourCase, pool: LocalSettings['pool']): Promise<Observed> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'codegenie-behaviour-')));
  const root = join(base, 'tree');
  const home = join(base, 'home');
  mkdirSync(home);
  try {
    writeProject(root, asked.files);
    const before = await runCommand(asked.run, root, join(base, 'before'));
    const workspace = createLocalWorkspace({
      root,
      isGit: true,
      home,
      environment: { ...process.env, HOME: home },
      cliVersion: packageVersion(),
      nowMs: Date.now,
      signal: new AbortController().signal,
      pool,
    });
    const { outcome, reasons } = await change(workspace, asked);
    // What the program keeps of its own is no part of the change.
    rmSync(join(root, DATA_DIR), { recursive: true, force: true });
    const after = outcome === 'applied' ? await runCommand(asked.run, root, join(base, 'after')) : undefined;
    return { outcome, reasons, before, after };
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function writeProject(root: string, files: BehaviourCase['files']): void {
  for (const { path, text } of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text, { mode: path.endsWith('.sh') ? 0o755 : 0o644 });
  }
  const git = (...words: readonly string[]) => execFileSync('git', words, { cwd: root, stdio: 'ignore' });
  git('init', '-q');
  // A project does not commit what it installs.
  git('add', '-A', '--', '.', ':!node_modules');
  git('-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '-q', '--no-gpg-sign', '-m', 'first');
}

async function change(
  workspace: Workspace,
  { kind, args }: BehaviourCase,
): Promise<Pick<Observed, 'outcome' | 'reasons'>> {
  const [first, second] = args;
  const options = { onProgress: () => {}, onStep: () => {}, waitMs: 10_000 };
  const ran =
    kind === 'rename'
      ? await workspace.change(rename, { target: first, new_name: second, apply: true }, options)
      : await workspace.change(move, { file: first, to: second, apply: true }, options);
  if (ran.kind === 'answered') return describe(ran.answer.outcome);
  const why = 'problem' in ran ? ran.problem.message : 'message' in ran ? ran.message : JSON.stringify(ran.problems);
  return { outcome: ran.kind === 'refused' ? 'not_put' : ran.kind, reasons: [why] };
}

function describe(outcome: Outcome): Pick<Observed, 'outcome' | 'reasons'> {
  switch (outcome.kind) {
    case 'ok':
    case 'ok_syntactic':
      return { outcome: outcome.state, reasons: [] };
    case 'needs_decision':
      return {
        outcome: outcome.kind,
        reasons:
          outcome.plan?.items.map(({ kind, at, detail }) => `${kind} ${at.file}:${at.line}:${at.col} ${detail}`) ?? [],
      };
    default:
      return { outcome: outcome.kind, reasons: [`${outcome.reason}: ${outcome.detail}`] };
  }
}

/** Its exit status and all that it printed, but for where the project lies and the number of the process. */
export function runCommand(
  command: string,
  root: string,
  temporary: string,
  limitMs: number = runLimitMs,
): Promise<string> {
  mkdirSync(temporary, { recursive: true });
  const bin = new URL('../../node_modules/.bin', import.meta.url).pathname;
  const path = [dirname(process.execPath), bin, process.env['PATH']].join(delimiter);
  const env = { HOME: temporary, PATH: path, TMPDIR: temporary, LANG: 'C.UTF-8', NODE_NO_WARNINGS: '1' };
  return new Promise((resolve, reject) => {
    // A group of its own: what the command started ends with it.
    const child = spawn('sh', ['-c', `exec 2>&1\n${command}`], {
      cwd: root,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    const limit = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, limitMs);
    child.on('error', reject).on('close', (status) => {
      clearTimeout(limit);
      const text = printed.replaceAll(root, '').replace(/\(node:\d+\)/g, '(node)');
      resolve(`rc=${status ?? 'killed'} ${text.trim()}`);
    });
  });
}
