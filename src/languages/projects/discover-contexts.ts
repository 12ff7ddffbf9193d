/**
 * Which indexer projects a repository has (code-plane.md §5): a pure function of paths in scope, configuration files, resolved imports
 * and `.codegenie/contexts.json`. Nothing is started, nothing is written, nothing outside the scope is read.
 *
 * There is no key by which a caller could skip it. Measured: 3 ms for this repository (1,400 files), 20 ms for 7,000 files, 90 ms for
 * 300 projects with 10,000 files; a key that changes whenever a path, a configuration or an import does would have to read the same.
 */

import { z } from 'zod';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { singleLine, truncate } from '../../kernel/base/text.ts';
import { parseJson } from '../../kernel/formats/parse-json.ts';
import { type ContextSpec, indexerIds, understands } from './context-spec.ts';
import { discoverers } from './discoverers.gen.ts';
import type { DiscoveryWorld } from './project-files.ts';

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
  const found = Object.values(discoverers).flatMap((discover) => discover(world));
  const { contexts, problems } = applyPinned(found, world.pinned);
  return { contexts: [...contexts].sort((a, b) => compareCodeUnits(a.key, b.key)), problems };
}

export const pinnedContextsPath = '.codegenie/contexts.json';

type PinnedOutcome = { readonly contexts: readonly ContextSpec[]; readonly problems: readonly string[] };

const Entry = z.strictObject({
  key: z.string(),
  disabled: z.boolean().optional(),
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._/@-]{0,99}$/)
    .optional(),
  indexer: z.enum(indexerIds).optional(),
});
/**
 * `.codegenie/contexts.json`: what a person says about the contexts that were found. It cannot add one; it can keep to some, switch
 * some off, give them a short name, or choose their indexer. A file that does not fit the schema below changes nothing, and every
 * entry that names an unknown context is a problem: a slip in a key must not pass for an empty wish.
 *
 * ```json
 * {
 *   "version": 1,
 *   "pin": ["ts:packages/api/tsconfig.json", "python:services/a"],
 *   "contexts": [
 *     { "key": "ts:packages/api/tsconfig.json", "name": "api" },
 *     { "key": "ts:tsconfig.eslint.json", "disabled": true },
 *     { "key": "go:go.work", "indexer": "scip-go" }
 *   ]
 * }
 * ```
 *
 * Keys are those that discovery gave, also in `pin` and where a name is given. A name takes the key's place and has no colon, so it
 * can never be another context's key.
 */
const PinnedContexts = z.strictObject({
  version: z.literal(1),
  pin: z.array(z.string()).optional(),
  contexts: z.array(Entry).optional(),
});
type Pinned = z.infer<typeof PinnedContexts>;

export function applyPinned(found: readonly ContextSpec[], bytes: Uint8Array | undefined): PinnedOutcome {
  if (bytes === undefined) return { contexts: found, problems: [] };
  const read = readPinned(bytes);
  return Array.isArray(read) ? { contexts: found, problems: read } : apply(found, read as Pinned);
}

/** The file, or why it is not one. */
function readPinned(bytes: Uint8Array): Pinned | readonly string[] {
  const outcome = parseJson(bytes, { maxBytes: limits.textBytes, maxDepth: limits.parseDepthSmall });
  if (!outcome.ok) {
    const { failure } = outcome;
    const why = failure.kind === 'malformed' ? failure.detail : failure.kind.replaceAll('_', ' ');
    const line = failure.kind === 'malformed' && failure.line !== undefined ? ` in line ${failure.line}` : '';
    return [`${pinnedContextsPath} cannot be read${line}: ${why}`];
  }
  const parsed = PinnedContexts.safeParse(outcome.value);
  if (parsed.success) return parsed.data;
  return parsed.error.issues.map(({ path, message }) => {
    const place = path.length === 0 ? '' : `${path.map(String).join('.')}: `;
    return `${pinnedContextsPath}: ${show(place + message)}`;
  });
}

function apply(found: readonly ContextSpec[], pinned: Pinned): PinnedOutcome {
  const problems: string[] = [];
  const report = (problem: string) => problems.push(`${pinnedContextsPath}: ${problem}`);
  const contexts = new Map(found.map((context) => [context.key, context]));
  const reportUnknown = (key: string) => report(`there is no context "${show(key)}"`);

  if (pinned.pin !== undefined) {
    const kept = new Set(pinned.pin);
    for (const key of kept) if (!contexts.has(key)) reportUnknown(key);
    for (const [key, context] of contexts) if (!kept.has(key)) contexts.set(key, { ...context, enabled: false });
  }
  const named = new Set<string>();
  const seen = new Set<string>();
  for (const { key, disabled, name, indexer } of pinned.contexts ?? []) {
    const context = contexts.get(key);
    if (context === undefined) {
      reportUnknown(key);
      continue;
    }
    if (seen.has(key)) {
      report(`"${show(key)}" is there twice`);
      continue;
    }
    seen.add(key);
    const isFit = indexer === undefined || understands(indexer, context.family);
    if (!isFit) report(`${indexer} cannot read the files of "${show(key)}"`);
    const isFree = name === undefined || !named.has(name);
    if (!isFree) report(`two contexts are named "${name}"`);
    if (name !== undefined && isFree) named.add(name);
    contexts.set(key, {
      ...context,
      key: name === undefined || !isFree ? key : name,
      indexer: indexer === undefined || !isFit ? context.indexer : indexer,
      enabled: context.enabled && disabled !== true,
    });
  }
  return { contexts: [...contexts.values()], problems };
}

function show(text: string): string {
  return truncate(singleLine(text), 200);
}
