/**
 * Redacts and then sanitises every string of a JSON value, keys included, and keeps the order of members.
 * Parsing takes a name away from its value, so the rule for assignments is asked again here: for a member and its key, and for
 * the `{name, value}` pairs in which slices carry names that come from the repository. It takes a flag away from its argument too: the
 * strings of a list are read as a command, whose program may stand beside the list.
 */

import type { z } from 'zod';
import type { Json, JsonObject } from '../../kernel/base/json.ts';
import { createCommandReader } from '../../kernel/secrets/arguments.ts';
import { isSecretAssignment } from '../../kernel/secrets/assignment.ts';
import { isPublicAssignment } from '../../kernel/secrets/public-values.ts';
import { findingFor, placeholderFor, redactString, type SecretFinding } from '../../kernel/secrets/redact-string.ts';
import type { Sanitiser } from './sanitise.ts';

type JsonRedaction = {
  readonly value: Json;
  readonly findings: readonly SecretFinding[];
  /** Places of keys that are secrets themselves, as redacted text. The keys in `value` are redacted too. */
  readonly secretKeys: readonly string[];
};

type JsonRedactionOptions = {
  readonly sanitise: Sanitiser;
  /** Tells which strings are exempt from the entropy rule; without one none is. */
  readonly cursor?: SchemaCursor;
};

const noSchema: SchemaCursor = { schemas: [], namedOnly: false };

/** Recurses: the value must not be deeper than a section may be. */
export function redactJsonValue(root: Json, { sanitise, cursor = noSchema }: JsonRedactionOptions): JsonRedaction {
  const findings: SecretFinding[] = [];
  const secretKeys: string[] = [];
  const keys = new Map<string, string>();
  return { value: visit(root, cursor, undefined, '', []), findings, secretKeys };

  /** `beside`: single words that stand in the same object, one of which may be the program that a list is given to. */
  function visit(
    value: Json,
    at: SchemaCursor,
    name: string | undefined,
    path: string,
    beside: readonly string[],
  ): Json {
    if (typeof value === 'string') return redactMember(value, at, name);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      const element = at.namedOnly ? at : undefined;
      const items = value.map((item: Json, index) =>
        visit(item, element ?? cursorInto(at, index), undefined, `${path}[${index}]`, []),
      );
      return redactArguments(items, beside);
    }
    const object = value as JsonObject;
    const label = labelOf(object);
    const words = wordsOf(object);
    const result: Record<string, Json> = {};
    for (const key of Object.keys(object)) {
      const redactedKey = redactKey(key, path);
      const memberName = key === 'value' && label !== undefined ? label : key;
      setOwn(
        result,
        redactedKey,
        visit(object[key] as Json, cursorInto(at, key), memberName, `${path}.${redactedKey}`, words),
      );
    }
    return result;
  }

  function redactMember(value: string, at: SchemaCursor, name: string | undefined): string {
    const entropy = !at.namedOnly && (name === undefined || !isPublicAssignment(name, value));
    const redacted = redactString(value, { entropy });
    for (const finding of redacted.findings) findings.push(finding);
    if (name === undefined || redacted.text.includes('<REDACTED:') || !isSecretAssignment(name, value))
      return sanitise(redacted.text);
    const finding = findingFor(value, 'assignment');
    findings.push(finding);
    return placeholderFor(finding.fingerprint);
  }

  function redactKey(key: string, path: string): string {
    const known = keys.get(key);
    if (known !== undefined) return known;
    const redacted = redactString(key, { entropy: true });
    const clean = sanitise(redacted.text);
    for (const finding of redacted.findings) findings.push(finding);
    if (redacted.findings.length > 0) secretKeys.push(`${path}.${clean}`.slice(1));
    // Remembered only while harmless, so that every secret key is counted where it stands.
    else keys.set(key, clean);
    return clean;
  }

  function redactArguments(items: readonly Json[], beside: readonly string[]): Json[] {
    const reader = createCommandReader();
    for (const word of beside) reader.note(word);
    return items.map((item) => {
      if (typeof item !== 'string') {
        reader.endList();
        return item;
      }
      const span = reader.take(item, true);
      if (span === undefined) return item;
      const secret = item.slice(span.start, span.end);
      if (secret.includes('<REDACTED:')) return item;
      const finding = findingFor(secret, 'argument');
      findings.push(finding);
      return item.slice(0, span.start) + placeholderFor(finding.fingerprint) + item.slice(span.end);
    });
  }
}

const MAX_WORDS = 64;

/** What may be the name of a program among an object's strings, and in its lists. */
function wordsOf(object: JsonObject): string[] {
  const words: string[] = [];
  for (const member of Object.values(object)) {
    for (const word of Array.isArray(member) ? member.slice(0, MAX_WORDS) : [member]) {
      if (typeof word === 'string' && word.length <= MAX_WORDS && words.length < MAX_WORDS) words.push(word);
    }
  }
  return words;
}

/** `{name: "DB_PASSWORD", value: "…"}`: the name that the value was assigned to. */
function labelOf(object: JsonObject): string | undefined {
  const { name, key } = object;
  if (typeof name === 'string') return name;
  return typeof key === 'string' ? key : undefined;
}

/** `__proto__` is a key like any other. */
function setOwn(object: Record<string, Json>, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else object[key] = value;
}

/** Every schema that may describe one place of a value, and whether that place is exempt. */
type SchemaCursor = { readonly schemas: readonly z.core.$ZodType[]; readonly namedOnly: boolean };

const nowhere: SchemaCursor = { schemas: [], namedOnly: false };
const inherited: SchemaCursor = { schemas: [], namedOnly: true };

/**
 * Which strings of a value are exempt from the entropy rule, read off the zod schema beside it (`namedOnly` in contract.ts).
 * A mark on a container holds for everything in it. Where a union leaves open which option was meant, one marked option is
 * enough: the named patterns apply in either case, and a redacted hash would be a wrong answer.
 */
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

function cursorInto(cursor: SchemaCursor, key: string | number): SchemaCursor {
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
