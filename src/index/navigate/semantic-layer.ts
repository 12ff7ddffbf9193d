/**
 * What indexers say about the names of a file, in the bytes it has now (code-plane.md §8, §9). A file whose bytes they have not seen
 * says nothing here: its old facts are realigned where they are shown (`realign.ts`), and nothing is concluded from them.
 *
 * `isClean` is what conclusions need: only then does a token that is bound to one symbol certainly not mean another.
 */

import { blake3Hex } from '../../kernel/base/hash.ts';
import { roleBits } from '../../kernel/formats/scip.ts';
import type { TextSpan } from '../../languages/facts.ts';
import type { FileStates, Freshness } from '../freshness/file-states.ts';
import type { OccurrenceForm, RelationKind } from '../store/document-facts.ts';
import type { ReadSession } from '../store/read-session.ts';
import { isLive as isLiveContext, listContexts } from '../store/stored-contexts.ts';
import { listFactsOfFile } from '../store/stored-facts.ts';
import { listItemsOfSymbol } from '../store/stored-items.ts';
import {
  listDefinitionsOf,
  listOccurrencesOf,
  listOccurrencesOfFile,
  listOccurrencesStarting,
  type NamedOccurrence,
  type Occurrence,
} from '../store/stored-occurrences.ts';
import { findSymbolById, findSymbolByKey, listRelations } from '../store/stored-symbols.ts';
import type { SourceText } from '../view/code-view.ts';
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
  /** Of contexts whose indexer can run: what others once said has no state, and is not used. */
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

// ---- the family: every symbol that a question about one name is about, as indexers see it (code-plane.md §9), and where it is written.
//
// A member stands for what it overrides or implements, and for what overrides or implements that: up first, then down, and not up
// again, because two interfaces of one class have nothing to do with each other. A class and its constructor are one thing where they
// are written with the class's name. Types do not stand for those who implement them.
//
// Where a type, a value or a namespace share a name, indexers mix them up at some places, so nothing of them is called resolved. A type
// that inherits from itself has no relatives.
//
// A question at another name for it (`import { a as b }`, at `b`) is about that name, as in editors: then nothing is added, and what the
// indexer says only confirms what lexical scope found. So it is with a parameter that overloads have each.

export type SemanticFamily = {
  readonly ids: ReadonlySet<number>;
  /** The names of its symbols: what a text must hold to mention it, aliases aside. */
  readonly names: ReadonlySet<string>;
  /** Only what scope found is meant, and this says which of it is certain. */
  readonly isAlias: boolean;
  /** It was asked for at a word of the language: `constructor`, `default`. Elsewhere such words are not shown. */
  readonly isKeyword: boolean;
  /** Something else may be meant by the same token: of another kind, or another member of a union. Nothing of it is certain. */
  readonly isMerged: boolean;
  /** All its symbols are declarations of files by name. Members and locals are not: structure may make them one with others. */
  readonly isPlain: boolean;
  /** No symbol of it is declared in this repository. */
  readonly isExternal: boolean;
  /** No other file can mean it. */
  readonly isLocal: boolean;
  readonly doubts: readonly string[];
};

const constructorEnd = '`<constructor>`().';

/** Enough for any hierarchy a person wrote. */
const maxSymbols = 5_000;

