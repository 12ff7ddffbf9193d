/**
 * Every symbol that a question about one name is about, as indexers see it (code-plane.md §9), and where it is written.
 *
 * A member stands for what it overrides or implements, and for what overrides or implements that: up first, then down, and not up
 * again, because two interfaces of one class have nothing to do with each other. A class and its constructor are one thing where they
 * are written with the class's name. Types do not stand for those who implement them.
 *
 * Where a type, a value or a namespace share a name, indexers mix them up at some places, so nothing of them is called resolved. A type
 * that inherits from itself has no relatives.
 *
 * Who asks at another name for it (`import { a as b }`, at `b`) asks for that name, as editors have it: then nothing is added, and
 * what the indexer says only confirms what lexical scope found. So it is with a parameter that overloads have each.
 */

import { roleBits } from '../../../kernel/formats/scip.ts';
import type { ReadSession } from '../../store/facts-handle.ts';
import { listItemsOfSymbol } from '../../store/queries/list-items.ts';
import { listDefinitionsOf, listOccurrencesOf, type Occurrence } from '../../store/queries/list-occurrences.ts';
import { findSymbolById, findSymbolByKey, listRelations } from '../../store/queries/list-semantic-symbols.ts';
import type { Said, SemanticLayer } from './semantic-layer.ts';

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
  if (hasSibling) doubts.add('a type, a value or a namespace share its name');
  // Another name is bound by scope, whatever it stands for.
  const isUnion = !isAlias && hasSeveral(here);
  if (isUnion) doubts.add('it stands for several members at once');
  const isMerged = hasSibling || isUnion;
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
  unresolved_reference: 'it is used and nobody defines it',
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
  ids.add(symbolId);
}

/**
 * A member of a union is a member of each; which of them one who asks there means, the token does not say. What an object literal
 * declares under a key is the one member that is expected of it there, and not another one.
 */
function hasSeveral(here: readonly Said[]): boolean {
  const members = here.filter(({ key }) => !isPlainKey(key));
  return members.some((one) => {
    const others = members.filter(
      ({ contextId, symbolId }) => contextId === one.contextId && symbolId !== one.symbolId,
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

/** The same name in the same place as a type, a value, a function, a namespace. */
function listSiblingKeys(key: string): readonly string[] {
  const end = /(?:#|\.|\/|\(\)\.)$/.exec(key)?.[0];
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
  const [asked] = ids;
  const own = new Set(ids);
  for (const direction of ['from', 'to'] as const) {
    const waiting = [...ids];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const isType = findSymbolById(session, id)?.key.endsWith('#') === true;
      for (const { symbolId, kind } of listRelations(session, id, direction).filter(isLive)) {
        const isMeant = kind === 'definition' || kind === 'merge' || (!isType && kind !== 'type_definition');
        if (isMeant && direction === 'from' && symbolId === asked && id !== asked) {
          doubts.add('it inherits from itself');
          ids.clear();
          for (const one of own) ids.add(one);
          return;
        }
        if (!isMeant || ids.has(symbolId)) continue;
        if (ids.size >= maxSymbols) {
          doubts.add('it has more relatives than could be followed');
          return;
        }
        ids.add(symbolId);
        waiting.push(symbolId);
      }
    }
  }
}

/** As answers name it. */
export function roleOf(roles: number): 'definition' | 'import' | 'write' | 'read' {
  if ((roles & roleBits.definition) !== 0) return 'definition';
  if ((roles & roleBits.import) !== 0) return 'import';
  return (roles & roleBits.write) !== 0 ? 'write' : 'read';
}
