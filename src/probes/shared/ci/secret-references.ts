/**
 * Names in `${{ secrets.X }}`, in one pass: the expression below never looks back, and an opening without an end costs nothing more.
 * Only closed expressions count.
 */

import { compareCodeUnits, type Json } from '../../../kernel/base/json.ts';

const tokens =
  /\$\{\{|\}\}|\bsecrets\.([A-Za-z_][A-Za-z0-9_-]{0,199})|\bsecrets\[ ?['"]([A-Za-z_][A-Za-z0-9_-]{0,199})['"] ?\]/g;

export function listSecretNames(texts: Iterable<string>): string[] {
  const names = new Set<string>();
  // A set: an alias may have put the same text in many places.
  for (const text of new Set(texts)) {
    if (!text.includes('secrets')) continue;
    let pending: string[] | undefined;
    for (const [token, dotted, indexed] of text.matchAll(tokens)) {
      if (token === '${{') pending ??= [];
      else if (token === '}}') {
        for (const name of pending ?? []) names.add(name);
        pending = undefined;
      } else pending?.push(dotted ?? indexed ?? '');
    }
  }
  return [...names].sort(compareCodeUnits);
}

/** Every string value of a document; `if:` conditions are expressions without their brackets and are given some. */
export function* listExpressionTexts(document: Json): Generator<string> {
  const pending: (readonly [key: string, value: Json])[] = [['', document]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [key, value] = next;
    if (typeof value === 'string') yield key === 'if' && !value.includes('${{') ? `\${{ ${value} }}` : value;
    else if (Array.isArray(value)) for (const item of value as readonly Json[]) pending.push(['', item]);
    else if (value !== null && typeof value === 'object')
      for (const entry of Object.entries(value)) pending.push(entry);
  }
}
