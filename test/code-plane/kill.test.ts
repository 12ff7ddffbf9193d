/**
 * R1, R10, S7: a process that is killed at any step of its work leaves a store that opens and is sound, or none; no lock; and
 * nothing that the next session does not put right.
 */

import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { openFactsForRead } from '../../src/index/store/facts-file.ts';
import { checkInvariants } from '../../src/index/store/invariants.ts';
import { takeWriterLock } from '../../src/index/store/writer-lock.ts';
import { identityOf, openIndexSession } from '../../src/index/sync/index-session.ts';
import { renderDump } from '../support/canonical-dump.ts';
import { copyStateDir } from '../support/copy-state-dir.ts';
import { createIndexedTree, type IndexedTree, sessionSettings } from '../support/indexed-tree.ts';
import { soaked } from '../support/properties.ts';

const child = fileURLToPath(new URL('../support/index-child.ts', import.meta.url));

const trees: IndexedTree[] = [];
afterEach(async () => {
  for (const tree of trees.splice(0)) await tree.dispose();
});

const files = {
  'tsconfig.json': '{"compilerOptions":{"paths":{"@lib/*":["./lib/*"]}}}',
  'package.json': '{"name":"shop"}',
  'main.ts': "import { a } from '@lib/a';\nimport { c } from './c';\nexport const main = a + c;\n",
  'lib/a.ts': 'export const a = 1;\n',
  'other/a.ts': 'export const a = 2;\n',
  'c/index.ts': 'export const c = 1;\n',
  'jvm/Order.java': 'package shop;\npublic class Order { Line line; }\n',
  'jvm/App.java': 'package app;\nimport shop.Order;\nimport shop.Line;\nclass App {}\n',
  'jvm/Line.java': 'package shop;\npublic class Line {}\n',
  'x.h': 'int x(void);\n',
  'y.c': '#include "x.h"\n',
  'gone.py': 'def gone(): pass\n',
  'user.py': 'from gone import gone\n',
};

/** `start`: what is there and indexed before. `change`: what the process that is killed has to catch up with. */
const cases: Readonly<
  Record<string, { readonly start: Readonly<Record<string, string>>; change(tree: IndexedTree): void; points: number }>
> = {
  'a cold build': { start: {}, points: 7, change: (tree) => writeAll(tree, files) },
  'files that come and go': {
    start: files,
    points: 7,
    change(tree) {
      tree.write('c.ts', 'export const c = 2;\n');
      tree.remove('gone.py');
      tree.remove('jvm/Line.java');
      tree.write('z.cpp', '#include "x.h"\n');
      symlinkSync('lib/a.ts', join(tree.root, 'link.ts'));
      tree.write('.env', 'A=1\n');
      tree.write('lib/a.ts', 'export const a = 3;\n');
    },
  },
  'a configuration that changes': {
    start: files,
    points: 5,
    change: (tree) => tree.write('tsconfig.json', '{"compilerOptions":{"paths":{"@lib/*":["./other/*"]}}}'),
  },
  'a name that another file provides': {
    start: files,
    points: 5,
    change: (tree) => tree.write('jvm/Line.java', 'package shop;\npublic class Row {}\n'),
  },
  'attributes that change': {
    // More than are written at a time: what is killed has said it of some and not of others.
    start: { ...files, ...many(400), '.gitattributes': '*.h linguist-generated\n' },
    points: 4,
    change: (tree) => tree.write('.gitattributes', '*.py linguist-generated\nx.h linguist-language=cpp\n'),
  },
};

test('R1 attributes that were changed back after the process was killed', async () => {
  const before = '*.h linguist-generated\n';
  const tree = createIndexedTree({ ...files, ...many(400), '.gitattributes': before });
  trees.push(tree);
  await tree.session();
  await tree.closeSession();
  tree.write('.gitattributes', '*.py linguist-generated\n');
  const counted = join(tree.base, 'counted');
  copyStateDir(tree.stateDir, counted);
  // Some rows are written and some are not.
  const step = Math.round(Number(run(tree, counted, 0).stdout) * 0.75);
  expect(run(tree, tree.stateDir, step).signal).toBe('SIGKILL');
  tree.write('.gitattributes', before);
  await checkLeft(tree, tree.stateDir, await tree.cleanDump(), 'changed back');
});

function many(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`many/f${at}.py`, 'x = 1\n']));
}

function writeAll(tree: IndexedTree, all: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(all)) tree.write(path, text);
}

function run(tree: IndexedTree, stateDir: string, step: number) {
  return spawnSync(process.execPath, [child, tree.root, stateDir, String(step)], { encoding: 'utf8' });
}

for (const [name, { start, change, points }] of Object.entries(cases)) {
  test(`R1 R10 S7 killed at any step of ${name}`, async () => {
    const tree = createIndexedTree(start);
    trees.push(tree);
    await tree.session();
    await tree.closeSession();
    // A cold build has nothing but its key, so that its hashes can be compared.
    if (Object.keys(start).length === 0) rmSync(join(tree.stateDir, 'index'), { recursive: true });
    change(tree);
    const copy = (label: string) => {
      const stateDir = join(tree.base, label);
      copyStateDir(tree.stateDir, stateDir);
      return stateDir;
    };
    const clean = await tree.cleanDump();
    const counted = run(tree, copy('counted'), 0);
    expect(counted.stderr).toBe('');
    const total = Number(counted.stdout);
    expect(total).toBeGreaterThan(points);
    for (const step of spread(total, Math.min(total, soaked(points)))) {
      const stateDir = copy(`killed-${step}`);
      expect(run(tree, stateDir, step).signal, `step ${step} of ${total}`).toBe('SIGKILL');
      await checkLeft(tree, stateDir, clean, `step ${step} of ${total}`);
      rmSync(stateDir, { recursive: true });
    }
  });
}

async function checkLeft(tree: IndexedTree, stateDir: string, clean: string, says: string): Promise<void> {
  const settings = sessionSettings(tree.root, stateDir, true);
  const reading = openFactsForRead(identityOf(settings));
  if (reading.kind === 'open') {
    expect(reading.facts.read(checkInvariants), says).toEqual([]);
    reading.facts.close();
  } else expect(reading, says).toMatchObject({ kind: 'unavailable', reason: 'absent' });
  const lock = await takeWriterLock({ stateDir, waitMs: 0, signal: settings.signal });
  expect(lock.kind, says).toBe('taken');
  if (lock.kind === 'taken') lock.release();
  const opened = await openIndexSession({ ...settings, waitMs: 0 });
  if (opened.kind !== 'open') throw new Error(`${says}: ${opened.kind}`);
  const { session } = opened;
  expect(session.facts.read(checkInvariants), says).toEqual([]);
  expect(session.facts.read(renderDump), says).toBe(clean);
  await session.close();
  expect(
    readdirSync(join(stateDir, 'index')).filter((file) => !/^(?:CURRENT|facts-\d+\.db)$/.test(file)),
    says,
  ).toEqual([]);
}

/** So many of the steps 1…total, evenly, first and last among them. */
function spread(total: number, count: number): readonly number[] {
  const steps = Array.from({ length: count }, (_, at) => 1 + Math.round((at * (total - 1)) / Math.max(1, count - 1)));
  return [...new Set(steps)];
}
