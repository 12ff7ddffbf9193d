import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import {
  createLineSplitter,
  createProcessGroups,
  createTailBuffer,
  type ProcessOutcome,
  type ProcessRequest,
  runProcess,
  truncationMark,
} from './run-process.ts';

const groups = createProcessGroups();
const never = new AbortController().signal;

afterEach(() => groups.endAll());

function run(script: string, overrides: Partial<ProcessRequest> = {}): Promise<ProcessOutcome> {
  return runProcess({
    file: '/bin/sh',
    args: ['-c', script],
    cwd: '/',
    environment: { PATH: '/usr/bin:/bin' },
    timeoutS: 60,
    maxStdoutBytes: 1024 ** 2,
    signal: never,
    groups,
    ...overrides,
  });
}

/** A zombie is dead: it only waits for its parent to ask how it ended. */
function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

/** Collects `name=pid` lines and resolves when all the names were said. */
function pidsOf(...names: string[]) {
  const pids = new Map<string, number>();
  const { promise, resolve } = Promise.withResolvers<void>();
  const onLine = (line: string) => {
    const [name, pid] = line.split('=');
    pids.set(name ?? '', Number(pid));
    if (names.every((wanted) => pids.has(wanted))) resolve();
  };
  return { onLine, ready: promise, of: (name: string) => pids.get(name) ?? Number.NaN };
}

describe('outcomes', () => {
  test('G32 exit codes are values, both streams are kept', async () => {
    const outcome = await run('echo out; echo err >&2; exit 3');
    expect(outcome).toMatchObject({ kind: 'exited', code: 3, truncated: { stdout: false, stderr: false } });
    if (outcome.kind !== 'exited') return;
    expect([outcome.stdout.toString(), outcome.stderr.toString()]).toEqual(['out\n', 'err\n']);
  });

  test('G32 a crash is named by its signal', async () => {
    expect(await run('echo half; kill -SEGV $$')).toMatchObject({ kind: 'signalled', signal: 'SIGSEGV' });
  });

  test('G32 a program that is not there, or is no program', async () => {
    expect(await run('', { file: '/nowhere/tool' })).toEqual({ kind: 'not_started', errno: 'ENOENT' });
    expect(await run('', { file: '/etc' })).toEqual({ kind: 'not_started', errno: 'EACCES' });
    expect(await run('', { args: ['x'.repeat(8 * 1024 ** 2)] })).toEqual({ kind: 'not_started', errno: 'E2BIG' });
  });

  test('standard input is /dev/null, or the given bytes', async () => {
    expect(await run('readlink /proc/self/fd/0')).toMatchObject({ stdout: Buffer.from('/dev/null\n') });
    expect(await run('cat', { stdin: Buffer.from('a\0b') })).toMatchObject({ stdout: Buffer.from('a\0b') });
    // More than a pipe holds, to a program that does not read it.
    expect(await run('exit 0', { stdin: Buffer.alloc(4 * 1024 ** 2) })).toMatchObject({ kind: 'exited', code: 0 });
  });

  test('the environment is what was given and nothing else', async () => {
    const outcome = await run('env', { file: '/usr/bin/env', args: [], environment: { ONLY: 'this' } });
    expect(outcome).toMatchObject({ stdout: Buffer.from('ONLY=this\n') });
  });
});

describe('streams', () => {
  test('G32 of 300 MB the tail is kept, the cap is exact, and the process may finish', async () => {
    const said: string[] = [];
    const outcome = await run('head -c 300000000 /dev/zero; printf end', {
      onTruncated: (stream) => said.push(stream),
    });
    expect(outcome).toMatchObject({ kind: 'exited', code: 0, truncated: { stdout: true, stderr: false } });
    if (outcome.kind !== 'exited') return;
    expect(outcome.stdout.length).toBe(1024 ** 2);
    expect(outcome.stdout.subarray(0, 17).toString()).toBe('...[TRUNCATED]...');
    expect(outcome.stdout.subarray(-3).toString()).toBe('end');
    expect(said).toEqual(['stdout']);
  });

  test('G32 a process that never stops writing is ended', async () => {
    expect(await run('exec yes')).toMatchObject({ kind: 'signalled', signal: 'SIGTERM', truncated: { stdout: true } });
  });

  test('lines of both streams arrive with the name of their stream', async () => {
    const lines: string[] = [];
    await run('echo one; echo two >&2; printf three', { onLine: (line, stream) => lines.push(`${stream}:${line}`) });
    expect(lines.sort()).toEqual(['stderr:two', 'stdout:one', 'stdout:three']);
  });

  test('G32 a line of 300 MB does not fill the memory', async () => {
    const lengths: number[] = [];
    await run("head -c 300000000 /dev/zero | tr '\\0' x; echo; echo last", {
      onLine: (line) => lengths.push(line.length),
    });
    expect(lengths).toEqual([1024 ** 2, 4]);
  });

  test('an error of the listener is thrown after the process has been ended', async () => {
    const pids = pidsOf('leader');
    const listen = (line: string) => {
      pids.onLine(line);
      throw new Error('listener');
    };
    await expect(run('echo leader=$$; exec sleep 1000', { onLine: listen })).rejects.toThrow('listener');
    expect(isRunning(pids.of('leader'))).toBe(false);
    expect(groups.list()).toEqual([]);
  });
});

