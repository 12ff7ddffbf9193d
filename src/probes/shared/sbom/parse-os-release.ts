/** `os-release`: shell assignments, of which the id and the version of the distribution are wanted. Total. */

import type { ImageOs } from './package-types.ts';

export function parseOsRelease(text: string): ImageOs | null {
  const fields = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, key, value] = /^\s*([A-Z_]+)=(.*)$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) fields.set(key, unquote(value.trim()));
  }
  const id = fields.get('ID');
  return id === undefined || id === '' ? null : { id, version: fields.get('VERSION_ID') ?? '' };
}

function unquote(value: string): string {
  const inner = /^"(.*)"$/.exec(value)?.[1] ?? /^'(.*)'$/.exec(value)?.[1];
  return (inner ?? value).replace(/\\(.)/g, '$1');
}