/** `isOther`: the token is known to be another name, whatever its spelling (`import a from`, of what is called `a` there). */
export function collectSemanticFamily(
  session: ReadSession,
  layer: Pick<SemanticLayer, 'isLive'>,
  here: readonly Said[],
  isOther: boolean,
): SemanticFamily | undefined {
  const [first] = here;
  if (first === undefined) return undefined;
  const ids = new Set(here.map(({ symbolId }) => symbolId));
  const doubts = new Set<string>();
  const isOverloaded = isParameterOfSeveral(session, layer, here, ids);
  if (isOverloaded) doubts.add('overloads have a parameter of its name each');
  const isAlias = isOther || isOverloaded || here.every(({ form }) => form === 'alias');
  if (!isAlias) {
    for (const said of here) addOtherHalf(session, said, ids);
    addRelated(session, layer, ids, doubts);
  }
  const isKeyword = here.some(({ form }) => form === 'keyword');
  if (isKeyword) doubts.add('it is asked for at a word of the language, which may stand for it elsewhere too');
  const symbols = [...ids].flatMap((id) => findSymbolById(session, id) ?? []);
  const hasSibling = symbols.some(({ key }) =>
    listSiblingKeys(key).some((other) => findSymbolByKey(session, other) !== undefined),
  );
  const isSeveralKinds = hasSibling || (!isAlias && hasKindsOfSeveralFiles(here));
  if (isSeveralKinds) doubts.add('a type, a value or a namespace share its name');
  // Another name is bound by scope, whatever it stands for.
  const isUnion = !isAlias && hasSeveral(here);
  if (isUnion) doubts.add('it stands for several members at once');
  const isMerged = isSeveralKinds || isUnion;
  for (const id of ids)
    for (const { kind, path } of listItemsOfSymbol(session, id).filter(layer.isLive).slice(0, 3))
      doubts.add(`${path}: ${itemWords[kind]}`);
  return {
    ids,
    names: new Set(symbols.map(({ name }) => name)),
    isAlias,
    isKeyword,
    isMerged,
    isPlain: symbols.every(({ key }) => isPlainKey(key)),
    isExternal: symbols.every(({ inRepo }) => !inRepo),
    isLocal: symbols.every(({ key }) => key.startsWith('local ')),
    doubts: [...doubts],
  };
}

export function listFamilyOccurrences(
  session: ReadSession,
  { isLive }: Pick<SemanticLayer, 'isLive'>,
  { ids }: SemanticFamily,
): readonly Occurrence[] {
  const isName = ({ form }: Occurrence) => form !== 'synthetic' && form !== 'module';
  return listOccurrencesOf(session, ids).filter((row) => isName(row) && isLive(row));
}

const itemWords: Readonly<Record<string, string>> = {
  unresolved_reference: 'it is used and has no definition',
  multiple_definitions: 'it has several definitions',
  indexer_gap: 'the indexer could not place a use of it',
  dist_boundary: 'it is used through a build output',
};

/** Parameters of overloads are spelled alike, although each is one of its own: which tokens it means is known by scope. */
function isParameterOfSeveral(
  session: ReadSession,
  { isLive }: Pick<SemanticLayer, 'isLive'>,
  here: readonly Said[],
  ids: ReadonlySet<number>,
): boolean {
  if (!here.every(({ key }) => key.startsWith('typescript ') && key.endsWith(')'))) return false;
  const places = listDefinitionsOf(session, ids).filter(isLive);
  return new Set(places.map(({ path, start }) => `${path}\0${start}`)).size > 1;
}

/** `new A()` names the constructor and is a use of the class; `constructor` alone is only the constructor. */
export function addOtherHalf(session: ReadSession, { key, form, symbolId }: Said, ids: Set<number>): void {
  if (key.endsWith(constructorEnd)) {
    if (form === 'keyword') return;
    const owner = findSymbolByKey(session, key.slice(0, -constructorEnd.length));
    if (owner !== undefined) ids.add(owner.id);
  } else if (key.endsWith('#')) {
    const built = findSymbolByKey(session, `${key}${constructorEnd}`);
    if (built !== undefined) ids.add(built.id);
  }
  const accessor = otherAccessor(key);
  const other = accessor === undefined ? undefined : findSymbolByKey(session, accessor);
  if (other !== undefined) ids.add(other.id);
  ids.add(symbolId);
}

/** A getter and its setter are one property. */
function otherAccessor(key: string): string | undefined {
  const [end, which] = /`<([gs]et)>(?:[^`]|``)*`\(\)\.$/.exec(key) ?? [];
  if (end === undefined) return undefined;
  return `${key.slice(0, -end.length)}\`<${which === 'get' ? 'set' : 'get'}>${end.slice('`<get>'.length)}`;
}

/**
 * A member of a union is a member of each; the token does not say which of them a question there means. What an object literal
 * declares under a key is the one member that is expected of it there, and not another one.
 */
function hasSeveral(here: readonly Said[]): boolean {
  const members = here.filter(({ key }) => !isPlainKey(key));
  return members.some((one) => {
    const others = members.filter(
      ({ contextId, symbolId, key }) =>
        contextId === one.contextId && symbolId !== one.symbolId && key !== otherAccessor(one.key),
    );
    const [other, ...more] = others;
    return other !== undefined && (more.length > 0 || !(isKeyOf(one, other) || isKeyOf(other, one)));
  });
}

