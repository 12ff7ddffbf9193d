/**
 * From drafts to facts, when all documents of an index have been seen: symbols get their identities, references find their definitions,
 * and what leads nowhere or to several places becomes an item (code-plane.md §6.2, mutation.md §2.6).
 *
 * R17  A local belongs to its document and its bytes; an external symbol is an identity like any other, so no reference is lost.
 * R19  Names and keys follow from the symbol's spelling and the repository, not from which documents came first.
 */

import { createHash, hash } from 'node:crypto';
import { canonicalJson, compareCodeUnits } from '../../kernel/base/json.ts';
import { truncate } from '../../kernel/base/text.ts';
import { cutDots, roleBits } from '../../kernel/formats/scip.ts';
import type { Family } from '../../languages/projects/context-spec.ts';
import {
  type DocumentFacts,
  occurrenceForms,
  type SymbolIdentity,
  occurrenceStride as stride,
} from '../store/document-facts.ts';
import type { StoredDefinition } from '../store/stored-occurrences.ts';
import { type DocumentDraft, sortOccurrences } from './describe-document.ts';
import { localPrefix, type RepoPackages, type SymbolKey, type SymbolKeys } from './symbol-key.ts';
import type { SymbolShape } from './symbol-shape.ts';

type SettledDocument = {
  readonly facts: DocumentFacts;
  /** In-repo files that define what this document speaks of; sorted, without itself. */
  readonly touches: readonly string[];
};

type SettleOptions = {
  readonly family: Family;
  readonly keys: SymbolKeys;
  readonly packages: RepoPackages;
  readonly synIfaceOf: (path: string) => string | null;
  readonly contextId: number;
  readonly contextKey: string;
  /** Files that the store knows to define these keys, by path. */
  readonly storedDefinitions: (keys: readonly string[]) => ReadonlyMap<string, readonly StoredDefinition[]>;
  /** These documents are some of the context's: what it says of others holds. */
  readonly isPart?: boolean;
  /** Of which of those others there is a document. */
  readonly isStored?: (path: string) => boolean;
  /** Gives back what is no longer used; called once all keys are known. */
  readonly release: () => void;
};

const synthetic = occurrenceForms.indexOf('synthetic');
const candidatesMax = 20;

/** Takes the drafts out of the list as it goes: an import is as large as a large index, and need not be held twice. */
export function settleDocuments(drafts: DocumentDraft[], options: SettleOptions): readonly SettledDocument[] {
  const { keys } = options;
  if (options.family !== 'typescript') for (const draft of drafts) claimPackages(draft, keys);
  const definitions = collectDefinitions(drafts, keys);
  options.release();
  const find = createFindDefinitions(drafts, keys, definitions, options);
  const identities = createIdentities(drafts, options);
  const settled: SettledDocument[] = [];
  for (const draft of drafts.splice(0).reverse()) drafts.push(draft);
  for (let draft = drafts.pop(); draft !== undefined; draft = drafts.pop()) {
    settled.push(settleDocument(draft, options, find, identities));
  }
  return settled;
}

function claimPackages(draft: DocumentDraft, keys: SymbolKeys): void {
  const { occurrences, shapes, path } = draft;
  for (let at = 0; at < occurrences.length; at += stride) {
    if (((occurrences[at + 3] as number) & roleBits.definition) === 0) continue;
    keys.claim(shapes[occurrences[at + 2] as number] as SymbolShape, path);
  }
}

/** Paths of the documents of this import that define a key, in their order. */
type Definitions = Map<string, string[]>;

function collectDefinitions(drafts: readonly DocumentDraft[], keys: SymbolKeys): Definitions {
  const definitions: Definitions = new Map();
  for (const { occurrences, shapes, path } of drafts) {
    for (let at = 0; at < occurrences.length; at += stride) {
      if (((occurrences[at + 3] as number) & roleBits.definition) === 0) continue;
      const key = keys.keyOf(shapes[occurrences[at + 2] as number] as SymbolShape, path)?.key;
      if (key === undefined) continue;
      const known = definitions.get(key);
      if (known === undefined) definitions.set(key, [path]);
      else if (known.at(-1) !== path) known.push(path);
    }
  }
  return definitions;
}

type Found = {
  readonly key: SymbolKey;
  /** Of the definitions, in this import or in the store; empty: it has none. */
  readonly paths: readonly string[];
};
type FindDefinitions = (shape: SymbolShape, documentPath: string) => Found | undefined;

