/** A plan is answered in few words (mutation.md §6.1), over HTTP and as an agent: round trips, and what is refused. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Outcome, PlanView } from '../../src/mutate/answer.ts';
import { callTool } from '../../src/serve/mcp/call-tool.ts';
import { type RunningDaemon, startTestDaemon } from '../support/daemon-world.ts';
import { createFixtureRepo, type FixtureRepo } from '../support/fixture-repo.ts';
import type { Loose } from '../support/mcp-clients.ts';

const lineRead = '  return (box as unknown as Record<string, number>)[name];';
const source = [
  'export class Box {',
  '  size = 1;',
  '}',
  'const lid = 1;',
  'export function grow(anything: any) {',
  '  anything.size += lid;',
  '}',
  'export function read(box: Box, name: string) {',
  lineRead,
  '}',
  'console.log(new Box().size);',
  '',
].join('\n');
const path = 'src/box.ts';

let repo: FixtureRepo;
let daemon: RunningDaemon;
beforeAll(async () => {
  repo = createFixtureRepo({
    'package.json': '{"name":"boxes","private":true}',
    'tsconfig.json': JSON.stringify({
      compilerOptions: { strict: true, noEmit: true, lib: ['esnext'], types: [] },
      include: ['src'],
    }),
    [path]: source,
  });
  repo.commit();
  daemon = await startTestDaemon(repo);
});
afterEach(() => repo.write(path, source));
afterAll(async () => {
  await daemon.stop();
  repo.dispose();
});

const read = () => readFileSync(join(repo.root, path), 'utf8');
const renamed = source.replaceAll('size', 'width');
const left = renamed.replace('anything.width', 'anything.size');

/** By number, the option that is wanted of each kind; with the line where one is to be quoted. */
function answersTo(plan: PlanView, wanted: Readonly<Record<string, string>>, quote = lineRead) {
  const quoted = new Set(plan.to_quote.map(({ key }) => key));
  return Object.fromEntries(
    plan.items.map(({ number, kind }) => {
      const option = wanted[kind] ?? 'accept';
      return [String(number), quoted.has(String(number)) ? `${option}: ${quote}` : option];
    }),
  );
}

describe('over HTTP', () => {
  async function planned(target: string, newName: string): Promise<PlanView> {
    const { json } = await daemon.post('/v1/renames', { target, new_name: newName });
    const outcome = json?.['outcome'] as Outcome;
    if (!('plan' in outcome) || outcome.plan === null) throw new Error(JSON.stringify(outcome));
    return outcome.plan;
  }
  const commit = async (body: object) => (await daemon.post('/decisions/commit', body)).json?.['outcome'];

  test.each(['plan', 'plan_id'])(
    'M43 M22 a proven plan without questions by its id alone, as `%s`, and once',
    async (name) => {
      const { id } = await planned(`${path}:4:7`, 'cover');
      expect(await commit({ [name]: id })).toMatchObject({ kind: 'ok', state: 'applied' });
      expect(read()).toBe(source.replaceAll('lid', 'cover'));
      expect(await commit({ [name]: id })).toMatchObject({ kind: 'refused', reason: 'plan_used' });
    },
  );

  test('M43 questions by their numbers, a line quoted where it is asked for, and not used twice', async () => {
    const plan = await planned(`${path}:2:3`, 'width');
    expect(plan.to_quote).toMatchObject([{ file: path, line: 9 }]);
    const all = (quote: string) => ({ plan: plan.id, answers: answersTo(plan, { untyped_access: 'rename' }, quote) });
    expect(await commit({ plan: plan.id })).toMatchObject({ reason: 'selection_invalid' });
    expect(await commit({ plan: plan.id, answers: { '1': 'rename' } })).toMatchObject({ reason: 'selection_invalid' });
    const unread = Object.fromEntries(
      Object.entries(all('').answers).map(([key, said]) => [key, said.replace(/: $/, '')]),
    );
    expect(await commit({ plan: plan.id, answers: unread })).toMatchObject({
      reason: 'proof_incomplete',
      detail: expect.stringContaining(`${path}:9:`),
    });
    expect(await commit(all('return box[name];'))).toMatchObject({ reason: 'proof_mismatch' });
    expect(await commit({ plan: plan.id, answers: { '9': 'accept' } })).toMatchObject({
      reason: 'selection_invalid',
      detail: expect.stringContaining('9 is no question'),
    });
    expect(read()).toBe(source);
    expect(await commit(all(lineRead.trim().replaceAll(' ', '  ')))).toMatchObject({ kind: 'ok', state: 'applied' });
    expect(read()).toBe(renamed);
    expect(await commit(all(lineRead))).toMatchObject({ kind: 'refused', reason: 'plan_used' });
  });

  test('M43 a line that has changed since it was read is refused', async () => {
    const before = await planned(`${path}:2:3`, 'width');
    const other = source.replace(lineRead, lineRead.replace('name]', 'name] ?? 0'));
    repo.write(path, other);
    const stale = await commit({ plan: before.id, answers: answersTo(before, { untyped_access: 'leave' }) });
    // M29: the place reads otherwise, so it is asked about in a new plan, and what was quoted of the old line does not answer it.
    expect(stale).toMatchObject({ kind: 'needs_decision', plan: { status: 'open' } });
    const after = (stale as Extract<Outcome, { kind: 'needs_decision' }>).plan as PlanView;
    expect(after.id).not.toBe(before.id);
    expect(await commit({ plan: after.id, answers: answersTo(after, { untyped_access: 'leave' }) })).toMatchObject({
      kind: 'refused',
      reason: 'proof_mismatch',
    });
    expect(read()).toBe(other);
    const line = other.split('\n')[8];
    expect(
      await commit({ plan: after.id, answers: answersTo(after, { untyped_access: 'leave' }, line) }),
    ).toMatchObject({ kind: 'ok', state: 'applied' });
  });

  test('fields of two forms are not mixed', async () => {
    expect(await daemon.post('/decisions/commit', { plan: 'p-1', proof: {} })).toMatchObject({
      status: 400,
      json: { field: 'proof' },
    });
    expect(await daemon.post('/decisions/commit', { plan: 'p-1', answers: { '1': 2 } })).toMatchObject({
      status: 400,
      json: { field: 'answers.1' },
    });
  });
});