/** A local may be the member of a type in a union, of which this need not be one. */
function isKeyOf(own: Said, expected: Said): boolean {
  return declaresKey(own) && !expected.key.startsWith('local ');
}

/** It is what an object literal declares under a key, whatever else is expected of it there. */
export function declaresKey({ key, roles }: Said): boolean {
  return key.endsWith(':') && (roles & roleBits.definition) !== 0;
}

/** `interface A` in one file of a global scope and `var A` in another are one name to the language, and two things to those who use it. */
function hasKindsOfSeveralFiles(here: readonly Said[]): boolean {
  const plain = here.filter(
    ({ key, form }) =>
      form === 'name' && isPlainKey(key) && !key.endsWith(constructorEnd) && kindEnd(key) !== undefined,
  );
  return plain.some((one) =>
    plain.some(({ contextId, key }) => contextId === one.contextId && kindEnd(key) !== kindEnd(one.key)),
  );
}

/** How a key ends of a type, a value, a namespace, a function. */
function kindEnd(key: string): string | undefined {
  return /(?:#|\.|\/|\(\)\.)$/.exec(key)?.[0];
}

/** The same name in the same place as a type, a value, a function, a namespace. */
function listSiblingKeys(key: string): readonly string[] {
  const end = kindEnd(key);
  if (end === undefined || key.startsWith('local ')) return [];
  const stem = key.slice(0, -end.length);
  return ['#', '.', '/', '().'].filter((other) => other !== end).map((other) => `${stem}${other}`);
}

/** Declared by a file, not by a type or an object in it, and not a local, which indexers also use for what they cannot name. */
export function isPlainKey(key: string): boolean {
  if (key.startsWith('local ') || key.endsWith(':')) return false;
  return !/#[^#]+$/.test(key) || key.endsWith(constructorEnd);
}

function addRelated(
  session: ReadSession,
  { isLive }: Pick<SemanticLayer, 'isLive'>,
  ids: Set<number>,
  doubts: Set<string>,
): void {
  const own = [...ids];
  const related = (id: number, direction: 'from' | 'to'): readonly number[] => {
    const key = findSymbolById(session, id)?.key ?? '';
    return listRelations(session, id, direction)
      .filter((one) => isLive(one) && isMeantBy(key, one.kind))
      .map(({ symbolId }) => symbolId);
  };
  if (own.some((id) => isOwnAncestor(id, (one) => related(one, 'from')))) {
    doubts.add('it inherits from itself');
    return;
  }
  for (const direction of ['from', 'to'] as const) {
    const waiting = [...ids];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      for (const other of related(id, direction)) {
        if (ids.has(other)) continue;
        if (ids.size >= maxSymbols) {
          doubts.add('it has more relatives than could be followed');
          return;
        }
        ids.add(other);
        waiting.push(other);
      }
    }
  }
}

/** Types do not stand for those who implement them. What a local is its spelling does not say: of members alone it is said that they refer. */
function isMeantBy(key: string, kind: RelationKind): boolean {
  if (kind === 'definition' || kind === 'merge') return true;
  if (kind === 'type_definition' || key.endsWith('#')) return false;
  return kind === 'reference' || !key.startsWith('local ');
}

function isOwnAncestor(id: number, parentsOf: (id: number) => readonly number[]): boolean {
  const seen = new Set<number>();
  const waiting = [id];
  for (let next = waiting.pop(); next !== undefined && seen.size < maxSymbols; next = waiting.pop()) {
    for (const parent of parentsOf(next)) {
      if (parent === id) return true;
      if (seen.has(parent)) continue;
      seen.add(parent);
      waiting.push(parent);
    }
  }
  return false;
}

/** As answers name it. */
export function roleOf(roles: number): 'definition' | 'import' | 'write' | 'read' {
  if ((roles & roleBits.definition) !== 0) return 'definition';
  if ((roles & roleBits.import) !== 0) return 'import';
  return (roles & roleBits.write) !== 0 ? 'write' : 'read';
}
