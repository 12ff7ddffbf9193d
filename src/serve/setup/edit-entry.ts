/**
 * Edits one entry of a user's JSON or TOML file as text: everything that is not the entry stays as it is, byte for byte. The result is
 * parsed again, and an edit that changed anything else is not made.
 */

import { isDeepStrictEqual } from 'node:util';
import type { Node, ParseError } from 'jsonc-parser';
import type { ServerEntry } from './clients.ts';

export type EditOutcome =
  | { readonly kind: 'edited'; readonly text: string }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly why: string };

/** A file as text: `eol` is what its lines end with. */
type FileEditor = {
  /** The entry with these fields; other fields that the user gave it stay. */
  readonly add: (text: string, at: readonly [string, string], entry: ServerEntry) => Promise<EditOutcome>;
  readonly remove: (text: string, at: readonly [string, string]) => Promise<EditOutcome>;
};

type Document = Readonly<Record<string, unknown>>;

/**
 * Whether nothing but the entry differs. Asked of every edit before it is written: an editor of text that is wrong about a corner of
 * the format must not cost a user their configuration.
 */
function isOnlyEntry(before: Document, after: Document, at: readonly [string, string]): boolean {
  return isDeepStrictEqual(withoutEntry(before, at), withoutEntry(after, at));
}

function withoutEntry(document: Document, [parent, name]: readonly [string, string]): Document {
  const { [parent]: held, ...others } = document;
  if (typeof held !== 'object' || held === null) return { ...document };
  const { [name]: _, ...siblings } = held as Document;
  // A parent that holds nothing is as good as none.
  return Object.keys(siblings).length === 0 ? others : { ...others, [parent]: siblings };
}

function entryOf(document: Document, [parent, name]: readonly [string, string]): unknown {
  const held = document[parent];
  return typeof held === 'object' && held !== null && Object.hasOwn(held, name) ? (held as Document)[name] : undefined;
}

function hasFields(held: unknown, entry: ServerEntry): boolean {
  return (
    typeof held === 'object' &&
    held !== null &&
    Object.entries(entry).every(([key, value]) => isDeepStrictEqual((held as Document)[key], value))
  );
}

function eolOf(text: string): '\n' | '\r\n' {
  return /\r\n/.test(text) ? '\r\n' : '\n';
}

/** 1-based. */
function placeIn(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}

/** An entry in a JSON file with comments, put in and taken out as text. */
export const jsonEditor: FileEditor = {
  async add(text, at, entry) {
    if (text.trim() === '') {
      const [parent, name] = at;
      const whole = JSON.stringify({ [parent]: { [name]: entry } }, null, 2).replaceAll('\n', eolOf(text));
      return { kind: 'edited', text: `${whole}${eolOf(text)}` };
    }
    const read = await readJson(text, at);
    if ('kind' in read) return read;
    const held = entryOf(read.document, at);
    if (hasFields(held, entry)) return { kind: 'unchanged' };
    if (held === undefined) return checkedJson(text, read.document, at, await insertEntry(text, at, entry));
    if (typeof held !== 'object' || held === null || Array.isArray(held)) return noObject(at.join('.'));
    let edited = text;
    for (const [field, value] of Object.entries(entry)) edited = await put(edited, [...at, field], value);
    return checkedJson(text, read.document, at, edited);
  },
  async remove(text, at) {
    if (text.trim() === '') return { kind: 'unchanged' };
    const read = await readJson(text, at);
    if ('kind' in read) return read;
    if (entryOf(read.document, at) === undefined) return { kind: 'unchanged' };
    return checkedJson(text, read.document, at, await put(text, [...at], undefined));
  },
};

/** A value replaced, or with `undefined` taken out, where it stands: nothing around it is formatted. */
async function put(text: string, path: string[], value: unknown): Promise<string> {
  const { applyEdits, modify } = await import('jsonc-parser');
  return applyEdits(text, modify(text, path, value, {}));
}

async function checkedJson(
  before: string,
  document: Document,
  at: readonly [string, string],
  text: string,
): Promise<EditOutcome> {
  if (text === before) return { kind: 'unchanged' };
  const after = await readJson(text, at);
  if ('kind' in after || !isOnlyEntry(document, after.document, at))
    return { kind: 'refused', why: 'cannot be edited without touching something else; edit it by hand' };
  return { kind: 'edited', text };
}