/**
 * Asks the store once for all keys that no document here defines; and where these are not all documents of the context, for the others
 * too, because a file that is not here may define them as well.
 */
function createFindDefinitions(
  drafts: readonly DocumentDraft[],
  keys: SymbolKeys,
  definitions: Definitions,
  { packages, storedDefinitions, contextId, isPart = false, isStored = () => false }: SettleOptions,
): FindDefinitions {
  const unknown = new Set<string>();
  const asked = new Set<SymbolKey>();
  for (const { shapes, path } of drafts) {
    for (const shape of shapes) {
      const key = keys.keyOf(shape, path);
      if (key === undefined || !key.inRepo || asked.has(key)) continue;
      asked.add(key);
      for (const wanted of [key.key, ...(key.built ?? []).map((source) => source.key)]) {
        if (isPart || !definitions.has(wanted)) unknown.add(wanted);
      }
    }
  }
  const described = new Set(drafts.map(({ path }) => path));
  const stored = unknown.size === 0 ? undefined : storedDefinitions([...unknown].sort(compareCodeUnits));
  const isHere = (definition: StoredDefinition): boolean => definition.contextId === contextId;
  const pathsOf = (key: string): readonly string[] => {
    const here = definitions.get(key) ?? [];
    // What was said of these files before is being replaced.
    const others = stored?.get(key)?.filter((one) => !isHere(one) || !described.has(one.path)) ?? [];
    const own = isPart ? [...here, ...others.filter(isHere).map(({ path }) => path)] : here;
    return distinct(own.length > 0 ? own : others.map(({ path }) => path));
  };
  /** By the key's object: equal keys are one. */
  const known = new Map<SymbolKey, Found>();
  const search = (key: SymbolKey, { numbered }: SymbolShape): Found => {
    const paths = pathsOf(key.key);
    if (paths.length > 0 || !key.inRepo) return { key, paths };
    // scip-typescript calls the key of an object literal a reference where its type comes from the literal itself.
    const isDescribed = (path: string): boolean => described.has(path) || (isPart && isStored(path));
    if (numbered !== null && key.path !== null && isDescribed(key.path)) return { key, paths: [key.path] };
    // A built file: the first source that defines the symbol is what it stands for.
    for (const source of key.built ?? []) {
      const sources = pathsOf(source.key);
      if (sources.length > 0) return { key: source, paths: sources };
    }
    // A file that no indexer describes (data, say) is its own definition.
    const isItself = key.isFile && key.path !== null && packages.hasFile(key.path);
    return { key, paths: isItself && key.path !== null ? [key.path] : [] };
  };
  return (shape, documentPath) => {
    const key = keys.keyOf(shape, documentPath);
    if (key === undefined) return undefined;
    let found = known.get(key);
    if (found === undefined) {
      found = search(key, shape);
      known.set(key, found);
    }
    return found;
  };
}

function distinct(paths: readonly string[]): readonly string[] {
  return paths.length < 2 ? paths : [...new Set(paths)].sort(compareCodeUnits);
}

type IdentityOf = (draft: DocumentDraft) => (at: number, found: Found | undefined) => SymbolIdentity;

/** One object per key and import. */
function createIdentities(
  drafts: readonly DocumentDraft[],
  { family, packages, contextKey }: SettleOptions,
): IdentityOf {
  const names = nameShapes(drafts);
  const byKey = new Map<string, SymbolIdentity>();
  /** The same without a look at a long text: a symbol is asked for by every document that names it. */
  const byFound = new Map<Found, SymbolIdentity>();
  return (draft) => {
    const owner = `@${packages.rootOf(family, draft.path)}`;
    const local = localPrefix(draft.path, draft.contentHash, contextKey);
    return (at, found) => {
      const shape = draft.shapes[at] as SymbolShape;
      if (shape.isLocal) {
        return {
          key: local + shape.raw.slice('local '.length),
          family,
          package: owner,
          inRepo: true,
          name: draft.names[at] ?? '',
        };
      }
      const known = found === undefined ? undefined : byFound.get(found);
      if (known !== undefined) return known;
      const key = found?.key ?? unreadable(family, shape.raw);
      let identity = byKey.get(key.key);
      if (identity === undefined) {
        const name = names.get(shape) ?? shape.name ?? draft.names[at] ?? '';
        identity = { key: key.key, family, package: key.package, inRepo: key.inRepo, name };
        byKey.set(key.key, identity);
      }
      if (found !== undefined) byFound.set(found, identity);
      return identity;
    };
  };
}

