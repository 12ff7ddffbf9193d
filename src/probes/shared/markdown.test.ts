import { expect, test } from 'vitest';
import { plainText, scanMarkdown, scanMarkdownLines } from './markdown.ts';

test('headings in ATX and setext form, with inline marks and closing hashes dropped', () => {
  const outline = scanMarkdown(
    ['Title *here*', '=====', '', '## A `b` [link](x.md) ##', '### C#', 'Sub', '---', '####### seven', '#hash'].join(
      '\n',
    ),
  );
  expect(outline.title).toBe('Title here');
  expect(outline.headings).toEqual([
    { level: 1, text: 'Title here' },
    { level: 2, text: 'A b link' },
    { level: 3, text: 'C#' },
    { level: 2, text: 'Sub' },
  ]);
});

test('nothing inside fences and comments is a heading or a link', () => {
  const outline = scanMarkdown(
    ['```sh', '# no', '[a](b)', '~~~', '```', '<!--', '# no', '-->', '<!-- # x -->', '# yes', '~~~', '# no'].join('\n'),
  );
  expect(outline.headings).toEqual([{ level: 1, text: 'yes' }]);
  expect(outline).toMatchObject({ links: 0, codeBlocks: 2 });
});

test('a rule between paragraphs and a list item above dashes are no headings', () => {
  expect(scanMarkdown('text\n\n---\n\n- item\n---\n').headings).toEqual([]);
});

test('links are counted outside inline code; the first paragraph skips lists and quotes', () => {
  const outline = scanMarkdown(
    '# T\n> quote\n\n- [a](b) `[e](f)`\n\nFirst *para*\nsecond line [c](d) `code` <https://x.y>\n\nnext',
  );
  expect(outline.links).toBe(3);
  expect(outline.firstParagraph).toBe('First para second line c code <https://x.y>');
});

test('G28 controls and bidi marks never reach a heading; names with underscores stay whole', () => {
  expect(scanMarkdown('# a\u001b[31m\u202eb snake_case_name').title).toBe('a[31mb snake_case_name');
  expect(plainText('_em_ and __strong__ and a_b')).toBe('em and strong and a_b');
});

test('CRLF lines and line numbers', () => {
  const lines = scanMarkdownLines('# a\r\n\r\ntext\r\n');
  expect(lines.map((line) => [line.line, line.kind])).toEqual([
    [1, 'heading'],
    [2, 'blank'],
    [3, 'text'],
    [4, 'blank'],
  ]);
});

test('G16 five thousand repetitions of each mark are scanned without backtracking', () => {
  for (const mark of ['[', '](', '![', '`', '*', '_', '#', '- ', '<!--', '[a](', '[a][', '* ', '1']) {
    const outline = scanMarkdown(`# ${mark.repeat(5000)}\n${mark.repeat(5000)}\n`);
    expect(outline.headings.length).toBeLessThanOrEqual(2);
  }
});
