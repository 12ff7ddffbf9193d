/** JSON as values: what may cross a probe's border, and its one canonical text. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Keys sorted by UTF-16 code unit, no white space, numbers as ECMAScript prints them, no `-0`. */
export function canonicalJson(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value === 0 ? 0 : value);
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(canonicalJson).join(',')}]`;
  const object = value as JsonObject;
  const members = Object.keys(object)
    .sort(compareCodeUnits)
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(object[key] as Json)}`);
  return `{${members.join(',')}}`;
}

/** The one order for text in this project: by UTF-16 code unit, whatever the locale. */
export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Makes a parsed document safe to share: no holder can change what another one sees. */
export function deepFreeze<T>(value: T): T {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue;
    Object.freeze(next);
    for (const child of Object.values(next)) pending.push(child);
  }
  return value;
}

/** Sets a key that a file chose: as its own property, even when it is `__proto__`, which a plain assignment would obey. */
export function setOwn(target: Record<string, Json>, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}

/** Is every string and every key of it Unicode? `"\ud800"` is JSON and no text: written as UTF-8 it would be another one. */
export function isUnicodeJson(root: unknown): boolean {
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === 'string' && !next.isWellFormed()) return false;
    if (typeof next !== 'object' || next === null) continue;
    for (const [key, member] of Object.entries(next)) {
      if (!key.isWellFormed()) return false;
      pending.push(member);
    }
  }
  return true;
}

/** Has it, or anything in it, this key? Of what was parsed with a limit of depth. */
export function holdsKey(value: unknown, key: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, key) || Object.values(value).some((member) => holdsKey(member, key));
}

/** A byte order mark is no part of JSON that is sent (RFC 8259 §8.1). */
export function beginsWithBom(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
