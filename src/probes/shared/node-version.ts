/** Which Node a repository asks for, and whether the one that is there fits. */

import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { shown } from './manifest-facts.ts';

/** First non-empty line of .nvmrc or .node-version without its comment. */
export function pinnedInVersionFile(text: string): string | null {
  for (const line of text.split(/\r?\n/)) {
    const value = line.replace(/#.*$/, '').trim();
    if (value !== '') return shown(value);
  }
  return null;
}

/** `nodejs 20.11.0` (asdf) or `node 20` (mise); the first version of several. */
export function pinnedInToolVersions(text: string): string | null {
  for (const line of text.split(/\r?\n/)) {
    const [tool, version] = line.replace(/#.*$/, '').trim().split(/\s+/);
    if ((tool === 'nodejs' || tool === 'node') && version !== undefined && version !== '') return shown(version);
  }
  return null;
}

/** `[tools] node = "20"`, `node = ["20", "18"]` or `node = { version = "20" }`. */
export function pinnedInMise(document: JsonObject): string | null {
  const tools = document['tools'];
  if (!isJsonObject(tools)) return null;
  return versionText(tools['node']) ?? versionText(tools['nodejs']);
}

export function pinnedInVolta(manifest: JsonObject): string | null {
  const volta = manifest['volta'];
  return isJsonObject(volta) ? versionText(volta['node']) : null;
}

/** `v20`, `20.11`, `=20.1.0` as a range; aliases such as `lts/iron` name no number and compare with nothing. */
export function rangeOfPin(pin: string): string | null {
  const match = /^[v=]?(\d+(?:\.\d+){0,2})$/.exec(pin);
  return match?.[1] ?? null;
}

function versionText(value: Json | undefined): string | null {
  if (typeof value === 'string' && value.trim() !== '') return shown(value.trim());
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return versionText((value as readonly Json[])[0]);
  return isJsonObject(value) ? versionText(value['version']) : null;
}