describe('endings', () => {
  // The grandchild ignores SIGTERM, has its own stdout, and is orphaned when its parent dies.
  const stubborn = `
    (trap '' TERM; exec 3>&1; exec >/dev/null 2>&1; sh -c 'echo grandchild=$$ >&3; exec 3>&-; while :; do sleep 1000; done' 3>&3) &
    echo leader=$$; echo waiting >&2; wait`;

  test('G33 a timeout ends the whole group, and no other process', async () => {
    const sibling = pidsOf('leader');
    const siblingEnds = new AbortController();
    const siblingRun = run('echo leader=$$; exec sleep 1000', { onLine: sibling.onLine, signal: siblingEnds.signal });
    await sibling.ready;

    const pids = pidsOf('leader', 'grandchild');
    const outcome = await run(stubborn, { timeoutS: 0.4, onLine: pids.onLine });
    expect(outcome).toMatchObject({ kind: 'timed_out', stderrTail: 'waiting\n' });
    expect([isRunning(pids.of('leader')), isRunning(pids.of('grandchild'))]).toEqual([false, false]);
    expect(isRunning(sibling.of('leader'))).toBe(true);
    expect(groups.list()).toEqual([sibling.of('leader')]);

    siblingEnds.abort();
    expect(await siblingRun).toEqual({ kind: 'cancelled' });
    expect(isRunning(sibling.of('leader'))).toBe(false);
  });

  test('G33 a cancel ends a group that ignores SIGTERM', async () => {
    const pids = pidsOf('leader', 'grandchild');
    const cancel = new AbortController();
    const running = run(`trap '' TERM; ${stubborn}`, { signal: cancel.signal, onLine: pids.onLine });
    await pids.ready;
    expect(isRunning(pids.of('grandchild'))).toBe(true);
    cancel.abort();
    expect(await running).toEqual({ kind: 'cancelled' });
    expect([isRunning(pids.of('leader')), isRunning(pids.of('grandchild'))]).toEqual([false, false]);
  });

  test('G32 a process that was done in time is not timed out because we were busy, and no output is lost', async () => {
    const started = run('head -c 60000 /dev/zero', { timeoutS: 0.3 });
    // Blocks this thread, as a parser would, past the timeout and past the grace for pipes.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
    expect(await started).toMatchObject({ kind: 'exited', code: 0, stdout: { length: 60_000 } });
  });

  test('G33 nothing is started for a caller that was cancelled before', async () => {
    expect(await run('exit 0', { signal: AbortSignal.abort() })).toEqual({ kind: 'cancelled' });
    expect(groups.list()).toEqual([]);
  });

  test.each([
    ['with its own output', 'sleep 1000 >/dev/null 2>&1 &'],
    ['holding the pipes', 'sleep 1000 &'],
  ])('G33 what a finished program left running, %s, is ended, and its exit still counts', async (_, background) => {
    const pids = pidsOf('left');
    const outcome = await run(`${background} echo left=$!; exit 7`, { onLine: pids.onLine });
    expect(outcome).toMatchObject({ kind: 'exited', code: 7 });
    expect(isRunning(pids.of('left'))).toBe(false);
  });

  test('G33 who left the group and holds the pipes does not hold us', async () => {
    const pids = pidsOf('away');
    const outcome = await run("setsid sh -c 'echo away=$$; exec sleep 1000' & exit 7", { onLine: pids.onLine });
    expect(outcome).toMatchObject({ kind: 'exited', code: 7 });
    expect(isRunning(pids.of('away'))).toBe(true);
    process.kill(pids.of('away'), 'SIGKILL');
  });

  test('R26: what has left the group but not its parents is ended with it', async () => {
    const pids = pidsOf('leader', 'away');
    const cancel = new AbortController();
    const away = `setsid sh -c 'trap "" TERM; echo away=$$; while :; do sleep 1000; done'`;
    const running = run(`${away} & echo leader=$$; wait`, { signal: cancel.signal, onLine: pids.onLine });
    await pids.ready;
    cancel.abort();
    expect(await running).toEqual({ kind: 'cancelled' });
    expect([isRunning(pids.of('leader')), isRunning(pids.of('away'))]).toEqual([false, false]);
  });

  test('R26: the group is told as it starts, and an error of the listener ends it', async () => {
    const groupsSeen: { id: number; start: string }[] = [];
    const cancel = new AbortController();
    const waiting = run('exec sleep 1000', { signal: cancel.signal, onStart: (group) => groupsSeen.push(group) });
    cancel.abort();
    await waiting;
    expect(groupsSeen).toEqual([{ id: expect.any(Number), start: expect.stringMatching(/^\d+$/) }]);
    const failing = run('exec sleep 1000', {
      onStart: (group) => {
        groupsSeen.push(group);
        throw new Error('listener');
      },
    });
    await expect(failing).rejects.toThrow('listener');
    expect(isRunning(groupsSeen[1]?.id ?? process.pid)).toBe(false);
  });

  test('G33 endAll ends every group', async () => {
    const first = pidsOf('leader');
    const second = pidsOf('leader');
    const runs = [first, second].map(({ onLine }) => run('echo leader=$$; exec sleep 1000', { onLine }));
    await Promise.all([first.ready, second.ready]);
    expect(groups.list()).toHaveLength(2);
    await groups.endAll();
    expect(await Promise.all(runs)).toEqual([{ kind: 'cancelled' }, { kind: 'cancelled' }]);
    expect([isRunning(first.of('leader')), isRunning(second.of('leader'))]).toEqual([false, false]);
  });
});

