/**
 * Where a name is used (code-plane.md §9): references by lexical scope and resolved imports, and apart from them every other token of
 * that spelling that could be one. T14: the count is `eq` only if nothing unresolved, unread or cut off could add to it.
 */

import { familyOf, isJavaScript } from '../../languages/language-family.ts';
import { listUnsearchableFiles } from '../store/stored-files.ts';
import { listUnresolvedImports } from '../store/stored-imports.ts';
import { listDefinitionsOf } from '../store/stored-occurrences.ts';
import { countDifferences } from '../sync/find-differences.ts';
import { type Census, type CensusHit, classifyTokens, type Scope, type Semantics } from './census.ts';
import { findRowAt } from './follow-exports.ts';
import { type Lacking, sayLacking } from './lacking.ts';
import { collectFamily, type Family, isConfinedBinding, listKindDoubts, listPublicNames } from './name-family.ts';
import type { Question } from './question.ts';
import { type FileFacts, readScopeFacts, type ScopeFacts, scriptLanguageOf } from './read-file-facts.ts';
import { realignFile } from './realign.ts';
import { collectSemanticFamily, listFamilyOccurrences, listSaidOf } from './semantic-layer.ts';
import { bindingKey, type Subject } from './subject.ts';

export type References = Omit<Census, 'family'> & {
  readonly name: string;
  /** Why there may be more references than hits; empty: there are none. */
  readonly doubts: readonly string[];
  readonly certainty: Certainty;
  readonly lacking: Lacking;
};

/**
 * The axis beside freshness (code-plane.md §8): is it known which places mean it? `ambiguous`: no, and no indexer would tell, for the files
 * concerned are clean. `unknown`: no, and one that looks at them again may.
 */
export const certainties = ['certain', 'ambiguous', 'unknown'] as const;
type Certainty = (typeof certainties)[number];

export async function findReferences(question: Question, subject: Subject): Promise<References> {
  const home = subject.facts;
  const semantics = await findSemantics(question, subject);
  const scope = await chooseScope(question, subject, semantics);
  const census = await classifyTokens(question, scope, home, semantics);
  const { family } = census;
  const doubts = new Set([...family.doubts, ...census.doubts, ...question.doubts()]);
  for (const doubt of semantics.family?.doubts ?? []) doubts.add(doubt);
  const isTyped = semantics.family !== undefined && semantics.layer.said(home.path)?.isClean === true;
  if (subject.kind === 'name' && !isTyped) doubts.add('what it means is not known without types');
  else if (subject.kind === 'binding') addSubjectDoubts(subject, doubts);
  if (!family.isConfined) addRepositoryDoubts(question, family, home, doubts);
  if (census.sites.length > 0) doubts.add(describeSites(census));
  if (census.truncated) doubts.add('the question ran out of time or files');
  const lacking = question.lacking();
  // A local is known by scope, and no other file can mean it.
  if (lacking.paths.length > 0 && !(family.isConfined && doubts.size === 0)) doubts.add(sayLacking(lacking));
  const { family: _, ...counted } = census;
  const certainty = doubts.size === 0 ? 'certain' : isAllClean(question, home, census) ? 'ambiguous' : 'unknown';
  return { ...counted, name: subject.token.text, doubts: [...doubts], certainty, lacking };
}

/** Of the files that have it, could mean it, or differ from what was indexed. */
function isAllClean({ view, semantic }: Question, home: FileFacts, { hits, sites, truncated }: Census): boolean {
  if (truncated || countDifferences(view.differences) > 0) return false;
  const { states } = semantic();
  const concerned = new Set([home, ...hits, ...sites].map(({ path }) => path));
  return [...concerned].every((path) => states.of(path).freshness === 'clean');
}

/** Where indexers tell what the subject is and where, imports and exports are followed only for the files that they do not know. */
async function chooseScope(question: Question, subject: Subject, semantics: Semantics): Promise<Scope> {
  if (subject.kind === 'name') return { family: emptyFamily(subject.token.text) };
  const grow = async (isTold?: (path: string) => boolean) =>
    withComputedImports(question, await collectFamily(question, subject, isTold), subject.facts);
  const declared = await findDeclared(question, subject, semantics);
  return declared === undefined ? { family: await grow() } : { family: declared, grow };
}

