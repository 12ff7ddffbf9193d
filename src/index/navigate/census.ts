/**
 * Every token that is spelled like the name, in every file that could mean it, gets exactly one account: it means the subject, it means
 * something else, it is a mention, or it cannot be told. Independent of how references were found, so that a count can say `eq` (T14).
 * A heart: accounts of tokens make sense only together.
 */

import { compareCodeUnits } from '../../kernel/base/json.ts';
import { createTextOffsets, type TextOffsets } from '../../kernel/tree/positions.ts';
import type { TextSpan } from '../../languages/facts.ts';
import { classIn, type Stretch, scanScript } from '../../languages/javascript/js-stretches.ts';
import { familyOf, isJavaScript, type LanguageFamily } from '../../languages/language-family.ts';
import { hasSyntax } from '../../languages/languages.ts';
import type { Token, TokenClass } from '../../languages/tokens.ts';
import { findFile, listSearchableFiles } from '../store/stored-files.ts';
import { listOccurrencesNamed, type NamedOccurrence } from '../store/stored-occurrences.ts';
import { listFilesMatchingName, listRedactedFiles } from '../store/stored-text.ts';
import { MAX_RUN_CHARS } from '../text/scan-bytes.ts';
import type { SourceText } from '../view/code-view.ts';
import { findNames, findPlainNames, mayHold, mayRespell } from './find-in-text.ts';
import { type Ending, findImportRow, findRowAt, followRow } from './follow-exports.ts';
import type { Family, FamilyHit } from './name-family.ts';
import type { Question } from './question.ts';
import { type FileFacts, indexOfByte, scriptLanguageOf, withSourceTree } from './read-file-facts.ts';
import { type RealignedFile, realignFile } from './realign.ts';
import {
  declaresKey,
  isPlainKey,
  listSaidOf,
  roleOf,
  type Said,
  type SaidFile,
  type SemanticFamily,
  type SemanticLayer,
} from './semantic-layer.ts';
import { bindingKey, findHolder, listHeldModules } from './subject.ts';

export type Census = {
  readonly hits: readonly CensusHit[];
  /** Tokens that neither scope nor an indexer binds: each may be a reference. */
  readonly sites: readonly Site[];
  /** Bound to another declaration. */
  readonly others: number;
  /** In strings, comments, regular expressions, data and prose. */
  readonly mentions: number;
  /** In code of languages that cannot mean it. */
  readonly foreign: number;
  readonly doubts: readonly string[];
  /** The budget was used up before everything was looked at. */
  readonly truncated: boolean;
  /** By scope, as far as it had to be followed. */
  readonly family: Family;
};

/** By lexical scope and resolved imports. */
export type Scope = {
  readonly family: Family;
  /**
   * Undefined: the family is whole. Otherwise it is only where the subject is declared, and this follows imports and exports, through
   * files that are told of without looking at what is in them.
   */
  readonly grow?: ((isTold: (path: string) => boolean) => Promise<Family>) | undefined;
};

/** `home` is the file of the subject: if no other file can mean it, no other is looked at. */
export async function classifyTokens(
  question: Question,
  scope: Scope,
  home: FileFacts,
  semantics: Semantics,
): Promise<Census> {
  let names = new Set([...scope.family.names, ...(semantics.family?.isAlias === false ? semantics.family.names : [])]);
  for (;;) {
    const tally = startTally(question, scope.family, semantics, names);
    const told = createTold(tally);
    const { counted, open } = scope.grow === undefined ? nothingSettled : await settle(tally, told, home);
    const isTold = (path: string) => !open.has(path) && semantics.layer.said(path)?.isClean === true;
    if (open.size > 0 || tally.isNameless) tally.family = (await scope.grow?.(isTold)) ?? scope.family;
    const wider = new Set([...names, ...tally.aliases, ...tally.family.names]);
    // Under every name that another file can ask for it by.
    if (wider.size === names.size) return countRest(tally, told, counted, home);
    names = wider;
  }
}

