/** The scanner agrees with the parser on this repository's own sources and on texts that are put together at random. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withSource } from '../../../test/support/marked-source.ts';
import fc from '../../../test/support/properties.ts';
import { listTokens, type Token } from '../tokens.ts';
import { classIn, scanScript } from './js-stretches.ts';

/** Tokens that the two see differently; null where the scanner leaves it to the parser. */
async function findDifferences(text: string, language: 'typescript' | 'javascript'): Promise<readonly string[] | null> {
  const stretches = scanScript(text, language === 'javascript');
  if (stretches === undefined) return null;
  return withSource(language, text, (source) => {
    const isDifferent = (token: Token) => token.class !== 'error' && classIn(stretches, token.start) !== token.class;
    return listTokens(source, language)
      .filter(isDifferent)
      .map((token) => `${token.text} at ${token.start} is ${token.class}`);
  });
}

describe('what is scanned', () => {
  test.each([
    ["const a = 'b'; // c\n/* d */ e", { a: 'code', b: 'string', c: 'comment', d: 'comment', e: 'code' }],
    [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a program
      'a`b${c + `d${{ e }}f`}g`',
      { a: 'code', b: 'string', c: 'code', d: 'string', e: 'code', f: 'string', g: 'string' },
    ],
    ["a = /b['/]c/g.d; 'e'", { a: 'code', b: 'regex', c: 'regex', d: 'code', e: 'string' }],
    ["a / b; 'c' / d", { a: 'code', b: 'code', c: 'string', d: 'code' }],
    ['return_ / a; x.return / b; return /c/', { a: 'code', b: 'code', c: 'regex' }],
    ["#!/usr/bin/a\n'b'", { a: 'comment', b: 'string' }],
    ["(a) / b\n'c'", { a: 'code', b: 'code', c: 'string' }],
    ["const f = () => /'a/; 'b'", { f: 'code', a: 'regex', b: 'string' }],
    ["1./a; 'b\\\n c'", { a: 'code', b: 'string', c: 'string' }],
  ] as const)('%j', async (text, expected) => {
    const stretches = scanScript(text, false) ?? [];
    const found = Object.fromEntries(
      Object.keys(expected).map((name) => [
        name,
        classIn(stretches, new RegExp(`\\b${name}\\b`).exec(text)?.index ?? -1),
      ]),
    );
    expect(found).toEqual(expected);
    expect(await findDifferences(text, 'typescript')).toEqual([]);
  });

  test.each([
    ['a parenthesis before what may be either', 'if (a) /b/.test(c)'],
    ['a brace before what may be either', '{} /a/ + 1'],
    ['a name above it, where a statement may have ended', 'let a: string\n/b/.test(a)'],
    ['what must not be null, or is not', 'a! /b/ c'],
    ['a string that does not end', "a = 'b\n"],
    ['a template that does not end', 'a = `b'],
    ['an insertion that does not end', 'a = `${b'],
    ['a comment that does not end', 'a /* b'],
    ['a comment as in HTML', 'a <!-- b'],
    ['an expression that does not end', 'a = /b\n'],
  ])('is nothing where only a parser can tell: %s', (_, text) => {
    expect(scanScript(text, false)).toBeUndefined();
  });

  test('is nothing where there may be elements', () => {
    expect(scanScript("a = <b>don't</b>", true)).toBeUndefined();
    expect(scanScript('a = <b/>', true)).toBeUndefined();
    expect(scanScript('/** <b>c</b> */ a', false)).toEqual([{ start: 0, end: 15, class: 'comment' }]);
  });
});

test('of the sources of this repository every token is in its class', async () => {
  const folder = join(import.meta.dirname, '../../index');
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  let told = 0;
  for (const path of paths.slice(0, 150)) {
    const found = await findDifferences(readFileSync(join(folder, path), 'utf8'), 'typescript');
    expect(found ?? [], path).toEqual([]);
    if (found !== null) told += 1;
  }
  expect(told).toBeGreaterThan(130);
});

/** Programs of what is hard to tell apart: divisions, expressions between slashes, quotes in either, and comments anywhere. */
const trivia = fc.constantFrom('', ' ', '\n', ' /* c */ ', "/* don't */", ' // d `e\n', '\t', '\u00a0', '\r\n');
const { expression } = fc.letrec<{ expression: string; operand: string }>((tie) => ({
  operand: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(
      'a',
      'b.return',
      '1.',
      '.5',
      '0x1f',
      'this',
      "'f'",
      '"g\'h"',
      "'\\'i'",
      '`j`',
      '#k in l',
      'm!',
      'n++',
    ),
    fc.constantFrom('/o/g', "/['/]p/", '/q\\/"r/.s', '/[`]/u', '!/t/', 'typeof /u/', 'new v', '{}.w'),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `\`x\${${a}}y\${ ${b} }z\``),
    tie('expression').map((inner) => `(${inner})`),
    tie('expression').map((inner) => `[${inner}, ...${inner}]`),
    tie('expression').map((inner) => `f(${inner})`),
    tie('expression').map((inner) => `(() => ${inner})`),
    tie('expression').map((inner) => `function () { return ${inner} }`),
    tie('expression').map((inner) => `({ a: ${inner}, 'b': 1 })`),
  ),
  expression: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    tie('operand'),
    fc
      .tuple(
        tie('operand'),
        trivia,
        fc.constantFrom('/', '/', '+', '<', '>', '*', '?? ', '||', ','),
        trivia,
        tie('operand'),
      )
      .map((parts) => parts.join('')),
  ),
}));

test('of whatever can be put together every token is in its class', async () => {
  const statement = fc.oneof(
    fc.tuple(
      fc.constantFrom('x = ', 'return ', 'if (y) ', 'throw ', 'case_: '),
      trivia,
      expression,
      fc.constant(';\n'),
    ),
    fc.tuple(fc.constant('let z: Array<string> = '), trivia, expression, fc.constant('\n')),
  );
  const program = fc.array(statement, { maxLength: 5 }).map((all) => all.flat().join(''));
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(program, async (code) => {
      const hasErrors = await withSource('typescript', code, (source) => source.hasErrors);
      const found = hasErrors ? null : await findDifferences(code, 'typescript');
      expect(found ?? []).toEqual([]);
      if (found !== null) compared += 1;
    }),
    { numRuns: 1_500 },
  );
  expect(compared).toBeGreaterThan(300);
});
