import { describe, expect, test } from 'vitest';
import { readMarked, withSource } from '../../../test/support/marked-source.ts';
import { type DefUseSlice, sliceDefUse } from './def-use.ts';

/**
 * Definitions are marked «x» and called a, b, c … in document order, uses are marked ‹x› and called 1, 2, 3 …
 * `flow` lists who reaches whom.
 */
async function checkFlow(language: string, marked: string, flow: string): Promise<DefUseSlice | null> {
  const { text, marks, others } = readMarked(marked);
  const at = marks[0]?.start ?? 0;
  const slice = await withSource(language, text, (source) => sliceDefUse(source, language, at));
  expect(slice?.definitions.map(({ start, end }) => ({ start, end }))).toEqual(marks);
  expect(slice?.uses).toEqual(others);
  const pairs = slice?.flow.map(([definition, use]) => `${String.fromCharCode(97 + definition)}${use + 1}`);
  expect(pairs?.join(' ')).toBe(flow);
  return slice;
}

const javascript: Readonly<Record<string, readonly [marked: string, flow: string]>> = {
  'straight on': ['let «x» = 1; f(‹x›); «x» = 2; f(‹x›);', 'a1 b2'],
  'branches join': ['let «x» = 1; if (a) «x» = 2; f(‹x›);', 'a1 b1'],
  'both branches': ['let «x»; if (a) { «x» = 1; } else { «x» = 2; } f(‹x›);', 'b1 c1'],
  'loops come round': ['let «x» = 0; while (‹x› < 3) { «x» = g(‹x›); } f(‹x›);', 'a1 a2 a3 b1 b2 b3'],
  'for loops': ['for (let «i» = 0; ‹i› < 3; «i» = ‹i› + 1) f(‹i›);', 'a1 a2 a3 b1 b2 b3'],
  'break leaves': ['let «x» = 1; for (;;) { «x» = 2; break; } f(‹x›);', 'b1'],
  'continue goes round': ['let «x» = 1; while (a) { if (b) { «x» = 2; continue; } f(‹x›); }', 'a1 b1'],
  labels: ['let «x» = 1; o: for (;;) { for (;;) { «x» = 2; break o; } } f(‹x›);', 'b1'],
  'return ends': ['function g() { let «x» = 1; if (a) { «x» = 2; return; } f(‹x›); }', 'a1'],
  'throw ends': ['function g() { let «x» = 1; if (a) { «x» = 2; throw e; } f(‹x›); }', 'a1'],
  'try leads to its handler': [
    'let «x» = 1; try { «x» = 2; g(); «x» = 3; } catch { f(‹x›); } f(‹x›);',
    'a1 a2 b1 b2 c1 c2',
  ],
  'finally sees all': ['let «x» = 1; try { «x» = 2; } finally { f(‹x›); }', 'a1 b1'],
  'return goes through finally': [
    'function g() { let «x» = 1; try { «x» = 2; return; } finally { f(‹x›); } }',
    'a1 b1',
  ],
  'catch parameters': ['try { g(); } catch («e») { f(‹e›); }', 'a1'],
  switch: [
    'let «x» = 1; switch (a) { case 1: «x» = 2; break; case 2: «x» = 3; default: f(‹x›); } f(‹x›);',
    'a1 a2 b2 c1 c2',
  ],
  'switch with default': ['let «x»; switch (a) { case 1: «x» = 1; break; default: «x» = 2; } f(‹x›);', 'b1 c1'],
  'conditional expressions': ['let «x» = 1; a ? («x» = 2) : f(‹x›); f(‹x›);', 'a1 a2 b2'],
  'short circuits': ['let «x» = 1; a && («x» = 2); f(‹x›);', 'a1 b1'],
  'optional chains': ['let «x» = 1; a?.b.c((«x» = 2)); f(‹x›);', 'a1 b1'],
  'the right side comes first': ['let «x» = 1; «x» = ‹x› + 1; f(‹x›);', 'a1 b2'],
  parameters: ['function g(«x») { f(‹x›); «x» = 2; f(‹x›); }', 'a1 b2'],
  'arrow parameters': ['const g = «x» => ‹x›;', 'a1'],
  'parameter defaults': ['function g(«a», b = ‹a›) { «a» = 1; return ‹a›; }', 'a1 b2'],
  destructuring: ['let «x» = 1; ({ a: «x» } = o); [«x» = ‹x›] = o; f(‹x›);', 'b1 c2'],
  'for-of': ['for (const «x» of xs) f(‹x›);', 'a1'],
  'for-of may not run': ['let «x» = 1; for («x» of xs) {} f(‹x›);', 'a1 b1'],
  'var without value is there from the start': ['f(‹x›); «x» = 1; var «x»; f(‹x›);', 'a2 b1'],
  'functions are there from the start': ['‹g›(); function «g»() {} ‹g›();', 'a1 a2'],
  imports: ["import «x» from 'm'; f(‹x›);", 'a1'],
  'do runs once at least': ['let «x» = 1; do { «x» = 2; } while (a); f(‹x›);', 'b1'],
};

