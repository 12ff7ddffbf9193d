/**
 * Reasons to doubt that no token shows (mutation.md §2.6): names that are reached by their text while the program runs, bases that cannot
 * be listed, frameworks that call by name, data that carries the names of fields, files that cannot be read, and what an indexer leaves
 * open. Each is an item at the place that raises it.
 */

import type { Question } from '../../../index/navigate/question.ts';
import type { FileFacts } from '../../../index/navigate/read-file-facts.ts';
import { listSaidOf } from '../../../index/navigate/semantic-layer.ts';
import { listSitesOfFile, listUnsearchableFiles } from '../../../index/store/stored-files.ts';
import { listItemsOfSymbol } from '../../../index/store/stored-items.ts';
import { listDefinitionsOf, listOccurrencesOf } from '../../../index/store/stored-occurrences.ts';
import { findSymbolByKey, listSemanticSymbolsNamed } from '../../../index/store/stored-symbols.ts';
import { quotedPath } from '../../../kernel/base/text.ts';
import type { TextSpan } from '../../../languages/facts.ts';
import { familyOf } from '../../../languages/language-family.ts';
import type { CodeSpan, CompilerEdit, ItemDraft } from '../../compiler/session/messages.ts';
import { listFilesHolding } from '../../proof/lexical-proofs.ts';
import type { ItemKind } from '../../vocabulary.ts';
import { holdsBytes } from '../names-in-text.ts';
import { indexAt } from './index-clashes.ts';
import type { Target } from './index-target.ts';
import { type FamilySymbol, isMemberKey, ownerKey, type SymbolFamily } from './symbol-family.ts';
import { type Counting, item } from './token-census.ts';

type Doubting = {
  readonly question: Question;
  readonly language: string;
  readonly oldName: string;
  readonly newName: string;
  readonly isMember: boolean;
  readonly family: SymbolFamily | undefined;
  /** Where it is defined: the names. */
  readonly definitions: readonly CodeSpan[];
  /** Files that define or use it. */
  readonly uses: readonly string[];
};

export async function findDoubts(doubting: Doubting): Promise<readonly ItemDraft[]> {
  const { language } = doubting;
  const own =
    language === 'python'
      ? await pythonDoubts(doubting)
      : language === 'go'
        ? await goDoubts(doubting)
        : javascriptDoubts(doubting);
  return own;
}

/** One item a file: who accepts one such site accepts its neighbours. */
function siteItems(
  { question, uses }: Doubting,
  isMeant: (site: { readonly kind: string; readonly name: string | null }, text: string) => boolean,
): ItemDraft[] {
  const items: ItemDraft[] = [];
  for (const path of uses) {
    const source = question.source(path);
    if (source === undefined || question.file(path)?.contentHash == null) continue;
    const sites = question.ask((session) => listSitesOfFile(session, path));
    const decode = (from: number, to: number) => source.bytes.subarray(from, to).toString('utf8');
    const found = sites.filter((site) => site.name === null && isMeant(site, decode(site.start, site.end)));
    const [first] = found;
    if (first === undefined) continue;
    const start = decode(source.bom ? 3 : 0, first.start).length;
    const end = start + decode(first.start, first.end).length;
    const more = found.length === 1 ? '' : `, and ${found.length - 1} more in this file`;
    items.push(
      item(path, { start, end }, 'dynamic_access', `it reaches for a name that is made while the program runs${more}`),
    );
  }
  return items;
}

const reflectivePython = /^(?:eval|exec|globals|vars|locals)$/;

