/**
 * Markdown and its front matter. What can be said about a document without copying it: title, headings, first paragraph, counts.
 * A line scanner, linear in the text, that knows fences and comments so that a `#` inside code is no heading.
 */

import { decodeLenient, singleLine } from '../../kernel/base/text.ts';
import { splitFrontmatter } from '../../kernel/formats/yaml.ts';
import { cutText } from './probe-reading.ts';

type MarkdownHeading = { readonly level: number; readonly text: string };

type MarkdownOutline = {
  /** The first heading of level 1; null without one. */
  readonly title: string | null;
  readonly headings: readonly MarkdownHeading[];
  readonly links: number;
  readonly codeBlocks: number;
  readonly firstParagraph: string;
};

export type MarkdownLine = {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
  readonly kind: 'text' | 'blank' | 'heading' | 'code' | 'comment';
  /** Only on `heading`. */
  readonly heading?: MarkdownHeading;
};

const LINE_CHARS_MAX = 4096;
const HEADINGS_MAX = 500;
const HEADING_CHARS_MAX = 200;
const PARAGRAPH_CHARS_MAX = 1000;

/** `text` is the body: front matter is cut off by the caller. */
export function scanMarkdown(text: string): MarkdownOutline {
  const lines = scanMarkdownLines(text);
  const headings = lines.flatMap((line) => (line.heading === undefined ? [] : [line.heading]));
  let links = 0;
  for (const line of lines) if (line.kind === 'text' || line.kind === 'heading') links += countLinks(line.text);
  return {
    title: headings.find((heading) => heading.level === 1)?.text ?? null,
    headings: headings.slice(0, HEADINGS_MAX),
    links,
    codeBlocks: countFences(lines),
    firstParagraph: findFirstParagraph(lines),
  };
}

/** Every line with what it is. A setext underline belongs to the heading line above it and is reported as `blank`. */
export function scanMarkdownLines(text: string): readonly MarkdownLine[] {
  const lines: MarkdownLine[] = [];
  let fence: Fence | null = null;
  let inComment = false;
  for (const [index, raw] of text.split('\n').entries()) {
    const content = (raw.endsWith('\r') ? raw.slice(0, -1) : raw).slice(0, LINE_CHARS_MAX);
    const line = index + 1;
    if (fence !== null) {
      lines.push({ line, text: content, kind: 'code' });
      if (closesFence(content, fence)) fence = null;
      continue;
    }
    if (inComment || content.trimStart().startsWith('<!--')) {
      lines.push({ line, text: content, kind: 'comment' });
      inComment = !content.includes('-->');
      continue;
    }
    fence = findFence(content);
    if (fence !== null) {
      lines.push({ line, text: content, kind: 'code' });
      continue;
    }
    lines.push(classify(line, content, lines));
  }
  return lines;
}