/** What indexers say stands at the subject's token, or said before the file changed, and where else they have seen that. */
async function findSemantics(question: Question, subject: Subject): Promise<Semantics> {
  const { facts, token } = subject;
  const layer = question.semantic();
  const said = layer.said(facts.path)?.at ?? (await realignFile(question, facts.path)).at;
  const here = listSaidOf(said, facts, token);
  return question.ask((session) => {
    const found = collectSemanticFamily(session, layer, here, isOwnName(subject));
    // At the word itself another name for it is meant, as at `b` of `a as b`, and the word does not say which.
    const merged = found !== undefined && token.text === 'default' ? { ...found, isMerged: true } : found;
    const family =
      merged !== undefined && isStar(subject) && here.some(({ key }) => !key.startsWith('local '))
        ? { ...merged, doubts: [...merged.doubts, 'it stands for what a module is assigned as a whole (export =)'] }
        : merged;
    const seen = family === undefined || family.isAlias ? [] : listFamilyOccurrences(session, layer, family);
    return { layer, family, paths: new Set(seen.map(({ path }) => path)) };
  });
}

/** `import a from './a'` names what `./a` calls default, and not what that happens to be called there; `* as a` names all of it. */
function isOwnName(subject: Subject): boolean {
  const binding = subject.kind === 'binding' ? subject.facts.bindings[subject.binding] : undefined;
  if (['default', '*', '='].includes(binding?.importOf?.name ?? '')) return true;
  return binding?.declarations.some(({ start }) => isRequired(subject.facts, start)) === true;
}

/** `import * as a`. Indexers see a local there, or the one thing that the module is assigned, which other files have too. */
function isStar(subject: Subject): boolean {
  return subject.kind === 'binding' && subject.facts.bindings[subject.binding]?.importOf?.name === '*';
}

