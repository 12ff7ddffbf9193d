/**
 * Where a name is declared (code-plane.md §9): by lexical scope in its file, through imports and re-exports in others. What types would
 * have to tell is answered with every declaration of that name, as `text`.
 */

import { compareCodeUnits } from '../../kernel/base/json.ts';
import { roleBits } from '../../kernel/formats/scip.ts';
import { createTextOffsets } from '../../kernel/tree/positions.ts';
import { familyOf, isJavaScript } from '../../languages/language-family.ts';
import type { ImportReason } from '../../languages/resolving/resolution.ts';
import { listDefinitionsOf, type Occurrence } from '../store/stored-occurrences.ts';
import { listInfosOf, listRelations, listSymbolsNamed, type SymbolHit } from '../store/stored-symbols.ts';
import { listFilesMatchingName } from '../store/stored-text.ts';
import { type Ending, type Followed, followExport, followImport, type Step } from './follow-exports.ts';
import { type Lacking, sayLacking } from './lacking.ts';
import type { Question } from './question.ts';
import { type FileFacts, indexOfByte } from './read-file-facts.ts';
import { addOtherHalf, declaresKey, listSaidOf, type Said } from './semantic-layer.ts';
import type { Subject } from './subject.ts';

export type Definition = {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly name: string;
  /** Of the symbol that is declared there, or the binding's kind. */
  readonly kind: string;
  readonly namePath: string | null;
  readonly provenance: 'resolved' | 'syntactic';
};

type Outside = {
  readonly specifier: string;
  readonly name: string;
  readonly reason: ImportReason;
  readonly external: string | null;
};

type Found = {
  readonly name: string;
  readonly definitions: readonly Definition[];
  /** Declarations that are spelled like it, the likelier first: which is meant is not known. */
  readonly candidates: readonly SymbolHit[];
  /** Files that are meant as a whole. */
  readonly modules: readonly string[];
  /** Declarations that this repository does not have. */
  readonly outside: readonly Outside[];
  readonly chain: readonly Step[];
  readonly doubts: readonly string[];
};

type Definitions = Found & { readonly lacking: Lacking };

const maxCandidates = 1_000;

export async function findDefinitions(question: Question, subject: Subject): Promise<Definitions> {
  const bySyntax = await findBySyntax(question, subject);
  const resolved = findSemanticDefinitions(question, subject);
  // The way there is what only the text says.
  const found =
    resolved === undefined
      ? bySyntax
      : { ...resolved, chain: bySyntax.chain, modules: resolved.definitions.length > 0 ? [] : bySyntax.modules };
  const lacking = question.lacking();
  if (lacking.paths.length === 0 || isOfOwnFile(subject)) return { ...found, lacking };
  return { ...found, doubts: [...found.doubts, sayLacking(lacking)], lacking };
}

/** What its own file declares, scope tells without a compiler. */
function isOfOwnFile(subject: Subject): boolean {
  return subject.kind === 'binding' && subject.facts.bindings[subject.binding]?.importOf === undefined;
}

async function findBySyntax(question: Question, subject: Subject): Promise<Found> {
  switch (subject.kind) {
    case 'binding':
      return findOfBinding(question, subject.facts, subject.binding);
    case 'export': {
      const followed: Followed[] = [];
      for (const path of subject.paths) followed.push(await followExport(question, path, subject.name));
      return describe(question, subject.token.text, followed);
    }
    case 'symbol': {
      const { facts, symbol, token } = subject;
      const ending: Ending = { kind: 'symbol', path: facts.path, symbol };
      return describe(question, token.text, [{ endings: [ending], chain: [], doubts: [] }]);
    }
    case 'name':
      return findByName(question, subject);
  }
}

async function findOfBinding(question: Question, facts: FileFacts, at: number): Promise<Found> {
  const binding = facts.bindings[at];
  const name = binding?.name ?? '';
  if (binding?.importOf !== undefined) return describe(question, name, [await followImport(question, facts, at)]);
  const ending: Ending = { kind: 'binding', path: facts.path, binding: at, facts };
  return describe(question, name, [{ endings: [ending], chain: [], doubts: [] }]);
}

async function describe(question: Question, name: string, followed: readonly Followed[]): Promise<Found> {
  const definitions: Definition[] = [];
  const modules: string[] = [];
  const outside: Outside[] = [];
  const doubts = new Set(question.doubts());
  for (const one of followed) {
    for (const doubt of one.doubts) doubts.add(doubt);
    for (const ending of one.endings) {
      if (ending.kind === 'module') modules.push(ending.path);
      else if (ending.kind === 'outside') outside.push(ending);
      else if (ending.kind === 'binding') {
        definitions.push(...ofBinding(question, ending.facts, ending.binding));
        addBindingDoubts(ending.facts, ending.binding, doubts);
      } else {
        const found = await ofSymbol(question, ending);
        if (found === undefined) doubts.add(`${ending.path} has changed since it was indexed`);
        else definitions.push(found);
      }
    }
  }
  if (outside.length > 0) doubts.add('it is declared outside of this repository');
  const chain = followed.flatMap((one) => one.chain);
  return { name, definitions, candidates: [], modules, outside, chain, doubts: [...doubts] };
}

