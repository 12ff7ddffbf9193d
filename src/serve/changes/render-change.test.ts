/** What a person is told of a change: every outcome, read as it is printed. */

import { describe, expect, test } from 'vitest';
import {
  sampleAnswer,
  sampleApplied,
  sampleEdit,
  sampleLook,
  samplePlan,
} from '../../../test/support/sample-answers.ts';
import { outcomeKinds } from '../../mutate/vocabulary.ts';
import { ChangeAnswer } from './change-answer.ts';
import { renderChange } from './render-change.ts';

const render = (kind: (typeof outcomeKinds)[number]) => renderChange(sampleAnswer(kind), sampleLook);

test.each(outcomeKinds)('M1 the schema of an answer takes %s as it is', (kind) => {
  const answer = sampleAnswer(kind);
  expect(ChangeAnswer.parse(answer)).toEqual(answer);
});

test('a plan shows what changes, what proves it, and the one command that writes it', () => {
  expect(render('ok')).toBe(`rename function total → amount  src/order.ts:3:17
plan p-1f · 4 edits in 2 files · proven

src/order.ts  2 edits
  3 - export function total(order: Order): number {
    + export function amount(order: Order): number {
  4 - return order.lines.length === 0 ? 0 : total({ lines: order.lines.slice(1) });
    + return order.lines.length === 0 ? 0 : amount({ lines: order.lines.slice(1) });
src/cart.ts  2 edits
  1 - import { total } from './order.ts';
    + import { amount } from './order.ts';
  3 - console.log(total({ lines: [] }), pick(cart, 'total'));
    + console.log(amount({ lines: [] }), pick(cart, 'total'));
proof: the compiler binds every name the same before and after, with no other error; the name was found nowhere as data
left alone: 2 of other symbols, 1 in strings and data
note: the file \`total.test.ts\` is named after it

nothing is written yet; to write it:
  codegenie plan commit p-1f`);
});

test('M43 for a model an edited line is what it becomes, and a line that is withheld is told by its edit alone', () => {
  const told = renderChange(sampleAnswer('ok'), { ...sampleLook, isBrief: true });
  expect(told).toContain(`
lines as they will be:
src/order.ts
3 export function amount(order: Order): number {
4 …ines.length === 0 ? 0 : amount({ lines: order.lines.slice(1) });
src/cart.ts
1 import { amount } from './order.ts';
3 console.log(amount({ lines: [] }), pick(cart, 'total'));
proof: `);
  const withheld = renderChange(sampleAnswer('ok'), { line: () => undefined, isBrief: true });
  expect(withheld).toContain('src/cart.ts\n1 «total→amount»\n3 «total→amount»\n');
  expect(withheld).not.toContain('import');
});

test('for a model, a new name beside one that was there before is marked', () => {
  const line = (path: string, number: number) => `${sampleLook.line(path, number) ?? ''} // amount`;
  const told = renderChange(sampleAnswer('ok'), { line, isBrief: true });
  expect(told).toContain("1 import { «total→amount» } from './order.ts'; // amount\n");
});

test('a question has its place, its line, its options by their names, and the command that answers it', () => {
  const text = render('needs_decision');
  expect(text.slice(text.indexOf('1 question'))).toBe(`1 question

1. src/cart.ts:3:49  a string that may name it (string_reference)
   3 | console.log(total({ lines: [] }), pick(cart, 'total'));
     |                                             ^^^^^
   an argument where \`keyof Cart\` is expected
   rename  rename it here too (medium risk)
   leave   leave it as it is

to answer: an option of each by its number, or \`<kind>=<option>\` for all of a kind (--accept <kind>: go on with all of it)
  codegenie plan commit p-1f 1=<rename|leave>`);
});

test('M31 an answer of before stands below its question and in the command that is proposed', () => {
  const { outcome, next } = sampleAnswer('needs_decision');
  if (outcome.kind !== 'needs_decision') throw new Error('the sample is of another kind');
  const remembered = [
    {
      item: outcome.plan?.items[0]?.id ?? '',
      chosen: 'c-leave',
      option: 'leave',
      symbol: 'src/order.ts#sum',
      when: '2026-02-03T04:05:06.000Z',
      plan_id: 'p-0e',
      same_files: false,
    },
  ];
  const text = renderChange({ outcome: { ...outcome, remembered }, next }, sampleLook);
  expect(text).toContain(`   leave   leave it as it is
   answered before: leave, on 2026-02-03 for src/order.ts#sum (plan p-0e; files have changed since)
`);
  expect(text).toContain('codegenie plan commit p-1f 1=leave');
  expect(ChangeAnswer.parse({ outcome: { ...outcome, remembered }, next })).toEqual({
    outcome: { ...outcome, remembered },
    next,
  });
});

