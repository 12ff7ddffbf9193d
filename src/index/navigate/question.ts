/**
 * What one navigation question has looked at so far: every file is read and parsed at most once, every row asked for once. Also its
 * budget: files and time, after which the answer is a part of the truth and says so (T15).
 */

import { createDirectoryGuard } from '../../kernel/tree/safe-read.ts';
import { isJavaScript } from '../../languages/language-family.ts';
import { createFileStates } from '../freshness/file-states.ts';
import type { ExportRow, SymbolRow } from '../store/file-rows.ts';
import type { ReadSession } from '../store/read-session.ts';
import { listContexts } from '../store/stored-contexts.ts';
import { findFile, type StoredFile } from '../store/stored-files.ts';
import {
  type Importer,
  listExportsOfFile,
  listImportersOf,
  listImportsOfFile,
  type StoredImport,
} from '../store/stored-imports.ts';
import { listSymbolsOfFile } from '../store/stored-symbols.ts';
import type { CodeView, SourceText } from '../view/code-view.ts';
import { whyUnverified } from '../view/not-answered.ts';
import { describeLacking, type Lacking, openStates, undiscovered } from './lacking.ts';
import { type FactsOutcome, type FileFacts, readFileFacts } from './read-file-facts.ts';
import { createSemanticLayer, type SemanticLayer } from './semantic-layer.ts';

/** Time is counted for questions that look at more than `wholeFiles`: few files are worth waiting for, also on a busy machine. */
const navigateLimits = { files: 2_000, ms: 2_000, wholeFiles: 200 } as const;

export type Question = {
  readonly view: CodeView;
  /** Undefined for what is gone or no text. */
  source(path: string): SourceText | undefined;
  read(path: string): Promise<FactsOutcome>;
  /** Undefined for what is not parsed. */
  facts(path: string): Promise<FileFacts | undefined>;
  file(path: string): StoredFile | undefined;
  imports(path: string): readonly StoredImport[];
  exports(path: string): readonly ExportRow[];
  symbols(path: string): readonly SymbolRow[];
  importers(path: string): readonly Importer[];
  ask<T>(ask: (session: ReadSession) => T): T;
  /** What indexers say; worked out when first asked for. */
  semantic(): SemanticLayer;
  /** The budget, or this share of it, is used up. */
  isOver(share?: number): boolean;
  /** It was read and parsed before: looking again is free. */
  isRead(path: string): boolean;
  /** Of the files that were looked at, those whose compiler facts are missing or of older bytes; for the end of a question. */
  lacking(): Lacking;
  /** Reasons why what was seen may not be what is there. */
  doubts(): readonly string[];
};

export function createQuestion(
  view: CodeView,
  world: { readonly nowMs: () => number; readonly signal: AbortSignal },
): Question {
  const startMs = world.nowMs();
  const guard = createDirectoryGuard(view.root);
  const sources = new Map<string, SourceText | undefined>();
  const outcomes = new Map<string, Promise<FactsOutcome>>();
  const changed = new Set<string>();
  const generations = new Set<number>();
  let filesRead = 0;
  let layer: SemanticLayer | undefined;
  const asked = new Set<string>();

  const ask = <T>(question: (session: ReadSession) => T): T =>
    view.read((session) => {
      generations.add(session.generation);
      return question(session);
    });
  const once = <T>(load: (session: ReadSession, path: string) => T): ((path: string) => T) => {
    const known = new Map<string, T>();
    return (path) => {
      const seen = known.get(path);
      if (seen !== undefined) return seen;
      const loaded = ask((session) => load(session, path));
      known.set(path, loaded);
      return loaded;
    };
  };
  const file = once(findFile);

  const source = (path: string): SourceText | undefined => {
    if (!sources.has(path)) sources.set(path, view.readText(path, guard));
    return sources.get(path);
  };

  async function load(path: string): Promise<FactsOutcome> {
    world.signal.throwIfAborted();
    filesRead += 1;
    const row = file(path);
    const outcome = await readFileFacts(path, source(path), row, row?.language ?? null);
    const isIndexed = outcome.kind === 'facts' ? outcome.facts.isIndexed : outcome.kind === 'text' && outcome.isIndexed;
    if (!isIndexed) changed.add(path);
    return outcome;
  }

  const read = (path: string): Promise<FactsOutcome> => {
    let outcome = outcomes.get(path);
    if (outcome === undefined) {
      outcome = load(path);
      outcomes.set(path, outcome);
    }
    return outcome;
  };

  return {
    view,
    ask,
    semantic() {
      layer ??= noteAsked(createSemanticLayer({ ask, source, states: createFileStates(view) }), asked);
      return layer;
    },
    lacking() {
      // Who writes has not come to look which projects there are: then no file is of any.
      const isUndiscovered = view.writer !== null && ask(listContexts).length === 0;
      const isOpen = (path: string) =>
        isUndiscovered
          ? isJavaScript(file(path)?.language ?? '')
          : layer !== undefined && openStates.has(layer.states.of(path).freshness);
      if (isUndiscovered) return undiscovered([...asked].filter(isOpen));
      return ask((session) => describeLacking(session, [...asked].filter(isOpen), view.indexesItself));
    },
    file,
    source,
    read,
    imports: once(listImportsOfFile),
    exports: once(listExportsOfFile),
    symbols: once(listSymbolsOfFile),
    importers: once(listImportersOf),
    async facts(path) {
      const outcome = await read(path);
      return outcome.kind === 'facts' ? outcome.facts : undefined;
    },
    isOver(share = 1) {
      if (filesRead >= navigateLimits.files * share) return true;
      return sources.size > navigateLimits.wholeFiles && world.nowMs() - startMs >= navigateLimits.ms * share;
    },
    isRead: (path) => outcomes.has(path),
    doubts() {
      return [
        ...[whyUnverified(view) ?? []].flat(),
        ...(changed.size === 0 ? [] : [`${[...changed].sort()[0]} is not on disk as it was indexed`]),
        ...(generations.size < 2 ? [] : ['the index changed while the question was asked']),
      ];
    },
  };
}

/** Which files anything was to be known of, whether there was or not. */
function noteAsked(layer: SemanticLayer, asked: Set<string>): SemanticLayer {
  return {
    ...layer,
    said(path) {
      asked.add(path);
      return layer.said(path);
    },
  };
}
