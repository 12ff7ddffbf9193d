/**
 * Canonical YAML: keys in the order given, block style, no anchors, no folding, LF. A string stands plain only where no reader of
 * YAML 1.1 or 1.2 could take it for anything else; otherwise it is a JSON string, which every YAML reader understands.
 */

import type { Json, JsonObject } from '../kernel/base/json.ts';

export function renderYaml(document: JsonObject): string {
  const lines: string[] = [];
  renderMembers(document, '', lines);
  return `${lines.join('\n')}\n`;
}

const plain = /^[A-Za-z_./][A-Za-z0-9_./@+-]*(?: [A-Za-z0-9_./@+(),-]+)*$/;
const reserved = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf|infinity|\.nan|\.inf|[.]+|\.\d.*)$/i;

function renderScalar(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return plain.test(value) && !reserved.test(value) ? value : quote(value);
}

// JSON leaves these as they are; YAML readers take them for line breaks or refuse them, and people are misled by the bidi ones.
const unsafe =
  /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function quote(text: string): string {
  return JSON.stringify(text).replace(unsafe, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function renderMembers(object: JsonObject, indent: string, lines: string[]): void {
  for (const [key, value] of Object.entries(object)) {
    renderValue(`${indent}${renderScalar(key)}:`, value, indent, lines);
  }
}

function renderItems(items: readonly Json[], indent: string, lines: string[]): void {
  for (const item of items) {
    if (isBlockObject(item)) {
      const start = lines.length;
      renderMembers(item, `${indent}  `, lines);
      lines[start] = `${indent}- ${(lines[start] as string).slice(indent.length + 2)}`;
    } else renderValue(`${indent}-`, item, indent, lines);
  }
}

function renderValue(head: string, value: Json, indent: string, lines: string[]): void {
  if (value === null || typeof value !== 'object') lines.push(`${head} ${renderScalar(value)}`);
  else if (Array.isArray(value)) {
    if (value.length === 0) lines.push(`${head} []`);
    else {
      lines.push(head);
      renderItems(value as readonly Json[], `${indent}  `, lines);
    }
  } else if (isBlockObject(value)) {
    lines.push(head);
    renderMembers(value, `${indent}  `, lines);
  } else lines.push(`${head} {}`);
}

function isBlockObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
}
