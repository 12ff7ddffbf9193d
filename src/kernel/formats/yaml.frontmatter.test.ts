import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitFrontmatter } from './yaml.ts';

test.each([
  ['a body only', '# Title\n---\n', { kind: 'none', bodyOffset: 0 }],
  ['nothing', '', { kind: 'none', bodyOffset: 0 }],
  ['four dashes', '----\na\n----\n', { kind: 'none', bodyOffset: 0 }],
  ['front matter', '---\nid: a\n---\nbody', { kind: 'found', yaml: 'id: a\n', bodyOffset: 14 }],
  ['CRLF', '---\r\nid: a\r\n---\r\nbody', { kind: 'found', yaml: 'id: a\r\n', bodyOffset: 17 }],
  ['bytes, not characters', '---\nid: é\n---\nbody', { kind: 'found', yaml: 'id: é\n', bodyOffset: 15 }],
  ['a BOM', '\ufeff---\na\n---\nb', { kind: 'found', yaml: 'a\n', bodyOffset: 13 }],
  ['an empty one', '---\n---\n', { kind: 'found', yaml: '', bodyOffset: 8 }],
  ['no line end after it', '---\na\n---', { kind: 'found', yaml: 'a\n', bodyOffset: 9 }],
  ['invisible white space', '--- \na\n---\t\nb', { kind: 'found', yaml: 'a\n', bodyOffset: 12 }],
  ['unterminated', '---\na\n --- \n', { kind: 'unterminated' }],
])('%s', (_, text, split) => {
  expect(splitFrontmatter(text)).toEqual(split);
});

test('40: the body is what remains after the offset', () => {
  const lines = fc.array(fc.constantFrom('---', 'a: é', '', ' ---', '--', '😀'), { maxLength: 6 });
  fc.assert(
    fc.property(lines, fc.constantFrom('\n', '\r\n'), (all, end) => {
      const text = all.join(end);
      const split = splitFrontmatter(text);
      if (split.kind !== 'found') return;
      const body = new TextDecoder().decode(new TextEncoder().encode(text).subarray(split.bodyOffset));
      expect(text.endsWith(body)).toBe(true);
      expect(
        text
          .slice(0, text.length - body.length)
          .trimEnd()
          .endsWith('---'),
      ).toBe(true);
    }),
  );
});