function startTally(question: Question, family: Family, semantics: Semantics, names: ReadonlySet<string>): Tally {
  const lists = { hits: [], sites: [], doubts: new Set<string>(), aliases: new Set<string>() };
  const counts = { others: 0, alike: 0, mentions: 0, foreign: 0, isNameless: false };
  return { question, family, semantics, names, ...lists, ...counts };
}

/** Counts the files that indexers tell enough of. */
async function settle(tally: Tally, told: Told, home: FileFacts): Promise<Settled> {
  const { question, semantics, names } = tally;
  const languages = familyOf(home.language);
  const [counted, open] = [new Set<string>(), new Set<string>()];
  for (const [path, known] of listCandidates(tally, home)) {
    const language = known ?? question.file(path)?.language ?? null;
    // What others hold is only counted.
    if (language === null || !languages.code.includes(language)) continue;
    const source = question.isOver() ? undefined : question.source(path);
    if (source !== undefined && !semantics.paths.has(path) && !mayHold(source, names, language)) continue;
    const said = source === undefined ? undefined : semantics.layer.said(path);
    const isCounted =
      said?.isClean === true && source !== undefined && (await countIndexed(tally, told, path, said, source));
    (isCounted ? counted : open).add(path);
  }
  return { counted, open };
}

type Settled = {
  readonly counted: ReadonlySet<string>;
  /** They hold a name of it in a language that can mean it, and only scope can tell what that means. */
  readonly open: ReadonlySet<string>;
};
const nothingSettled: Settled = { counted: new Set(), open: new Set() };

async function countRest(tally: Tally, told: Told, counted: ReadonlySet<string>, home: FileFacts): Promise<Census> {
  const { question, family, semantics } = tally;
  const isConfined = family.isConfined && [...semantics.paths].every((path) => path === home.path);
  const paths = isConfined ? [home.path] : listCandidates(tally, home).keys();
  const languages = familyOf(home.language);
  let truncated = false;
  for (const path of paths) {
    if (counted.has(path)) continue;
    if (question.isOver() && !question.isRead(path)) {
      // What an indexer has seen of it in a clean file needs no time.
      countSeen(tally, told, path);
      truncated = true;
      continue;
    }
    await countFile(tally, told, path, languages, home);
  }
  // What was found and not counted is still there.
  if (truncated) {
    const known = new Set(tally.hits.map((hit) => `${hit.path}\0${hit.start}`));
    for (const [path, hits] of family.hits)
      for (const hit of hits.values())
        if (!known.has(`${path}\0${hit.start}`)) tally.hits.push({ ...hit, path, provenance: 'syntactic' });
  }
  if (tally.alike > 0)
    tally.doubts.add(
      `${tally.alike === 1 ? '1 place means something' : `${tally.alike} places mean something`} else of this name that a union or a structure may join to it`,
    );
  return {
    hits: tally.hits.sort(byPlace),
    sites: tally.sites.sort(byPlace),
    others: tally.others,
    mentions: tally.mentions,
    foreign: tally.foreign,
    doubts: [...tally.doubts],
    truncated,
    family,
  };
}

type Placed = { readonly path: string; readonly start: number };

function byPlace(a: Placed, b: Placed): number {
  return compareCodeUnits(a.path, b.path) || a.start - b.start;
}

/** With their languages, where these came along. */
type Candidates = ReadonlyMap<string, string | null>;

