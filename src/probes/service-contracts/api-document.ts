/**
 * OpenAPI (Swagger 2, 3.0, 3.1) and AsyncAPI documents, known by the key at their top. Path items may live in other files;
 * the caller supplies them.
 */

import { posix } from 'node:path';
import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { member, objectAt, textAt, textsOf } from '../../kernel/base/json-access.ts';
import { limits } from '../../kernel/base/limits.ts';
import { shortLine } from '../../kernel/base/text.ts';
import { parseJson } from '../../kernel/formats/parse-json.ts';
import { type ParseOutcome, parsed } from '../../kernel/formats/parse-outcome.ts';
import { parseYamlStrings } from '../../kernel/formats/yaml.ts';
import type { AsyncOperation, Operation } from './service-contracts-section.ts';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;
const hints = ['openapi', 'swagger', 'asyncapi'];
const yamlKey = /^["']?(?:openapi|swagger|asyncapi)["']?[ \t]{0,16}:/m;
const jsonKey = /"(?:openapi|swagger|asyncapi)"\s{0,16}:\s{0,16}"[1-3]\./;

/** A look at the bytes that spares nearly every file the parse. */
export function mayBeApiDocument(path: string, bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!hints.some((hint) => buffer.includes(hint))) return false;
  const text = buffer.toString('latin1');
  return jsonKey.test(text) || (!path.endsWith('.json') && yamlKey.test(text));
}

/** Versions such as `1.10` must stay what was written, so YAML scalars are read as text. */
export function parseApiDocument(path: string, bytes: Uint8Array): ParseOutcome<Json> {
  const caps = { maxBytes: limits.yamlBytes, maxDepth: limits.parseDepth };
  const outcome: ParseOutcome<Json> = path.endsWith('.json') ? parseJson(bytes, caps) : parseYamlStrings(bytes, caps);
  return outcome.ok ? parsed(outcome.value) : outcome;
}

export function apiKindOf(document: Json): 'openapi' | 'asyncapi' | undefined {
  if (/^3\./.test(textAt(document, 'openapi') ?? '')) return 'openapi';
  if (/^2\./.test(textAt(document, 'swagger') ?? '')) return 'openapi';
  return /^[23]\./.test(textAt(document, 'asyncapi') ?? '') ? 'asyncapi' : undefined;
}

export function titleOf(document: Json): { readonly title: string | null; readonly version: string | null } {
  const [title] = textsOf(member(document, 'info', 'title'));
  const [version] = textsOf(member(document, 'info', 'version'));
  return {
    title: title === undefined ? null : shortLine(title, 300),
    version: version === undefined ? null : shortLine(version, 100),
  };
}

/** `resolve` finds the path item behind a `$ref`. */
export async function listOperations(
  document: Json,
  resolve: (reference: string) => Promise<JsonObject | undefined>,
): Promise<Operation[]> {
  const operations: Operation[] = [];
  for (const [path, written] of Object.entries(objectAt(document, 'paths'))) {
    const reference = textAt(written, '$ref');
    const item = reference === null ? written : await resolve(reference);
    for (const method of methods) {
      const operation = member(item, method);
      if (!isJsonObject(operation)) continue;
      const id = textAt(operation, 'operationId');
      operations.push({
        method: method.toUpperCase(),
        path: shortLine(path, 500),
        operation_id: id === null ? null : shortLine(id, 200),
      });
    }
  }
  return operations;
}

/** 2.x: `publish` and `subscribe` below a channel; 3.x: operations that point at a channel. */
export function listAsyncOperations(document: Json): AsyncOperation[] {
  const channels = objectAt(document, 'channels');
  const operations: AsyncOperation[] = [];
  for (const [name, channel] of Object.entries(channels)) {
    for (const action of ['publish', 'subscribe']) {
      const operation = member(channel, action);
      if (!isJsonObject(operation)) continue;
      const id = textAt(operation, 'operationId');
      operations.push({ action, channel: shortLine(name, 300), operation_id: id === null ? null : shortLine(id, 200) });
    }
  }
  for (const [id, operation] of Object.entries(objectAt(document, 'operations'))) {
    const key = textAt(operation, 'channel', '$ref')?.replace(/^#\/channels\//, '') ?? '';
    const address = textAt(channels, key, 'address') ?? key;
    operations.push({
      action: shortLine(textAt(operation, 'action') ?? 'unknown', 50),
      channel: shortLine(address, 300),
      operation_id: shortLine(id, 200),
    });
  }
  return operations;
}

// Where a `$ref` points, without opening anything: into the same document, to another file of the repository, or out of it.

type ReferenceTarget =
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
