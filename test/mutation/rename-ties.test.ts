/** What fits what is renamed by its shape alone: renamed along, or left, as one selection that is proved when it is committed. */

import { afterEach, expect, test } from 'vitest';
import { type ChangeWorld, openChangeWorld } from '../support/change-world.ts';

const worlds: ChangeWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.dispose();
});

const chain = [
  'export interface Chain { pace?: number; name: string }',
  'export const define = <const T extends Chain>(chain: T): T => chain;',
  'export const wait = (chain: Chain) => chain.pace ?? 1;\n',
].join('\n');

const use = (name: string, keys: string) =>
  `import { define } from './chain.ts';\nconst pace = 0;\nexport const ${name} = define({ ${keys}, name: '${name}' });\n`;

const files = {
  'chain.ts': chain,
  'one.ts': use('one', 'pace: 1'),
  'two.ts': use('two', "'pace': 2"),
  'three.ts': use('three', 'pace'),
  'all.ts':
    "import { wait } from './chain.ts';\nimport { one } from './one.ts';\nimport { two } from './two.ts';\nwait(one);\nconsole.log(one.pace, two['pace']);\n",
};

function open(more: Readonly<Record<string, string>> = {}): ChangeWorld {
  const world = openChangeWorld({ ...files, ...more });
  worlds.push(world);
  return world;
}

test('M30 keys that fit by their name are renamed along with all their uses, and the whole is proved', async () => {
  const world = open();
  const plan = world.planOf(await world.rename('Chain/pace', 'interval'));
  expect(plan.items).toMatchObject([
    {
      kind: 'structural_tie',
      path: 'all.ts',
      detail: 'This fits by a `pace` of its own, which would no longer be seen (4 places).',
      options: [
        { id: 'rename', means: 'rename the other side too, with all its uses: 5 edits in 4 files' },
        { id: 'leave' },
        { id: 'stop' },
      ],
    },
  ]);
  const selections = world.select(plan, { structural_tie: 'rename' });
  expect((await world.commit(plan, { selections })).outcome).toMatchObject({ kind: 'ok', state: 'applied' });
  expect(Object.keys(files).map((path) => world.read(path))).toEqual([
    files['chain.ts'].replaceAll('pace', 'interval'),
    files['one.ts'].replace('{ pace', '{ interval'),
    files['two.ts'].replace("'pace'", "'interval'"),
    files['three.ts'].replace('{ pace,', '{ interval: pace,'),
    files['all.ts'].replaceAll('pace', 'interval'),
  ]);
});

test('M30 left alone, nothing but the main group is written', async () => {
  const world = open();
  const plan = world.planOf(await world.rename('Chain/pace', 'interval'));
  const selections = world.select(plan, { structural_tie: 'leave' });
  expect((await world.commit(plan, { selections })).outcome).toMatchObject({ kind: 'ok', state: 'applied' });
  expect(world.read('chain.ts')).toBe(files['chain.ts'].replaceAll('pace', 'interval'));
  expect(world.read('one.ts')).toBe(files['one.ts']);
});

test('M13 a key in a generated file, or in one that git ignores, is not renamed along', async () => {
  const generated = open({ 'four.ts': `// @generated\n${use('four', 'pace: 4')}` });
  const ignored = open({ '.gitignore': 'four.ts\n', 'four.ts': use('four', 'pace: 4') });
  for (const [world, why] of [
    [generated, 'four.ts is generated'],
    [ignored, 'four.ts is no part of the repository'],
  ] as const) {
    const [item] = world.planOf(await world.rename('Chain/pace', 'interval')).items;
    expect(item?.options.map(({ id }) => id)).toEqual(['leave', 'stop']);
    expect(item?.detail).toContain(`The other side cannot be renamed along: ${why}.`);
  }
});

test('M9 what is looked up in one untyped thing is one question, with all its places', async () => {
  const source =
    'export class Box { size() { return 1; } }\nexport const sum = (box: any) => box.size() +\n  box.size() +\n  box.size();\n';
  const world = openChangeWorld({ 'a.ts': source });
  worlds.push(world);
  const plan = world.planOf(await world.rename('Box/size', 'width'));
  expect(plan.items).toMatchObject([
    { kind: 'untyped_access', line: 2, detail: expect.stringContaining('lines 3, 4') },
  ]);
  const selections = world.select(plan, { untyped_access: 'rename' });
  await world.commit(plan, { selections, proof: world.proof(plan, selections) });
  expect(world.read('a.ts')).toBe(source.replaceAll('size', 'width'));
});
