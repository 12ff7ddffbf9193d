/** With the real compiler: what was selected is proved as one, when it is committed (M30). */

import { afterEach, expect, test } from 'vitest';
import { openPlanWorld, type PlanWorld } from '../../../test/support/plan-world.ts';
import { openCompiler } from '../compiler/session/open-compiler.ts';
import { planChange, replanWith } from '../plan-change.ts';
import { commitPlan } from '../plans/commit.ts';
import type { MutationWorld } from '../world.ts';

let rig: PlanWorld | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

const files = {
  'package.json': '{ "name": "x", "private": true, "type": "module" }',
  'tsconfig.json':
    '{ "compilerOptions": { "strict": true, "module": "esnext", "moduleResolution": "bundler", "noEmit": true, "lib": ["esnext"] }, "include": ["src"] }',
  'src/a.ts':
    'export class Owner {\n  old = 1;\n}\nexport function pick<K extends keyof Owner>(o: Owner, key: K) {\n  console.log(key);\n  return o[key];\n}\n',
  'src/b.ts': "import { Owner, pick } from './a';\nconsole.log(new Owner().old, pick(new Owner(), 'old'));\n",
};

test('M30 a string that the types tie to the name is refused where it is left, and applied where it is renamed', async () => {
  const it = await openPlanWorld(files);
  rig = it;
  const { root } = it.tree;
  const world: MutationWorld = {
    ...it.world,
    openCompiler: (programs) => openCompiler({ root, programs, environment: process.env, signal: it.world.signal }),
  };
  const { outcome } = await planChange(world, 'rename', {
    target: 'src/a.ts:2:3',
    new_name: 'fresh',
    mode: 'semantic',
    public_names: 'ask',
    alias_policy: 'through',
    wait_ms: 10_000,
    apply: false,
  });
  expect(outcome).toMatchObject({ kind: 'needs_decision', plan: { items: expect.any(Array) } });
  const plan = it.world.plans.list(1)[0];
  if (plan === undefined) throw new Error('a plan was kept');
  expect(plan.items.map(({ kind }) => kind)).toContain('string_reference');
  const others = Object.fromEntries(
    plan.items.map(({ id, options }) => [id, options.find((option) => option.id !== 'stop')?.id ?? '']),
  );
  const strings = plan.items.filter(({ kind }) => kind === 'string_reference').map(({ id }) => id);
  const select = (option: string) =>
    it.select(plan, { ...others, ...Object.fromEntries(strings.map((id) => [id, option])) });
  const commit = (option: string) => commitPlan(world, it.request(plan, select(option)), replanWith(world));
  const left = await commit('leave');
  expect(left.outcome).toMatchObject({ kind: 'refused', reason: 'new_diagnostics' });
  expect(it.read('src/b.ts')).toBe(files['src/b.ts']);
  const renamed = await commit('rename');
  expect(renamed.outcome).toMatchObject({ kind: 'ok', state: 'applied' });
  expect(it.read('src/b.ts')).toBe(files['src/b.ts'].replaceAll('old', 'fresh'));
});