/** The subject's own file first, then those with known references, then all that hold the name. */
function listCandidates({ question, family, semantics, names }: Tally, home: FileFacts): Candidates {
  const { changed, added, gone } = question.view.differences;
  const isLong = [...names].some((name) => name.length > MAX_RUN_CHARS);
  const holding = question.ask((session) => [
    // Longer names are stored as hashes of a key that a reader does not have.
    ...(isLong ? listSearchableFiles(session) : [...names].flatMap((name) => listFilesMatchingName(session, name))),
    ...listRedactedFiles(session),
  ]);
  const holders = [...family.holders.keys()].map((key) => key.slice(0, key.indexOf('\0')));
  const known = [...family.hits.keys(), ...semantics.paths, ...holders].sort(compareCodeUnits);
  const others = [...holding.map(({ path }) => path), ...changed, ...added].sort(compareCodeUnits);
  const languages = new Map(holding.map(({ path, language }) => [path, language]));
  const isGone = new Set(gone);
  return new Map(
    [home.path, ...known, ...others].flatMap((path) => (isGone.has(path) ? [] : [[path, languages.get(path) ?? null]])),
  );
}

async function countFile(
  tally: Tally,
  told: Told,
  path: string,
  languages: LanguageFamily,
  home: FileFacts,
): Promise<void> {
  const { question, family, names } = tally;
  const row = question.file(path);
  const language = row?.language ?? null;
  const isKin = language !== null && languages.code.includes(language);
  if (!isKin && !family.hits.has(path)) {
    const source = question.source(path);
    if (source === undefined) return;
    const isHolder = languages.holders?.test(path) === true;
    // Of what is only counted, other spellings are no matter.
    const found = isHolder ? findNames(source, names, language ?? '') : findPlainNames(source.text, names);
    if (isHolder) tally.sites.push(...found.map((span) => ({ ...span, path, why: 'code_in_text' as const })));
    else if (language !== null && hasSyntax(language)) tally.foreign += found.length;
    else tally.mentions += found.length;
    return;
  }
  const source = question.source(path);
  const isKnown = family.hits.has(path) || tally.semantics.paths.has(path);
  if (source !== undefined && !isKnown && !mayHold(source, names, language ?? '')) return;
  const said = tally.semantics.layer.said(path);
  const mayCount = said?.isClean === true && source !== undefined && !question.isRead(path);
  if (mayCount && (await countIndexed(tally, told, path, said, source))) return;
  const outcome = await question.read(path);
  if (outcome.kind === 'absent') {
    if (question.ask((session) => findFile(session, path)?.skipReason ?? null) === null)
      tally.doubts.add(`${path} could not be read`);
    return;
  }
  if (outcome.kind === 'text') {
    const found = findNames(outcome.source, names, language ?? '');
    tally.sites.push(...found.map((span) => ({ ...span, path, why: 'unparsed' as const })));
    return;
  }
  const moved = said === undefined && tally.semantics.paths.has(path) ? await realignFile(question, path) : undefined;
  if (moved !== undefined) noteMoved(tally, path, moved);
  await countTokens(tally, outcome.facts, home, said, moved?.at);
}

/** An indexer has seen it in this file, and the file is another now. */
function noteMoved({ semantics, doubts }: Tally, path: string, { lost }: RealignedFile): void {
  const gone = lost.filter((id) => semantics.family?.ids.has(id) === true).length;
  const more = gone === 0 ? '' : `, and ${gone === 1 ? '1 place is' : `${gone} places are`} lost`;
  doubts.add(`${path} has changed since it was indexed${more}`);
}

/** What an indexer has seen of it in a clean file. */
function countSeen(tally: Tally, told: Told, path: string): void {
  if (!tally.semantics.paths.has(path)) return;
  const said = tally.semantics.layer.said(path);
  const source = tally.question.source(path);
  if (said?.isClean === true && source !== undefined && tally.semantics.family?.isMerged === false)
    addIndexed(tally, told, path, said, source);
}

