import { expect, test } from 'vitest';
import type { ExecOutcome } from '../../kernel/exec/exec.ts';
import { countCommits, isCommitId, parseCommitDistance, readHead } from './judge-indexes.ts';

const sha = 'a'.repeat(40);

function git(outcome: ExecOutcome) {
  const calls: (readonly string[])[] = [];
  const answer = async (args: readonly string[]) => {
    calls.push(args);
    return outcome;
  };
  return { calls, git: answer };
}

function exited(stdout: string, code = 0): ExecOutcome {
  const truncated = { stdout: false, stderr: false };
  return { kind: 'exited', code, stdout: Buffer.from(stdout), stderr: Buffer.alloc(0), truncated, ms: 1 };
}

const failures: readonly ExecOutcome[] = [
  exited(`${sha}\n`, 128),
  { kind: 'timed_out', elapsedMs: 5000, stderrTail: '' },
  { kind: 'tool_missing', tool: 'git', install: 'apt install git' },
  { kind: 'cancelled' },
];

test.each(failures)('HEAD and distance are unknown when git cannot answer: %j', async (outcome) => {
  expect(await readHead(git(outcome))).toBeNull();
  expect(await countCommits(git(outcome), sha, sha)).toBeNull();
});

test('HEAD is a full commit id or nothing', async () => {
  expect(await readHead(git(exited(`${sha}\n`)))).toBe(sha);
  expect(await readHead(git(exited(`${'b'.repeat(64)}\n`)))).toBe('b'.repeat(64));
  for (const answer of ['HEAD\n', '', `${sha}\n${sha}\n`, 'abcdef0\n'])
    expect(await readHead(git(exited(answer)))).toBeNull();
});

test('a distance is two counts', () => {
  expect(parseCommitDistance('3\t5\n')).toEqual({ left: 3, right: 5 });
  for (const text of ['', '3', '3 5', '-1\t2', '3\t5\t1', 'fatal: bad revision'])
    expect(parseCommitDistance(text)).toBeNull();
});

test.each(['--output=/tmp/x', 'HEAD', 'unknown', '', `${sha}\n`, '-', 'abc'])(
  'G30 %j never reaches git',
  async (recorded) => {
    const spy = git(exited('0\t1\n'));
    expect(await countCommits(spy, recorded, sha)).toBeNull();
    expect(spy.calls).toEqual([]);
    expect(isCommitId(recorded)).toBe(false);
  },
);
