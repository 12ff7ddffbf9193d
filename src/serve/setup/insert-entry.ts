/**
 * A new entry in a JSON document with comments, as its owner would write it: last in its object, indented like its neighbours, and nothing
 * else moved. The document is known to parse.
 */

import type { Node } from 'jsonc-parser';
import type { ServerEntry } from './clients.ts';
import { eolOf } from './edit-outcome.ts';

export async function insertEntry(
  text: string,
  [parent, name]: readonly [string, string],
  entry: ServerEntry,
): Promise<string> {
  const { findNodeAtLocation, parseTree } = await import('jsonc-parser');
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root === undefined) return text;
  const held = findNodeAtLocation(root, [parent]);
  return held === undefined
    ? insertProperty(text, root, parent, { [name]: entry })
    : insertProperty(text, held, name, entry);
}

async function insertProperty(text: string, object: Node, key: string, value: unknown): Promise<string> {
  const eol = eolOf(text);
  const close = object.offset + object.length - 1;
  const unit = /^([ \t]+)["/]/m.exec(text)?.[1] ?? '  ';
  const outer = indentAt(text, object.parent?.offset ?? object.offset);
  const written = (indent: string) =>
    `${JSON.stringify(key)}: ${JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${indent}`)}`;
  const last = object.children?.at(-1);
  if (last === undefined) {
    const indent = `${outer}${unit}`;
    // What an object without members holds is comments.
    const comments = text.slice(object.offset + 1, close).trimEnd();
    const head = `${text.slice(0, object.offset + 1)}${comments}`;
    return `${head}${eol}${indent}${written(indent)}${eol}${outer}${text.slice(close)}`;
  }
  const end = last.offset + last.length;
  const lineOfClose = text.lastIndexOf('\n', close - 1) + 1;
  const isAlone = lineOfClose > end && text.slice(lineOfClose, close).trim() === '';
  if (!isAlone) return `${text.slice(0, end)}, ${JSON.stringify(key)}: ${JSON.stringify(value)}${text.slice(end)}`;
  const indent = indentAt(text, last.offset);
  const hasComma = await isCommaNext(text, end);
  const [before, after] = [text.slice(0, end), text.slice(end, lineOfClose)];
  const line = `${indent}${written(indent)}${hasComma ? ',' : ''}${eol}`;
  return `${before}${hasComma ? '' : ','}${after}${line}${text.slice(lineOfClose)}`;
}

async function isCommaNext(text: string, offset: number): Promise<boolean> {
  const { createScanner } = await import('jsonc-parser');
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  return text[scanner.getTokenOffset()] === ',';
}

function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}