async function countTokens(
  tally: Tally,
  facts: FileFacts,
  home: FileFacts,
  said: SaidFile | undefined,
  moved: RealignedFile['at'] | undefined,
): Promise<void> {
  const { family, semantics, names, doubts } = tally;
  const known = family.hits.get(facts.path);
  let isConcerned = known !== undefined;
  const seen = new Set<number>();
  const hit = (found: FamilyHit, by: 'resolved' | 'syntactic') => {
    seen.add(found.start);
    const state = by === 'resolved' ? stateOf(said) : {};
    // Another name for it is one in its own file alone.
    const isSure =
      semantics.family?.isMerged !== true && (semantics.family?.isAlias !== true || facts.path === home.path);
    tally.hits.push({ ...found, path: facts.path, provenance: isSure ? by : 'syntactic', ...state });
  };
  for (const token of facts.tokens) {
    const found = known?.get(token.start);
    const says = listSaidOf(said?.at ?? moved, facts, token);
    const isSaid = says.some(({ symbolId }) => semantics.family?.ids.has(symbolId) === true);
    if (found !== undefined) {
      hit(found, isSaid ? 'resolved' : 'syntactic');
      // The subject is one thing to the compiler, and this another.
      if (!isSaid && said?.isClean === true && semantics.family?.isAlias === false && !semantics.family.isMerged)
        doubts.add('imports lead to it that the compiler does not follow');
      continue;
    }
    const [meant] = says.filter((one) => isMeant(tally, one));
    if (meant !== undefined) {
      isConcerned = true;
      const bound = facts.boundAt.get(token.start)?.role ?? facts.memberAt.get(token.start)?.access;
      const said = roleOf(meant.roles);
      const by = noteOwnVariable(tally, facts.path, meant, says) ? 'syntactic' : 'resolved';
      hit({ start: token.start, end: token.end, role: said === 'read' ? (bound ?? said) : said }, by);
      continue;
    }
    if (!names.has(token.text)) continue;
    const account = await judge(tally, facts, token, home);
    // A clean file's token that is bound to something else means that, whatever it is spelled like.
    if (said?.isClean === true && says.length > 0 && semantics.family?.isAlias === false && account !== 'hit') {
      tally.others += 1;
      if (account !== 'other' && !isAnother(tally, says)) tally.alike += 1;
      continue;
    }
    switch (account) {
      case 'hit':
        isConcerned = true;
        hit(
          { start: token.start, end: token.end, role: facts.memberAt.get(token.start)?.access ?? 'read' },
          isSaid ? 'resolved' : 'syntactic',
        );
        break;
      case 'other':
        tally.others += 1;
        break;
      case 'mention':
        tally.mentions += 1;
        noteMention(tally, facts.language, facts.source.text, token);
        break;
      default:
        isConcerned = true;
        tally.sites.push({ path: facts.path, start: token.start, end: token.end, why: account });
    }
  }
  for (const found of known?.values() ?? []) if (!seen.has(found.start)) hit(found, 'syntactic');
  for (const found of said?.isClean === true ? listClauseWords(tally, facts, said) : []) {
    if (seen.has(found.start)) continue;
    isConcerned = true;
    hit(found, 'resolved');
  }
  if (!isConcerned && facts.path !== home.path) return;
  if (facts.scopes.hasErrors) doubts.add(`parts of ${facts.path} could not be parsed`);
  if (facts.scopes.dynamic) doubts.add(`${facts.path} reaches names by their text while it runs`);
}

/** `default` in a clause of an import or export that means the subject: there the word is a name. */
function listClauseWords(tally: Tally, facts: FileFacts, said: SaidFile): readonly FamilyHit[] {
  if (tally.semantics.family?.isAlias !== false || !/\bdefault\b/.test(facts.source.text)) return [];
  const found: FamilyHit[] = [];
  for (const [byte, ones] of said.at) {
    const start = facts.toIndex(byte);
    if (!facts.source.text.startsWith('default', start) || !ones.some((one) => isKeywordOf(tally, one))) continue;
    if (findRowAt(tally.question, facts, start) === undefined) continue;
    found.push({ start, end: start + 'default'.length, role: 'import' });
  }
  return found;
}

/**
 * In scripts a `require` takes what another file exports into a variable of its own, which may become something else: a place of that
 * variable means it only as long as it does not. So it is with a property of `module.exports = { a }`, which is read under its own name, and
 * with `this.a = …` where there is an accessor `a`.
 */
