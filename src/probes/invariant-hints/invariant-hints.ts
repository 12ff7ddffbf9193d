/**
 * Where the code says what must hold: assertions, guards that throw, exhaustive switches, validators, contracts in comments, and the
 * titles of tests. Hints for a change of the code, not a specification.
 */

import { defineProbe } from '../../gather/contract.ts';
import { hintSourceGlobs, invariantHintsSection } from './invariant-hints-section.ts';

export default defineProbe({
  name: 'invariant_hints',
  version: '0.1.2',
  layer: 'G',
  says: 'Assertions, guards, exhaustive switches, validators, contract tags and test titles, with their places.',
  heaviness: 'light',
  sections: { invariant_hints: invariantHintsSection },
  appliesToLanguages: ['javascript', 'typescript', 'python', 'go'],
  extracts: ['invariant-hints'],
  declaredInputs: hintSourceGlobs,
  timeoutSeconds: 60,
  budget: { rssMb: 500, rawArtifactMb: 256, truncateMb: 256 },
  artifacts: ['invariant-hints.json'],
  warningIds: ['invariant_hints.file_too_large', 'invariant_hints.file_unread'],
  errorIds: ['tree_sitter.grammar_pin_mismatch'],
  confidenceRule:
    'medium at most, because hints prove nothing; low when no file was parsed or more failed than were parsed',
  async run(repo, ctx) {
    const { gatherInvariantHints } = await import('./gather-invariant-hints.ts');
    return gatherInvariantHints(repo, ctx);
  },
  examples: [
    {
      shows: 'a zod schema, an assertion, a guard, an exhaustive switch, contracts and titles of tests',
      files: {
        'src/order.ts': `import assert from 'node:assert';
import { z } from 'zod';
export const Order = z.object({ id: z.string(), kind: z.enum(['new', 'paid']) });
/**
 * @throws {RangeError} if the amount is negative
 * @deprecated use \`pay\`
 */
export function charge(order: z.infer<typeof Order>, amount: number): string {
  if (amount < 0) throw new RangeError('negative');
  assert(order.id !== '', 'an order has an id');
  switch (order.kind) {
    case 'new':
    case 'paid':
      return order.id;
    default: {
      const rest: never = order.kind;
      return rest;
    }
  }
}
export function isOrder(value: unknown): value is z.infer<typeof Order> {
  return Order.safeParse(value).success;
}
`,
        'src/order.test.ts':
          "import assert from 'node:assert';\nimport { it } from 'vitest';\nit('charges once', () => assert(true));\n",
      },
      gives: {
        invariant_hints: {
          assertions: [
            {
              path: 'src/order.ts',
              line: 9,
              kind: 'throw_guard',
              text: "if (amount < 0) throw new RangeError('negative');",
            },
            { path: 'src/order.ts', line: 10, kind: 'assert', text: "assert(order.id !== '', 'an order has an id')" },
            { path: 'src/order.ts', line: 16, kind: 'exhaustive_never', text: 'rest: never = order.kind' },
            {
              path: 'src/order.ts',
              line: 21,
              kind: 'type_guard',
              text: 'function isOrder(value: unknown): value is z.infer<typeof Order>',
            },
          ],
          validators: [{ path: 'src/order.ts', line: 3, library: 'zod', name: 'Order' }],
          test_titles: [{ path: 'src/order.test.ts', line: 3, title: 'charges once' }],
          jsdoc_contracts: [
            { path: 'src/order.ts', line: 5, tag: 'throws' },
            { path: 'src/order.ts', line: 6, tag: 'deprecated' },
          ],
          counts: { assertions: 4, validators: 1, test_titles: 1, jsdoc_contracts: 2 },
        },
      },
      warnings: [],
      confidence: 'medium',
    },
    {
      shows: 'Python and Go',
      files: {
        'app/models.py':
          'from pydantic import BaseModel\n\n\nclass User(BaseModel):\n    name: str\n\n\ndef rename(user: User, name: str) -> None:\n    assert name, "a user has a name"\n    if len(name) > 80:\n        raise ValueError("too long")\n',
        'tests/test_models.py': 'def test_rename():\n    assert True\n',
        'cart/cart.go':
          'package cart\n\nimport "errors"\n\n// Add adds.\n//\n// Deprecated: use Put.\nfunc Add(n int) error {\n\tif n < 0 {\n\t\treturn errors.New("negative")\n\t}\n\treturn nil\n}\n',
      },
      gives: {
        invariant_hints: {
          assertions: [
            { path: 'app/models.py', line: 9, kind: 'assert', text: 'assert name, "a user has a name"' },
            {
              path: 'app/models.py',
              line: 10,
              kind: 'throw_guard',
              text: 'if len(name) > 80: raise ValueError("too long")',
            },
            { path: 'cart/cart.go', line: 9, kind: 'throw_guard', text: 'if n < 0 { return errors.New("negative") }' },
          ],
          validators: [{ path: 'app/models.py', line: 4, library: 'pydantic', name: 'User' }],
          test_titles: [{ path: 'tests/test_models.py', line: 1, title: 'test_rename' }],
          jsdoc_contracts: [{ path: 'cart/cart.go', line: 7, tag: 'deprecated' }],
        },
      },
      confidence: 'medium',
    },
    {
      shows: 'a file over the cap is not read, and that is said',
      files: { 'a.js': 'if (!a) throw new Error();\n', 'large.js': `// ${'x'.repeat(1024 * 1024)}\n` },
      gives: { invariant_hints: { counts: { assertions: 1, validators: 0, test_titles: 0, jsdoc_contracts: 0 } } },
      warnings: ['invariant_hints.file_too_large'],
      confidence: 'medium',
    },
    { shows: 'another language', files: { 'a.rs': 'fn main() {}\n' }, gives: {}, skipped: 'language_mismatch' },
  ],
});
