/** A declaration file whose map is in scope says itself which source it was made from. A bundle of several sources says nothing. */

import { limits } from '../../../kernel/base/limits.ts';
import { parseJsonObject } from '../../../kernel/formats/parse-json.ts';
import { directoryOf } from '../shared/root-paths.ts';
import { listStrings } from './config-file.ts';
import { joinPath } from './paths.ts';
import { extensionOf, look, type Search } from './search.ts';

export function isDeclaration(path: string): boolean {
  return path.endsWith('ts') && extensionOf(path).startsWith('.d.');
}

/** The source becomes a candidate, and is the answer if it is in scope. A map is a configuration file, which needs no candidate. */
export function tryMappedSource(search: Search, declaration: string): string | undefined {
  const map = `${declaration}.map`;
  const bytes = search.world.hasFile(map) ? search.world.readConfig(map) : undefined;
  if (bytes === undefined) return undefined;
  const parsed = parseJsonObject(bytes, { maxBytes: limits.manifestBytes, maxDepth: limits.parseDepth });
  if (!parsed.ok) return undefined;
  const [source, another] = listStrings(parsed.value['sources'], 2);
  if (source === undefined || another !== undefined || source.includes(':')) return undefined;
  const sourceRoot = parsed.value['sourceRoot'];
  const path = joinPath(directoryOf(declaration), typeof sourceRoot === 'string' ? `${sourceRoot}/${source}` : source);
  return path === undefined ? undefined : look(search, path);
}