/** Not a symbol as SCIP spells them; kept, so that a fault of the tool loses no reference. */
function unreadable(family: Family, raw: string): Pick<SymbolKey, 'key' | 'package' | 'inRepo'> {
  return { key: `${family} ? ${raw}`, package: '?', inRepo: false };
}

/** Of symbols that only texts can name: the definition's, else the shortest, so that it does not depend on the order of documents. */
function nameShapes(drafts: readonly DocumentDraft[]): ReadonlyMap<SymbolShape, string> {
  const names = new Map<SymbolShape, string>();
  const settled = new Set<SymbolShape>();
  for (const { shapes, names: said, occurrences } of drafts) {
    const wanted = new Set<number>();
    shapes.forEach((shape, at) => {
      if (!shape.isLocal && (shape.name === null || shape.numbered !== null)) wanted.add(at);
    });
    if (wanted.size === 0) continue;
    for (let at = 0; at < occurrences.length; at += stride) {
      const symbol = occurrences[at + 2] as number;
      const shape = shapes[symbol] as SymbolShape;
      const name = said[symbol];
      if (!wanted.has(symbol) || typeof name !== 'string' || settled.has(shape)) continue;
      const isDefinition = ((occurrences[at + 3] as number) & roleBits.definition) !== 0;
      const before = names.get(shape);
      if (isDefinition || before === undefined || isLess(name, before)) names.set(shape, name);
      if (isDefinition) settled.add(shape);
    }
  }
  return names;
}

function isLess(a: string, b: string): boolean {
  return a.length < b.length || (a.length === b.length && a < b);
}

function settleDocument(
  draft: DocumentDraft,
  options: SettleOptions,
  find: FindDefinitions,
  identityOf: IdentityOf,
): SettledDocument {
  const founds = draft.shapes.map((shape) => (shape.isLocal ? undefined : find(shape, draft.path)));
  const { symbols, positions } = indexSymbols(draft, founds, identityOf(draft));
  const relations = remapRelations(draft, positions);
  const touches = new Set<string>();
  const items: DocumentFacts['items'][number][] = draft.gaps.map(({ symbol, name, start, end, detail }) => ({
    symbol: symbol === null ? null : (positions[symbol] as number),
    name,
    kind: 'indexer_gap',
    start,
    end,
    detail,
  }));
  for (const found of founds) {
    if (found?.key.inRepo !== true) continue;
    for (const path of found.paths) if (path !== draft.path) touches.add(path);
  }
  items.push(...listItems(draft, founds, positions, symbols, options));
  const infos = draft.infos.map(({ symbol, kind, signature }) => ({
    symbol: positions[symbol] as number,
    raw: (draft.shapes[symbol] as SymbolShape).raw,
    kind,
    signature,
    sigHash: signature === null || draft.shapes[symbol]?.isLocal === true ? null : hash('sha256', signature),
  }));
  const entries = listInterface(draft, symbols, positions, relations);
  return {
    touches: [...touches].sort(compareCodeUnits),
    facts: {
      path: draft.path,
      contentHash: draft.contentHash,
      symbols,
      // Last, because it changes the draft's own.
      occurrences: remap(draft.occurrences, positions),
      infos,
      relations,
      items,
      lineHashes: draft.lineHashes,
      semIface: hashInterface(entries, options.synIfaceOf(draft.path) ?? draft.contentHash, options.family),
    },
  };
}

/** Two spellings may be one symbol: a built file and its source. */
function indexSymbols(
  draft: DocumentDraft,
  founds: readonly (Found | undefined)[],
  identityOf: ReturnType<IdentityOf>,
) {
  const symbols: SymbolIdentity[] = [];
  const positions = new Int32Array(draft.shapes.length);
  const known = new Map<SymbolIdentity, number>();
  draft.shapes.forEach((_, at) => {
    const identity = identityOf(at, founds[at]);
    let position = known.get(identity);
    if (position === undefined) {
      position = symbols.length;
      known.set(identity, position);
      symbols.push(identity);
    }
    positions[at] = position;
  });
  return { symbols, positions };
}

