import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { openLedger, openLedgerDatabase } from '../../index/store/ledger/ledger.ts';
import type { PlanBounds } from '../../index/store/ledger/plan-tables.ts';
import { openSeal } from '../apply/seal.ts';
import { type PlanStatus, planStatuses } from '../vocabulary.ts';
import type { Plan } from './plan.ts';
import { openPlanStore, type PlanStore } from './plan-store.ts';

let directory: string;
let stateDir: string;
beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'plans-')));
  stateDir = join(directory, '.codegenie');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function open(sealedBy?: string): PlanStore {
  const seal = sealedBy === undefined ? undefined : openSeal({ root: directory, home: join(directory, sealedBy) });
  const opened = openPlanStore(stateDir, seal);
  if (opened.kind !== 'open') throw new Error(JSON.stringify(opened));
  return opened.plans;
}

const anchor = { before: '\ud83d', text: 'old', after: '\n', lineHash: 'aa', ordinal: 3 };
const day = 24 * 60 * 60 * 1000;

function makePlan(id: string, change: Partial<Plan> = {}): Plan {
  return {
    id,
    hash: 'h',
    operation: { kind: 'rename', input: { target: 'a.ts:1:1', new_name: 'b', deep: { list: [1, null] } } },
    rootHash: 'root',
    worktree: '/tree',
    generation: 7,
    contextKeys: ['x', 'y'],
    symbol: { key: 'k', name: 'old', namePath: 'A/old', kind: 'method', definedAt: { file: 'a.ts', line: 1, col: 1 } },
    newName: 'b',
    provenance: 'proven',
    ambiguityFp: 'fp',
    status: 'open',
    createdMs: 1_000,
    expiresMs: 301_000,
    committedMs: null,
    groups: [
      {
        id: 'g-main',
        title: 'rename',
        provenance: 'proven',
        itemId: null,
        option: null,
        edits: [
          {
            path: 'a.ts',
            startByte: 0,
            endByte: 3,
            oldText: 'old',
            newText: 'b',
            form: 'plain',
            line: 1,
            col: 1,
            anchor,
          },
          {
            path: 'b.ts',
            startByte: 9,
            endByte: 12,
            oldText: 'old',
            newText: 'b',
            form: 'string',
            line: 2,
            col: 4,
            anchor,
          },
        ],
      },
      { id: 'g-item', title: 'item', provenance: 'text', itemId: 'i-1', option: 'rename', edits: [] },
    ],
    items: [
      {
        id: 'i-1',
        kind: 'untyped_access',
        path: 'c.ts',
        startByte: 1,
        endByte: 4,
        line: 1,
        col: 2,
        text: 'old',
        anchor,
        detail: 'd',
        options: [
          { id: 'rename', means: 'r', groupId: 'g-item' },
          { id: 'leave', means: 'l', groupId: null },
        ],
        chosen: null,
      },
    ],
    files: [
      { path: 'a.ts', role: 'edited', hash: '1', newHash: null, mode: 0o644 },
      { path: 'c.ts', role: 'affected', hash: '2', newHash: null, mode: null },
    ],
    moves: [{ from: 'a.ts', to: 'z.ts' }],
    scopeDigest: 'scope',
    risks: [{ groupId: 'g-item', tier: 'text', risk: 'high', reasons: ['string'] }],
    census: { planned: 2, other_symbol: 0, string: 0, comment: 1, unaccounted: 1 },
    notes: ['n'],
    isomorphism: { oldName: 'old', newName: 'b', reach: 'repo', family: [], isMember: true },
    ...change,
  };
}

const decision = {
  key: 'k',
  op: 'rename',
  symbolKey: 's',
  chosen: { 'i-1': 'rename' },
  fileHashes: {},
  planId: 'p',
  createdMs: 1,
};

const ending = {
  nowMs: 5_000,
  result: { files: [{ path: 'a.ts', hash: 'new' }], lateWrites: [], notes: [] },
  selections: ['g-main', 'g-item'],
  proofJson: '{}',
  decision: null,
  undo: { planId: 'p', dir: 'state/undo/p', bytes: 3, createdMs: 5_000 },
};

