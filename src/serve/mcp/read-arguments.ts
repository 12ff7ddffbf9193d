/**
 * The arguments of a call as models write them: other names for a field, a number as a string, one string for a list, an object as its JSON, a
 * place in parts. What could mean only one thing is read as that; everything else is left as it is, for the schema to refuse by name.
 */

import { isJsonObject } from '../../kernel/base/json.ts';
import type { z } from '../../kernel/base/schema.ts';
import { sayIssue } from './problem-answers.ts';
import type { Tool, ToolInput } from './tool.ts';

/** What was given, or what is wrong with it. An unknown field is most likely the one that is missing. */
export function readArguments({ name, input }: Tool, given: unknown): ToolInput | string {
  const read = input.safeParse(coerceInput(input, nameFields(input, given)));
  if (read.success) return read.data;
  const { issues } = read.error;
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  const field = issue?.path.join('.') ?? '';
  return `${name}: ${field === '' ? '' : `${field}: `}${sayIssue(issue?.message ?? 'not understood')}`;
}

/** What a field is also called, likeliest first. A name that the tool has is never another one's. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  op: ['operation', 'action', 'kind', 'mode', 'command', 'method'],
  kind: ['op', 'operation', 'action', 'refactoring', 'type'],
  target: ['place', 'symbol', 'location', 'position', 'at', 'old_name', 'name', 'name_path', 'file', 'path', 'from'],
  to: ['new_name', 'new_path', 'name', 'destination', 'into'],
  query: ['text', 'pattern', 'name', 'symbol', 'q', 'search', 'target'],
  file: ['path', 'target', 'file_path', 'filename'],
  path: ['paths', 'glob', 'globs', 'include', 'file', 'directory'],
  plan: ['plan_id', 'id'],
  answers: ['decisions', 'choices'],
  lang: ['language', 'languages'],
  limit: ['max', 'max_results', 'count', 'top'],
  continue: ['token', 'cursor', 'page_token'],
  facts: ['fact'],
  section: ['sections', 'path', 'name'],
  ignore_case: ['case_insensitive', 'icase'],
  regex: ['regexp', 'is_regex'],
};

/**
 * Fields under the names that the tool has: `new_name` for `to`. Only a name that the tool does not know, for a field that was not given, that
 * nothing else given could mean.
 */
export function nameFields(schema: z.ZodObject, given: unknown): unknown {
  if (!isJsonObject(given)) return given;
  const { shape } = schema;
  const isKnown = (name: string) => Object.hasOwn(shape, name);
  const snake = Object.entries(given).map(([name, value]): [string, unknown] => {
    const spelled = name
      .replace(/([a-z])([A-Z])/g, '$1_$2')
      .replaceAll('-', '_')
      .toLowerCase();
    return [isKnown(name) || Object.hasOwn(given, spelled) ? name : spelled, value];
  });
  const fields = new Map(snake);
  joinPlace(fields, isKnown);
  for (const [field, others] of Object.entries(otherNames)) {
    if (!isKnown(field) || fields.has(field)) continue;
    const meant = others.filter((name) => fields.has(name) && !isKnown(name));
    const [only] = meant;
    if (only === undefined || meant.length > 1) continue;
    fields.set(field, fields.get(only));
    fields.delete(only);
  }
  return Object.fromEntries(fields);
}

/** `{file, line, col}` beside the other fields is a place. */
function joinPlace(fields: Map<string, unknown>, isKnown: (name: string) => boolean): void {
  if (!isKnown('target') || fields.has('target') || !fields.has('line') || isKnown('line')) return;
  const file = ['file', 'path', 'file_path'].find((name) => fields.has(name) && !isKnown(name));
  if (file === undefined) return;
  const place = placeText({
    path: fields.get(file),
    line: fields.get('line'),
    col: fields.get('col') ?? fields.get('column'),
  });
  if (place === undefined) return;
  for (const name of [file, 'line', 'col', 'column']) fields.delete(name);
  fields.set('target', place);
}

/** Values as the schema has them; `null` is nothing. */
export function coerceInput(schema: z.ZodObject, given: unknown): unknown {
  return coerce(schema, given ?? {});
}

function coerce(field: z.ZodType, value: unknown): unknown {
  const schema = unwrap(field);
  const def = schema._zod.def as {
    readonly type: string;
    readonly shape?: Readonly<Record<string, z.ZodType>>;
    readonly element?: z.ZodType;
    readonly entries?: Readonly<Record<string, string>>;
  };
  switch (def.type) {
    case 'object': {
      const object = isText(value, '{') ? parsed(value) : value;
      return isJsonObject(object) && def.shape !== undefined ? coerceFields(def.shape, object) : object;
    }
    case 'array': {
      const list = isText(value, '[') ? parsed(value) : value;
      const items: readonly unknown[] = Array.isArray(list) ? list : [list];
      return def.element === undefined ? items : items.map((item) => coerce(def.element as z.ZodType, item));
    }
    case 'record':
      return isText(value, '{') ? parsed(value) : value;
    case 'number':
      return typeof value === 'string' && /^\s*-?\d{1,15}\s*$/.test(value) ? Number(value) : value;
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value;
    case 'enum':
      return typeof value === 'string' ? nameAmong(Object.values(def.entries ?? {}), value) : value;
    case 'string':
      return typeof value === 'number' ? String(value) : (placeText(value) ?? value);
    default:
      return value;
  }
}

function coerceFields(
  shape: Readonly<Record<string, z.ZodType>>,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const fields: [string, unknown][] = [];
  for (const [name, value] of Object.entries(given)) {
    // Models write null for a field they leave out.
    if (value === null || value === undefined) continue;
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    fields.push([name, field === undefined ? value : coerce(field, value)]);
  }
  return Object.fromEntries(fields);
}

/** `{path, line, col}` as `path:line:col`. */
function placeText(value: unknown): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const { path = value['file'], line, col = value['column'] } = value;
  if (typeof path !== 'string') return undefined;
  const whole = (part: unknown) => (/^\d{1,9}$/.test(String(part)) ? `:${String(part)}` : undefined);
  const [atLine, atCol] = [line === undefined ? '' : whole(line), col === undefined ? '' : whole(col)];
  if (atLine === undefined || atCol === undefined || (atLine === '' && atCol !== '')) return undefined;
  return `${path}${atLine}${atCol}`;
}

/** `Def_Use` for `def-use`. */
function nameAmong(known: readonly string[], given: string): string {
  const plain = (text: string) => text.trim().toLowerCase().replaceAll('_', '-');
  return known.find((name) => name === given) ?? known.find((name) => plain(name) === plain(given)) ?? given;
}

function unwrap(schema: z.ZodType): z.ZodType {
  const { innerType } = schema._zod.def as { readonly innerType?: z.ZodType };
  return innerType === undefined ? schema : unwrap(innerType);
}

function isText(value: unknown, begins: string): value is string {
  return typeof value === 'string' && value.trimStart().startsWith(begins);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
