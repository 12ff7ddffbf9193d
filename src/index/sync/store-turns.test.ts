import { expect, test } from 'vitest';
import type { ReconcileAsk, ReconcileOutcome } from './reconcile.ts';
import { createReconcileQueue, createStoreHold } from './store-turns.ts';

/** What happened, in its order. Reconciles end when they are told to. */
function createWorld() {
  const order: string[] = [];
  const ends: (() => void)[] = [];
  const reconcile = async (ask: ReconcileAsk): Promise<ReconcileOutcome> => {
    order.push(`reconcile ${ask === 'all' ? 'all' : [...ask].join(' ')}`);
    await new Promise<void>((resolve) => ends.push(resolve));
    return {} as ReconcileOutcome;
  };
  const queue = createReconcileQueue(reconcile);
  const hold = createStoreHold(queue, { catchUp: () => void order.push('catch up') });
  return { order, queue, hold, endReconcile: () => ends.shift()?.() };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('R6 a lent store is reconciled before and after, and never meanwhile', async () => {
  const { order, queue, hold, endReconcile } = createWorld();
  const back = Promise.withResolvers<void>();
  queue.request(new Set(['a']));
  await turn();
  queue.request(new Set(['b']));
  const lent = hold.lend(async () => {
    order.push('lent');
    await back.promise;
  });
  expect(hold.isLent).toBe(true);
  queue.request(new Set(['c']));
  const last = queue.request('all');
  endReconcile();
  await turn();
  expect(order).toEqual(['reconcile a', 'reconcile b']);
  endReconcile();
  await turn();
  expect(order.slice(2)).toEqual(['lent']);
  back.resolve();
  await lent;
  expect(hold.isLent).toBe(false);
  await turn();
  expect(order.slice(3)).toEqual(['catch up', 'reconcile all']);
  endReconcile();
  await last;
  await queue.settled();
});

test('what is written waits while it is lent, and is written at once otherwise', async () => {
  const { order, hold } = createWorld();
  const write = (what: string) => hold.write(() => void order.push(what));
  const first = write('first');
  expect(order).toEqual(['first']);
  await first;
  const back = Promise.withResolvers<void>();
  const lent = hold.lend(() => back.promise);
  await turn();
  const [second, third] = [write('second'), write('third')];
  await turn();
  expect(order).toEqual(['first']);
  back.resolve();
  await Promise.all([lent, second, third]);
  expect(order).toEqual(['first', 'catch up', 'second', 'third']);
});

test('what was written is caught up with however it ended, and the failure is told', async () => {
  const { order, hold } = createWorld();
  await expect(hold.lend(() => Promise.reject(new Error('ended badly')))).rejects.toThrow('ended badly');
  expect([order, hold.isLent]).toEqual([['catch up'], false]);
  await expect(hold.write(() => 1)).resolves.toBe(1);
});
