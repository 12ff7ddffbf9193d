/** An entry in a JSON file with comments, put in and taken out as text. */

import type { ParseError } from 'jsonc-parser';
import { type EditOutcome, entryOf, eolOf, type FileEditor, hasFields, isOnlyEntry, placeIn } from './edit-outcome.ts';
import { insertEntry } from './insert-entry.ts';

type Document = Readonly<Record<string, unknown>>;

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
    if (held === undefined) return checked(text, read.document, at, await insertEntry(text, at, entry));
    if (typeof held !== 'object' || held === null || Array.isArray(held)) return noObject(at.join('.'));
    let edited = text;
    for (const [field, value] of Object.entries(entry)) edited = await put(edited, [...at, field], value);
    return checked(text, read.document, at, edited);
  },
  async remove(text, at) {
    if (text.trim() === '') return { kind: 'unchanged' };
    const read = await readJson(text, at);
    if ('kind' in read) return read;
    if (entryOf(read.document, at) === undefined) return { kind: 'unchanged' };
    return checked(text, read.document, at, await put(text, [...at], undefined));
  },
};

/** A value replaced, or with `undefined` taken out, where it stands: nothing around it is formatted. */
async function put(text: string, path: string[], value: unknown): Promise<string> {
  const { applyEdits, modify } = await import('jsonc-parser');
  return applyEdits(text, modify(text, path, value, {}));
}

async function checked(
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
