/** Every indexer, by id. A new one is a new file and a line here. */

import { scipClang } from '../c/c-indexer.ts';
import { scipDotnet } from '../csharp/csharp-indexer.ts';
import { scipGo } from '../go/go-indexer.ts';
import { scipJava } from '../java/java-indexer.ts';
import type { IndexerId } from '../projects/context-spec.ts';
import { scipPython } from '../python/python-indexer.ts';
import { rustAnalyzer } from '../rust/rust-indexer.ts';
import { scipTypescript, tsgo } from '../typescript/typescript-indexers.ts';
import type { IndexerAdapter } from './indexer-adapter.ts';

export const indexers: Readonly<Record<IndexerId, IndexerAdapter>> = {
  'scip-typescript': scipTypescript,
  tsgo,
  'scip-python': scipPython,
  'scip-go': scipGo,
  'scip-java': scipJava,
  'rust-analyzer': rustAnalyzer,
  'scip-clang': scipClang,
  'scip-dotnet': scipDotnet,
};
