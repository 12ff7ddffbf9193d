/** A small repository whose coverage is known by heart: the example of test_coverage_mapping. */

export const mappedShop: Readonly<Record<string, string>> = {
  'package.json':
    '{"name":"shop","version":"1.0.0","scripts":{"test":"vitest run"},"devDependencies":{"vitest":"5.1.0"}}',
  'tsconfig.json': '{"compilerOptions":{"module":"nodenext"},"include":["src"]}',
  'src/cart.ts': `import { price } from './price.js';
export class Cart {
  total = 0;
  add(amount: number): void {
    this.total += price(amount);
  }

  clear(): void { this.total = 0; }
}
`,
  'src/price.ts': `export function price(amount: number): number {
  return amount * 2;
}
export function refund(amount: number): number {
  return -amount;
}
`,
  'src/cart.test.ts': `import { expect, it } from 'vitest';
import { Cart } from './cart.js';
it('adds', () => {
  const cart = new Cart();
  cart.add(1);
  expect(cart.total).toBe(2);
});
`,
  'coverage/lcov.info': `TN:
SF:src/cart.ts
FN:4,add
FN:8,clear
FNDA:1,add
FNDA:0,clear
DA:3,1
DA:5,1
DA:8,0
end_of_record
TN:
SF:src/price.ts
FN:1,price
FN:4,refund
FNDA:1,price
FNDA:0,refund
DA:2,1
DA:5,0
end_of_record
`,
  'coverage/coverage-final.json': JSON.stringify({
    '/home/ci/shop/src/price.ts': {
      path: '/home/ci/shop/src/price.ts',
      statementMap: { 0: { start: { line: 2, column: 2 } }, 1: { start: { line: 5, column: 2 } } },
      fnMap: {
        0: { name: 'price', decl: { start: { line: 1, column: 16 } } },
        1: { name: 'refund', decl: { start: { line: 4, column: 16 } } },
      },
      branchMap: {},
      s: { 0: 1, 1: 0 },
      f: { 0: 1, 1: 0 },
      b: {},
    },
  }),
};
