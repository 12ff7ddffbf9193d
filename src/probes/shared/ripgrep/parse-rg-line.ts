/** One message of `rg --json`. A line of output that is no message is told apart from one that says nothing of interest. */

import { Buffer } from 'node:buffer';
import { isJsonObject, type Json, type JsonObject } from '../../../kernel/base/json.ts';
import { decodeLenient } from '../../../kernel/base/text.ts';
import { reportedPath } from '../scan/scan-targets.ts';

export type RgMessage =
  | { readonly kind: 'match'; readonly path: string; readonly line: number; readonly text: string }
  | { readonly kind: 'end'; readonly path: string; readonly matchedLines: number; readonly isBinary: boolean }
  | { readonly kind: 'summary' }
  /** `begin`, `context`, or a name that is not UTF-8. */
  | { readonly kind: 'other' }
  | { readonly kind: 'broken' };

const other: RgMessage = { kind: 'other' };
const broken: RgMessage = { kind: 'broken' };

export function parseRgLine(line: string): RgMessage {
  let message: Json;
  try {
    message = JSON.parse(line) as Json;
  } catch {
    return broken;
  }
  const data = isJsonObject(message) ? message['data'] : undefined;
  if (!isJsonObject(message) || !isJsonObject(data)) return broken;
  switch (message['type']) {
    case 'match':
      return readMatch(data);
    case 'end':
      return readEnd(data);
    case 'summary':
      return isJsonObject(data['stats']) ? { kind: 'summary' } : broken;
    case 'begin':
    case 'context':
      return other;
    default:
      return broken;
  }
}

function readMatch(data: JsonObject): RgMessage {
  const path = textOf(data['path']);
  const text = lineOf(data['lines']);
  const line = data['line_number'];
  if (path === undefined || text === undefined || typeof line !== 'number') return broken;
  return path === null ? other : { kind: 'match', path: reportedPath(path), line, text };
}

function readEnd(data: JsonObject): RgMessage {
  const path = textOf(data['path']);
  const matchedLines = isJsonObject(data['stats']) ? data['stats']['matched_lines'] : undefined;
  if (path === undefined || typeof matchedLines !== 'number') return broken;
  return path === null
    ? other
    : { kind: 'end', path: reportedPath(path), matchedLines, isBinary: data['binary_offset'] !== null };
}

/** `{text}`, or `{bytes}` in base64: a name that is not UTF-8 is in nobody's scope (null). */
function textOf(value: Json | undefined): string | null | undefined {
  if (!isJsonObject(value)) return undefined;
  if (typeof value['text'] === 'string') return value['text'];
  return typeof value['bytes'] === 'string' ? null : undefined;
}

/** A line that is not UTF-8 is read as well as it can be. */
function lineOf(value: Json | undefined): string | undefined {
  const bytes = isJsonObject(value) ? value['bytes'] : undefined;
  return typeof bytes === 'string' ? decodeLenient(Buffer.from(bytes, 'base64')) : (textOf(value) ?? undefined);
}
