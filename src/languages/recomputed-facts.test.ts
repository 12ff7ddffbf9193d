/** What holds for tokens, scopes and slices of any text in any language, however broken. */

import { describe, expect, test } from 'vitest';
import { withSource } from '../../test/support/marked-source.ts';
import fc from '../../test/support/properties.ts';
import type { SourceTree, TextSpan } from './facts.ts';
import { normaliseIdentifier } from './identifiers.ts';
import { analyseScopes } from './readers.ts';
import { languages } from './registry.gen.ts';
import { sliceDefUse } from './scopes/def-use.ts';
import { listTokens } from './tokens.ts';

const words =
  'a b c x y f g A B T if else for while do switch case try catch finally return break continue function class let const var def fn func import from export ' +
  'type interface enum namespace module declare global nonlocal lambda in of as is with async await yield static public new this self use mod pub impl struct ' +
  'match where select int void string namespace using package typedef end begin rescue then and or not';
const signs =
  '( ) { } [ ] < > , ; : . = == => -> += ++ && || ?? ?. ? ! # @ $ & * ... := :: \n "s" \'c\' `t` /r/ // /* */ """ ${ #{ <?php \\ 1 0x1';
const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...words.split(' ')) },
  { weight: 6, arbitrary: fc.constantFrom(...signs.split(' ')) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
);
const program = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(' '));

describe.each(languages.map(({ name }) => name))('%s', (language) => {
  const runs = { numRuns: 60 };

  test('S6 any text gives tokens in order, without overlap, spelling what they say', async () => {
    await fc.assert(
      fc.asyncProperty(program, (text) =>
        withSource(language, text, (source) => {
          let last = 0;
          for (const token of listTokens(source, language)) {
            expect(token.start).toBeGreaterThanOrEqual(last);
            expect(token.end).toBeGreaterThan(token.start);
            expect(spelled(source, token, language)).toBe(token.text);
            last = token.end;
          }
        }),
      ),
      runs,
    );
  });

  test('S6 any text gives scopes, and a place has one meaning', async () => {
    await fc.assert(
      fc.asyncProperty(program, (text) =>
        withSource(language, text, (source) => {
          const { scopes, bindings, labels, unbound } = analyseScopes(source, language);
          scopes.forEach(({ parent }, scope) => {
            expect(parent).toBeLessThan(scope);
          });
          const meanings = new Map<number, number>();
          const meet = (span: TextSpan, name: string, isMember = false): void => {
            expect(spelled(source, span, language)).toBe(name);
            if (!isMember) meanings.set(span.start, (meanings.get(span.start) ?? 0) + 1);
          };
          for (const { name, declarations, references } of [...bindings, ...labels]) {
            for (const span of declarations) meet(span, name);
            for (const span of references) meet(span, name);
          }
          for (const reference of unbound) meet(reference, reference.name, reference.isMember);
          expect([...meanings.values()].filter((count) => count > 1)).toEqual([]);
        }),
      ),
      runs,
    );
  });

  test('M34 equal text gives equal slices at any position', async () => {
    await fc.assert(
      fc.asyncProperty(program, fc.nat({ max: 200 }), async (text, offset) => {
        const slice = () => withSource(language, text, (source) => sliceDefUse(source, language, offset));
        const first = await slice();
        expect(await slice()).toEqual(first);
        for (const [definition, use] of first?.flow ?? []) {
          expect(first?.definitions[definition]).toBeDefined();
          expect(first?.uses[use]).toBeDefined();
        }
      }),
      runs,
    );
  });

  test.each(['(', '{', 'a.', 'if (a) {', 'x = [', 'class A { '])(
    'S6 nesting does not exhaust the stack: %s',
    async (part) => {
      const text = `${language === 'php' ? '<?php ' : ''}${part.repeat(5_000)}`;
      await withSource(language, text, (source) => {
        expect(Array.isArray(listTokens(source, language))).toBe(true);
        expect(analyseScopes(source, language).scopes.length).toBeGreaterThan(0);
        sliceDefUse(source, language, 5);
      });
    },
  );
});

function spelled({ text }: SourceTree, { start, end }: TextSpan, language: string): string {
  return normaliseIdentifier(text.slice(start, end), language);
}