describe('JavaScript', () => {
  test.each(Object.entries(javascript))('M34 %s', async (_, [marked, flow]) => {
    await checkFlow('typescript', marked, flow);
    await checkFlow('javascript', marked, flow);
  });

  test('M34 updates are uses and definitions', async () => {
    const text = 'let x = 0; x += 1; x++; f(x);';
    const slice = await withSource('typescript', text, (source) => sliceDefUse(source, 'typescript', 4));
    expect(slice?.definitions.map(({ kind }) => kind)).toEqual(['declaration', 'update', 'update']);
    expect(slice?.flow).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
    ]);
  });

  test('M34 an update reads before its right side writes', async () => {
    const text = 'let x = 0; x += (x = 5); f(x);';
    const slice = await withSource('typescript', text, (source) => sliceDefUse(source, 'typescript', 4));
    expect(slice?.flow).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });

  test('M34 closures run at unknown times', async () => {
    const slice = await checkFlow(
      'typescript',
      'let «x» = 1; g(() => ‹x›); «x» = 2; const h = () => { «x» = 3; }; f(‹x›);',
      'a1 b1 b2 c1 c2',
    );
    expect(slice?.escapes.map(({ kind }) => kind)).toEqual(['captured', 'captured']);
    expect(slice?.flowKnown).toBe(true);
  });

  test('M34 exports escape', async () => {
    const slice = await checkFlow('typescript', 'const «x» = 1; export { ‹x› };', 'a1');
    expect(slice?.escapes.map(({ kind }) => kind)).toEqual(['exported']);
  });

  test('M34 arguments is another name for parameters', async () => {
    const slice = await checkFlow('javascript', 'function f(«a») { arguments[0] = 1; return ‹a›; }', 'a1');
    expect(slice?.escapes.map(({ kind }) => kind)).toEqual(['aliased']);
  });

  test('M34 no binding, no slice', async () => {
    expect(await withSource('typescript', 'o.x;', (source) => sliceDefUse(source, 'typescript', 2))).toBeNull();
    expect(await withSource('typescript', '', (source) => sliceDefUse(source, 'typescript', 0))).toBeNull();
  });

  test('M34 a position just behind the name counts', async () => {
    const slice = await withSource('typescript', 'let abc = 1;', (source) => sliceDefUse(source, 'typescript', 7));
    expect(slice?.variable).toBe('abc');
  });

  test('M34 what nests too deep has no flow and says so', async () => {
    const text = `let x = 1; ${'if (a) {'.repeat(3_000)} x = 2; ${'}'.repeat(3_000)} f(x);`;
    const slice = await withSource('typescript', text, (source) => sliceDefUse(source, 'typescript', 4));
    expect([slice?.flowKnown, slice?.flow, slice?.definitions.length]).toEqual([false, [], 2]);
  });

  test('M34 too many places are cut off and say so', async () => {
    const text = `let x = 1; ${'x = 2; f(x); '.repeat(4_000)}`;
    const slice = await withSource('typescript', text, (source) => sliceDefUse(source, 'typescript', 4));
    expect([slice?.flowKnown, slice?.truncated]).toEqual([false, true]);
  });

  test('M34 types are no values: uses without flow', async () => {
    const text = 'interface T {} let a: T;';
    const slice = await withSource('typescript', text, (source) => sliceDefUse(source, 'typescript', 10));
    expect([slice?.uses.length, slice?.flowKnown]).toEqual([1, false]);
  });
});

