/**
 * Files that are deleted, edited and put back while our own TypeScript indexer reads them (code-plane.md §6.3, R12, R13, R22): what it says
 * of other bytes than those before, after and now is not taken, files that used them are not clean by that run, and the next one settles it.
 *
 * The moments are those at which the run waits at a gate: while the compiler loads the program, and when it has, before any document.
 */

import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { JobReport } from '../../src/index/refresh/run-job.ts';
import { createGate, createTsgoRig, expectClean, type TsgoRig } from '../support/tsgo-rig.ts';

let rig: TsgoRig | undefined;
afterEach(async () => {
  await rig?.dispose();
  rig = undefined;
});

const price = 'export const price: number = 1;\n';
const files = {
  'package.json': '{"name":"shop","version":"1.0.0"}',
  'tsconfig.json':
    '{"compilerOptions":{"strict":true,"noEmit":true,"target":"esnext","module":"esnext","moduleResolution":"bundler","lib":["esnext"],"types":[]},"include":["src"]}',
  '.gitignore': 'node_modules/\n',
  'node_modules/loud/package.json': '{"name":"loud","version":"1.0.0","types":"index.d.ts"}',
  'src/price.ts': price,
  'src/cart.ts':
    "import { price } from './price';\nimport { loud } from 'loud';\nexport const total = [price, loud];\n",
  'src/page.ts': "import { total } from './cart';\nexport const page = total;\n",
  ...Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`src/more${n}.ts`, `export const more${n} = ${n};\n`])),
};
const others = Object.keys(files).filter((path) => path.startsWith('src/more'));

type Moment = 'while it loads' | 'before the first document';

/** Indexes everything; `act` happens at that moment of the first run. What the first job said, and the states that it left. */
async function disturb(moment: Moment, act: (made: TsgoRig) => void) {
  const made = createTsgoRig(files);
  rig = made;
  const gate = createGate(
    join(made.tree.root, 'node_modules/loud/index.d.ts'),
    'export declare const loud: number;\ndeclare global { var shouted: string }\n',
  );
  const reports: JobReport[] = [];
  const left: Promise<Readonly<Record<string, string>>>[] = [];
  const refreshed = made.refresh({
    onFinished(report) {
      reports.push(report);
      left.push(made.states('src/price.ts', 'src/cart.ts', 'src/page.ts', 'src/more0.ts'));
    },
  });
  if (moment === 'before the first document') await gate.pass(() => {});
  await gate.pass(() => act(made), true);
  const { failed, waiting, hopeless } = await refreshed;
  expect({ failed, waiting, hopeless }).toEqual({ failed: [], waiting: [], hopeless: [] });
  const [first] = reports;
  return { made, first, after: (await Promise.all(left))[0] ?? {}, jobs: reports.length };
}

const moments: readonly Moment[] = ['while it loads', 'before the first document'];

test.each(moments)(
  'R12 R22 an edit %s: neither text is taken from that run, and the next one has the new one',
  async (moment) => {
    const { made, first, after, jobs } = await disturb(moment, ({ tree }) =>
      tree.write('src/price.ts', `// A line that moves everything.\nexport const price: string = '';\n`),
    );
    expect(first).toMatchObject({ status: 'completed', accepted: 11 });
    expect(after).toMatchObject({ 'src/more0.ts': 'clean' });
    for (const path of ['src/price.ts', 'src/cart.ts', 'src/page.ts'])
      expect([path, after[path]]).not.toEqual([path, 'clean']);
    expect(jobs).toBeGreaterThan(1);
    await expectClean(made, 'src/price.ts', 'src/cart.ts', 'src/page.ts', ...others);
    expect(await made.places('src/price.ts', '«price:')).toEqual([
      'src/cart.ts:1:10',
      'src/cart.ts:3:23',
      'src/price.ts:2:14',
    ]);
  },
);

test.each(moments)(
  'R12 R13 a file that is deleted %s: it leaves nothing, and who used it is asked about again',
  async (moment) => {
    const { made, first, after, jobs } = await disturb(moment, ({ tree }) => tree.remove('src/price.ts'));
    expect(first).toMatchObject({ status: 'completed' });
    expect(after).toMatchObject({ 'src/price.ts': 'unsupported', 'src/more0.ts': 'clean' });
    for (const path of ['src/cart.ts', 'src/page.ts']) expect([path, after[path]]).not.toEqual([path, 'clean']);
    expect(jobs).toBeGreaterThan(1);
    await expectClean(made, 'src/cart.ts', 'src/page.ts', ...others);
    expect(await made.tree.dump()).not.toContain('`price.ts`/price.');
  },
);

test('R12 R22 a file that is edited and put back while it runs is read again, though its bytes are the same', async () => {
  const { made, first, after, jobs } = await disturb('while it loads', ({ tree }) => {
    tree.write('src/price.ts', 'export const other: string = "";\n');
    tree.write('src/price.ts', price);
    // Whatever the clock of this machine can tell apart.
    utimesSync(join(tree.root, 'src/price.ts'), 1, 1);
  });
  expect(first).toMatchObject({ status: 'completed', accepted: 11 });
  expect(after).toMatchObject({ 'src/price.ts': 'unindexed', 'src/more0.ts': 'clean' });
  expect(jobs).toBeGreaterThan(1);
  await expectClean(made, 'src/price.ts', 'src/cart.ts', 'src/page.ts');
});

test('R22 a file that comes while it runs is indexed by the next one', async () => {
  const { made, first } = await disturb('before the first document', ({ tree }) =>
    tree.write('src/late.ts', "import { price } from './price';\nexport const late = price;\n"),
  );
  expect(first).toMatchObject({ status: 'completed', accepted: 12 });
  await expectClean(made, 'src/late.ts', 'src/price.ts', 'src/cart.ts', 'src/page.ts');
  expect(await made.places('src/price.ts', '«price:')).toContain('src/late.ts:2:21');
});

test('R28 a configuration that is edited while it runs: that run says nothing, and one with the new one follows', async () => {
  const { made, first } = await disturb('before the first document', ({ tree }) =>
    tree.write('tsconfig.json', files['tsconfig.json'].replace('"strict":true', '"strict":false')),
  );
  expect(first).toMatchObject({ status: 'superseded', accepted: 0 });
  await expectClean(made, 'src/price.ts', 'src/cart.ts', 'src/page.ts');
});