/** Bases of which every member is known, and none is a plain name. */
const plainBases = /(?:^| )(?:builtins\/object#|abc\/ABC#|typing\/(?:Generic|Protocol)#|typing_extensions\/Protocol#)$/;

async function pythonDoubts(doubting: Doubting): Promise<readonly ItemDraft[]> {
  const { question, isMember, family, definitions, uses } = doubting;
  const items = siteItems(doubting, ({ kind }, text) => {
    if (kind === 'eval') return true;
    if (kind === 'getattr' || kind === 'computed_member') return isMember || !/^\w+\(\s*self\s*,/.test(text);
    return kind === 'reflection';
  });
  const asked = new Set(items.map(({ path }) => path));
  for (const path of uses) {
    if (asked.has(path)) continue;
    const facts = await question.facts(path);
    const call =
      facts === undefined ? undefined : findReflective(facts, isMember ? /^(?:eval|exec)$/ : reflectivePython);
    if (call !== undefined) items.push(item(path, call, 'dynamic_access', `${call.text} may reach it by its name`));
  }
  const [first] = definitions;
  if (first === undefined) return items;
  const unknown = (family?.outsideBases ?? []).filter((key) => !plainBases.test(key));
  if (isMember && unknown.length > 0) {
    const shown = unknown
      .map((key) => key.slice(key.lastIndexOf(' ') + 1))
      .slice(0, 3)
      .join(', ');
    items.push(
      item(
        first.path,
        first,
        'unknown_inherited',
        `its class inherits from ${shown}, whose members are not known here`,
      ),
    );
  }
  for (const definition of definitions) {
    const convention = await pythonConvention(doubting, definition);
    if (convention !== undefined) items.push(item(definition.path, definition, 'convention_name', convention));
  }
  return items;
}

/** Calls that reach names by their text, inside a part of the file. */
function findReflective(facts: FileFacts, names: RegExp, within?: TextSpan) {
  return facts.tokens.find(
    (token) =>
      token.class === 'code' &&
      names.test(token.text) &&
      facts.unboundAt.has(token.start) &&
      (within === undefined || (within.start <= token.start && token.end <= within.end)) &&
      /^\s*\(/.test(facts.source.text.slice(token.end, token.end + 20)),
  );
}

async function pythonConvention(
  { question, oldName, newName }: Doubting,
  { path, start }: CodeSpan,
): Promise<string | undefined> {
  const text = question.source(path)?.text ?? '';
  const head = text.slice(Math.max(0, start - 2_000), start);
  const above = /((?:^|\n)[ \t]*@[^\n]*(?:\n[^\n@]*)*?)\n?[ \t]*(?:async\s+)?(?:def|class)\s+$/.exec(head)?.[1] ?? '';
  if (/@(?:pytest\.)?fixture\b/.test(above)) return 'tests ask for a fixture by its name as a parameter';
  const isTest = /(?:^|\/)(?:test_[^/]*|[^/]*_test|conftest)\.py$/.test(path) && /^(?:test|Test)/.test(oldName);
  if (isTest && !/^(?:test|Test)/.test(newName)) return 'the test runner finds it by its name';
  if (/^(?:setUp|tearDown|setUpClass|tearDownClass|setup_method|teardown_method)$/.test(oldName))
    return 'the test runner calls it by its name';
  return undefined;
}

/** Standard packages that read or write fields by their names. */
const encodings =
  /^(?:encoding\/(?:json|xml|gob)|text\/template|html\/template)$|(?:^|\/)(?:yaml|toml|json|bson|mapstructure)(?:\.v\d+)?$/;

async function goDoubts(doubting: Doubting): Promise<readonly ItemDraft[]> {
  const { question, oldName, newName, isMember, definitions } = doubting;
  const isExported = (name: string) => /^\p{Lu}/u.test(name);
  const isSeen = isExported(oldName) || isExported(newName);
  const items = isMember && isSeen ? siteItems(doubting, ({ kind }) => kind === 'reflection') : [];
  for (const definition of definitions) {
    const { path, start, end } = definition;
    const text = question.source(path)?.text ?? '';
    const line = text.slice(end, text.indexOf('\n', end) < 0 ? text.length : text.indexOf('\n', end));
    const head = text.slice(text.lastIndexOf('\n', start) + 1, start);
    // The names of what is embedded are left out of data.
    const isEmbedded = /^\s*\*?(?:\w+\.)?$/.test(head) && /^\s*(?:\/\/.*)?$/.test(line);
    const isField = isMember && !/^\s*\(/.test(line) && !/\b(?:func|type)\b/.test(head) && !isEmbedded;
    const user = isField && isSeen && !line.includes('`') ? findEncoding(question) : undefined;
    if (user !== undefined)
      items.push(
        item(
          path,
          definition,
          'untyped_boundary',
          `the field has no tag, and ${user} reads or writes fields by their names`,
        ),
      );
    const prefix = /^(?:Test|Benchmark|Example|Fuzz)/.exec(oldName)?.[0];
    if (path.endsWith('_test.go') && prefix !== undefined && !newName.startsWith(prefix) && !isMember)
      items.push(item(path, definition, 'convention_name', 'go test finds it by its name'));
  }
  return items;
}

function findEncoding(question: Question): string | undefined {
  const paths = new Set(
    ['json', 'xml', 'gob', 'yaml', 'toml', 'template', 'bson', 'mapstructure'].flatMap((name) =>
      listFilesHolding(question, name),
    ),
  );
  for (const path of [...paths].sort())
    if (
      question.file(path)?.language === 'go' &&
      question.imports(path).some(({ specifier }) => encodings.test(specifier))
    )
      return path;
  return undefined;
}

function javascriptDoubts(doubting: Doubting): readonly ItemDraft[] {
  return siteItems(
    doubting,
    ({ kind }) => kind === 'eval' || (doubting.isMember && (kind === 'computed_member' || kind === 'reflection')),
  );
}

// Doubts about names rather than about members: `eval` around a local, unreadable files, what an import left open, owners of the new name.

/** Where text becomes code inside the scope of a name, the name may be in that text. */
export async function findConfinedDoubts({ facts, binding }: Target): Promise<readonly ItemDraft[]> {
  const { scopes, dynamic } = facts.scopes;
  const own = facts.bindings[binding ?? -1];
  const scope = scopes[own?.scope ?? -1];
  if (own === undefined || scope === undefined || !dynamic) return [];
  const isPython = facts.language === 'python';
  const isImport = own.importOf !== undefined;
  const call = findReflective(
    facts,
    isPython && !isImport
      ? /^(?:eval|exec|locals|vars)$/
      : /^(?:eval|exec|globals|vars|Function|compact|extract|binding|instance_eval)$/,
    scope,
  );
  if (call !== undefined) return [item(facts.path, call, 'dynamic_access', `${call.text} may reach it by its name`)];
  // A star import makes a Python file dynamic, and says nothing about locals.
  if (isPython) return [];
  const [first] = own.declarations;
  return first === undefined
    ? []
    : [item(facts.path, first, 'dynamic_access', 'something in its scope reaches names by their text')];
}

/** Files of the language that are too large or oddly encoded for the index, and hold the name. */
export function findUnreadable(question: Question, language: string, name: string): readonly ItemDraft[] {
  const { code } = familyOf(language);
  const files = question.ask(listUnsearchableFiles);
  return files
    .filter((file) => file.language !== null && code.includes(file.language) && file.reason !== 'secret')
    .filter(({ path, reason }) => reason === 'unreadable' || holdsBytes(question.view.root, path, name) !== 'no')
    .map(({ path, reason }) =>
      item(
        path,
        { start: 0, end: 0 },
        'unreadable_file',
        `${quotedPath(path)} is not read (${reason}) and may name it`,
      ),
    );
}

const asked: ReadonlySet<string> = new Set<ItemKind>(['indexer_gap', 'dist_boundary']);

/** What the import of the indexer's output could not place. */
export function findStoredDoubts(
  question: Question,
  symbols: readonly FamilySymbol[],
  edits: readonly CompilerEdit[],
): readonly ItemDraft[] {
  const { isLive } = question.semantic();
  const planned = new Set(edits.map(({ path, start }) => `${path}\0${start}`));
  const items: ItemDraft[] = [];
  for (const { id } of symbols)
    for (const stored of question.ask((session) => listItemsOfSymbol(session, id)).filter(isLive)) {
      const source = asked.has(stored.kind) ? question.source(stored.path) : undefined;
      if (source === undefined) continue;
      const from = source.bom ? 3 : 0;
      const start = source.bytes.subarray(from, stored.start).toString('utf8').length;
      const end = start + source.bytes.subarray(stored.start, stored.end).toString('utf8').length;
      if (planned.has(`${stored.path}\0${start}`)) continue;
      items.push(item(stored.path, { start, end }, stored.kind, stored.detail));
    }
  return items;
}

/**
 * The fresh-name proof has failed for a member: who already asks something for a member of the new name might then be asking for this
 * one. What an indexer binds to a known member of another type is no such thing, except in Go, where an interface is satisfied by having
 * the methods and an embedding type hides what it embeds.
 */
export async function findNewNameDoubts(
  { question, newName }: Counting,
  paths: readonly string[],
  family: SymbolFamily | undefined,
  language: string,
): Promise<readonly ItemDraft[]> {
  const layer = question.semantic();
  const items: ItemDraft[] = [];
  for (const path of paths) {
    const facts = await question.facts(path);
    const said = layer.said(path);
    for (const token of facts?.tokens ?? []) {
      if (facts === undefined || token.text !== newName || token.class !== 'code') continue;
      if (!facts.memberAt.has(token.start) && token.role !== 'property') continue;
      const says = listSaidOf(said?.at, facts, token);
      const isKnown = said?.isClean === true && says.length > 0 && says.every((one) => layer.isSettled(one));
      const isGoMember = language === 'go' && says.some(({ key }) => isMemberKey(key)) && family !== undefined;
      if (isKnown && !isGoMember) continue;
      const why = isGoMember
        ? `another type has a member ${newName}: interfaces and embedding may confuse the two`
        : `something whose type is not known is asked for ${newName}`;
      items.push(item(path, token, 'dynamic_access', why));
      // One is enough to ask about a file.
      break;
    }
  }
  return items;
}

// What Python's indexer does not say: which other class a variable may hold, and which arguments a dictionary brings.

const looked = 200;

/**
 * Of a union the indexer names one member. Where an unrelated class has a member of the same name, a variable that may hold either would
 * be half renamed; only a reader can tell.
 */
export function findUnionDoubts(
  question: Question,
  symbols: readonly FamilySymbol[],
  oldName: string,
  edits: readonly CompilerEdit[],
): readonly ItemDraft[] {
  const ids = new Set(symbols.map(({ id }) => id));
  const { isLive } = question.semantic();
  const other = question.ask((session) =>
    listSemanticSymbolsNamed(session, { name: oldName, nameFold: oldName.toLowerCase() }, looked).find(
      ({ id, key, inRepo }) =>
        inRepo && !ids.has(id) && isMemberKey(key) && listDefinitionsOf(session, [id]).some(isLive),
    ),
  );
  const doubtful = other === undefined ? undefined : edits.find((edit) => isOfVariable(question, edit));
  if (other === undefined || doubtful === undefined) return [];
  const owner = other.key.slice(other.key.lastIndexOf(' ') + 1);
  const why = `${owner} has the same name: where a variable may hold either, this rename is half of what is needed`;
  return [item(doubtful.path, doubtful, 'dynamic_access', why)];
}

/** `x.a`, where the text does not say what `x` is: not `self.a`, `super().a`, `Class.a`. */
function isOfVariable(question: Question, { path, start, form }: CompilerEdit): boolean {
  if (form === 'string') return false;
  const before = (question.source(path)?.text ?? '').slice(Math.max(0, start - 80), start);
  return /\.\s*$/.test(before) && !/(?:\b(?:self|cls)|super\(\)|\b[A-Z]\w*)\s*\.\s*$/.test(before);
}

/** `f(**options)`: the names of the arguments are in the dictionary. */
export function findSplatDoubts(question: Question, symbols: readonly FamilySymbol[]): readonly ItemDraft[] {
  const { isLive } = question.semantic();
  const items: ItemDraft[] = [];
  for (const key of new Set(symbols.flatMap((symbol) => listCalled(symbol.key)))) {
    const uses = question.ask((session) => {
      const found = findSymbolByKey(session, key);
      return found === undefined ? [] : listOccurrencesOf(session, [found.id]).filter(isLive);
    });
    for (const { path, line, endColumn } of uses) {
      const text = question.source(path)?.text ?? '';
      const end = indexAt(text, line, endColumn);
      if (hasSplat(text, end))
        items.push(
          item(path, { start: end, end: end + 1 }, 'dynamic_access', 'a dictionary may bring the argument by its name'),
        );
    }
  }
  return items;
}

/** The function of a parameter; a class is called for its constructor. */
function listCalled(key: string): readonly string[] {
  const called = ownerKey(key);
  const owner = called?.endsWith('__init__().') === true ? ownerKey(called) : undefined;
  return [called ?? [], owner ?? []].flat();
}

const longestCall = 4_000;

function hasSplat(text: string, from: number): boolean {
  if (text[from] !== '(') return false;
  let depth = 0;
  for (let at = from; at < Math.min(text.length, from + longestCall); at += 1) {
    const sign = text[at];
    if (sign === '(' || sign === '[' || sign === '{') depth += 1;
    else if (sign === ')' || sign === ']' || sign === '}') depth -= 1;
    if (depth === 0) return false;
    if (depth === 1 && text.startsWith('**', at) && /[(,]\s*$/.test(text.slice(from, at))) {
      // Of a definition it takes arguments; of a call it gives them.
      return !/\b(?:def|lambda)\s+\w*$/.test(text.slice(Math.max(0, from - 200), from));
    }
  }
  return false;
}