test('a plan is kept whole, also across a restart and a rebuild of the index', () => {
  const plan = makePlan('p');
  const first = open();
  first.add(plan);
  expect(first.find('p')).toEqual(plan);
  first.close();
  rmSync(`${stateDir}/index`, { recursive: true, force: true });
  const again = open();
  expect(again.find('p')).toEqual(plan);
  expect(again.list(10)).toEqual([plan]);
  again.close();
  // The ledger itself is as usable as before.
  const ledger = openLedger(stateDir);
  expect(ledger.kind).toBe('open');
  if (ledger.kind === 'open') ledger.ledger.close();
});

test('M22 finishing twice has no effect, and says what was selected', () => {
  const plans = open();
  plans.add(makePlan('p'));
  expect(plans.setStatus('p', ['open'], 'committing')).toBe(true);
  expect(plans.setStatus('p', ['open'], 'committing')).toBe(false);
  plans.finish('p', ending);
  plans.finish('p', { ...ending, nowMs: 9_000, result: { files: [], lateWrites: [], notes: ['x'] } });
  expect(plans.find('p')).toMatchObject({
    status: 'committed',
    committedMs: 5_000,
    items: [{ chosen: 'rename' }],
    files: [{ newHash: 'new' }, { newHash: null }],
  });
  expect(plans.result('p')).toEqual(ending.result);
  expect(plans.listUndo()).toEqual([ending.undo]);
  plans.close();
});

test('plans are kept for 7 days after they end, requests for 24 hours, open ones until their time is over', () => {
  const plans = open();
  plans.add(makePlan('p'));
  plans.add(makePlan('expiring', { createdMs: 2_000 }));
  plans.finish('p', ending);
  plans.putRequest('r', 'op', '{}', 5_000);
  plans.tidy(300_999);
  expect(plans.list(9).map(({ id, status }) => [id, status])).toEqual([
    ['expiring', 'open'],
    ['p', 'committed'],
  ]);
  plans.tidy(301_000);
  expect(plans.find('expiring')?.status).toBe('expired');
  plans.tidy(5_000 + day - 1);
  expect(plans.findRequest('r')).toEqual({ opHash: 'op', answerJson: '{}' });
  plans.tidy(5_000 + day);
  expect(plans.findRequest('r')).toBeUndefined();
  // What can be undone is found through its plan.
  plans.tidy(301_000 + 7 * day);
  expect(plans.list(9).map(({ id }) => id)).toEqual(['p']);
  plans.dropUndo('p');
  plans.tidy(301_000 + 7 * day);
  expect(plans.list(9)).toEqual([]);
  plans.close();
});

describe('M42 the ledger is bounded: the oldest that cannot be used go first, then the oldest', () => {
  const openBounded = (bounds: PlanBounds): PlanStore => {
    const opened = openPlanStore(stateDir, undefined, bounds);
    if (opened.kind !== 'open') throw new Error(JSON.stringify(opened));
    return opened.plans;
  };
  const ids = (plans: PlanStore) =>
    plans
      .list(99)
      .map(({ id }) => id)
      .sort();
  const at = (createdMs: number) => ({ createdMs, expiresMs: createdMs + 300_000 });

  test('by count', () => {
    const plans = openBounded({ count: 3, bytes: 1e9 });
    for (const [index, id] of ['a', 'b', 'c'].entries()) plans.add(makePlan(id, at(index)));
    plans.setStatus('c', ['open'], 'cancelled');
    plans.add(makePlan('d', at(3)));
    expect(ids(plans)).toEqual(['a', 'b', 'd']);
    plans.setExpiry('a', 900_000);
    plans.add(makePlan('e', at(4)));
    expect(ids(plans)).toEqual(['a', 'd', 'e']);
    plans.close();
  });

  test('by size', () => {
    const large = (id: string, index: number) => makePlan(id, { ...at(index), notes: ['x'.repeat(10_000)] });
    const plans = openBounded({ count: 99, bytes: 25_000 });
    for (const [index, id] of ['a', 'b', 'c'].entries()) plans.add(large(id, index));
    expect(ids(plans)).toEqual(['b', 'c']);
    // One that is too large by itself is the only one.
    plans.add(makePlan('d', { ...at(3), notes: ['x'.repeat(30_000)] }));
    expect(ids(plans)).toEqual(['d']);
    plans.close();
  });

  test('what is under way or can be undone stays', () => {
    const plans = openBounded({ count: 2, bytes: 1e9 });
    for (const [index, id] of ['p', 'b'].entries()) plans.add(makePlan(id, at(index)));
    plans.setStatus('b', ['open'], 'committing');
    plans.finish('p', ending);
    plans.add(makePlan('c', at(2)));
    plans.add(makePlan('d', at(3)));
    expect(ids(plans)).toEqual(['b', 'd', 'p']);
    plans.dropUndo('p');
    plans.add(makePlan('e', at(4)));
    expect(ids(plans)).toEqual(['b', 'e']);
    plans.close();
  });
});