function splitAt(text: string, cuts: readonly number[], maxLineBytes = 1024): string[] {
  const lines: string[] = [];
  const splitter = createLineSplitter((line) => lines.push(line), maxLineBytes);
  const bytes = Buffer.from(text);
  let start = 0;
  for (const cut of [...cuts, bytes.length].map((at) => Math.min(at, bytes.length)).sort((a, b) => a - b)) {
    splitter.push(bytes.subarray(start, cut));
    start = cut;
  }
  splitter.end();
  return lines;
}

test('lines are the same wherever the stream was cut, inside a character too (property)', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '漢', '🙂', '\n'), maxLength: 40 });
  fc.assert(
    fc.property(text, fc.array(fc.nat({ max: 160 }), { maxLength: 8 }), (given, cuts) => {
      const expected = given.split('\n');
      if (expected.at(-1) === '') expected.pop();
      expect(splitAt(given, cuts)).toEqual(expected);
    }),
  );
});

test('CRLF ends a line like LF', () => {
  expect(splitAt('a\r\nb\n', [2])).toEqual(['a', 'b']);
});

test('G32 a line without an end is delivered once, cut', () => {
  expect(splitAt(`${'x'.repeat(500)}\nshort\n`, [100, 200, 300], 64)).toEqual(['x'.repeat(64), 'short']);
});

describe('createTailBuffer', () => {
  test('G40 within the cap all bytes, over it mark and tail, together exactly the cap (property)', () => {
    const chunks = fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 40 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200 }), chunks, (cap, pushed) => {
        const buffer = createTailBuffer(cap);
        for (const chunk of pushed) buffer.push(chunk);
        const all = Buffer.concat(pushed);
        const kept = buffer.finish();
        expect(buffer.seen).toBe(all.length);
        expect(buffer.truncated).toBe(all.length > cap);
        const mark = truncationMark.subarray(0, cap);
        const tail = all.subarray(all.length - (cap - mark.length));
        expect(kept.equals(all.length <= cap ? all : Buffer.concat([mark, tail]))).toBe(true);
        expect(kept.length).toBe(Math.min(all.length, cap));
      }),
      { numRuns: 2000 },
    );
  });

  test('G32 chunks larger than the first allocation and than the cap', () => {
    const buffer = createTailBuffer(10_000);
    buffer.push(Buffer.alloc(6_000, 'a'));
    buffer.push(Buffer.alloc(50_000, 'b'));
    buffer.push(Buffer.from('the end'));
    const text = buffer.finish().toString();
    expect(text).toHaveLength(10_000);
    expect(text).toMatch(/^\.\.\.\[TRUNCATED\]\.\.\.b+the end$/);
  });
});