function noteOwnVariable({ doubts, semantics }: Tally, path: string, meant: Said, all: readonly Said[]): boolean {
  const isHeld = ({ key }: Said) => key.startsWith('local ') || key.endsWith(':');
  if (!/\.[cm]?jsx?$/.test(path)) return false;
  const isOther = (one: Said) =>
    one.contextId === meant.contextId &&
    one.form === 'name' &&
    !declaresKey(one) &&
    (semantics.family?.ids.has(one.symbolId) !== true || isHeld(one) !== isHeld(meant));
  if (!all.some(isOther)) return false;
  doubts.add('scripts take it into variables of their own');
  return true;
}

/** Without bytes that the indexer has seen, a place is one that was moved. */
function stateOf(said: SaidFile | undefined): { readonly state?: HitState } {
  if (said === undefined) return { state: 'realigned' };
  const { freshness } = said;
  return freshness === 'stale' || freshness === 'pending_check' ? { state: freshness } : {};
}

type Account = 'hit' | 'other' | 'mention' | SiteReason;

async function judge(tally: Tally, facts: FileFacts, token: Token, home: FileFacts): Promise<Account> {
  const { family, question } = tally;
  if (token.class === 'error') return 'error';
  if (token.class !== 'code') return 'mention';
  const bound = facts.boundAt.get(token.start);
  const isMember = facts.memberAt.has(token.start) || (bound === undefined && token.role === 'property');
  if (isMember) {
    // A confined name is no member of anything; a name of a module may be one of a binding that holds the module.
    if (family.isConfined) return 'other';
    const byClause = await judgeClause(question, family, facts, token);
    if (byClause !== undefined) return byClause;
    const holder = findHolder(facts, token);
    const owner = holder === undefined ? undefined : facts.bindings[holder];
    if (holder !== undefined && owner !== undefined) {
      if (family.holders.get(bindingKey(facts.path, holder))?.has(token.text) === true) return 'hit';
      if (listHeldModules(question, facts, owner).length > 0) return 'other';
    }
    return family.isProperty ? 'member' : 'other';
  }
  if (bound === undefined) {
    // Where the scope model is complete, a name that is bound to nothing here does not mean a name that is.
    const isComplete = isJavaScript(facts.language) || facts.language === 'python';
    return family.isConfined && isComplete ? 'other' : 'unbound';
  }
  const binding = facts.bindings[bound.binding];
  if (binding === undefined) return 'unbound';
  if (binding.importOf !== undefined) {
    if (family.isConfined) return 'other';
    const row = findImportRow(question, facts, binding);
    return row === undefined ? 'import' : judgeRow(question, family, facts, row, binding.importOf.name);
  }
  return mayMerge(family, facts, bound.binding, home) ? 'merge' : 'other';
}

/** A name in an import or re-export clause that the family does not have: whose is it? */
async function judgeClause(
  question: Question,
  family: Family,
  facts: FileFacts,
  token: Token,
): Promise<Account | undefined> {
  const row = findRowAt(question, facts, token.start);
  if (row === undefined || !['import', 'from', 'reexport'].includes(row.kind)) return undefined;
  return judgeRow(question, family, facts, row, token.text);
}

async function judgeRow(
  question: Question,
  family: Family,
  facts: FileFacts,
  row: NonNullable<ReturnType<typeof findRowAt>>,
  name: string,
): Promise<Account> {
  // A package outside declares its own; only what is declared for such a package in here could be meant.
  if (row.targets.length === 0) return row.reason === 'external' && family.exports.size > 0 ? 'other' : 'import';
  if (name === '*') return 'other';
  const { endings, doubts } = await followRow(question, facts, row, name);
  const isElsewhere = (ending: Ending) =>
    ending.kind !== 'outside' &&
    !(ending.kind === 'binding' && family.bindings.has(bindingKey(ending.path, ending.binding)));
  return endings.length > 0 && endings.every(isElsewhere) && doubts.length === 0 ? 'other' : 'import';
}

