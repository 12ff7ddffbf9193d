/** The index that a gather publishes, written from the store of a tree, or from a store that knows nothing yet. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type CodeDocuments, writeCodeDocuments } from '../../src/gather/run/code-documents.ts';
import type { TypeScriptIndexer } from '../../src/languages/projects/context-spec.ts';

type Place = { readonly root: string; readonly base: string };

export type Written = CodeDocuments & { readonly path: string; readonly described: readonly string[] };

let count = 0;

/** `store`: a name; the same one is the same store. */
export async function writeIndexOf(
  { root, base }: Place,
  of: {
    readonly store: string;
    readonly configs: readonly (string | null)[];
    readonly indexer?: TypeScriptIndexer;
  },
): Promise<Written> {
  count += 1;
  const own = join(base, 'stores', of.store);
  const scratch = join(base, `scratch-${count}`);
  const [stateDir, cacheDir] = [join(own, 'state'), join(own, 'cache')];
  for (const path of [stateDir, cacheDir, scratch]) mkdirSync(path, { recursive: true, mode: 0o700 });
  const described: string[] = [];
  const path = join(scratch, 'index.scip');
  const written = await writeCodeDocuments(
    {
      root,
      isGit: true,
      stateDir,
      cacheDir,
      environment: { PATH: process.env['PATH'], HOME: base },
      extraExtensions: new Map(),
      nowMs: Date.now,
      workers: 1,
      semantic: { toolPaths: {}, maxFileMb: 4, typeScriptIndexer: of.indexer },
      lent: undefined,
      patienceMs: 200,
    },
    {
      configs: of.configs,
      isWanted: (file) => /\.[cm]?tsx?$/.test(file),
      metadata: { toolName: 'test', toolVersion: '1', projectRoot: pathToFileURL(root).href },
      to: path,
      scratch: join(scratch, 'store'),
      budgetMs: 240_000,
      onDocument: ({ relativePath }) => void described.push(relativePath),
    },
    new AbortController().signal,
  );
  return { ...written, path, described };
}