const python: Readonly<Record<string, readonly [marked: string, flow: string]>> = {
  'branches join': ['«x» = 1\nif a:\n    «x» = 2\nelif b:\n    f(‹x›)\nelse:\n    «x» = 3\nf(‹x›)\n', 'a1 a2 b2 c2'],
  'loops with else': ['«x» = 1\nfor i in y:\n    if i: break\n    «x» = 2\nelse:\n    f(‹x›)\nf(‹x›)\n', 'a1 a2 b1 b2'],
  'while True ends by break only': ['«x» = 1\nwhile True:\n    «x» = 2\n    break\nf(‹x›)\n', 'b1'],
  'try leads to its handlers': [
    '«x» = 1\ntry:\n    «x» = 2\nexcept A:\n    f(‹x›)\nelse:\n    f(‹x›)\nfinally:\n    f(‹x›)\n',
    'a1 a3 b1 b2 b3',
  ],
  'return ends': ['def g(«x»):\n    if a:\n        «x» = 2\n        return\n    f(‹x›)\n', 'a1'],
  with: ['with g() as «x»:\n    f(‹x›)\n', 'a1'],
  'conditional expressions': ['«x» = 1\n(‹x› if a else g(«x» := 2))\nf(‹x›)\n', 'a1 a2 b2'],
  and: ['«x» = 1\na and (x2 := ‹x›)\nf(‹x›)\n', 'a1 a2'],
  comprehensions: ['[f(‹x›) for «x» in y if ‹x›]\n', 'a1 a2'],
  match: ['match a:\n    case [«x»]: f(‹x›)\n    case {"k": «x»}: f(‹x›)\n', 'a1 a2 b1 b2'],
  unpacking: ['«x», y = 1, 2\n«x», y = y, ‹x›\nf(‹x›)\n', 'a1 b2'],
};

describe('Python', () => {
  test.each(Object.entries(python))('M34 %s', async (_, [marked, flow]) => {
    await checkFlow('python', marked, flow);
  });

  test('M34 nested functions capture', async () => {
    const slice = await checkFlow(
      'python',
      'def f():\n    «x» = 1\n    def g():\n        return ‹x›\n    «x» = 2\n    return ‹x›\n',
      'a1 b1 b2',
    );
    expect(slice?.escapes.map(({ kind }) => kind)).toEqual(['captured']);
  });
});

describe('other languages', () => {
  test.each([
    ['go', 'package p\nfunc f() { «x» := 1; «x» = 2; g(&‹x›) }\n', ['by_reference']],
    ['c', 'int f(int «x») { «x» = 2; return g(&‹x›); }\n', ['by_reference']],
    ['rust', 'fn f() { let «x» = 1; g(&‹x›); }\n', ['by_reference']],
    ['csharp', 'class A { void F() { int «x» = 1; G(ref ‹x›); H(() => ‹x›); } }', ['by_reference', 'captured']],
    [
      'php',
      '<?php function f() { $«x» = 1; $g = function () use (&$‹x›) { return $‹x›; }; }',
      ['by_reference', 'captured'],
    ],
    ['ruby', 'def f\n  «x» = 1\n  ‹x›\nend\n', []],
    ['java', 'class A { void f(int «x») { F g = () -> ‹x›; } }', ['captured']],
  ])('M34 %s has definitions and uses and says that it knows no flow', async (language, marked, escapes) => {
    const slice = await checkFlow(language, marked, '');
    expect([slice?.flowKnown, slice?.truncated]).toEqual([false, false]);
    expect(slice?.escapes.map(({ kind }) => kind)).toEqual(escapes);
  });
});
