/**
 * Which indexer projects a repository has (code-plane.md §5): a pure function of paths in scope, configuration files, resolved imports
 * and `.codegenie/contexts.json`. Nothing is started, nothing is written, nothing outside the scope is read.
 *
 * There is no key by which a caller could skip it. Measured: 3 ms for this repository (1,400 files), 20 ms for 7,000 files, 90 ms for
 * 300 projects with 10,000 files; a key that changes whenever a path, a configuration or an import does would have to read the same.
 */

import { compareCodeUnits } from '../../../kernel/base/json.ts';
import { type ContextSpec, type Family, families, type TypeScriptIndexer } from '../../../languages/context-spec.ts';
import type { ResolveWorld } from '../../resolve/types.ts';
import { discover as discoverCFamily } from './c-family.ts';
import { discover as discoverCSharp } from './csharp.ts';
import { discover as discoverGo } from './go.ts';
import { discover as discoverJava } from './java.ts';
import { applyPinned } from './pinned-contexts.ts';
import { discover as discoverPython } from './python.ts';
import { discover as discoverRust } from './rust.ts';
import { discover as discoverTypeScript } from './typescript.ts';

export type DiscoveryWorld = {
  readonly resolve: ResolveWorld;
  /** Of a file in scope; null where nobody can read it as code. */
  languageOf(path: string): string | null;
  /** The files in scope that its imports mean. */
  targetsOf(path: string): readonly string[];
  /** Bytes of `.codegenie/contexts.json`. */
  readonly pinned: Uint8Array | undefined;
  /** `scip.indexer`; without it the first there is. `pinned` may say otherwise of single contexts. */
  readonly typeScriptIndexer?: TypeScriptIndexer | undefined;
};

export type Discovery = {
  /** Sorted by key, each once. */
  readonly contexts: readonly ContextSpec[];
  /** What is wrong with `.codegenie/contexts.json`, for a person. */
  readonly problems: readonly string[];
};

export function discoverContexts(world: DiscoveryWorld): readonly ContextSpec[] {
  return discoverWithProblems(world).contexts;
}

export function discoverWithProblems(world: DiscoveryWorld): Discovery {
  const found = families.flatMap((family) => byFamily[family](world));
  const { contexts, problems } = applyPinned(found, world.pinned);
  return { contexts: [...contexts].sort((a, b) => compareCodeUnits(a.key, b.key)), problems };
}

type Discover = (world: DiscoveryWorld) => readonly ContextSpec[];

const byFamily: Readonly<Record<Family, Discover>> = {
  typescript: discoverTypeScript,
  python: discoverPython,
  go: discoverGo,
  rust: discoverRust,
  java: discoverJava,
  csharp: discoverCSharp,
  c: discoverCFamily,
};
