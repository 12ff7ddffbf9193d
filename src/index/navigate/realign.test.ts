import { describe, expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { createPositions } from '../../kernel/tree/positions.ts';
import { hashLines } from '../text/line-hashes.ts';
import { alignLines, type OldOccurrence, type Realigned, realignOccurrences } from './realign.ts';

const identifier = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

/** Every identifier, as an indexer would list them. */
function occurrencesIn(text: string): OldOccurrence[] {
  return text.split('\n').flatMap((content, line) =>
    [...content.matchAll(identifier)].map((found) => ({
      line,
      col: found.index,
      endLine: line,
      endCol: found.index + found[0].length,
      text: found[0],
    })),
  );
}

function realign(
  before: string,
  now: string,
  occurrences: readonly OldOccurrence[] = occurrencesIn(before),
): readonly Realigned[] {
  const bytes = Buffer.from(now);
  const text = now.replace(/^\ufeff/, '');
  return realignOccurrences({
    oldLineHashes: hashLines(Buffer.from(before)),
    present: { bytes, text, bom: text !== now, isAscii: /^[\0-\x7f]*$/.test(text) },
    occurrences,
    tokens: (start, end) =>
      [...text.slice(start, end).matchAll(identifier)].map((found) => ({
        start: start + found.index,
        end: start + found.index + found[0].length,
      })),
  });
}

/** What each occurrence says now; `null` where it is lost. Byte offsets must agree with lines and columns. */
function saidNow(now: string, realigned: readonly Realigned[]): readonly (string | null)[] {
  const bytes = Buffer.from(now);
  const positions = createPositions(bytes);
  return realigned.map((found) => {
    if (found.kind === 'lost') return null;
    expect(positions.toByteOffset({ line: found.line, column: found.col })).toBe(found.start);
    expect(positions.toByteOffset({ line: found.endLine, column: found.endCol })).toBe(found.end);
    return bytes.toString('utf8', found.start, found.end);
  });
}

const check = (before: string, now: string): readonly (string | null)[] => saidNow(now, realign(before, now));

describe('by step', () => {
  test('an occurrence on a matched line keeps its column', () => {
    expect(check('a;\nb(c);\n', '// new\nx;\nb(c);\n')).toEqual([null, 'b', 'c']);
    expect(realign('b(c)', '\n\nb(c)')[1]).toEqual({
      kind: 'realigned',
      start: 4,
      end: 5,
      line: 2,
      col: 2,
      endLine: 2,
      endCol: 3,
    });
  });
  test('in a changed part equally many names are paired in order', () => {
    expect(
      realign('x\nfoo(bar, foo)\ny', 'x\n  return foo(1 + bar,\n    foo)\ny').map((found) => [found.line, found.col]),
    ).toEqual([
      [0, 0],
      [1, 9],
      [1, 17],
      [2, 4],
      [3, 0],
    ]);
  });
  test('otherwise they are lost, with the old position', () => {
    expect(realign('x\nfoo(foo)\ny', 'x\nfoo(1)\ny').slice(1, 3)).toEqual([
      { kind: 'lost', line: 1, col: 0 },
      { kind: 'lost', line: 1, col: 4 },
    ]);
    expect(check('foo()', 'foo(foo)')).toEqual([null]);
    expect(check('foo()', '')).toEqual([null]);
  });
  test('a changed part ends where matched lines begin', () => {
    expect(check('foo(1)\nkeep\nbar(1)', 'bar(2)\nkeep\nfoo(2)')).toEqual([null, 'keep', null]);
  });
  test('what an occurrence said is not known: only matched lines serve', () => {
    const [alias] = occurrencesIn('foo(1)').map((occurrence) => ({ ...occurrence, text: null }));
    if (alias === undefined) throw new Error('an occurrence');
    expect(realign('foo(1)', 'foo(2)', [alias])).toEqual([{ kind: 'lost', line: 0, col: 0 }]);
    expect(saidNow('\nfoo(1)', realign('foo(1)', '\nfoo(1)', [alias]))).toEqual(['foo']);
  });
  test('several symbols at one place are one name in the text', () => {
    const twice = occurrencesIn('foo(1)').flatMap((occurrence) => [occurrence, occurrence]);
    expect(saidNow('foo(2)', realign('foo(1)', 'foo(2)', twice))).toEqual(['foo', 'foo']);
  });
  test('an occurrence over several lines needs all of them', () => {
    const wide: OldOccurrence = { line: 0, col: 1, endLine: 1, endCol: 1, text: null };
    expect(saidNow('-\nab\ncd', realign('ab\ncd', '-\nab\ncd', [wide]))).toEqual(['b\nc']);
    expect(realign('ab\ncd', 'ab\n-\ncd', [wide])[0]?.kind).toBe('lost');
  });
  test('T11 BOM, CRLF, emoji and CJK keep bytes and columns right', () => {
    expect(check('日本 = naïve\n“😀” + x', '\ufeff// 😀\r\n日本 = naïve\r\n“😀” + x')).toEqual(['日本', 'naïve', 'x']);
    expect(check('日本 = naïve(1)', '\ufeff/*😀*/ 日本 = naïve(2)')).toEqual(['日本', 'naïve']);
  });
  test('T11 a line whose hash is equal by accident does not serve', () => {
    const [found] = occurrencesIn('foo').map((occurrence) => ({ ...occurrence, text: 'bar' }));
    expect(realign('foo', 'foo', found === undefined ? [] : [found])).toEqual([{ kind: 'lost', line: 0, col: 0 }]);
  });
});

const words = ['user', 'name', 'order', 'total', 'λ', '名', 'return', 'x'];
const line = fc
  .array(fc.tuple(fc.constantFrom(...words), fc.constantFrom('.', '(', ') ', ' = ', ', ', ' /*😀*/ ')), {
    maxLength: 5,
  })
  .map((parts) => `  ${parts.flat().join('')};`);
const edit = fc.record({
  kind: fc.constantFrom('insert' as const, 'replace' as const, 'delete' as const),
  at: fc.nat(),
  text: line,
});

test('T11 a realigned position says what it said; untouched lines are never lost', () => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 25 }), fc.array(edit, { maxLength: 8 }), (drafts, edits) => {
      // Numbered, so that a line is only ever itself.
      const before = drafts.map((text, at) => ({ text: `${text} // line${at}`, old: at }));
      const now: { text: string; old: number | null }[] = [...before];
      edits.forEach(({ kind, at, text }, number) => {
        const place = at % (now.length + 1);
        const fresh = { text: `${text} // edit${number}`, old: null };
        if (kind === 'insert') now.splice(place, 0, fresh);
        else if (place < now.length) now.splice(place, 1, ...(kind === 'replace' ? [fresh] : []));
      });
      const textBefore = before.map(({ text }) => text).join('\n');
      const textNow = now.map(({ text }) => text).join('\n');
      const occurrences = occurrencesIn(textBefore);
      const realigned = realign(textBefore, textNow);
      const kept = new Map(now.map(({ old }, at) => [old, at]));
      saidNow(textNow, realigned).forEach((said, at) => {
        const occurrence = occurrences[at] as OldOccurrence;
        if (said !== null) expect(said).toBe(occurrence.text);
        const present = kept.get(occurrence.line);
        if (present !== undefined) expect(realigned[at]).toMatchObject({ line: present, col: occurrence.col });
      });
    }),
    { numRuns: 1000 },
  );
});

