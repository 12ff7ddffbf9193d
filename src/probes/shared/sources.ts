/** Sources of a probe: one extractor over many files, off the main thread, and the inputs as import resolution sees them. What cannot be read as code is a failure with a reason, never a silence. */

import type { ProbeRepo } from '../../gather/contract.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { mapBounded } from '../../kernel/base/turns.ts';
import { findGrammar, type GrammarCheck, type PinnedGrammar } from '../../languages/parsing/grammar-pins.ts';
import { isConfigFile } from '../../languages/resolving/config-files.ts';
import type { ResolveWorld } from '../../languages/resolving/resolution.ts';
import type { ExtractorName, Facts } from '../source-worker.ts';
import { openParsePool, type ParsePool, parseLimits } from './parse-pool.ts';

export type Source = { readonly path: string; readonly grammar: PinnedGrammar };

export type ParsedFile<K extends ExtractorName> = Source &
  (
    | { readonly kind: 'parsed'; readonly facts: Facts[K]; readonly partial: boolean }
    | { readonly kind: 'failed'; readonly reason: 'too_large' | 'timeout' | 'crashed' | 'unreadable' | 'no_grammar' }
  );

export type CheckGrammars = (names: readonly PinnedGrammar[]) => readonly GrammarCheck[];

/** Enough to keep every thread busy, little enough to bound what is held in memory. */
const atOnce = 32;

/** A link owns no facts: its file does. */
export function listSources(repo: ProbeRepo, globs: readonly string[]): readonly Source[] {
  return repo.inputs.list(globs).flatMap((path) => {
    const grammar = findGrammar(path);
    return grammar === undefined || repo.inputs.fingerprint(path)?.kind === 'link' ? [] : [{ path, grammar }];
  });
}

export function grammarsOf(sources: readonly Source[]): readonly PinnedGrammar[] {
  return [...new Set(sources.map(({ grammar }) => grammar))].sort(compareCodeUnits);
}

export async function parseSources<K extends ExtractorName>(
  repo: ProbeRepo,
  sources: readonly Source[],
  extract: K,
  options: {
    readonly grammars: readonly GrammarCheck[];
    readonly signal: AbortSignal;
    /** Files whose bytes cannot hold anything of interest are not parsed and not answered. */
    readonly mayHold?: (bytes: Uint8Array) => boolean;
  },
): Promise<readonly ParsedFile<K>[]> {
  const usable = new Set(options.grammars.filter(({ state }) => state === 'pinned').map(({ name }) => name));
  const pool = openParsePool({ signal: options.signal, memo: repo.inputs.extracted });
  try {
    const files = await mapBounded(sources, atOnce, (source) =>
      usable.has(source.grammar)
        ? parseSource(repo, source, extract, pool, options.mayHold)
        : Promise.resolve<ParsedFile<K>>({ ...source, kind: 'failed', reason: 'no_grammar' }),
    );
    return files.filter((file) => file !== null);
  } finally {
    await pool.close();
  }
}

async function parseSource<K extends ExtractorName>(
  repo: ProbeRepo,
  source: Source,
  extract: K,
  pool: ParsePool,
  mayHold: ((bytes: Uint8Array) => boolean) | undefined,
): Promise<ParsedFile<K> | null> {
  const read = await repo.inputs.read(source.path, parseLimits.parseBytes);
  if (read.kind !== 'read') {
    const tooLarge = read.kind === 'failed' && read.failure.kind === 'size_cap_exceeded';
    return { ...source, kind: 'failed', reason: tooLarge ? 'too_large' : 'unreadable' };
  }
  if (mayHold?.(read.bytes) === false) return null;
  const outcome = await pool.run({ grammar: source.grammar, bytes: read.bytes, extract: [extract] });
  if (outcome.kind === 'failed') return { ...source, kind: 'failed', reason: outcome.reason };
  return { ...source, kind: 'parsed', facts: outcome.facts[extract], partial: outcome.hasErrors };
}

// The declared inputs of a probe as import resolution sees them (`ResolveWorld`): their paths, and the configuration read beforehand.

export async function createInputsWorld(
  repo: ProbeRepo,
  configGlobs: readonly string[],
  filesProviding: (name: string) => readonly string[],
): Promise<ResolveWorld> {
  const all = repo.inputs.list();
  const files = new Set(all);
  const filesByDirectory = new Map<string, string[]>([['', []]]);
  for (const path of all) {
    const slash = path.lastIndexOf('/');
    groupOf(filesByDirectory, slash < 0 ? '' : path.slice(0, slash)).push(path);
    for (let at = slash; at > 0; at = path.lastIndexOf('/', at - 1)) groupOf(filesByDirectory, path.slice(0, at));
  }
  const contents = new Map<string, Uint8Array>();
  const configsByName = new Map<string, string[]>();
  for (const path of repo.inputs.list(configGlobs)) {
    if (!isConfigFile(path) || repo.inputs.fingerprint(path)?.kind !== 'file') continue;
    const read = await repo.inputs.read(path, limits.manifestBytes);
    if (read.kind !== 'read') continue;
    contents.set(path, read.bytes);
    groupOf(configsByName, path.slice(path.lastIndexOf('/') + 1)).push(path);
  }
  return {
    hasFile: (path) => files.has(path),
    hasDirectory: (path) => filesByDirectory.has(path),
    listDirectory: (path) => filesByDirectory.get(path) ?? [],
    filesProviding,
    readConfig: (path) => contents.get(path),
    configFilesNamed: (name) => configsByName.get(name) ?? [],
    allFiles: () => all,
  };
}

function groupOf(groups: Map<string, string[]>, key: string): string[] {
  const known = groups.get(key);
  if (known !== undefined) return known;
  const made: string[] = [];
  groups.set(key, made);
  return made;
}
