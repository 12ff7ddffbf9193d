/**
 * What indexers say about the names of a file, in the bytes it has now (code-plane.md §8, §9). A file whose bytes they have not seen
 * says nothing here: its old facts are realigned where they are shown (`realign-hits.ts`), and nothing is concluded from them.
 *
 * `isClean` is what conclusions need: only then does a token that is bound to one symbol certainly not mean another.
 */

import { blake3Hex } from '../../../kernel/base/hash.ts';
import type { TextSpan } from '../../../languages/facts.ts';
import type { OccurrenceForm } from '../../store/document-facts.ts';
import type { ReadSession } from '../../store/facts-handle.ts';
import { listContexts } from '../../store/queries/list-contexts.ts';
import { listFactsOfFile } from '../../store/queries/list-file-facts.ts';
import { listItemsOfSymbol } from '../../store/queries/list-items.ts';
import {
  listDefinitionsOf,
  listOccurrencesOfFile,
  listOccurrencesStarting,
  type NamedOccurrence,
} from '../../store/queries/list-occurrences.ts';
import { isLive as isLiveContext } from '../../store/queries/load-state-columns.ts';
import type { SourceText } from '../code-view.ts';
import type { FileStates, Freshness } from '../file-states.ts';
import type { FileFacts } from './read-file-facts.ts';

/** A name in a file, and the symbol that one indexer project binds it to. */
export type Said = {
  readonly symbolId: number;
  readonly contextId: number;
  readonly key: string;
  readonly name: string;
  readonly inRepo: boolean;
  /** Bytes of the name itself: quotes are outside. */
  readonly start: number;
  readonly end: number;
  readonly roles: number;
  readonly form: OccurrenceForm;
};

export type SaidFile = {
  readonly freshness: Freshness;
  readonly isClean: boolean;
  /** All that is said in it, by the first byte of the name. Loaded when first asked for. */
  readonly at: ReadonlyMap<number, readonly Said[]>;
  /** The same of one byte, without loading the others. */
  startingAt(byte: number): readonly Said[];
  /** The same of these occurrences, which are of this file. */
  place(occurrences: readonly NamedOccurrence[]): ReadonlyMap<number, readonly Said[]>;
};

export type SemanticLayer = {
  /** Undefined: no indexer has seen these bytes. */
  said(path: string): SaidFile | undefined;
  /** Of contexts whose indexer can run: what others once said is nobody's any more, and no state speaks of it. */
  isLive(row: { readonly contextId: number }): boolean;
  /** Is it known what this symbol is? Either it is outside, or it is defined here and nothing about it is in doubt. */
  isSettled(said: Pick<Said, 'symbolId' | 'inRepo'>): boolean;
  readonly states: FileStates;
};

/** Of a file's names, what is said of one token. */
export function listSaidOf(at: SaidFile['at'] | undefined, facts: FileFacts, token: TextSpan): readonly Said[] {
  const end = facts.toByte(token.end);
  return at?.get(facts.toByte(token.start))?.filter((one) => one.end === end) ?? [];
}

export function createSemanticLayer(world: {
  readonly ask: <T>(ask: (session: ReadSession) => T) => T;
  readonly source: (path: string) => SourceText | undefined;
  readonly states: FileStates;
}): SemanticLayer {
  const { ask, source, states } = world;
  const files = new Map<string, SaidFile | undefined>();
  const settled = new Map<number, boolean>();
  let live: ReadonlySet<number> | undefined;
  const isLive = ({ contextId }: { readonly contextId: number }): boolean => {
    live ??= new Set(ask(listContexts).flatMap((context) => (isLiveContext(context) ? [context.id] : [])));
    return live.has(contextId);
  };
  return {
    states,
    isLive,
    isSettled({ symbolId, inRepo }) {
      let known = settled.get(symbolId);
      if (known === undefined) {
        known = ask((session) => {
          if (listItemsOfSymbol(session, symbolId).some(isLive)) return false;
          return !inRepo || listDefinitionsOf(session, [symbolId]).some(isLive);
        });
        settled.set(symbolId, known);
      }
      return known;
    },
    said(path) {
      if (!files.has(path)) files.set(path, load(path));
      return files.get(path);
    },
  };

  function load(path: string): SaidFile | undefined {
    const facts = ask((session) => listFactsOfFile(session, path));
    const text = facts.length === 0 ? undefined : source(path);
    if (text === undefined) return undefined;
    const hash = blake3Hex(text.bytes);
    const contexts = new Set(facts.flatMap((row) => (row.hashAtIndex === hash && isLive(row) ? [row.contextId] : [])));
    if (contexts.size === 0) return undefined;
    const place = (occurrences: readonly NamedOccurrence[]) =>
      placeIn(
        text.bytes,
        occurrences.filter(({ contextId }) => contexts.has(contextId)),
      );
    let at: SaidFile['at'] | undefined;
    const { freshness } = states.of(path);
    return {
      freshness,
      isClean: freshness === 'clean',
      place,
      startingAt(byte) {
        if (at !== undefined) return at.get(byte) ?? [];
        // What is quoted begins before its name.
        const starts = isQuote(text.bytes[byte - 1]) ? [byte, byte - 1] : [byte];
        const found = ask((session) => starts.flatMap((start) => listOccurrencesStarting(session, path, start)));
        return place(found).get(byte) ?? [];
      },
      get at() {
        at ??= place(ask((session) => listOccurrencesOfFile(session, path)));
        return at;
      },
    };
  }
}

function placeIn(bytes: Buffer, occurrences: readonly NamedOccurrence[]): ReadonlyMap<number, readonly Said[]> {
  const at = new Map<number, Said[]>();
  for (const row of occurrences) {
    if (row.form === 'synthetic' || row.form === 'module') continue;
    const quoted = isQuote(bytes[row.start]) && bytes[row.start] === bytes[row.end - 1];
    const inner = quoted && row.end - row.start > 2 ? 1 : 0;
    const said = { ...row, start: row.start + inner, end: row.end - inner };
    const known = at.get(said.start);
    if (known === undefined) at.set(said.start, [said]);
    else known.push(said);
  }
  return at;
}

function isQuote(byte: number | undefined): boolean {
  return byte === 0x22 || byte === 0x27 || byte === 0x60;
}
