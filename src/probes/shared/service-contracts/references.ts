/** Where a `$ref` points, without opening anything: into the same document, to another file of the repository, or out of it. */

import { posix } from 'node:path';
import { isJsonObject, type Json } from '../../../kernel/base/json.ts';
import { member } from '../json-access.ts';

export type ReferenceTarget =
  | { readonly kind: 'inside'; readonly path: string; readonly pointer: string }
  | { readonly kind: 'outside' };

export function locateReference(fromPath: string, reference: string): ReferenceTarget {
  const hash = reference.indexOf('#');
  const file = hash < 0 ? reference : reference.slice(0, hash);
  const pointer = hash < 0 ? '' : reference.slice(hash + 1);
  if (file === '') return { kind: 'inside', path: fromPath, pointer };
  if (/^[a-z][a-z0-9+.-]*:/i.test(file) || file.startsWith('/') || file.includes('\\')) return { kind: 'outside' };
  const path = posix.normalize(posix.join(posix.dirname(fromPath), decode(file)));
  return path === '..' || path.startsWith('../') ? { kind: 'outside' } : { kind: 'inside', path, pointer };
}

/** `/paths/~1users` within a document. */
export function followPointer(document: Json, pointer: string): Json | undefined {
  const steps = pointer.split('/').slice(1);
  let at: Json | undefined = document;
  for (const step of steps) {
    const key = decode(step).replaceAll('~1', '/').replaceAll('~0', '~');
    at = Array.isArray(at) ? (at as readonly Json[])[Number(key)] : member(at, key);
  }
  return at;
}

/** Every `$ref` of a document. */
export function listReferences(document: Json): ReadonlySet<string> {
  const references = new Set<string>();
  const pending: Json[] = [document];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (Array.isArray(next)) for (const item of next as readonly Json[]) pending.push(item);
    else if (isJsonObject(next)) {
      for (const key of Object.keys(next)) {
        const value = next[key] as Json;
        if (key === '$ref' && typeof value === 'string') references.add(value);
        else pending.push(value);
      }
    }
  }
  return references;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
