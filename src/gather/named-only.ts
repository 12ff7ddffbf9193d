/**
 * Which strings of a value are exempt from the entropy rule, read off the zod schema beside it (`namedOnly` in contract.ts).
 * A mark on a container holds for everything in it. Where a union leaves open which option was meant, one marked option is
 * enough: the named patterns apply in either case, and a redacted hash would be a wrong answer.
 */

import type { z } from 'zod';
import type { Json } from '../kernel/base/json.ts';

/** Every schema that may describe one place of a value, and whether that place is exempt. */
export type SchemaCursor = { readonly schemas: readonly z.core.$ZodType[]; readonly namedOnly: boolean };

const nowhere: SchemaCursor = { schemas: [], namedOnly: false };
const inherited: SchemaCursor = { schemas: [], namedOnly: true };

export function cursorAt(schema: z.core.$ZodType): SchemaCursor {
  const known = cursors.get(schema);
  if (known !== undefined) return known;
  const schemas: z.core.$ZodType[] = [];
  const seen = new Set<z.core.$ZodType>();
  let namedOnly = false;
  const pending: z.core.$ZodType[] = [schema];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    namedOnly ||= isMarked(next);
    const inner = unwrap(next);
    if (inner === undefined) schemas.push(next);
    else pending.push(...inner);
  }
  const cursor = { schemas, namedOnly };
  cursors.set(schema, cursor);
  return cursor;
}
const cursors = new WeakMap<z.core.$ZodType, SchemaCursor>();

export function cursorInto(cursor: SchemaCursor, key: string | number): SchemaCursor {
  if (cursor.namedOnly) return inherited;
  const children = cursor.schemas.flatMap((schema) => childSchemas(schema, key)).map(cursorAt);
  if (children.length <= 1) return children[0] ?? nowhere;
  return {
    schemas: children.flatMap((child) => child.schemas),
    namedOnly: children.some((child) => child.namedOnly),
  };
}

/** JSON pointers of the exempt strings, in document order. */
export function schemaNamedOnlyPaths(schema: z.core.$ZodType, value: Json): string[] {
  const paths: string[] = [];
  const visit = (at: Json, cursor: SchemaCursor, path: string): void => {
    if (typeof at === 'string') {
      if (cursor.namedOnly) paths.push(path);
    } else if (typeof at === 'object' && at !== null) {
      const keys = Array.isArray(at) ? at.keys() : Object.keys(at);
      for (const key of keys) {
        const child = (at as Readonly<Record<string | number, Json>>)[key] as Json;
        visit(child, cursorInto(cursor, key), `${path}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`);
      }
    }
  };
  visit(value, cursorAt(schema), '');
  return paths;
}

/** The registry hands marks on to copies (`.min(1)` and the like), so a refined schema keeps the mark of what it refines. */
function isMarked(schema: z.core.$ZodType): boolean {
  const meta: unknown = 'meta' in schema && typeof schema.meta === 'function' ? schema.meta() : undefined;
  return typeof meta === 'object' && meta !== null && 'redact' in meta && meta.redact === 'named-only';
}

/** What a wrapper or a choice stands for; undefined for a schema that describes a value itself. */
function unwrap(schema: z.core.$ZodType): readonly z.core.$ZodType[] | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'nonoptional':
    case 'default':
    case 'prefault':
    case 'catch':
    case 'readonly':
      return [def.innerType];
    case 'lazy':
      return [def.getter()];
    case 'union':
      return def.options;
    case 'intersection':
      return [def.left, def.right];
    case 'pipe':
      return [def.in, def.out];
    default:
      return undefined;
  }
}

function childSchemas(schema: z.core.$ZodType, key: string | number): readonly z.core.$ZodType[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object': {
      const member = Object.hasOwn(def.shape, key) ? def.shape[key] : def.catchall;
      return member === undefined ? [] : [member];
    }
    case 'record':
      return [def.valueType];
    case 'array':
      return [def.element];
    case 'tuple': {
      const item = def.items[Number(key)] ?? def.rest;
      return item === undefined || item === null ? [] : [item];
    }
    default:
      return [];
  }
}