function ofBinding(question: Question, facts: FileFacts, at: number): Definition[] {
  const binding = facts.bindings[at];
  if (binding === undefined) return [];
  const symbols = facts.isIndexed ? question.symbols(facts.path) : [];
  return binding.declarations.map(({ start, end }) => {
    const byte = facts.toByte(start);
    const symbol = symbols.find(({ nameStart }) => nameStart === byte);
    const { path } = facts;
    const kind = symbol?.kind ?? binding.kind;
    const namePath = symbol?.namePath ?? null;
    return { path, start, end, name: binding.name, kind, namePath, provenance: 'syntactic' };
  });
}

async function ofSymbol(question: Question, ending: Ending & { kind: 'symbol' }): Promise<Definition | undefined> {
  const facts = await question.facts(ending.path);
  if (facts === undefined || !facts.isIndexed) return undefined;
  const { name, kind, namePath, nameStart, nameEnd } = ending.symbol;
  const start = facts.toIndex(nameStart);
  const end = facts.toIndex(nameEnd);
  return { path: ending.path, start, end, name, kind, namePath, provenance: 'syntactic' };
}

/** Other files may declare more of the same thing. */
function addBindingDoubts(facts: FileFacts, at: number, doubts: Set<string>): void {
  const binding = facts.bindings[at];
  const kind = facts.scopes.scopes[binding?.scope ?? 0]?.kind;
  if (facts.scopes.hasErrors) doubts.add(`parts of ${facts.path} could not be parsed`);
  if (facts.scopes.dynamic) doubts.add(`${facts.path} reaches names by their text while it runs`);
  const isShared = kind === 'global' || kind === 'namespace' || (kind === 'module' && !facts.scopes.isModule);
  if (isShared && isJavaScript(facts.language)) doubts.add('other files may declare more of it');
}

/** Members before other things, this file before others, then by place. */
function findByName(question: Question, { facts, token, why }: Subject & { kind: 'name' }): Found {
  const { code } = familyOf(facts.language);
  const name = token.text;
  const found = question.ask((session) =>
    listSymbolsNamed(session, { name, nameFold: name.toLowerCase() }, maxCandidates),
  );
  const { gone } = question.view.differences;
  const kin = found.filter(({ language, path }) => language !== null && code.includes(language) && !gone.has(path));
  const isFit = (symbol: SymbolHit) => symbol.namePath.includes('/') === (why === 'member');
  const fitting = kin.some(isFit) && why !== 'string' && why !== 'comment' ? kin.filter(isFit) : kin;
  const here = (path: string) => (path === facts.path ? 0 : directoryOf(path) === directoryOf(facts.path) ? 1 : 2);
  const sorted = [...fitting].sort(
    (a, b) => here(a.path) - here(b.path) || compareCodeUnits(a.path, b.path) || a.nameStart - b.nameStart,
  );
  const doubts = [...question.doubts(), 'what it means is not known without types'];
  return { name, definitions: [], candidates: sorted, modules: [], outside: [], chain: [], doubts };
}

function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

// ---- as indexers see it. Undefined where they cannot tell: they have not seen these bytes, or bind nothing there. A definition in a file
// that has changed since is not placed by guessing; the answer says which file that is.

function findSemanticDefinitions(question: Question, { facts, token }: Subject): Found | undefined {
  const layer = question.semantic();
  const file = layer.said(facts.path);
  const said = listSaidOf(file?.at, facts, token);
  if (file === undefined || said.length === 0) return undefined;
  // A question at a key of a literal stands on the declaration already: it means what is expected there.
  const expected = said.filter((one) => !declaresKey(one));
  const here = expected.length > 0 ? expected : said;
  const ids = new Set(here.map(({ symbolId }) => symbolId));
  const doubts = new Set<string>(question.doubts());
  let found = listPlaces(question, ids, doubts);
  if (found.length === 0) {
    // A class without a constructor of its own is what `new` leads to.
    question.ask((session) => here.forEach((one) => void addOtherHalf(session, one, ids)));
    found = listPlaces(question, ids, doubts);
  }
  const outside = found.length > 0 ? [] : here.filter(({ inRepo }) => !inRepo).map(describeOutside);
  if (found.length === 0 && outside.length === 0) return undefined;
  if (!file.isClean) doubts.add(`the indexer has not seen everything that ${facts.path} depends on as it is now`);
  return {
    name: token.text,
    definitions: found,
    candidates: [],
    modules: [],
    outside: [...new Map(outside.map((one) => [one.external, one])).values()],
    chain: [],
    doubts: [...doubts],
  };
}