test('secret-shaped text in proofs, reasoning and stored answers is kept as its keyed hash', () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const plans = open();
  plans.add(makePlan('p'));
  plans.finish('p', {
    ...ending,
    decision,
    proofJson: JSON.stringify({ reasoning: `it says ${secret}`, lines: [{ text: secret }] }),
  });
  plans.putRequest('r', 'op', JSON.stringify({ outcome: { detail: `token ${secret}`, hash: 'ab'.repeat(32) } }), 1);
  expect(plans.findRequest('r')?.answerJson).toContain('ab'.repeat(32));
  expect(plans.findDecision('i-1')).toEqual(decision);
  expect(plans.findDecision('k')).toBeUndefined();
  plans.close();
  for (const name of readdirSync(`${stateDir}/state`)) {
    expect(readFileSync(`${stateDir}/state/${name}`).includes(secret)).toBe(false);
  }
});

test('the first answer to a request stays', () => {
  const plans = open();
  plans.putRequest('r', 'op', '{"a":1}', 1);
  plans.putRequest('r', 'op', '{"a":2}', 1);
  expect(plans.findRequest('r')?.answerJson).toBe('{"a":1}');
  plans.close();
});

test('a ledger that cannot be used, and one behind a link, are said so', () => {
  mkdirSync(`${stateDir}/state`, { recursive: true });
  writeFileSync(`${stateDir}/state/ledger.db`, 'garbage'.repeat(1000));
  expect(openPlanStore(stateDir).kind).toBe('unusable');
  rmSync(`${stateDir}/state/ledger.db`);
  symlinkSync(`${directory}/elsewhere`, `${stateDir}/state/ledger.db`);
  expect(openPlanStore(stateDir)).toMatchObject({ kind: 'refused' });
});

test('M22 M25 whatever is done to a plan, its status only moves along the state machine', () => {
  const allowed: Readonly<Record<PlanStatus, readonly PlanStatus[]>> = {
    proving: ['open', 'expired', 'cancelled'],
    open: ['committing', 'committed', 'expired', 'cancelled'],
    committing: ['open', 'committed', 'conflict'],
    committed: ['undone'],
    undone: [],
    expired: [],
    cancelled: [],
    conflict: ['open', 'committed', 'undone'],
  };
  const commands = fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant('begin' as const) }),
      fc.record({ kind: fc.constant('reopen' as const) }),
      fc.record({ kind: fc.constant('conflict' as const) }),
      fc.record({ kind: fc.constant('cancel' as const) }),
      fc.record({ kind: fc.constant('prove' as const) }),
      fc.record({ kind: fc.constant('undo' as const) }),
      fc.record({ kind: fc.constant('finish' as const) }),
      fc.record({ kind: fc.constant('restart' as const) }),
      fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 200_000 }) }),
    ),
    { maxLength: 25 },
  );
  let count = 0;
  let plans = open();
  fc.assert(
    fc.property(fc.constantFrom('open' as const, 'proving' as const), commands, (status, steps) => {
      count += 1;
      const id = `p${count}`;
      plans.add(makePlan(id, { status }));
      let nowMs = 1_000;
      let before: PlanStatus = status;
      let commits = 0;
      for (const step of steps) {
        if (step.kind === 'begin') plans.setStatus(id, ['open'], 'committing');
        else if (step.kind === 'reopen') plans.setStatus(id, ['committing', 'conflict'], 'open');
        else if (step.kind === 'conflict') plans.setStatus(id, ['committing'], 'conflict');
        else if (step.kind === 'cancel') plans.setStatus(id, ['open', 'proving'], 'cancelled');
        else if (step.kind === 'prove') plans.setStatus(id, ['proving'], 'open');
        else if (step.kind === 'undo') plans.setStatus(id, ['committed'], 'undone');
        else if (step.kind === 'finish' && ['committing', 'conflict'].includes(before))
          plans.finish(id, { ...ending, undo: { ...ending.undo, planId: id } });
        else if (step.kind === 'wait') {
          nowMs += step.ms;
          plans.tidy(nowMs);
        } else if (step.kind === 'restart') {
          plans.close();
          plans = open();
        }
        const after = plans.find(id)?.status ?? 'expired';
        expect(planStatuses).toContain(after);
        expect(after === before || allowed[before].includes(after)).toBe(true);
        if (after === 'committed' && before !== 'committed') commits += 1;
        before = after;
      }
      expect(commits).toBeLessThanOrEqual(1);
    }),
    { numRuns: 60 },
  );
  plans.close();
});

