/**
 * OpenAPI (Swagger 2, 3.0, 3.1) and AsyncAPI documents, known by the key at their top. Path items may live in other files;
 * whoever reads the document supplies them.
 */

import { isJsonObject, type Json, type JsonObject } from '../../../kernel/base/json.ts';
import { limits } from '../../../kernel/base/limits.ts';
import { parseJson } from '../../../kernel/formats/parse-json.ts';
import { type ParseOutcome, parsed } from '../../../kernel/formats/parse-outcome.ts';
import { parseYamlStrings } from '../../../kernel/formats/yaml.ts';
import { member, objectAt, shortLine, textAt, textsOf } from '../json-access.ts';
import type { AsyncOperation, Operation } from './contract-rows.ts';

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
