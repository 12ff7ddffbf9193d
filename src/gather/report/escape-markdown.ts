/**
 * Text from a repository as Markdown that means only itself. Ordinary text stays readable in a terminal; anything that could be
 * markup becomes an entity, which CommonMark never reads as markup, not even inside a table cell where backslashes are ambiguous.
 */

import { singleLine } from '../../kernel/base/text.ts';

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

function entity(character: string): string {
  return named[character] ?? `&#${character.codePointAt(0)};`;
}

const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
