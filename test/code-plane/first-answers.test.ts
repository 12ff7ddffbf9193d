/** Answers before, while and after indexers run, which wait at a gate: nothing early claims to be the whole (code-plane.md §9). */

import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCaseTree } from '../../scripts/conformance/case-tree.ts';
import { compareFirstAnswers, type FirstAnswers } from '../../scripts/conformance/first-answers.ts';

const config = JSON.stringify({ compilerOptions: { strict: true, module: 'esnext', types: [] }, include: ['.'] });
const files = {
  'package.json': '{"name":"shop","private":true,"type":"module"}',
  'core/tsconfig.json': config,
  'core/shape.ts':
    'export interface Shape { area(): number; label: string }\nexport interface Other { area: string }\n',
  'core/square.ts':
    "import type { Shape } from './shape.js';\nexport class Square implements Shape {\n  label = 'square';\n  constructor(readonly side: number) {}\n  area(): number { return this.side * this.side; }\n}\n",
  'core/total.ts':
    "import type { Shape } from './shape.js';\nexport function total(shapes: readonly Shape[]): number {\n  let sum = 0;\n  for (const shape of shapes) sum += shape.area();\n  return sum;\n}\nexport { total as sumOf };\n",
  'core/index.ts':
    "export * from './shape.js';\nexport { Square as Box } from './square.js';\nexport { sumOf } from './total.js';\n",
  'app/tsconfig.json': config,
  'app/round.ts':
    "import type { Shape } from '../core/shape.js';\nexport class Circle implements Shape {\n  label = 'circle';\n  area(): number { return 3; }\n}\n",
  'app/main.ts':
    "import { Box, sumOf } from '../core/index.js';\nimport { Circle } from './round.js';\nconst label = 'all';\nexport const report = { label, area: sumOf([new Box(2), new Circle()]) };\nconsole.log(report.area, report.label);\n",
};

let found: FirstAnswers;
let base: string;
beforeAll(async () => {
  const tree = makeCaseTree(Object.entries(files).map(([path, text]) => ({ path, text })));
  base = tree.base;
  found = await compareFirstAnswers(tree.root, () => mkdtempSync(join(base, 'store-')), 80, false);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

test('P2 T16: no early answer claims eq or zero and is not what the whole index says', () => {
  expect(found.wrong).toEqual([]);
  expect(found).toMatchObject({ questions: 80, contexts: 2 });
});

test('T16: before anything is known much is not known, and each context that is read tells more', () => {
  const { before, running, half, asked } = found.phases;
  expect(before.unknown).toBeGreaterThan(10);
  expect(running).toEqual(before);
  expect(half.whole).toBeGreaterThan(before.whole);
  expect(half.whole).toBeLessThan(found.questions);
  // A program that asks the compiler itself has the answer of the whole index.
  expect(asked).toMatchObject({ asked: 3, whole: 3, wrong: 0 });
});
