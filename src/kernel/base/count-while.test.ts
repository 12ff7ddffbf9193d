import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { countWhile } from './count-while.ts';

test('as many as a look at each one finds', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20)), fc.nat(20), (numbers, limit) => {
      const sorted = numbers.sort((a, b) => a - b);
      expect(countWhile(sorted, (one) => one < limit)).toBe(sorted.filter((one) => one < limit).length);
    }),
  );
});