test('`proven` is said of a plan whose data half is proven too, and an applied plan has no question below', () => {
  const plan = { ...samplePlan, notes: ['proven: 4 names in 2 files keep their meaning, and no error comes or goes'] };
  const asked = { ...plan, questions: 1 };
  const told = (of: typeof plan) =>
    renderChange({ ...sampleAnswer('ok'), outcome: { kind: 'ok', state: 'planned', plan: of } }, sampleLook);
  expect(told(plan)).toContain('in 2 files · proven\n');
  expect(told(asked)).toContain('in 2 files · bindings proven\n');
  expect(told({ ...plan, notes: [...plan.notes, 'trusted: untyped_exit by your configuration'] })).toContain(
    '· bindings proven\n',
  );
  const applied = sampleApplied('applied');
  const outcome = { ...applied.outcome, plan: asked } as typeof applied.outcome;
  const done = renderChange({ ...applied, outcome }, sampleLook);
  expect(done).toContain('data: as you answered');
  expect(done).not.toContain('below');
});

test('a refusal says what is in the way, where, and what to do instead', () => {
  expect(render('refused')).toBe(`refused (capture): a name would come to mean something else
  \`amount\` in src/cart.ts would mean the parameter
  src/cart.ts:3:17  bound to a parameter
    3 | console.log(total({ lines: [] }), pick(cart, 'total'));
  instead: another name
next: do what comes next`);
});

test('a forced plan lists each edit outside the lexical tier with its risk, apart from what is applied', () => {
  const text = render('ok_syntactic');
  expect(text).toContain('plan p-1f · 1 edit in 1 file · syntactic');
  expect(text).toContain(
    '  g-cart  src/cart.ts:3:17  medium risk: bound to a name that files share, here or by an import that leads to it; other files can see it',
  );
  expect(text).toContain('binding: not proven');
  expect(text).toContain('codegenie plan commit p-1f --select g-main,<group>,… --proof proof.json');
});

test('blocked and unsupported say what would settle it', () => {
  expect(render('blocked')).toMatch(
    /^blocked \(not_fresh\): .*\n[\s\S]*src\/cart\.ts: dirty .*\n[\s\S]*--mode force_syntactic$/,
  );
  expect(render('unsupported')).toMatch(/^unsupported \(missing_tool\): [\s\S]*install: go install /);
});

test('what was written can be taken back by the command that is shown', () => {
  expect(renderChange(sampleApplied('applied'), sampleLook)).toBe(`renamed total → amount · 2 files written
  src/cart.ts  2 edits
  src/order.ts  2 edits
proof: the compiler binds every name the same before and after, with no other error; the name was found nowhere as data
left alone: 2 of other symbols, 1 in strings and data
note: the file \`total.test.ts\` is named after it
to take it back: codegenie plan undo p-1f`);
  expect(renderChange(sampleApplied('undone'), sampleLook)).not.toContain('to take it back');
});

test('what an answer may have changed is not said to be left alone', () => {
  const [main] = samplePlan.groups;
  const chosen = { ...(main as (typeof samplePlan.groups)[number]), id: 'g-item', item: 'i', option: 'rename' };
  const { outcome, next } = sampleApplied('applied');
  const plan = { ...samplePlan, groups: [...samplePlan.groups, chosen] };
  const answer = { outcome: { ...outcome, plan }, next } as ReturnType<typeof sampleApplied>;
  expect(renderChange(answer, sampleLook)).not.toContain('left alone');
});

describe('large and hostile plans', () => {
  const planOf = (edits: readonly ReturnType<typeof sampleEdit>[], more: number) => {
    const [main] = samplePlan.groups;
    const files = [...new Set(edits.map(({ file }) => file))].map((path) => ({ path, hash: 'h', edits: 1 }));
    const groups = [{ ...(main as (typeof samplePlan.groups)[number]), edits: [...edits], more }];
    return {
      outcome: { kind: 'ok' as const, state: 'planned' as const, plan: { ...samplePlan, groups, files } },
      next: '',
    };
  };

  test('M21 of many edits a screenful is shown and the rest is counted', () => {
    const edits = Array.from({ length: 20 }, (_, at) => ({ ...sampleEdit('src/order.ts', 3, 17), file: `f${at}.ts` }));
    const text = renderChange(planOf(edits, 37), { line: () => 'export function total(' });
    expect(text.split('\n').length).toBeLessThan(80);
    expect(text).toContain('57 edits in');
    expect(text).toContain('and 37 more edits');
  });

  test('a line that is not as planned is shown as the plan remembers it', () => {
    const text = renderChange(planOf([sampleEdit('src/order.ts', 3, 17)], 0), { line: () => 'something else' });
    expect(text).toContain('  3 - export function total(order: Order)');
    expect(text).toContain('    + export function amount(order: Order)');
  });

  test('of a long line the part around the edit is shown', () => {
    const line = `${'x'.repeat(400)} total ${'y'.repeat(400)}`;
    const edit = { ...sampleEdit('src/order.ts', 3, 17), col: 402 };
    const text = renderChange(planOf([edit], 0), { line: () => line });
    expect(text).toMatch(/ - …x{39} total y+…\n.* \+ …x{39} amount y+…\n/);
    expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThan(140);
  });

  test('names from the repository cannot steer the terminal', () => {
    const edit = { ...sampleEdit('src/order.ts', 3, 17), file: 'a\u001b[31m\n.ts' };
    const text = renderChange(planOf([edit], 0), { line: () => 'total\u001b[2J' });
    expect(text).not.toContain('\u001b');
    expect(text).toContain('"a\\u001b[31m\\n.ts"  1 edit');
  });
});