/** Inline marks dropped, links reduced to their text, one printable line. */
export function plainText(markdown: string): string {
  const withoutLinks = markdown.replace(/!?\[([^[\]]{0,400})\](?:\([^()]{0,1000}\)|\[[^[\]]{0,400}\])/g, '$1');
  return singleLine(withoutLinks.replace(/[*`]+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')).trim();
}

type Fence = { readonly mark: string; readonly length: number };

function findFence(content: string): Fence | null {
  const indent = indentation(content);
  const mark = content[indent];
  if (indent > 3 || (mark !== '`' && mark !== '~')) return null;
  const length = runLength(content, indent, mark);
  // A backtick fence has no backtick in its info string: ```a``` on one line is inline code.
  if (length < 3 || (mark === '`' && content.includes('`', indent + length))) return null;
  return { mark, length };
}

function closesFence(content: string, fence: Fence): boolean {
  const indent = indentation(content);
  const length = runLength(content, indent, fence.mark);
  return indent <= 3 && length >= fence.length && content.slice(indent + length).trim() === '';
}

function classify(line: number, content: string, before: MarkdownLine[]): MarkdownLine {
  const trimmed = content.trim();
  if (trimmed === '') return { line, text: content, kind: 'blank' };
  const indent = indentation(content);
  const level = indent > 3 ? 0 : runLength(content, indent, '#');
  const after = content[indent + level];
  if (level >= 1 && level <= 6 && (after === undefined || after === ' ' || after === '\t')) {
    return {
      line,
      text: content,
      kind: 'heading',
      heading: { level, text: headingText(content.slice(indent + level)) },
    };
  }
  const previous = before.at(-1);
  const mark = trimmed[0];
  if (
    previous?.kind === 'text' &&
    indent <= 3 &&
    (mark === '=' || mark === '-') &&
    runLength(trimmed, 0, mark) === trimmed.length &&
    isParagraphStart(previous.text)
  ) {
    before[before.length - 1] = {
      ...previous,
      kind: 'heading',
      heading: { level: mark === '=' ? 1 : 2, text: headingText(previous.text) },
    };
    return { line, text: content, kind: 'blank' };
  }
  return { line, text: content, kind: 'text' };
}

function headingText(content: string): string {
  const trimmed = content.trim();
  let end = trimmed.length;
  while (end > 0 && trimmed[end - 1] === '#') end -= 1;
  // Closing hashes count only after a space: `# C#` keeps its own.
  const closed = end === 0 || trimmed[end - 1] === ' ' || trimmed[end - 1] === '\t' ? trimmed.slice(0, end) : trimmed;
  return cutText(plainText(closed), HEADING_CHARS_MAX);
}

function countLinks(content: string): number {
  const outsideCode = content.split('`').filter((_, index) => index % 2 === 0);
  let count = 0;
  for (const part of outsideCode) count += part.split('](').length - 1 + (part.match(/<https?:/g)?.length ?? 0);
  return count;
}

function countFences(lines: readonly MarkdownLine[]): number {
  let blocks = 0;
  let open: Fence | null = null;
  for (const { text, kind } of lines) {
    if (kind !== 'code') continue;
    if (open === null) {
      open = findFence(text);
      blocks += 1;
    } else if (closesFence(text, open)) open = null;
  }
  return blocks;
}

function findFirstParagraph(lines: readonly MarkdownLine[]): string {
  const start = lines.findIndex((line) => line.kind === 'text' && isParagraphStart(line.text));
  if (start < 0) return '';
  const rest = lines.slice(start, start + 100);
  const end = rest.findIndex((line) => line.kind !== 'text');
  const words = rest.slice(0, end < 0 ? undefined : end).map((line) => line.text.trim());
  return cutText(plainText(words.join(' ')), PARAGRAPH_CHARS_MAX);
}

/** Not a list item, quotation, table row, rule or raw HTML. */
function isParagraphStart(content: string): boolean {
  return !/^\s*(?:[-*+]\s|\d{1,9}[.)]\s|[>|<]|(?:[-*_]\s*){3,}$)/.test(content.slice(0, 200));
}

function indentation(content: string): number {
  return runLength(content, 0, ' ');
}

function runLength(content: string, from: number, mark: string): number {
  let end = from;
  while (content[end] === mark) end += 1;
  return end - from;
}

// Front matter of a file given as bytes: the YAML text and where the body begins, counted in the file's own bytes.
// Only the front matter must be UTF-8; the body is never decoded here, whatever it holds.

type FrontmatterBytes =
  | { readonly kind: 'none'; readonly bodyOffset: number }
  | { readonly kind: 'unterminated' }
  | { readonly kind: 'not_utf8' }
  | { readonly kind: 'found'; readonly yaml: Uint8Array; readonly bodyOffset: number };

export function splitFrontmatterBytes(bytes: Uint8Array): FrontmatterBytes {
  const bomBytes = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const split = splitFrontmatter(decodeLenient(bytes));
  if (split.kind === 'none') return { kind: 'none', bodyOffset: 0 };
  if (split.kind === 'unterminated') return { kind: 'unterminated' };
  // A replaced byte changes the length of the decoded text, and with it the offset: then it may not be used.
  if (split.yaml.includes('\ufffd')) return { kind: 'not_utf8' };
  return { kind: 'found', yaml: new TextEncoder().encode(split.yaml), bodyOffset: bomBytes + split.bodyOffset };
}
