/** Dependencies whose versions the root manifest decides for everybody: npm's overrides, yarn's resolutions, pnpm's overrides. */

import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';

const maxDepth = 8;

export function overriddenNames(rootManifest: JsonObject | null): ReadonlySet<string> {
  const pnpm = rootManifest?.['pnpm'];
  const names = new Set<string>();
  collect(rootManifest?.['overrides'], names, 0);
  collect(rootManifest?.['resolutions'], names, 0);
  collect(isJsonObject(pnpm) ? pnpm['overrides'] : undefined, names, 0);
  return names;
}

/** npm nests: a key with an object overrides what is inside, and itself only where the object says `.`. */
function collect(map: Json | undefined, names: Set<string>, depth: number): void {
  if (!isJsonObject(map) || depth > maxDepth) return;
  for (const [key, value] of Object.entries(map)) {
    if (!isJsonObject(value) || Object.hasOwn(value, '.')) names.add(targetOf(key));
    collect(value, names, depth + 1);
  }
}

// `a>@s/b@^2` (pnpm), `a/@s/b` (yarn) and `@s/b` all mean `@s/b`.
function targetOf(key: string): string {
  const segments = (key.split('>').at(-1) ?? key).trim().split('/');
  const last = (segments.at(-1) ?? '').replace(/(?<=.)@.*$/s, '');
  const scope = segments.at(-2);
  return scope?.startsWith('@') ? `${scope}/${last}` : last;
}
