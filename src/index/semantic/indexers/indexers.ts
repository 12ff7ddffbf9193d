/** Every indexer, by id. A new one is a new file and a line here. */

import type { IndexerId } from '../../../languages/context-spec.ts';
import type { IndexerAdapter } from './adapter.ts';
import { rustAnalyzer } from './rust-analyzer.ts';
import { scipClang } from './scip-clang.ts';
import { scipDotnet } from './scip-dotnet.ts';
import { scipGo } from './scip-go.ts';
import { scipJava } from './scip-java.ts';
import { scipPython } from './scip-python.ts';
import { scipTypescript } from './scip-typescript.ts';
import { tsgo } from './tsgo.ts';

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
