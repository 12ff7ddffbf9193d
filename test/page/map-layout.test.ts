/** What the map is drawn by: cells fill the whole and nothing twice; layers say what leads where, and cycles are what they are. */

import { expect, test } from 'vitest';
import { layImports } from '../../page/parts/layers.ts';
import { type Box, countSeen, layTreemap, nextCell } from '../../page/parts/treemap.ts';
import fc from '../support/properties.ts';

const weights = fc
  .array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 60 })
  .map((all) => all.sort((a, b) => b - a));
const whole = fc.record({ width: fc.integer({ min: 20, max: 3_000 }), height: fc.integer({ min: 20, max: 3_000 }) });
const overlap = (a: Box, b: Box) =>
  Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) *
  Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y));

test('U13 cells are as large as their weights, fill the whole, and do not overlap', () => {
  fc.assert(
    fc.property(weights, whole, (all, { width, height }) => {
      const boxes = layTreemap(all, { x: 0, y: 0, width, height });
      const sum = all.reduce((total, weight) => total + weight, 0);
      for (const [at, box] of boxes.entries()) {
        expect(box.width * box.height).toBeCloseTo(((all[at] as number) / sum) * width * height, 3);
        expect(box.x).toBeGreaterThanOrEqual(-1e-6);
        expect(box.y).toBeGreaterThanOrEqual(-1e-6);
        expect(box.x + box.width).toBeLessThanOrEqual(width + 1e-6);
        expect(box.y + box.height).toBeLessThanOrEqual(height + 1e-6);
        for (const other of boxes.slice(at + 1)) expect(overlap(box, other)).toBeLessThan(1e-3);
      }
    }),
    { numRuns: 60 },
  );
});

test('U13 what is too small to be seen is counted together', () => {
  expect(countSeen([50, 30, 20], 0, 1_000, 100)).toBe(3);
  expect(countSeen([500, 300, 1, 1], 0, 1_000, 100)).toBe(2);
  expect(countSeen([500, 300, 1], 0, 1_000, 100)).toBe(3);
  expect(countSeen([500, 300, 1], 7, 1_000, 100)).toBe(2);
});

test('U13 arrow keys reach every cell, and go nowhere from an edge', () => {
  fc.assert(
    fc.property(weights, whole, (all, { width, height }) => {
      const boxes = layTreemap(all, { x: 0, y: 0, width, height });
      const reached = new Set([0]);
      for (const at of reached)
        for (const direction of ['left', 'right', 'up', 'down'] as const) reached.add(nextCell(boxes, at, direction));
      // What is thinner than a hair need not be met: it is never drawn alone.
      const wide = boxes.flatMap((box, at) => (Math.min(box.width, box.height) >= 4 ? [at] : []));
      if (wide.length === boxes.length) expect(reached.size).toBe(boxes.length);
      expect(nextCell(boxes, 0, 'left')).toBe(0);
      expect(nextCell(boxes, 0, 'up')).toBe(0);
    }),
    { numRuns: 60 },
  );
});

const name = fc.constantFrom(...'abcdefghij');
const edges = fc
  .uniqueArray(fc.tuple(name, name), { maxLength: 30, selector: (pair) => pair.join() })
  .map((pairs) => pairs.filter(([from, to]) => from !== to).map(([from, to]) => ({ from, to, count: 1 })));

test('U13 an import leads down to another layer, or lies on a cycle; a cycle is where each leads to each', () => {
  fc.assert(
    fc.property(edges, (all) => {
      const { layers, groupOf } = layImports(all);
      const depthOf = new Map(layers.flatMap((layer, depth) => layer.flat().map((one) => [one, depth] as const)));
      expect([...depthOf.keys()].sort()).toEqual([...new Set(all.flatMap(({ from, to }) => [from, to]))].sort());
      for (const { from, to } of all) {
        const isMutual = leadsTo(all, to, from);
        expect(groupOf.get(from) === groupOf.get(to)).toBe(isMutual);
        if (!isMutual) expect(depthOf.get(to)).toBeGreaterThan(depthOf.get(from) as number);
      }
      for (const one of layers[0]?.flat() ?? [])
        for (const { from } of all.filter(({ to }) => to === one)) expect(groupOf.get(from)).toBe(groupOf.get(one));
    }),
  );
});

function leadsTo(all: readonly { readonly from: string; readonly to: string }[], start: string, end: string): boolean {
  const reached = new Set([start]);
  for (const one of reached) for (const { from, to } of all) if (from === one) reached.add(to);
  return reached.has(end);
}