async function readJson(
  text: string,
  [parent]: readonly [string, string],
): Promise<{ readonly document: Document } | (EditOutcome & { kind: 'refused' })> {
  const { parse, printParseErrorCode } = await import('jsonc-parser');
  const errors: ParseError[] = [];
  const document: unknown = parse(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) {
    const what = printParseErrorCode(error.error)
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase();
    return { kind: 'refused', why: `is not valid JSON: ${what} at ${placeIn(text, error.offset)}` };
  }
  if (!isObject(document)) return noObject('the file');
  const held = document[parent];
  return held === undefined || isObject(held) ? { document } : noObject(parent);
}

function noObject(what: string): EditOutcome & { kind: 'refused' } {
  return { kind: 'refused', why: `${what} is not an object; correct it first` };
}

function isObject(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A new entry in a JSON document with comments, as its owner would write it: last in its object, indented like its neighbours, and nothing
 * else moved. The document is known to parse.
 */
async function insertEntry(
  text: string,
  [parent, name]: readonly [string, string],
  entry: ServerEntry,
): Promise<string> {
  const { findNodeAtLocation, parseTree } = await import('jsonc-parser');
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root === undefined) return text;
  const held = findNodeAtLocation(root, [parent]);
  return held === undefined
    ? insertProperty(text, root, parent, { [name]: entry })
    : insertProperty(text, held, name, entry);
}

async function insertProperty(text: string, object: Node, key: string, value: unknown): Promise<string> {
  const eol = eolOf(text);
  const close = object.offset + object.length - 1;
  const unit = /^([ \t]+)["/]/m.exec(text)?.[1] ?? '  ';
  const outer = indentAt(text, object.parent?.offset ?? object.offset);
  const written = (indent: string) =>
    `${JSON.stringify(key)}: ${JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${indent}`)}`;
  const last = object.children?.at(-1);
  if (last === undefined) {
    const indent = `${outer}${unit}`;
    // What an object without members holds is comments.
    const comments = text.slice(object.offset + 1, close).trimEnd();
    const head = `${text.slice(0, object.offset + 1)}${comments}`;
    return `${head}${eol}${indent}${written(indent)}${eol}${outer}${text.slice(close)}`;
  }
  const end = last.offset + last.length;
  const lineOfClose = text.lastIndexOf('\n', close - 1) + 1;
  const isAlone = lineOfClose > end && text.slice(lineOfClose, close).trim() === '';
  if (!isAlone) return `${text.slice(0, end)}, ${JSON.stringify(key)}: ${JSON.stringify(value)}${text.slice(end)}`;
  const indent = indentAt(text, last.offset);
  const hasComma = await isCommaNext(text, end);
  const [before, after] = [text.slice(0, end), text.slice(end, lineOfClose)];
  const line = `${indent}${written(indent)}${hasComma ? ',' : ''}${eol}`;
  return `${before}${hasComma ? '' : ','}${after}${line}${text.slice(lineOfClose)}`;
}

async function isCommaNext(text: string, offset: number): Promise<boolean> {
  const { createScanner } = await import('jsonc-parser');
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  return text[scanner.getTokenOffset()] === ',';
}

function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

/**
 * An entry in a TOML file as a table of its own, put in and taken out as lines. What stands in another form (inline, by dotted keys)
 * is left to its owner: the result is parsed again, and an edit that changed anything else is not made.
 */
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
      return checkedToml(read.document, at, `${text}${gap}${table}${eol}`, entry);
    }
    const lines = text.split('\n');
    const table = findTables(lines, at).find(({ isOwn }) => isOwn);
    if (table === undefined) return byHand;
    const edited = lines.flatMap((line, index) => {
      if (index === table.from) return [line, ...fields.map((field) => `${field}${eol === '\r\n' ? '\r' : ''}`)];
      const isField = index > table.from && index < table.to && Object.keys(entry).includes(keyOf(line) ?? '');
      return isField ? [] : [line];
    });
    return checkedToml(read.document, at, edited.join('\n'), entry);
  },
  async remove(text, at) {
    const read = await readToml(text);
    if ('kind' in read) return read;
    if (entryOf(read.document, at) === undefined) return { kind: 'unchanged' };
    const lines = text.split('\n');
    const tables = findTables(lines, at);
    if (tables.length === 0) return byHand;
    const kept = lines.filter((_, index) => !tables.some(({ from, to }) => index >= from && index < to));
    return checkedToml(read.document, at, kept.join('\n'), undefined);
  },
};

const byHand: EditOutcome = {
  kind: 'refused',
  why: 'holds the entry in a form that is not edited here; change it by hand',
};

async function checkedToml(
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
