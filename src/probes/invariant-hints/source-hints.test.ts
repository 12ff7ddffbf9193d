import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import type { GrammarName } from '../../languages/languages.ts';
import { withParsedSource } from '../../languages/parsing/parse-source.ts';
import { extractInvariantHints } from './source-hints.ts';

const hintsOf = (grammar: GrammarName, text: string) => withParsedSource(grammar, text, extractInvariantHints);

/** Every hint as one line, by list. */
async function listed(grammar: GrammarName, text: string) {
  const { assertions, validators, titles, contracts } = await hintsOf(grammar, text);
  return {
    assertions: assertions.map((hint) => `${hint.line} ${hint.kind} ${hint.text}`),
    validators: validators.map((hint) => `${hint.line} ${hint.library} ${hint.name}`),
    titles: titles.map((hint) => `${hint.line} ${hint.title}`),
    contracts: contracts.map((hint) => `${hint.line} ${hint.tag}`),
  };
}

test('TypeScript: assertions, guards, type guards and exhaustive switches', async () => {
  const source = `import assert from 'node:assert';
assert(x > 0, 'positive');
assert.strictEqual(a, b);
invariant(ready, 'ready');
if (n < 0) throw new RangeError('n');
if (!user) {
  throw new Error(
    'no user');
}
if (a) throw new B(); else c();
if (!(error instanceof A)) throw error;
if (a) { log(); throw new B(); }
export function isCat(x: unknown): x is Cat { return true; }
function assertCat(x: unknown): asserts x is Cat {}
switch (k) { default: { const rest: never = k; } }
k satisfies never;
assertNever(k);
regex.assert; pattern.test('x');
`;
  expect((await listed('typescript', source)).assertions).toEqual([
    "2 assert assert(x > 0, 'positive')",
    '3 assert assert.strictEqual(a, b)',
    "4 invariant invariant(ready, 'ready')",
    "5 throw_guard if (n < 0) throw new RangeError('n');",
    "6 throw_guard if (!user) { throw new Error( 'no user'); }",
    '13 type_guard function isCat(x: unknown): x is Cat',
    '14 type_guard function assertCat(x: unknown): asserts x is Cat',
    '15 exhaustive_never rest: never = k',
    '16 exhaustive_never k satisfies never',
    '17 exhaustive_never assertNever(k)',
  ]);
});

test('validators by the names a file imports, whatever they are called there', async () => {
  const source = `import { z as zed } from 'zod';
import * as yup from 'yup';
import Joi from 'joi';
import { object, string } from 'valibot';
import Ajv from 'ajv';
import { IsString } from 'class-validator';
const { z } = require('zod/v4');
export const User = zed.object({ name: zed.string() });
const parsed = zed.string().parse(input);
const order = yup.object().shape({});
const joi = Joi.object({});
const v = object({ a: string() });
const ajv = new Ajv();
const validate = ajv.compile(schema);
class Dto { @IsString() name; @IsString() other; }
const late = z.string();
const other = unknown.object({});
export default z.array(User);
`;
  expect((await listed('typescript', source)).validators).toEqual([
    '8 zod User',
    '10 yup order',
    '11 joi joi',
    '12 valibot v',
    '14 ajv validate',
    '15 class-validator Dto',
    '16 zod late',
    '18 zod default',
  ]);
});

test('a library that a module of the repository passes on, under its customary name', async () => {
  const source = `import { z } from '../base/schema.ts';
import { y } from './other.ts';
const A = z.strictObject({});
const B = y.object({});
`;
  expect((await listed('typescript', source)).validators).toEqual(['3 zod A']);
});

test('titles of cases, tables and subtests; not what only looks like one', async () => {
  const source = `describe('suite', () => {
  it('adds', () => {});
  test.only(\`template \${x}\`, () => {});
  it.each([1, 2])('n is %i', () => {});
  test.describe('group', () => {});
  t.test('deeply', () => {});
  /x/.test('no'); pattern.test('no');
  it(name, () => {});
});`;
  // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
  expect((await listed('javascript', source)).titles).toEqual(['2 adds', '3 template ${x}', '4 n is %i', '6 deeply']);
});

