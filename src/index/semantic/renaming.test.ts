import { expect, test } from 'vitest';
import { createShift, type PatchEdit, takeBack } from './renaming.ts';

const edit = (text: string, at: number, oldText: string, newText: string): PatchEdit => {
  const startByte = Buffer.byteLength(text.slice(0, at));
  return { startByte, endByte: startByte + Buffer.byteLength(oldText), oldText, newText, form: 'plain' };
};

const text = "é = a + a;\n😀.a['a'];\n";
const edits = [4, 8, 14, 17].map((at) => edit(text, at, 'a', 'bcd'));

// Line 0 has a letter of two bytes, line 1 one of four bytes, two UTF-16 units and one code point.
test.each([
  { units: 1, first: [0, 5, 6], firstNow: [0, 5, 8], second: [1, 5, 6], secondNow: [1, 5, 8], quoted: [1, 7, 10] },
  { units: 2, first: [0, 4, 5], firstNow: [0, 4, 7], second: [1, 3, 4], secondNow: [1, 3, 6], quoted: [1, 5, 8] },
  { units: 3, first: [0, 4, 5], firstNow: [0, 4, 7], second: [1, 2, 3], secondNow: [1, 2, 5], quoted: [1, 4, 7] },
] as const)('E9 ranges in the units of encoding $units move with the edits before them', (at) => {
  const { move, find } = createShift(Buffer.from(text), edits, at.units);
  expect(move(at.first)).toEqual(at.firstNow);
  expect(move(at.second)).toEqual(at.secondNow);
  const [line, start, end] = at.quoted;
  expect(move(at.quoted)).toEqual([line, start + 2, end + 4]);
  expect(find(at.first)?.edit).toBe(edits[0]);
  expect(find(at.quoted)?.edit).toBe(edits[3]);
  expect(find([at.first[0], at.first[1] - 1, at.first[2]])).toBeUndefined();
});

test('a range over lines moves at both ends, one that ends inside of an edit does not fit', () => {
  const source = 'aaa b\naaa\n';
  const { move } = createShift(Buffer.from(source), [edit(source, 0, 'aaa', 'x'), edit(source, 6, 'aaa', 'y')], 2);
  expect(move([0, 4, 1, 3])).toEqual([0, 2, 1, 1]);
  expect(() => move([0, 1, 5])).toThrow('inside of an edit');
});

test('the old text follows from the new one and the edits that made it, and from no others', () => {
  const now = Buffer.from("é = bcd + bcd;\n😀.bcd['bcd'];\n");
  expect(takeBack(now, edits)?.toString()).toBe(text);
  expect(takeBack(Buffer.from("é = bcd + bc;\n😀.bcd['bcd'];\n"), edits)).toBeUndefined();
});
