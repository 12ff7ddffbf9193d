/** A nested document as settings with dotted names; positions in lists are numbers. */

import { isJsonObject, type Json } from '../../../kernel/base/json.ts';
import { shortLine } from '../json-access.ts';

export type Setting = { readonly name: string; readonly value: string };

/** More than anybody configures; the rest is left out and said. */
export const settingsMax = 5_000;

export function flattenSettings(document: Json): { readonly settings: readonly Setting[]; readonly complete: boolean } {
  const settings: Setting[] = [];
  let complete = true;
  const visit = (value: Json, name: string): void => {
    if (settings.length >= settingsMax) {
      complete = false;
    } else if (Array.isArray(value)) {
      for (const [index, item] of (value as readonly Json[]).entries()) visit(item, join(name, String(index)));
    } else if (isJsonObject(value)) {
      for (const key of Object.keys(value)) visit(value[key] as Json, join(name, shortLine(key, 100)));
    } else if (name !== '') settings.push({ name, value: value === null ? '' : String(value) });
  };
  visit(document, '');
  return { settings, complete };
}

function join(name: string, key: string): string {
  return name === '' ? key : `${name}.${key}`;
}