/** Declarations that another file may add to: global ones, those of namespaces and of modules that are declared from elsewhere. */
function mayMerge(family: Family, facts: FileFacts, at: number, home: FileFacts): boolean {
  if (family.isConfined || !isJavaScript(facts.language)) return false;
  const binding = facts.bindings[at];
  const kind = facts.scopes.scopes[binding?.scope ?? 0]?.kind;
  if (kind === 'global') return true;
  if (facts.path === home.path) return false;
  return kind === 'namespace' || (kind === 'module' && !facts.scopes.isModule);
}

// ---- the tally: what was counted so far, what it is counted by, and what a name that an indexer has bound means to it

/** Why lexical scope does not say what a token means. */
export const siteReasons = {
  member: 'it is a member, `value.name`, of something whose type is not known',
  unbound:
    'no scope of its file declares it: it may come from elsewhere, by a global, another file of the package or a wildcard import',
  import: 'it comes by an import that could not be followed to its end',
  merge:
    'its own file declares it, where another file may add to the same declaration: global, or in a namespace or a declared module',
  error: 'it stands in a part of the file that could not be parsed',
  unparsed: 'its file was read and not parsed: too large, or the parser gave up',
  code_in_text: 'it stands in a file of another language that holds code of this one, and is searched as text',
} as const;
type SiteReason = keyof typeof siteReasons;

type Site = { readonly path: string; readonly start: number; readonly end: number; readonly why: SiteReason };

/** `resolved`: an indexer binds it there. `state`: what it knew is not known to hold any more. */
export type CensusHit = FamilyHit & {
  readonly path: string;
  readonly provenance: 'resolved' | 'syntactic';
  readonly state?: HitState;
};
export const hitStates = ['realigned', 'stale', 'pending_check'] as const;
type HitState = (typeof hitStates)[number];

/** What indexers know of the subject, and of everything else. */
export type Semantics = {
  readonly layer: SemanticLayer;
  /** Undefined: they know nothing of the subject. */
  readonly family: SemanticFamily | undefined;
  /** Files in which they have seen it. */
  readonly paths: ReadonlySet<string>;
};

type Tally = {
  readonly question: Question;
  family: Family;
  readonly semantics: Semantics;
  /** Of the family, by either layer. */
  readonly names: ReadonlySet<string>;
  readonly hits: CensusHit[];
  readonly sites: Site[];
  readonly doubts: Set<string>;
  others: number;
  /** Of the others, those that a union, or an object that fits both, may join to the subject. */
  alike: number;
  mentions: number;
  foreign: number;
  /** Under which other names files that were told of pass it on. */
  readonly aliases: Set<string>;
  /** It is also passed on without a name: as a default, or as all of a module. */
  isNameless: boolean;
};

/**
 * Does it certainly mean something else? Members and locals may be one with others by structure, which no symbol says; and what has no
 * definition (a linked folder, a build output) may be anything.
 */
function isAnother({ semantics: { family, layer } }: Tally, ones: readonly Said[]): boolean {
  if (family?.isPlain !== true || ones.length === 0) return false;
  return ones.every((one) => isPlainKey(one.key) && layer.isSettled(one));
}

/** Is this occurrence one of the subject's? A question about a class is not about the word `constructor`. */
function isMeant(tally: Tally, said: Said): boolean {
  const { family } = tally.semantics;
  return family?.isAlias === false && family.ids.has(said.symbolId) && !isKeywordOf(tally, said);
}

/** A word of the language that stands for the subject here, which was not asked for at such a word. */
function isKeywordOf({ semantics: { family } }: Tally, { symbolId, form }: Said): boolean {
  return form === 'keyword' && family?.isKeyword === false && family.ids.has(symbolId);
}