test('T11 holds for any two texts, however they repeat themselves', () => {
  const repetitive = fc.array(fc.constantFrom('a b', 'b a', '}', '', 'a a', '{ a'), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(repetitive, repetitive, (before, now) => {
      const [textBefore, textNow] = [before.join('\n'), now.join('\r\n')];
      const occurrences = occurrencesIn(textBefore);
      saidNow(textNow, realign(textBefore, textNow)).forEach((said, at) => {
        if (said !== null) expect(said).toBe(occurrences[at]?.text);
      });
    }),
    { numRuns: 1000 },
  );
});

const align = (before: readonly string[], now: readonly string[]): readonly number[] => [
  ...alignLines(hashLines(Buffer.from(before.join('\n'))), hashLines(Buffer.from(now.join('\n')))),
];

test('an inserted line moves those after it', () => {
  expect(align(['a', 'b', 'c'], ['a', 'x', 'b', 'c'])).toEqual([0, 2, 3]);
});

test('a changed line is not matched, its neighbours are', () => {
  expect(align(['{', 'a', '}', '{', 'b', '}'], ['{', 'a', '}', '{', 'B', '}'])).toEqual([0, 1, 2, 3, -1, 5]);
});

test('single lines anchor repeated ones', () => {
  const before = ['f() {', '  return 1', '}', '', 'g() {', '  return 2', '}'];
  const now = ['h() {', '  return 3', '}', '', 'f() {', '  return 1', '}', '', 'g() {', '  return 2', '}'];
  expect(align(before, now)).toEqual([4, 5, 6, 7, 8, 9, 10]);
});

test('lines that are nowhere single are matched if both sides have them equally often', () => {
  expect(align(['x', 'd', 'd', 'y'], ['X', 'd', 'd', 'Y'])).toEqual([-1, 1, 2, -1]);
  const many = Array.from({ length: 1000 }, (_, at) => String(at % 400));
  const found = align(['x', ...many, 'y'], ['X', ...many, 'Y']);
  expect(found.slice(1, -1)).toEqual(many.map((_, at) => at + 1));
});

test('little is compared in full', () => {
  expect(align(['a', 'a', 'b', 'b'], ['z', 'a', 'b', 'b', 'b', 'a'])).toEqual([-1, 1, 2, 3]);
});

test('matches rise and join equal lines, whatever the texts', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd', '{', '}', ''), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(text, text, (before, now) => {
      let last = -1;
      align(before, now).forEach((line, old) => {
        if (line < 0) return;
        expect(line).toBeGreaterThan(last);
        expect(now[line]).toBe(before[old]);
        last = line;
      });
    }),
    { numRuns: 2000 },
  );
});

test('a text of two hundred thousand equal or crossing lines is done with', () => {
  const count = 200_000;
  const pairs = Array.from({ length: count }, (_, at) => (at % 2 === 0 ? 'a' : 'b'));
  expect(align(pairs, ['x', ...pairs, 'y'])).toHaveLength(count);
  const numbers = Array.from({ length: count }, (_, at) => String(at));
  expect(align(numbers, [...numbers].reverse()).filter((line) => line >= 0).length).toBeGreaterThan(0);
});
