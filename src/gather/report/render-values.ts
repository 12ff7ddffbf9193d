/** Values as people read them, the same in every report: numbers, sizes, digests, any JSON, and text that is safe inside Markdown. */

import { singleLine, stripControls } from '../../kernel/base/text.ts';
import { volatileFields } from '../publish/envelope.ts';

/** First eight hex digits, without the name of the algorithm. */
export function shortDigest(digest: string): string {
  return digest.replace(/^[a-z0-9]+:/, '').slice(0, 8);
}

/** A share of a whole: `12 %`, `0.4 %`. */
export function formatShare(part: number, whole: number): string {
  if (!(whole > 0) || !Number.isFinite(part)) return '0 %';
  const percent = (part / whole) * 100;
  return `${percent >= 9.95 ? Math.round(percent) : percent.toFixed(1)} %`;
}

type DataOptions = {
  readonly maxChars: number;
  readonly maxDepth?: number;
  readonly volatile?: 'kept' | 'dropped';
};

const names: ReadonlySet<string> = new Set(volatileFields);

type Member = readonly [label: string, value: unknown];

/**
 * Any value as indented JSON that a person can read: cut at a size and a depth, without the fields that differ from run to run.
 * Unlike `JSON.stringify` it cannot overflow the stack and never builds more text than it may return.
 */
export function renderData(value: unknown, options: DataOptions): string {
  const { maxChars, maxDepth = 24, volatile = 'dropped' } = options;
  const parts: string[] = [];
  let left = maxChars;
  const put = (text: string): void => {
    if (left > 0) parts.push(text.slice(0, left));
    left -= text.length;
  };
  const print = (node: unknown, indent: string, depth: number): void => {
    if (left <= 0) return;
    if (typeof node !== 'object' || node === null) {
      put(scalar(node));
      return;
    }
    const members = listMembers(node, volatile);
    const [open, close] = Array.isArray(node) ? ['[', ']'] : ['{', '}'];
    if (members.length === 0) put(open + close);
    else if (depth >= maxDepth) put(`${open}…${close}`);
    else if (fitOneLine(members))
      put(`${open} ${members.map(([label, item]) => label + scalar(item)).join(', ')} ${close}`);
    else {
      members.forEach(([label, item], position) => {
        put(`${position === 0 ? open : ','}\n${indent}  ${label}`);
        print(item, `${indent}  `, depth + 1);
      });
      put(`\n${indent}${close}`);
    }
  };
  print(value, '', 0);
  return left < 0 ? `${parts.join('')}\n… cut here` : parts.join('');
}

function listMembers(node: object, volatile: 'kept' | 'dropped'): readonly Member[] {
  if (Array.isArray(node)) return node.map((item) => ['', item]);
  return Object.entries(node)
    .filter(([key]) => volatile === 'kept' || !names.has(key))
    .map(([key, item]) => [`${scalar(key)}: `, item]);
}

/** Only scalars, and not many characters of them. */
function fitOneLine(members: readonly Member[]): boolean {
  let width = 0;
  for (const [label, item] of members) {
    if (typeof item === 'object' && item !== null) return false;
    width += label.length + (typeof item === 'string' ? item.length + 4 : 8);
    if (width > 100) return false;
  }
  return true;
}

function scalar(item: unknown): string {
  return typeof item === 'string' ? JSON.stringify(stripControls(item)) : String(item);
}

/** For prose: titles, reasons, descriptions. Safe in a paragraph, a list item and a table cell. */
export function escapeProse(text: string): string {
  return escapeInline(singleLine(text).trim()).replace(
    /^[#+=-]|^\d+[.)](?=\s|$)/, // nothing may open a heading, a list or a rule
    (start) => `${start.slice(0, -1)}\\${start.slice(-1)}`,
  );
}

/** For names, paths and commands: a code span, or its HTML form when the text holds a character that a span or a cell would read. */
export function escapeCode(text: string): string {
  const line = singleLine(text).trim();
  if (line === '') return '–';
  return /[`|\\<>&]|\]\(/.test(line) ? `<code>${escapeInline(line)}</code>` : `\`${line}\``;
}

/** Underscores inside words and a leading `~/` are no markup and stay readable. Bare addresses would become links. */
function escapeInline(line: string): string {
  return line
    .replace(/[&<>|`\\*[\]]|_(?![A-Za-z0-9])|(?<![A-Za-z0-9])_|(?<!^|\s)~|~(?!\/)/g, entity)
    .replace(/:(?=\/\/)|@|(?<=\bwww)\./gi, entity);
}

/**
 * Text from a repository as Markdown that means only itself. Ordinary text stays readable in a terminal; anything that could be
 * markup becomes an entity, which CommonMark never reads as markup, not even inside a table cell where backslashes are ambiguous.
 */
function entity(character: string): string {
  return named[character] ?? `&#${character.codePointAt(0)};`;
}

const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
