import { expect, test } from 'vitest';
import { hashLines, lineHashBytes } from './line-hashes.ts';

const lines = (text: string): readonly string[] => {
  const hashes = Buffer.from(hashLines(Buffer.from(text)));
  return Array.from({ length: hashes.length / lineHashBytes }, (_, at) =>
    hashes.toString('hex', at * lineHashBytes, (at + 1) * lineHashBytes),
  );
};

test('line ends and a BOM are no part of a line', () => {
  expect(lines('a\r\nb\r\n')).toEqual(lines('a\nb\n'));
  expect(lines('\ufeffa\nb')).toEqual(lines('a\nb'));
  expect(lines('a\rb')).not.toEqual(lines('ab'));
});

test('a text has one line more than line ends', () => {
  expect(lines('')).toHaveLength(1);
  expect(lines('\n')).toEqual([...lines(''), ...lines('')]);
  expect(lines('a')).toHaveLength(1);
  expect(lines('a\n')).toHaveLength(2);
});

test('lines of ordinary code do not collide, nor do their halves', () => {
  const seen = new Set<string>();
  const halves = [new Set<string>(), new Set<string>()];
  const count = 20_000;
  for (let at = 0; at < count; at += 1) {
    const [hash = ''] = lines(`  const value${at} = compute(${at}, '${(at * 7919) % count}');`);
    seen.add(hash);
    halves[0]?.add(hash.slice(0, 8));
    halves[1]?.add(hash.slice(8));
  }
  expect(seen.size).toBe(count);
  for (const half of halves) expect(half.size).toBeGreaterThan(count - 10);
});
