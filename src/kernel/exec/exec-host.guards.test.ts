import { expect, test } from 'vitest';
import { recordingLogger, silentLogger } from '../base/log.ts';
import { createExecHost, createGuards } from './exec-host.ts';

const owner = (signal: AbortSignal) => ({ name: 'probe', signal });

test('33: what is guarded is undone once, by whoever asks first, and everybody waits for it', async () => {
  const guards = createGuards(silentLogger);
  const abort = new AbortController();
  const { promise, resolve } = Promise.withResolvers<void>();
  let undone = 0;
  const undo = guards.add(owner(abort.signal), () => {
    undone += 1;
    return promise;
  });
  abort.abort();
  expect(undone).toBe(1);
  const waiting = Promise.all([undo(), guards.undoAll()]);
  resolve();
  await waiting;
  await guards.undoAll();
  expect(undone).toBe(1);
});

test('33: a guard that comes after the signal is undone at once', async () => {
  const guards = createGuards(silentLogger);
  let undone = 0;
  const undo = guards.add(owner(AbortSignal.abort()), async () => {
    undone += 1;
  });
  await undo();
  expect(undone).toBe(1);
});

test('33: what nobody undid is undone at the end, and a failure there is told and kills nothing', async () => {
  const logger = recordingLogger();
  const guards = createGuards(logger);
  const { signal } = new AbortController();
  let undone = 0;
  guards.add(owner(signal), () => Promise.reject(new TypeError('gone')));
  guards.add(owner(signal), async () => {
    undone += 1;
  });
  await guards.undoAll();
  expect(undone).toBe(1);
  expect(logger.events).toEqual([{ name: 'subproc.undo_failed', fields: { probe: 'probe', type: 'TypeError' } }]);
});

test('33: a process can still be started to undo what the signal ended, and the end of the gather waits for it', async () => {
  const host = createExecHost({ root: '/nowhere', environment: {}, toolPaths: {}, logger: silentLogger });
  const abort = new AbortController();
  const exec = host.bind({ name: 'probe', signal: abort.signal, workspace: '/' });
  const node = (script: string) => ['node', '-e', script];
  let undone: unknown;
  exec.guard(async (undoer) => {
    undone = await undoer.runAllowlisted(node('process.exit(7)'), { cwd: '/', timeoutS: 60 });
  });
  const running = exec.runAllowlisted(node('setInterval(() => {}, 1e6)'), { cwd: '/', timeoutS: 60 });
  abort.abort();
  expect((await running).kind).toBe('cancelled');
  expect((await exec.runAllowlisted(node(''), { cwd: '/', timeoutS: 60 })).kind).toBe('cancelled');
  await host.killAll();
  expect(undone).toMatchObject({ kind: 'exited', code: 7 });
  expect(host.liveGroups()).toEqual([]);
});