function listPlaces(question: Question, ids: ReadonlySet<number>, doubts: Set<string>): readonly Definition[] {
  return placeDefinitions(
    question,
    question.ask((session) => listDefinitionsOf(session, ids)),
    doubts,
  );
}

/** In the present bytes; one for each place. */
function placeDefinitions(question: Question, rows: readonly Occurrence[], doubts: Set<string>): readonly Definition[] {
  const layer = question.semantic();
  const places = new Map<string, Definition>();
  for (const { path, start, symbolId, form, contextId } of rows) {
    if (form === 'synthetic' || !layer.isLive({ contextId })) continue;
    const source = question.source(path);
    const at = layer.said(path)?.at;
    // A name in quotes begins behind the first of them.
    const said = [start, start + 1].flatMap((byte) => at?.get(byte) ?? []).find((one) => one.symbolId === symbolId);
    if (source === undefined || said === undefined || (said.roles & roleBits.definition) === 0) {
      if (source !== undefined) doubts.add(`${path} has changed since it was indexed`);
      continue;
    }
    const offsets = createTextOffsets(source.text, source);
    const place = {
      start: indexOfByte(said.start, source.text, offsets),
      end: indexOfByte(said.end, source.text, offsets),
    };
    const symbol = question.symbols(path).find(({ nameStart }) => nameStart === said.start);
    const kind =
      symbol?.kind ?? question.ask((session) => listInfosOf(session, symbolId))[0]?.kind ?? kindOfKey(said.key);
    places.set(`${path}\0${start}`, {
      path,
      ...place,
      name: source.text.slice(place.start, place.end),
      kind,
      namePath: symbol?.namePath ?? null,
      provenance: 'resolved',
    });
  }
  return [...places.values()];
}

function kindOfKey(key: string): string {
  return key.startsWith('local ') ? 'local' : 'symbol';
}

/** `typescript npm typescript 5.9.3 lib/…`: the package is what a person knows it by. */
function describeOutside({ key, name }: Said): Outside {
  const [, ...words] = key.split(' ');
  const external = words[1] ?? words[0] ?? key;
  return { specifier: external, name, reason: 'external', external };
}

// ---- what implements or overrides the symbol at a token, directly or through others, as indexers say it. There is no syntactic answer:
// what implements what is a matter of types.

type Implementations = {
  readonly found: readonly Definition[];
  /** Why there may be more; empty: there are none. */
  readonly doubts: readonly string[];
  /** Whether indexers have said anything of what was asked about. */
  readonly isTold: boolean;
  readonly lacking: Lacking;
};

const maxSymbols = 5_000;

export function findImplementations(question: Question, { facts, token }: Subject): Implementations {
  const layer = question.semantic();
  const doubts = new Set(question.doubts());
  const file = layer.said(facts.path);
  const here = listSaidOf(file?.at, facts, token);
  // Whatever implements a member, or a type by its name, holds that name.
  for (const { path } of question.ask((session) => listFilesMatchingName(session, token.text))) layer.said(path);
  const lacking = question.lacking();
  if (lacking.paths.length > 0) doubts.add(sayLacking(lacking));
  if (here.length === 0) {
    const why =
      file === undefined ? `no indexer has seen ${facts.path} as it is` : 'no indexer knows what stands there';
    return { found: [], doubts: [...doubts, why], isTold: false, lacking };
  }
  const asked = new Set(here.map(({ symbolId }) => symbolId));
  const ids = new Set<number>();
  const waiting = [...asked];
  question.ask((session) => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      for (const { symbolId, kind } of listRelations(session, id, 'to').filter(layer.isLive)) {
        if (kind !== 'implements' || asked.has(symbolId) || ids.has(symbolId)) continue;
        if (ids.size >= maxSymbols) {
          doubts.add('there are more than could be followed');
          return;
        }
        ids.add(symbolId);
        waiting.push(symbolId);
      }
    }
  });
  const counts = layer.states.counts();
  const open = counts.dirty + counts.stale + counts.pending_check + counts.unindexed;
  if (open > 0) doubts.add(`${open === 1 ? '1 file is' : `${open} files are`} not indexed as they are now`);
  const rows = question.ask((session) => listDefinitionsOf(session, ids));
  const found = placeDefinitions(question, rows, doubts);
  // An object that has the right members implements an interface without saying so.
  if (['typescript', 'javascript', 'python', 'go'].includes(facts.language))
    doubts.add('types that fit without saying so are not listed');
  return { found, doubts: [...doubts], isTold: lacking.paths.length === 0, lacking };
}
