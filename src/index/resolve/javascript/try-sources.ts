/** Built files stand for their sources: wherever one would be looked up, the files it is made from are looked up first. */

import { tryMappedSource } from './declaration-map.ts';
import { loadExplicitFile } from './file-candidates.ts';
import { extensionOf, kinds, look, type Search } from './search.ts';

export function trySources(search: Search, path: string): string | undefined {
  const sources = search.outputs.sourcesOf(path, search.fromDirectory);
  if (sources.length === 0) return undefined;
  if (extensionOf(path) !== '') search.trail.paths.push(path);
  const mapped = tryMappedSource(search, declarationBeside(path));
  if (mapped !== undefined) return mapped;
  for (const source of sources) {
    const hit = (search.kinds & kindOf(source)) === 0 ? undefined : look(search, source);
    // A source in JavaScript may have a declaration of its own beside it, which the compiler prefers as everywhere.
    if (hit !== undefined) return loadExplicitFile(search, hit) ?? hit;
  }
  return undefined;
}

function kindOf(source: string): number {
  if (source.endsWith('.json')) return kinds.json;
  return /tsx?$/.test(source) ? kinds.typescript : kinds.javascript;
}

function declarationBeside(path: string): string {
  const extension = extensionOf(path);
  if (extension.startsWith('.d.')) return path;
  const stem = path.slice(0, path.length - extension.length);
  return `${stem}.d.${extension === '.mjs' ? 'mts' : extension === '.cjs' ? 'cts' : 'ts'}`;
}
