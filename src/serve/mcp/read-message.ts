/**
 * One message of the protocol, for both doors. What two readers of the same bytes could understand differently is refused, as of every body
 * over HTTP, and so is what the protocol's own code would drop without a word: who sent it would wait for ever.
 */

import { isUtf8 } from 'node:buffer';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { beginsWithBom, holdsKey, isJsonObject, isUnicodeJson } from '../../kernel/base/json.ts';
import { parseJsonText } from '../../kernel/formats/parse-json.ts';
import { visibleJson } from '../../kernel/secrets/outgoing.ts';

export type MessageProblem = {
  /** Of the message that is refused; null where it has none that could be told again. */
  readonly id: string | number | null;
  readonly error: { readonly code: -32700 | -32600; readonly message: string };
};

type ReadMessage = { readonly message: JSONRPCMessage } | { readonly problem: MessageProblem };

const maxDepth = 100;

export function readMessage(bytes: Uint8Array, isKnown: (value: unknown) => boolean): ReadMessage {
  if (!isUtf8(bytes) || beginsWithBom(bytes)) return refuse(null, -32700, 'not JSON in UTF-8');
  const parsed = parseJsonText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(), maxDepth);
  if (!parsed.ok) {
    const isDeep = parsed.failure.kind === 'depth_cap_exceeded';
    return isDeep ? refuse(null, -32600, `deeper than ${maxDepth} levels`) : refuse(null, -32700, 'not JSON in UTF-8');
  }
  const { value } = parsed;
  if (!isUnicodeJson(value)) return refuse(null, -32700, 'half a surrogate pair is no text');
  if (Array.isArray(value)) return refuse(null, -32600, 'batches are not taken; send one message at a time');
  if (!isJsonObject(value) || value['jsonrpc'] !== '2.0') return refuse(null, -32600, 'not a JSON-RPC 2.0 message');
  const given = Object.hasOwn(value, 'id') ? value['id'] : null;
  if (Object.hasOwn(value, 'id') && typeof given !== 'string' && !Number.isSafeInteger(given))
    return refuse(null, -32600, 'an id is a string or a whole number');
  const id = given as string | number | null;
  // The last door would answer under another id.
  if (typeof id === 'string' && JSON.parse(visibleJson(id)) !== id)
    return refuse(null, -32600, 'an id that looks like a secret is not repeated; a number is');
  if (parsed.notes.length > 0) return refuse(id, -32600, 'a key is given twice');
  if (holdsKey(value, '__proto__')) return refuse(id, -32600, '__proto__: no such field');
  if (typeof value['method'] !== 'string' && !('result' in value || 'error' in value))
    return refuse(id, -32600, 'neither a method nor an answer');
  if (!isKnown(value))
    return refuse(id, -32600, 'no message of the protocol: `params` is an object, as is its `_meta`');
  return { message: value as unknown as JSONRPCMessage };
}

function refuse(id: MessageProblem['id'], code: -32700 | -32600, message: string): ReadMessage {
  return { problem: { id, error: { code, message } } };
}
