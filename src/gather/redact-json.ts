/**
 * Sanitises and redacts every string of a JSON value, keys included, and keeps the order of members.
 * Parsing takes a name away from its value, so the rule for assignments is asked again here: for a member and its key, and for
 * the `{name, value}` pairs in which slices carry names that come from the repository.
 */

import type { Json, JsonObject } from '../kernel/base/json.ts';
import { isSecretAssignment } from '../kernel/secrets/assignment.ts';
import { findingFor, placeholderFor, redactString, type SecretFinding } from '../kernel/secrets/redact-string.ts';
import { cursorInto, type SchemaCursor } from './named-only.ts';
import type { Sanitiser } from './sanitise.ts';

export type JsonRedaction = {
  readonly value: Json;
  readonly findings: readonly SecretFinding[];
  /** Places of keys that are secrets themselves, as redacted text. The keys in `value` are redacted too. */
  readonly secretKeys: readonly string[];
};

export type JsonRedactionOptions = {
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
  return { value: visit(root, cursor, undefined, ''), findings, secretKeys };

  function visit(value: Json, at: SchemaCursor, name: string | undefined, path: string): Json {
    if (typeof value === 'string') return redactMember(value, at, name);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      const element = at.namedOnly ? at : undefined;
      return value.map((item: Json, index) =>
        visit(item, element ?? cursorInto(at, index), undefined, `${path}[${index}]`),
      );
    }
    const object = value as JsonObject;
    const label = labelOf(object);
    const result: Record<string, Json> = {};
    for (const key of Object.keys(object)) {
      const redactedKey = redactKey(key, path);
      const memberName = key === 'value' && label !== undefined ? label : key;
      setOwn(
        result,
        redactedKey,
        visit(object[key] as Json, cursorInto(at, key), memberName, `${path}.${redactedKey}`),
      );
    }
    return result;
  }

  function redactMember(value: string, at: SchemaCursor, name: string | undefined): string {
    const clean = sanitise(value);
    const redacted = redactString(clean, { entropy: !at.namedOnly });
    for (const finding of redacted.findings) findings.push(finding);
    if (name === undefined || redacted.text.includes('<REDACTED:') || !isSecretAssignment(name, clean))
      return redacted.text;
    const finding = findingFor(clean, 'assignment');
    findings.push(finding);
    return placeholderFor(finding.fingerprint);
  }

  function redactKey(key: string, path: string): string {
    const known = keys.get(key);
    if (known !== undefined) return known;
    const clean = sanitise(key);
    const redacted = redactString(clean, { entropy: true });
    for (const finding of redacted.findings) findings.push(finding);
    if (redacted.findings.length > 0) secretKeys.push(`${path}.${redacted.text}`.slice(1));
    // Remembered only while harmless, so that every secret key is counted where it stands.
    else keys.set(key, redacted.text);
    return redacted.text;
  }
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
