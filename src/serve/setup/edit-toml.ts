/**
 * An entry in a TOML file as a table of its own, put in and taken out as lines. What stands in another form (inline, by dotted keys)
 * is left to its owner: the result is parsed again, and an edit that changed anything else is not made.
 */

import type { ServerEntry } from './clients.ts';
import { type EditOutcome, entryOf, eolOf, type FileEditor, hasFields, isOnlyEntry } from './edit-outcome.ts';

type Document = Readonly<Record<string, unknown>>;

export const tomlEditor: FileEditor = {
  async add(text, at, entry) {
    const read = await readToml(text);
    if ('kind' in read) return read;
    const held = entryOf(read.document, at);
    if (hasFields(held, entry)) return { kind: 'unchanged' };
    const eol = eolOf(text);
    const fields = Object.entries(entry).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
    if (held === undefined) {
      const gap = text === '' || text.endsWith(`${eol}${eol}`) ? '' : text.endsWith('\n') ? eol : `${eol}${eol}`;
      const table = [`[${at.join('.')}]`, ...fields].join(eol);
      return checked(read.document, at, `${text}${gap}${table}${eol}`, entry);
    }
    const lines = text.split('\n');
    const table = findTables(lines, at).find(({ isOwn }) => isOwn);
    if (table === undefined) return byHand;
    const edited = lines.flatMap((line, index) => {
      if (index === table.from) return [line, ...fields.map((field) => `${field}${eol === '\r\n' ? '\r' : ''}`)];
      const isField = index > table.from && index < table.to && Object.keys(entry).includes(keyOf(line) ?? '');
      return isField ? [] : [line];
    });
    return checked(read.document, at, edited.join('\n'), entry);
  },
  async remove(text, at) {
    const read = await readToml(text);
    if ('kind' in read) return read;
    if (entryOf(read.document, at) === undefined) return { kind: 'unchanged' };
    const lines = text.split('\n');
    const tables = findTables(lines, at);
    if (tables.length === 0) return byHand;
    const kept = lines.filter((_, index) => !tables.some(({ from, to }) => index >= from && index < to));
    return checked(read.document, at, kept.join('\n'), undefined);
  },
};

const byHand: EditOutcome = {
  kind: 'refused',
  why: 'holds the entry in a form that is not edited here; change it by hand',
};

async function checked(
  before: Document,
  at: readonly [string, string],
  text: string,
  entry: ServerEntry | undefined,
): Promise<EditOutcome> {
  const after = await readToml(text);
  if ('kind' in after || !isOnlyEntry(before, after.document, at)) return byHand;
  const held = entryOf(after.document, at);
  const isDone = entry === undefined ? held === undefined : hasFields(held, entry);
  return isDone ? { kind: 'edited', text } : byHand;
}

async function readToml(
  text: string,
): Promise<{ readonly document: Document } | (EditOutcome & { readonly kind: 'refused' })> {
  const { parse, TomlError } = await import('smol-toml');
  try {
    return { document: parse(text) as Document };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [what = ''] = error.message.split('\n');
    return { kind: 'refused', why: `is not valid TOML: ${what} at line ${error.line}, column ${error.column}` };
  }
}

type Table = { readonly from: number; readonly to: number; readonly isOwn: boolean };

/** The table of the entry and those below it: header, lines, and the blank lines behind. */
function findTables(lines: readonly string[], at: readonly [string, string]): readonly Table[] {
  const headers = lines.flatMap((line, index) => (/^\s*\[/.test(line) ? [{ index, path: pathOf(line) }] : []));
  return headers.flatMap(({ index, path }, order) => {
    if (path?.[0] !== at[0] || path[1] !== at[1]) return [];
    let to = headers[order + 1]?.index ?? lines.length;
    // Comments above the next table belong to it.
    while (to > index + 1 && headers[order + 1] !== undefined && /^\s*#/.test(lines[to - 1] ?? '')) to -= 1;
    return [{ from: index, to, isOwn: path.length === at.length }];
  });
}

/** `[a . "b"]` → a, b; undefined for what is no plain header. */
function pathOf(line: string): readonly string[] | undefined {
  const inside = /^\s*\[([^[\]]+)\]\s*(?:#.*)?\r?$/.exec(line)?.[1];
  if (inside === undefined) return undefined;
  const parts = inside.match(/"[^"]*"|'[^']*'|[A-Za-z0-9_-]+/g) ?? [];
  return parts.map((part) => part.replace(/^["']|["']$/g, ''));
}

function keyOf(line: string): string | undefined {
  return /^\s*"?([A-Za-z0-9_-]+)"?\s*=/.exec(line)?.[1];
}