// ---- files that indexers have told all about: clean ones in which every token of the name is bound, or stands in a comment or a string.
// They need neither scopes nor a parser, and one question to the store is about all of them.

/** Of a file, all that is said of the names, and of the subject's symbols under whatever name. */
type Told = (path: string) => readonly NamedOccurrence[];

/** Asked for all files at once, and not before one of them is to be counted. */
function createTold({ question, semantics: { family }, names }: Tally): Told {
  let byPath: ReadonlyMap<string, readonly NamedOccurrence[]> | undefined;
  return (path) => {
    if (family === undefined) return [];
    byPath ??= Map.groupBy(
      question.ask((session) => listOccurrencesNamed(session, names, family.isAlias ? [] : family.ids)),
      (one) => one.path,
    );
    return byPath.get(path) ?? [];
  };
}

/** Counts a clean file; false, and nothing is counted: this one must be looked at. */
async function countIndexed(
  tally: Tally,
  told: Told,
  path: string,
  said: SaidFile,
  source: SourceText,
): Promise<boolean> {
  if (tally.semantics.family?.isMerged === true || mayRespell(source, 'typescript') || mayRun(path, source.text))
    return false;
  const offsets = createTextOffsets(source.text, source);
  const named = said.place(told(path));
  const isDefault = ({ start, end }: Said) => source.bytes.toString('latin1', start, end) === 'default';
  // A word of the language that stands for it in a clause: scope tells those from others.
  if ([...named.values()].some((ones) => ones.some((one) => isKeywordOf(tally, one) && isDefault(one)))) return false;
  const classOf = createClassOf(source.text, path);
  const open: TextSpan[] = [];
  let bound = 0;
  for (const span of findPlainNames(source.text, tally.names)) {
    const [start, end] = [offsets.toByte(span.start), offsets.toByte(span.end)];
    const isHere = (one: Said) => one.end === end;
    const called = named.get(start)?.filter(isHere) ?? [];
    const isOurs = called.some((one) => isMeant(tally, one));
    // What has another name may be called so here, but in prose.
    const isProse = called.length === 0 && classOf(span.start) === 'comment';
    const ones = isOurs || isProse ? [] : said.startingAt(start).filter(isHere);
    if (isOurs || isAnother(tally, ones)) bound += 1;
    else if (ones.length === 0) open.push(span);
    else return false;
  }
  if (open.length > 0) {
    const mentions = await listMentions(tally.question, path, source, open, classOf);
    if (mentions === undefined) return false;
    for (const mention of mentions) noteMention(tally, mention.language, source.text, mention);
    tally.mentions += mentions.length;
  }
  tally.others += bound - addHits(tally, path, said, named, source, offsets);
  return true;
}

/** Hits of a clean file, without looking at anything else in it. */
function addIndexed(tally: Tally, told: Told, path: string, said: SaidFile, source: SourceText): void {
  const offsets = createTextOffsets(source.text, source);
  addHits(tally, path, said, said.place(told(path)), source, offsets);
}