function remap(occurrences: Int32Array, positions: Int32Array): Int32Array {
  if (positions.every((position, at) => position === at)) return occurrences;
  for (let at = 0; at < occurrences.length; at += stride) {
    occurrences[at + 2] = positions[occurrences[at + 2] as number] as number;
  }
  return sortOccurrences(occurrences).sorted;
}

function remapRelations({ relations }: DocumentDraft, positions: Int32Array): DocumentFacts['relations'] {
  const seen = new Set<string>();
  const kept: DocumentFacts['relations'][number][] = [];
  for (const relation of relations) {
    const [from, to] = [positions[relation.from] as number, positions[relation.to] as number];
    const text = `${from} ${to} ${relation.kind}`;
    if (from === to || seen.has(text)) continue;
    seen.add(text);
    kept.push({ from, to, kind: relation.kind });
  }
  return kept;
}

/** Of every occurrence whose symbol is doubtful; asked while symbols are still positions of shapes. */
function listItems(
  draft: DocumentDraft,
  founds: readonly (Found | undefined)[],
  positions: Int32Array,
  symbols: readonly SymbolIdentity[],
  options: SettleOptions,
): DocumentFacts['items'] {
  const doubts = founds.map((found, at) =>
    found === undefined ? undefined : doubtOf(draft.shapes[at] as SymbolShape, found, draft.path, options),
  );
  const twice = definedTwice(draft, options.family);
  const items: DocumentFacts['items'][number][] = [];
  const { occurrences } = draft;
  for (let at = 0; at < occurrences.length; at += stride) {
    if (occurrences[at + 4] === synthetic) continue;
    const shape = occurrences[at + 2] as number;
    const isDefinition = ((occurrences[at + 3] as number) & roleBits.definition) !== 0;
    const doubt = doubts[shape] ?? (isDefinition && twice.has(shape) ? definedHereTwice : undefined);
    if (doubt === undefined || (doubt.kind === 'multiple_definitions' && !isDefinition)) continue;
    const symbol = positions[shape] as number;
    const [start, end] = [occurrences[at] as number, occurrences[at + 1] as number];
    items.push({ symbol, name: symbols[symbol]?.name ?? null, start, end, ...doubt });
  }
  return items;
}

type Doubt = Pick<DocumentFacts['items'][number], 'kind' | 'detail'>;

const definedHereTwice: Doubt = {
  kind: 'multiple_definitions',
  detail: 'another definition in this file is spelled alike',
};

function doubtOf(shape: SymbolShape, found: Found, documentPath: string, options: SettleOptions): Doubt | undefined {
  const { key, paths } = found;
  // A Python namespace has no definition: the module that it stands for is another symbol.
  if (!key.inRepo || shape.role === 'scope') return undefined;
  if (paths.length === 0) {
    const isBuilt = key.path !== null && !options.packages.hasFile(key.path);
    return isBuilt
      ? {
          kind: 'dist_boundary',
          detail: `${truncate(key.path ?? '', 300)} is not in scope and comes from no file that defines it`,
        }
      : { kind: 'unresolved_reference', detail: 'no indexed document defines it' };
  }
  if (paths.length === 1 || isExplained(shape, paths, options.family)) return undefined;
  const others = paths.filter((path) => path !== documentPath).slice(0, candidatesMax);
  return { kind: 'multiple_definitions', detail: truncate(`also in ${others.join(', ')}`, 1_000) };
}

/** Namespaces are open by nature; the rest are the few things that languages let several files say. */
function isExplained(shape: SymbolShape, paths: readonly string[], family: Family): boolean {
  const { suffix, role, name } = shape;
  if (suffix === null || suffix === 'namespace' || role === 'module') return true;
  switch (family) {
    case 'go':
      return name === 'init' && suffix === 'method';
    case 'python':
      // A stub beside its module.
      return new Set(paths.map((path) => path.replace(/\.pyi?$/, ''))).size === 1;
    case 'csharp':
    case 'c':
      // Partial classes; declarations in headers.
      return true;
    default:
      return false;
  }
}

/**
 * scip-typescript numbers the keys of object literals and the type literals of a file to tell them apart, and now and then gives one number
 * twice. Nothing that a program can say defines such a name at two places.
 */
