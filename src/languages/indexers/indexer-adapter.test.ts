import { expect, test } from 'vitest';
import type { ExecOutcome } from '../../kernel/exec/exec.ts';
import { classifyExit } from './indexer-adapter.ts';
import { indexers } from './indexers.gen.ts';

const streams = (stderr: string, stdout = '') => ({
  stdout: Buffer.from(stdout),
  stderr: Buffer.from(stderr),
  truncated: { stdout: false, stderr: false },
  ms: 1,
});
const exited = (code: number, stderr = '', stdout = ''): ExecOutcome => ({
  kind: 'exited',
  code,
  ...streams(stderr, stdout),
});
const signalled = (signal: string, stderr = ''): ExecOutcome => ({ kind: 'signalled', signal, ...streams(stderr) });

const heapEnded = 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory';

test.each<[string, ExecOutcome, string]>([
  ['a good end', exited(0, 'warnings'), 'ok'],
  ['any other exit', exited(1, 'oops'), 'tool_crashed'],
  ['a sandbox that could not be set up', exited(126), 'io_error'],
  ['a heap that ended, in the sandbox', exited(134, heapEnded), 'out_of_memory'],
  ['a heap that ended, outside', signalled('SIGABRT', heapEnded), 'out_of_memory'],
  ['another abort', signalled('SIGABRT', 'assertion failed'), 'tool_crashed'],
  ['another abort, in the sandbox', exited(134, 'assertion failed'), 'tool_crashed'],
  ['the kernel', signalled('SIGKILL'), 'out_of_memory'],
  ['the kernel, in the sandbox', exited(137), 'out_of_memory'],
  ['Java', exited(1, 'java.lang.OutOfMemoryError: Java heap space'), 'out_of_memory'],
  ['Go', exited(2, 'fatal error: runtime: out of memory'), 'out_of_memory'],
  ['a fault', signalled('SIGSEGV'), 'tool_crashed'],
  ['a time-out', { kind: 'timed_out', elapsedMs: 1, stderrTail: '' }, 'tool_timeout'],
  ['no tool', { kind: 'tool_missing', tool: 'x', install: 'y' }, 'missing_tool'],
  ['no sandbox', { kind: 'sandbox_missing', tool: 'x', reason: 'not_installed' }, 'sandbox_missing'],
  ['no directory', { kind: 'bad_cwd', cwd: '/x' }, 'io_error'],
])('%s', (_, outcome, failure) => {
  expect(classifyExit(outcome)).toBe(failure);
});

test('a project that is wrong is told from a tool that is', () => {
  const wrong = /error TS\d+/;
  expect(classifyExit(exited(1, '', 'error TS5023: unknown option'), wrong)).toBe('config_error');
  expect(classifyExit(exited(1, 'TypeError: x'), wrong)).toBe('tool_crashed');
  expect(classifyExit(exited(0, 'error TS5023'), wrong)).toBe('ok');
});

test('scip-typescript without a file to index has no output', () => {
  const { classifyExit: judge } = indexers['scip-typescript'];
  expect(judge(exited(1, '', 'error: no files got indexed. To fix this problem, …'))).toBe('no_output');
  expect(judge(exited(1, '', 'error TS5023: x\nerror: no files got indexed.'))).toBe('config_error');
});

test('scip-go passes on what go refuses', () => {
  const said =
    'error: err: exit status 1: stderr: go: go.mod requires go >= 1.99 (running go 1.26.8; GOTOOLCHAIN=local)';
  expect(indexers['scip-go'].classifyExit(exited(1, said))).toBe('config_error');
});