/** What is run from text can mean any name of its scope; a scope model says where that is. */
function mayRun(path: string, text: string): boolean {
  return /\beval\s*\(/.test(text) || (!/\.[cm]?tsx?$/.test(path) && /\bwith\s*\(/.test(text));
}

/** What stands at an index; undefined where only a parser can tell. */
type ClassOf = (index: number) => TokenClass | undefined;

function createClassOf(text: string, path: string): ClassOf {
  let stretches: readonly Stretch[] | 'unread' | undefined = 'unread';
  return (index) => {
    if (stretches === 'unread') stretches = scanScript(text, !/\.[cm]?ts$/.test(path));
    return stretches === undefined ? undefined : classIn(stretches, index);
  };
}

/** Undefined: one of them is code, or it cannot be told. */
async function listMentions(
  question: Question,
  path: string,
  source: SourceText,
  spans: readonly TextSpan[],
  classOf: ClassOf,
) {
  const language = scriptLanguageOf(question.file(path), source);
  if (language === undefined) return undefined;
  const scanned = spans.map(({ start }) => classOf(start));
  const classes = scanned.includes(undefined) ? await parseClasses(path, language, source.text, spans) : scanned;
  const isMention = (one: TokenClass | undefined) => one === 'comment' || one === 'string' || one === 'regex';
  if (!classes.every(isMention)) return undefined;
  return spans.map((span, at) => ({ ...span, class: classes[at] as TokenClass, language }));
}

async function parseClasses(path: string, language: string, text: string, spans: readonly TextSpan[]) {
  const { classAt } = await import('../../languages/tokens.ts');
  return withSourceTree(path, language, text, (tree) => spans.map(({ start }) => classAt(tree, language, start)));
}

/** How many of the hits bear one of the names. */
function addHits(
  tally: Tally,
  path: string,
  said: SaidFile,
  named: ReadonlyMap<number, readonly Said[]>,
  source: SourceText,
  offsets: TextOffsets,
): number {
  const written = new Set<string>();
  let count = 0;
  for (const [byte, ones] of named) {
    const [found] = ones.filter((one) => isMeant(tally, one));
    if (found === undefined) continue;
    const start = indexOfByte(byte, source.text, offsets);
    const end = indexOfByte(found.end, source.text, offsets);
    // A variable under another name is not among those that were asked for.
    const all = found.form === 'alias' ? said.startingAt(byte) : ones;
    const provenance = noteOwnVariable(tally, path, found, all) ? 'syntactic' : 'resolved';
    tally.hits.push({ path, start, end, role: roleOf(found.roles), provenance });
    const text = source.text.slice(start, end);
    written.add(text);
    if (tally.names.has(text)) count += 1;
  }
  if (written.size > 0) notePublicNames(tally, path, written);
  return count;
}

/** An importer of this file may know it by another name, and has none to be found by if that is `default`. */
function notePublicNames(tally: Tally, path: string, written: ReadonlySet<string>): void {
  for (const { publicName, localName } of tally.question.exports(path)) {
    const isNameless = publicName === 'default' || publicName === '=';
    if (isNameless) tally.isNameless ||= localName === null || written.has(localName);
    else if (written.has(publicName)) tally.aliases.add(publicName);
  }
}

/** Doubts that a mention brings: strings that stand where a name could, and documentation that compilers read. */
function noteMention(
  tally: Tally,
  language: string,
  text: string,
  token: Pick<Token, 'start' | 'end' | 'class' | 'role'>,
): void {
  if (token.class === 'comment' && isJavaScript(language)) {
    // In documentation there may stand `text/*` as well, and no end of a comment.
    const open = text.indexOf('/**', text.lastIndexOf('*/', token.start) + 1);
    const isDocumentation = open >= 0 && open < token.start && text.slice(open, open + 5_000).includes('@');
    if (isDocumentation) tally.doubts.add('documentation comments name it');
  }
  if (token.class !== 'string') return;
  if (!isJavaScript(language)) {
    // Format strings, annotations in quotes, `compact('x')`: what a string names is known to the language and not to us.
    const isCertain = token.role === 'docstring' || (tally.family.isConfined && language === 'python');
    if (!isCertain) tally.doubts.add('strings that could name it');
    return;
  }
  if (tally.family.isConfined) return;
  const quote = text[token.start - 1] ?? '';
  if (!/['"`]/.test(quote) || text[token.end] !== quote) return;
  const before = text.slice(Math.max(0, token.start - 60), token.start - 1);
  const after = text.slice(token.end + 1, token.end + 20);
  const isKey = /^\s*[:\]]/.test(after) || /^\s*(?:as|in)\b/.test(after) || /\bas\s*$/.test(before);
  const isNamed = /\bdefineProperty\s*\([^()]*$/.test(before);
  if (isKey || isNamed) tally.doubts.add('strings that could name it');
}
