import { afterEach, expect, test } from 'vitest';
import { openPlanWorld, type PlanWorld } from '../../../test/support/plan-world.ts';
import { capsuleTypes, type DecisionCapsule } from '../answer.ts';
import { candidateId } from '../plans/ids.ts';
import { showPlan } from '../plans/show-plan.ts';
import { type ItemKind, itemKinds } from '../vocabulary.ts';
import { itemRules, listCandidateSets, makeWitness, witnessOfPlan } from './candidates.ts';
import { buildCapsules } from './capsules.ts';
import { requiredProofOf } from './required-proof.ts';

let rig: PlanWorld | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

const files = {
  'a.ts': 'export class Owner { old = 1 }\n',
  'b.ts': "import { Owner } from './a';\nfunction f(o: any) {\n  const p = o;\n  return p.old;\n}\ncall('old');\n",
};

async function capsulesOf(kind: ItemKind, texts: Readonly<Record<string, string>> = files) {
  const it = await openPlanWorld(texts);
  rig = it;
  const plan = it.plan({ from: 'old', to: 'fresh', main: ['a.ts'], ask: kind });
  return { it, plan, capsules: await buildCapsules(it.world, plan) };
}

const shown: Partial<Record<ItemKind, (capsule: DecisionCapsule) => void>> = {
  unaccounted_token: ({ inputs }) =>
    expect(inputs).toMatchObject({
      name: 'old',
      scope_chain: [{ kind: 'function_body', line: 2 }, { kind: 'function', line: 2 }, {}, {}],
    }),
  untyped_access: ({ inputs }) =>
    expect(inputs).toMatchObject({ receiver: 'p', definitions: [{ line: 3, col: 9, kind: 'declaration' }] }),
  uncovered_file: ({ inputs }) => expect(inputs).toMatchObject({ file: 'b.ts', configs: [] }),
  unresolved_reference: ({ inputs }) =>
    expect(inputs).toMatchObject({ imports: [{ specifier: './a', resolved: ['a.ts'] }] }),
};

test.each(Object.keys(itemKinds) as ItemKind[])(
  'a question of kind %s is cut down to what its answer needs',
  async (kind) => {
    const { plan, capsules } = await capsulesOf(kind);
    for (const capsule of capsules) {
      expect(capsuleTypes).toContain(capsule.type);
      expect(plan.items.map(({ id }) => id)).toContain(capsule.item);
      const item = plan.items.find(({ id }) => id === capsule.item);
      const candidates = item?.options.map(({ id }) => candidateId(capsule.item, id)) ?? [];
      for (const output of capsule.outputs) if (candidates.length > 0) expect(candidates).toContain(output.id);
      const code = (capsule.inputs['code'] ?? []) as readonly unknown[];
      expect(code.length).toBeLessThanOrEqual(5);
    }
    const [first] = capsules;
    if (first !== undefined) shown[kind]?.(first);
  },
);

test('all five types are made, a string knows its consumer', async () => {
  const kinds: readonly ItemKind[] = [
    'unaccounted_token',
    'untyped_access',
    'uncovered_file',
    'unresolved_reference',
    'string_reference',
  ];
  const types: string[] = [];
  for (const kind of kinds) {
    const { capsules } = await capsulesOf(kind);
    types.push(capsules[0]?.type ?? '');
    if (kind === 'string_reference') expect(capsules[1]?.inputs).toMatchObject({ consumer: "call('old')" });
    await rig?.close();
    rig = undefined;
  }
  expect(types.sort()).toEqual([...capsuleTypes].sort());
});

test('M21 no list exceeds its bounds, and what was cut says so', async () => {
  const many = { 'a.ts': 'export const old = 1;\n', 'b.ts': 'old;\n'.repeat(60) };
  const { it, plan, capsules } = await capsulesOf('unaccounted_token', many);
  expect(capsules).toHaveLength(20);
  expect(listCandidateSets(plan)).toMatchObject({ truncated: true, sets: { length: 20 } });
  expect(witnessOfPlan(plan)).toMatchObject({
    bounds: { truncated: true },
    facts: { length: 20 },
    checklist: { length: 20 },
  });
  expect(makeWitness({ bounds: { ...witnessOfPlan(plan).bounds, truncated: true } }).bounds.truncated).toBe(true);
  // More than fifty edits: the definition, each item, and the first edit of each file.
  const all = requiredProofOf(plan);
  expect(all).toMatchObject({ identity: true, anchors: { length: 61 }, lines: { length: 60 } });
  expect((await showPlan(it.world, plan.id)).outcome.kind).toBe('needs_decision');
});

test('every kind of question has a rule and one fact that settles it', async () => {
  expect(Object.keys(itemRules).sort()).toEqual(Object.keys(itemKinds).sort());
  const { plan } = await capsulesOf('untyped_access');
  const [item] = plan.items;
  if (item === undefined) throw new Error('a question');
  const kinds = Object.keys(itemKinds) as ItemKind[];
  const checklist = kinds.flatMap((kind) => makeWitness({ items: [{ ...item, kind }] }).checklist);
  expect(checklist).toHaveLength(kinds.length);
  for (const { question, fact_needed, how } of checklist)
    expect([question, fact_needed, how].every(Boolean)).toBe(true);
});

test('secrets beside a place are not shown', async () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const { capsules } = await capsulesOf('unaccounted_token', {
    ...files,
    'b.ts': `const token = '${secret}';\nold;\n`,
  });
  expect(JSON.stringify(capsules)).not.toContain(secret);
});

test.each(['untyped_exit', 'untyped_boundary', 'dynamic_access'] as const)(
  'M9 a capsule of kind %s follows the value itself, and names both strings that decide',
  async (kind) => {
    const { capsules } = await capsulesOf(kind, {
      ...files,
      'b.ts': 'function g(old: {}) {\n  JSON.stringify(old);\n}\n',
    });
    expect(capsules[0]?.inputs).toMatchObject({ receiver: 'old', name: 'old', new_name: 'fresh' });
    expect(capsules[0]?.inputs['question']).not.toContain('receiver');
  },
);

test.each(['name_as_data', 'convention_name', 'unknown_inherited', 'public_api', 'unreadable_file'] as const)(
  'M9 a question of kind %s has no capsule of another kind',
  async (kind) => {
    expect((await capsulesOf(kind)).capsules).toEqual([]);
  },
);