function definedTwice({ occurrences, shapes }: DocumentDraft, family: Family): ReadonlySet<number> {
  const twice = new Set<number>();
  if (family !== 'typescript') return twice;
  const once = new Set<number>();
  for (let at = 0; at < occurrences.length; at += stride) {
    if (((occurrences[at + 3] as number) & roleBits.definition) === 0) continue;
    const symbol = occurrences[at + 2] as number;
    const { suffix, isNumbered } = shapes[symbol] as SymbolShape;
    if (!isNumbered || (suffix !== 'meta' && suffix !== 'term')) continue;
    if (once.has(symbol)) twice.add(symbol);
    once.add(symbol);
  }
  return twice;
}

const withoutSignature: ReadonlySet<string> = new Set(['namespace', 'parameter', 'type_parameter']);

function listInterface(
  draft: DocumentDraft,
  symbols: readonly SymbolIdentity[],
  positions: Int32Array,
  relations: DocumentFacts['relations'],
): readonly InterfaceEntry[] {
  const signatures = new Map<number, (string | null)[]>();
  for (const { symbol, signature } of draft.infos) {
    const position = positions[symbol] as number;
    const known = signatures.get(position);
    if (known === undefined) signatures.set(position, [signature]);
    else known.push(signature);
  }
  const related = new Map<number, string[]>();
  for (const { from, to, kind } of relations) {
    const text = `${kind} ${symbols[to]?.key}`;
    const known = related.get(from);
    if (known === undefined) related.set(from, [text]);
    else known.push(text);
  }
  const exported = new Map<number, InterfaceEntry>();
  const { occurrences, shapes } = draft;
  for (let at = 0; at < occurrences.length; at += stride) {
    if (((occurrences[at + 3] as number) & roleBits.definition) === 0) continue;
    const shape = shapes[occurrences[at + 2] as number] as SymbolShape;
    const position = positions[occurrences[at + 2] as number] as number;
    if (shape.suffix === null || exported.has(position)) continue;
    // Of a key that no other file can see, our own indexer says nothing.
    if (shape.suffix === 'meta' && signatures.get(position)?.every((said) => said === null) === true) continue;
    exported.set(position, {
      key: symbols[position]?.key ?? '',
      signatures: signatures.get(position) ?? [],
      relations: related.get(position) ?? [],
      needsSignature: !withoutSignature.has(shape.suffix) && shape.role !== 'module',
    });
  }
  return [...exported.values()];
}

// ---- the semantic interface of a file: SHA-256 over what it offers to others, with types and relationships (code-plane.md §6.3). `null` is
// unknown, and is the answer wherever two different interfaces could look alike: a symbol without a signature, a signature that the
// compiler cut.
//
// The syntactic interface is part of it. What indexers give as signature leaves out what is written and not inferred: scip-typescript says
// `type A` and `interface I` whatever they hold, `class K` whatever it extends, `T: T` whatever bounds it. Together they see what either does.

export type InterfaceEntry = {
  readonly key: string;
  /** In the order of the document: several of a key are overloads. */
  readonly signatures: readonly (string | null)[];
  /** `kind key` each. */
  readonly relations: readonly string[];
  /** Parameters are in their function's signature, a namespace has none. */
  readonly needsSignature: boolean;
};

export function hashInterface(
  entries: readonly InterfaceEntry[],
  /** The syntactic interface; the bytes where that is unknown, because nothing else says what is written. */
  written: string,
  family: Family,
): string | null {
  if (!entries.some(({ signatures }) => signatures.some((said) => said !== null))) return null;
  for (const { signatures, needsSignature } of entries) {
    if (needsSignature && (signatures.length === 0 || signatures.includes(null))) return null;
    if (signatures.some((said) => said !== null && isTruncated(said, family))) return null;
  }
  const hash = createHash('sha256').update(`${written}\n`);
  for (const { key, signatures, relations } of [...entries].sort((a, b) => compareCodeUnits(a.key, b.key))) {
    hash.update(`${canonicalJson([key, signatures, [...relations].sort(compareCodeUnits)])}\n`);
  }
  return hash.digest('hex');
}

/**
 * The TypeScript compiler cuts long types: `{ a: string; ... 5 more ...; z: number }`, `[...]`, `{ ...; }`. What is left equals the
 * next cut type too often to tell a change. A rest or spread (`...args`, `...[a]`) has something right behind it; so has a literal
 * that ends in dots its quote.
 */
export function isTruncated(signature: string, family: Family): boolean {
  if (!signature.includes('...')) return false;
  if (/\.\.\. \d+ more /.test(signature)) return true;
  return family === 'typescript' && cutDots.test(signature);
}
