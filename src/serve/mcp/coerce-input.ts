/**
 * Inputs as models write them: a number as a string, one string for a list, an object as its JSON, `null` for nothing, a place as an
 * object. What could mean only one thing is read as that; everything else is left as it is, for the schema to refuse by name.
 */

import { isJsonObject } from '../../kernel/base/json.ts';
import type { z } from '../../kernel/base/schema.ts';

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