test('tags of contracts, at the line they are written', async () => {
  const source = `/**
 * Adds.
 * @throws {RangeError} if negative
 * @pre n > 0, see @deprecated
 */
/** @deprecated use b */
/* @throws not a doc comment */
// @internal
`;
  expect((await listed('javascript', source)).contracts).toEqual(['3 throws', '4 pre', '6 deprecated']);
});

test('Python', async () => {
  const source = `from pydantic import BaseModel as Model
import pydantic
def f(x):
    """Adds.

    Raises:
        ValueError: if negative
    """
    assert x > 0, "positive"
    if x > 10:
        raise ValueError("x")
    if x:
        raise A
    else:
        pass
    if a: raise
    if a: raise error
    assert_never(x)
def is_cat(x) -> TypeGuard[Cat]:
    return True
class User(Model):
    name: str
class Admin(User): ...
class Other(pydantic.BaseModel): ...
class Plain(Base): ...
def test_adds(): ...
`;
  expect(await listed('python', source)).toEqual({
    assertions: [
      '9 assert assert x > 0, "positive"',
      '10 throw_guard if x > 10: raise ValueError("x")',
      '18 exhaustive_never assert_never(x)',
      '19 type_guard def is_cat(x) -> TypeGuard[Cat]',
    ],
    validators: ['21 pydantic User', '23 pydantic Admin', '24 pydantic Other'],
    titles: ['26 test_adds'],
    contracts: ['6 throws'],
  });
});

test('Go', async () => {
  const source = `package a
// F adds.
//
// Deprecated: use G.
func F(n int) error {
	if n < 0 {
		return fmt.Errorf("negative %d", n)
	}
	if err != nil {
		return fmt.Errorf("wrap: %w", err)
	}
	if n > 10 { panic("n") }
	return nil
}
func TestF(t *testing.T) {
	t.Run("small", func(t *testing.T) {})
}
`;
  expect(await listed('go', source)).toEqual({
    assertions: [
      '6 throw_guard if n < 0 { return fmt.Errorf("negative %d", n) }',
      '12 throw_guard if n > 10 { panic("n") }',
    ],
    validators: [],
    titles: ['15 TestF', '16 small'],
    contracts: ['4 deprecated'],
  });
});

test('texts are one line of at most 200 characters', async () => {
  const { assertions, titles } = await hintsOf(
    'javascript',
    `assert(${'x'.repeat(5_000)});\nit('${'y '.repeat(400)}', () => {});`,
  );
  expect(assertions[0]?.text).toHaveLength(200);
  expect(assertions[0]?.text.endsWith('…')).toBe(true);
  expect(titles[0]?.title.length).toBeLessThanOrEqual(200);
});

test('a secret that a cut would halve is gone before the cut', async () => {
  const token = `ghp_${'1Q3W5E7R9T0yuiopASDF1Z3X5C7V9B0nmqwe'}`;
  const { assertions, titles } = await hintsOf(
    'javascript',
    [
      `assert(${'x'.repeat(165)}, '${token}');`,
      `assert(a,${' '.repeat(770)}'${token}');`,
      `it('${'y'.repeat(170)} ${token}', () => {});`,
    ].join('\n'),
  );
  expect(assertions).toHaveLength(2);
  expect(titles).toHaveLength(1);
  expect(JSON.stringify([assertions, titles])).not.toContain(token.slice(0, 8));
});

test('G40 total on broken code of every language', async () => {
  const piece = fc.constantFrom(
    ...'assert( if ( throw /** @throws */ class @A() import from "zod" = z . object } { ) def : raise \n func Run(" ` never satisfies'.split(
      ' ',
    ),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('typescript', 'tsx', 'javascript', 'python', 'go', 'rust', 'java'),
      fc.array(piece, { maxLength: 30 }),
      async (grammar, pieces) => {
        const hints = await hintsOf(grammar as GrammarName, pieces.join(' '));
        for (const { line } of Object.values(hints).flat()) expect(line).toBeGreaterThan(0);
      },
    ),
    { numRuns: 200 },
  );
});
