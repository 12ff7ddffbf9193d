import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { defineProbe } from '../gather/contract.ts';
import { blankExecution, type Execution } from '../gather/run/execution.ts';
import type { Globals, Terminal } from './command.ts';
import { createProgress } from './progress.ts';

const plain: Globals = { repo: undefined, json: false, quiet: false, verbose: false, color: true };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function fakeTerminal(given: { isTTY: boolean; columns?: number; environment?: Record<string, string> }) {
  const written: string[] = [];
  const stderr = {
    write: (text: string) => written.push(text),
    isTTY: given.isTTY,
    columns: given.columns ?? 80,
  };
  const terminal: Terminal = {
    cwd: '/',
    home: '/home/a',
    environment: given.environment ?? {},
    stdout: { write: () => expect.fail('progress is not output') },
    stderr,
    signal: new AbortController().signal,
    nowMs: Date.now,
  };
  return { terminal, written };
}

function settled(name: string, change: Partial<Execution> = {}): { kind: 'settled'; execution: Execution } {
  const probe = defineProbe({
    name,
    version: '1.0.0',
    layer: 'A',
    says: 'a probe',
    heaviness: 'light',
    sections: {},
    declaredInputs: [],
    timeoutSeconds: 1,
    confidenceRule: 'always high',
    run: async () => ({ kind: 'skipped', reason: 'not_applicable' }),
  });
  return { kind: 'settled', execution: { ...blankExecution(probe, true), status: 'ok', durationMs: 12.4, ...change } };
}

test('without a terminal only what failed is a line; with --verbose every probe that settled', () => {
  const show = (globals: Globals) => {
    const { terminal, written } = fakeTerminal({ isTTY: false });
    const progress = createProgress(terminal, globals);
    progress.show({ kind: 'planned', probes: ['ci', 'adrs', 'slo'] });
    progress.show({ kind: 'started', probe: 'ci' });
    progress.show(settled('ci', { cache: { state: 'hit', key: null, producedAt: null } }));
    progress.show(settled('adrs', { status: 'skipped', skip: { reason: 'tool_missing', detail: null } }));
    progress.show(settled('slo', { status: 'timed_out', errors: ['probe.timeout'] }));
    progress.end();
    return written;
  };
  expect(show(plain)).toEqual(['timed_out slo 12 ms (probe.timeout)\n']);
  expect(show({ ...plain, verbose: true })).toEqual([
    'ok ci 12 ms (cache hit)\n',
    'skipped adrs 12 ms (tool_missing)\n',
    'timed_out slo 12 ms (probe.timeout)\n',
  ]);
});

const erase = '\r\x1b[K';

test('on a terminal one line is redrawn at most ten times a second and taken back at the end', () => {
  const { terminal, written } = fakeTerminal({ isTTY: true });
  const progress = createProgress(terminal, { ...plain, color: false });
  progress.show(settled('language_detection'));
  progress.show({ kind: 'planned', probes: ['ci', 'adrs'] });
  for (const probe of ['ci', 'adrs']) progress.show({ kind: 'started', probe });
  expect(written).toEqual([]);
  vi.advanceTimersByTime(1000);
  expect(written).toHaveLength(10);
  expect(written[0]).toBe(`${erase}gathering 1/3 · 0.1 s · ci, adrs`);
  progress.show(settled('ci'));
  vi.advanceTimersByTime(100);
  expect(written.at(-1)).toBe(`${erase}gathering 2/3 · 1.1 s · adrs`);
  progress.show(settled('adrs', { status: 'failed', errors: ['probe.threw'] }));
  expect(written.at(-1)).toBe(`${erase}failed adrs 12 ms (probe.threw)\n`);
  vi.advanceTimersByTime(100);
  progress.end();
  expect(written.at(-1)).toBe(erase);
  expect(written.join('').split('\n')).toHaveLength(2);
  expect(vi.getTimerCount()).toBe(0);
});

test('no line is wider than the terminal, however narrow', () => {
  const { terminal, written } = fakeTerminal({ isTTY: true, columns: 12 });
  const progress = createProgress(terminal, { ...plain, color: false });
  progress.show({ kind: 'started', probe: 'external_docs_index' });
  vi.advanceTimersByTime(100);
  expect(written[0]).toBe(`${erase}gathering …`);
  progress.end();
});

test('a terminal without a size counts as 80 columns', () => {
  const { terminal, written } = fakeTerminal({ isTTY: true, columns: 0 });
  const progress = createProgress(terminal, { ...plain, color: false });
  progress.show({ kind: 'started', probe: 'ci' });
  vi.advanceTimersByTime(100);
  expect(written[0]).toBe(`${erase}gathering 0/1 · 0.1 s · ci`);
  progress.end();
});

test('NO_COLOR and --no-color leave cursor movement alone', () => {
  for (const [environment, color] of [
    [{ NO_COLOR: '1' }, true],
    [{}, false],
  ] as const) {
    const { terminal, written } = fakeTerminal({ isTTY: true, environment });
    const progress = createProgress(terminal, { ...plain, color });
    vi.advanceTimersByTime(200);
    progress.end();
    expect(written.join('').replaceAll('\x1b[K', '')).not.toContain('\x1b');
  }
});

test('--quiet says nothing; --json says nothing without a terminal', () => {
  for (const [isTTY, globals] of [
    [true, { ...plain, quiet: true }],
    [false, { ...plain, quiet: true }],
    [false, { ...plain, json: true }],
  ] as const) {
    const { terminal, written } = fakeTerminal({ isTTY });
    const progress = createProgress(terminal, globals);
    progress.show(settled('ci'));
    vi.advanceTimersByTime(500);
    progress.end();
    expect(written).toEqual([]);
  }
});