describe('as an agent', () => {
  async function call(name: string, given: object): Promise<{ readonly answer: Loose; readonly text: string }> {
    const world = async () => ({ workspace: daemon.workspace(), onStep: () => {} });
    const { text, structured } = await callTool(name, given, world, (error) => {
      throw error;
    });
    return { answer: structured as Loose, text };
  }
  const plan = async (target: string, to: string) => call('plan_refactor', { kind: 'rename', target, to });

  test('M43 a proven plan by its id alone, in the call that `next` names', async () => {
    const { answer } = await plan(`${path}:4:7`, 'cover');
    const { id } = answer.outcome.plan;
    expect(answer.next).toBe(`Nothing is written yet: call commit_plan {plan: "${id}"}.`);
    const done = await call('commit_plan', { plan: id });
    expect(done.answer.outcome).toMatchObject({ kind: 'ok', state: 'applied' });
    // How to undo it is said once, as a call.
    expect(done.text).not.toContain('codegenie plan');
    expect((await call('commit_plan', { op: 'commit', plan_id: id })).answer.outcome).toMatchObject({
      reason: 'plan_used',
    });
    const undone = await call('commit_plan', { op: 'undo', plan: id });
    expect(undone.answer.outcome).toMatchObject({ kind: 'ok', state: 'undone' });
    expect(read()).toBe(source);
  });

  test('M43 the line to quote is named and not printed; one short call answers all', async () => {
    const { answer, text } = await plan(`${path}:2:3`, 'width');
    const { plan: made } = answer.outcome;
    expect(answer.next).toContain(`<the line at ${path}:9:`);
    expect(text).not.toContain('Record<string, number>)[name]');
    expect(text).toContain('anything.size');
    const kinds: Loose = Object.fromEntries(made.items.map(({ kind, number }: Loose) => [kind, number]));
    const answers = { untyped_access: 'leave', untyped_exit: 'accept', dynamic_access: 'accept' };
    const asked = Object.fromEntries(Object.entries(answers).filter(([kind]) => kinds[kind] !== undefined));
    const refused = await call('commit_plan', { plan: made.id, answers: asked });
    expect(refused.answer.outcome).toMatchObject({ kind: 'refused', reason: 'proof_incomplete' });
    const [target] = /src\/box\.ts:9:\d+/.exec(answer.next) ?? [];
    const { answer: slice } = await call('slice', { target, kind: 'def-use' });
    const [{ text: line }] = slice.uses;
    const quoted = { ...asked, [kinds.dynamic_access]: `accept: ${line}` };
    // As models write it: the object as its JSON.
    const done = await call('commit_plan', { plan: made.id, answers: JSON.stringify(quoted) });
    expect(done.answer.outcome).toMatchObject({ kind: 'ok', state: 'applied' });
    expect(read()).toBe(left);
    const again = await call('commit_plan', { plan: made.id, answers: quoted });
    expect(again.answer.outcome).toMatchObject({ kind: 'refused', reason: 'plan_used' });
  });
});
