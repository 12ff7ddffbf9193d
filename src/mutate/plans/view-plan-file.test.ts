import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Plan } from './plan.ts';
import { viewPlanFile } from './view-plan-file.ts';

// Between two names there is always something.
const parts = fc.array(
  fc.record({ kept: fc.string({ minLength: 1 }), old: fc.string({ minLength: 1 }), new: fc.string() }),
  {
    minLength: 1,
    maxLength: 20,
  },
);

test('U8 a file that was written is shown as it was before and as it is, the same two sides as before it was written', () => {
  fc.assert(
    fc.property(parts, (given) => {
      let at = 0;
      const edits = given.map(({ kept, old, new: newText }) => {
        const startByte = at + Buffer.byteLength(kept);
        at = startByte + Buffer.byteLength(old);
        return { path: 'a.ts', startByte, endByte: at, oldText: old, newText };
      });
      const planOf = (status: string) =>
        ({
          status,
          items: [],
          risks: [],
          groups: [{ id: 'g', itemId: null, isSelected: true, edits }],
        }) as unknown as Plan;
      const before = Buffer.from(given.map(({ kept, old }) => kept + old).join(''));
      const after = Buffer.from(given.map(({ kept, new: newText }) => kept + newText).join(''));
      const sides = { kind: 'sides', before, after, edits: edits.length };
      expect(viewPlanFile(planOf('open'), 'a.ts', {}, before)).toEqual(sides);
      expect(viewPlanFile(planOf('committed'), 'a.ts', {}, after)).toEqual(sides);
    }),
  );
});