test('P9 a plan that could be committed is there for the user who made it, and not for one who was given its ledger', () => {
  const mine = open('mine');
  mine.add(makePlan('p-1'));
  mine.add(makePlan('p-2'));
  expect(mine.find('p-1')).toEqual(makePlan('p-1'));
  mine.setStatus('p-2', ['open'], 'cancelled');
  mine.close();
  const again = open('mine');
  expect(again.find('p-1')).toEqual(makePlan('p-1'));
  again.close();
  const theirs = open('theirs');
  expect(theirs.find('p-1')).toBeUndefined();
  expect(theirs.list(10).map(({ id }) => id)).toEqual(['p-2']);
  theirs.close();
});

test('P9 one that was made without a seal, or changed since, is not there', () => {
  const unsealed = open();
  unsealed.add(makePlan('p-1'));
  unsealed.close();
  const mine = open('mine');
  expect(mine.find('p-1')).toBeUndefined();
  mine.add(makePlan('p-2'));
  mine.close();
  const ledger = openLedgerDatabase(stateDir);
  if (ledger.kind !== 'open') throw new Error(ledger.kind);
  ledger.db.exec("UPDATE plan_edits SET new_text = 'evil'");
  ledger.db.close();
  const again = open('mine');
  expect(again.find('p-2')).toBeUndefined();
  again.close();
});

test('P9 an answer to a request and a decision that others wrote, or changed, are not there', () => {
  const fill = (plans: PlanStore) => {
    plans.add(makePlan('p'));
    plans.finish('p', { ...ending, decision });
    plans.putRequest('r', 'op', '{"a":1}', 1);
    plans.close();
  };
  fill(open('attacker'));
  const plans = open('user');
  expect([plans.findRequest('r'), plans.findDecision('i-1')]).toEqual([undefined, undefined]);
  plans.putRequest('r', 'op', '{"a":2}', 1);
  expect(plans.findRequest('r')).toEqual({ opHash: 'op', answerJson: '{"a":2}' });
  plans.close();

  rmSync(`${stateDir}/state`, { recursive: true });
  fill(open('user'));
  const ours = open('user');
  expect([ours.findRequest('r')?.answerJson, ours.findDecision('i-1')]).toEqual(['{"a":1}', decision]);
  ours.close();
  const ledger = openLedgerDatabase(stateDir);
  if (ledger.kind !== 'open') throw new Error(ledger.kind);
  ledger.db.exec(`UPDATE requests SET answer_json = '{"a":3}'; UPDATE decisions SET chosen_json = '{"i-1":"leave"}'`);
  ledger.db.close();
  const changed = open('user');
  expect([changed.findRequest('r'), changed.findDecision('i-1')]).toEqual([undefined, undefined]);
  changed.close();
});