/** `const { f } = require('./a')`: a variable of its own, which takes over the value of a property. */
function isRequired({ language, source: { text } }: FileFacts, at: number): boolean {
  if (language !== 'javascript') return false;
  const end = text.indexOf('\n', at);
  return /=\s*require\s*\(/.test(text.slice(at, Math.min(end < 0 ? text.length : end, at + 500)));
}

/** An import of a computed name may load any module, and pass it on. */
function withComputedImports(question: Question, family: Family, home: FileFacts): Family {
  if (family.exports.size === 0 || family.isProperty) return family;
  const { code } = familyOf(home.language);
  const isComputed = question.ask((session) =>
    listUnresolvedImports(session).some(
      ({ reason, language }) => reason === 'dynamic' && language !== null && code.includes(language),
    ),
  );
  return isComputed ? { ...family, isProperty: true } : family;
}

/** Without a binding: everything of that name is only spelled alike. */
function emptyFamily(name: string): Family {
  return {
    name,
    hits: new Map(),
    bindings: new Set(),
    exports: new Set(),
    names: new Set([name]),
    holders: new Map(),
    isConfined: false,
    isProperty: true,
    doubts: new Set(),
  };
}

function describeSites({ sites }: Census): string {
  const files = new Set(sites.map(({ path }) => path)).size;
  const count = sites.length === 1 ? '1 place' : `${sites.length} places`;
  return `${count} in ${files === 1 ? '1 file' : `${files} files`} could mean it`;
}

/** One token may mean two things at once: a shorthand is a variable and a property. */
function addSubjectDoubts({ facts, binding, token }: Subject & { kind: 'binding' }, doubts: Set<string>): void {
  const found = facts.bindings[binding];
  if (found === undefined) return;
  const isProperty =
    facts.memberAt.has(token.start) || found.declarations.some(({ start }) => facts.memberAt.has(start));
  if (isProperty) doubts.add('it is also the name of a property');
  if (found.declarations.some(({ start }) => isRequired(facts, start)))
    doubts.add('it is a variable of its own that stands for what another file exports');
  if (facts.language === 'c' || facts.language === 'cpp') doubts.add('macros may name it');
  if (!isJavaScript(facts.language)) return;
  if (found.kind === 'import' && found.importOf === undefined) doubts.add('it is another name for something else');
  if (found.kind === 'arguments') doubts.add('the language declares it');
}

function addRepositoryDoubts(question: Question, family: Family, home: FileFacts, doubts: Set<string>): void {
  const { code, holders } = familyOf(home.language);
  const differing = countDifferences(question.view.differences);
  if (differing > 0) doubts.add(`${differing === 1 ? '1 file' : `${differing} files`} on disk differ from the index`);
  const isKin = (language: string | null, path: string) =>
    (language !== null && code.includes(language)) || holders?.test(path) === true;
  const { imports, unread } = question.ask((session) => ({
    imports: listUnresolvedImports(session).filter(({ language, path }) => isKin(language, path)),
    // A NUL byte makes a binary of what compilers still read as code.
    unread: listUnsearchableFiles(session).filter(({ language, path }) => isKin(language, path)),
  }));
  const [first] = unread;
  if (first !== undefined)
    doubts.add(`${unread.length === 1 ? first.path : `${unread.length} files`} could not be read`);
  if (family.exports.size === 0) return;
  if (imports.some(({ reason }) => reason === 'dynamic')) doubts.add('some imports are computed when the program runs');
  const hasDefault = [...family.exports].some((key) => key.endsWith('\0default'));
  const mayMean = imports.some(({ reason, specifier }) => reason === 'ambiguous' || !specifier.startsWith('.'));
  if (hasDefault && mayMean) doubts.add('some imports lead to no file that is known');
}

// ---- the declaration of a subject, where indexers tell which it is: enough of its family for all files that they have told of, without
// following a single import. Undefined where scope has to be asked: other languages, names that stay in their file, scripts that share
// one scope, and what the two layers do not see alike.

/** More than these are no declaration that a person wrote. */
const maxDefinitions = 20;

async function findDeclared(
  question: Question,
  { facts: home, token }: Subject,
  { layer, family: told }: Semantics,
): Promise<Family | undefined> {
  if (told === undefined || told.isAlias || told.isMerged || !told.isPlain || told.isKeyword) return undefined;
  if (!isJavaScript(home.language) || layer.said(home.path)?.isClean !== true) return undefined;
  const places = question
    .ask((session) => listDefinitionsOf(session, told.ids))
    .filter((place) => layer.isLive(place) && place.form === 'name');
  if (places.length === 0 || places.length > maxDefinitions) return undefined;
  const family = { bindings: new Set<string>(), exports: new Set<string>(), names: new Set([token.text]) };
  const doubts = new Set<string>();
  for (const { path, start } of places) {
    const facts = await question.facts(path);
    const bound = facts?.boundAt.get(facts.toIndex(start));
    const binding = bound === undefined ? undefined : facts?.bindings[bound.binding];
    if (facts === undefined || bound === undefined || binding === undefined) return undefined;
    if (!facts.isIndexed || !facts.scopes.isModule || binding.importOf !== undefined) return undefined;
    if (facts.scopes.scopes[binding.scope]?.kind !== 'module' || isConfinedBinding(question, facts, bound.binding))
      return undefined;
    family.bindings.add(bindingKey(path, bound.binding));
    family.names.add(binding.name);
    for (const name of listPublicNames(question, facts, binding)) {
      family.exports.add(`${path}\0${name}`);
      if (name !== 'default' && name !== '=') family.names.add(name);
    }
    for (const doubt of listKindDoubts(question, facts, binding)) doubts.add(doubt);
  }
  return {
    ...family,
    name: token.text,
    hits: new Map(),
    holders: new Map(),
    isConfined: false,
    isProperty: false,
    doubts,
  };
}

/** What scope knows of a use that indexers only call a read or a write: that it is a type, an export, both at once. For what is shown. */
export async function refineRoles(question: Question, hits: readonly CensusHit[]): Promise<readonly CensusHit[]> {
  const known = new Map<string, ScopeFacts | undefined>();
  const refined: CensusHit[] = [];
  for (const hit of hits) {
    const isVague = hit.provenance === 'resolved' && (hit.role === 'read' || hit.role === 'write');
    if (isVague && !known.has(hit.path)) known.set(hit.path, await readScopes(question, hit.path));
    const facts = isVague ? known.get(hit.path) : undefined;
    refined.push({ ...hit, role: (facts && findRole(question, facts, hit.start)) ?? hit.role });
  }
  return refined;
}

async function readScopes(question: Question, path: string): Promise<ScopeFacts | undefined> {
  if (question.isRead(path)) return question.facts(path);
  const source = question.source(path);
  const language = source === undefined ? undefined : scriptLanguageOf(question.file(path), source);
  return source === undefined || language === undefined ? undefined : readScopeFacts(path, language, source);
}

function findRole(question: Question, facts: ScopeFacts, start: number): CensusHit['role'] | undefined {
  const bound = facts.boundAt.get(start);
  if (bound?.role === 'definition') return facts.bindings[bound.binding]?.importOf === undefined ? undefined : 'import';
  // The name in a clause is taken from elsewhere, also where `export { a } from './b'` passes it on.
  const names = findRowAt(question, facts, start)?.names ?? [];
  if (names.some((entry) => entry.start === facts.toByte(start))) return 'import';
  return bound?.role ?? facts.memberAt.get(start)?.access;
}
