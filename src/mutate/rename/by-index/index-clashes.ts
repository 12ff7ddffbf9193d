/**
 * Can the new name be had, without the compiler (mutation.md §2.7)? Who already has it, by the scope trees of the files that hold it and by
 * the symbols of the same owner: collisions, and both directions of capture (M10), each refused with both places. And whether its spelling
 * takes it away from a use. The scope proof decides again, independently.
 */

import { dirname } from 'node:path/posix';
import { mayHold } from '../../../index/navigate/find-in-text.ts';
import { followExport } from '../../../index/navigate/follow-exports.ts';
import type { Question } from '../../../index/navigate/question.ts';
import type { FileFacts } from '../../../index/navigate/read-file-facts.ts';
import { listDefinitionsOf, listOccurrencesOf } from '../../../index/store/stored-occurrences.ts';
import { findSymbolByKey } from '../../../index/store/stored-symbols.ts';
import { quotedPath } from '../../../kernel/base/text.ts';
import type { TextSpan } from '../../../languages/facts.ts';
import { isJavaScript } from '../../../languages/language-family.ts';
import { findVisibilityChange } from '../../../languages/naming.ts';
import type { Scope } from '../../../languages/scopes/scope-tree.ts';
import { type Clash, type CodeSpan, type CompilerEdit, type Refusal, refuse } from '../../compiler/session/messages.ts';
import type { Target } from './index-target.ts';
import { isMemberKey, isTypeKey, keysNamed, memberKeys, ownerKey, type SymbolFamily } from './symbol-family.ts';

/** Names of the file that are renamed, as one thing each: where it is declared, and the scopes it is used in. */
type Renamed = {
  readonly scope: number;
  readonly at: TextSpan;
  readonly uses: readonly (TextSpan & { readonly scope: number })[];
};

/**
 * In one file. `planned`: where its edits begin. `isPackageWide`: the declaration is visible in the whole file although it need not stand
 * in it (a Go package), so that a free use of the new name would be captured even where nothing is edited. `isField`: the token is known to
 * be a member, where the scope model cannot tell (keys of Go's literals).
 */
export function findLexicalClashes(
  facts: FileFacts,
  planned: ReadonlySet<number>,
  newName: string,
  isPackageWide: boolean,
  isField: (span: TextSpan) => boolean = () => false,
): readonly Clash[] {
  const { scopes, unbound } = facts.scopes;
  const others = facts.bindings.flatMap((binding, at) =>
    binding.name === newName && !isPlanned(binding.declarations) ? [{ ...binding, at }] : [],
  );
  const loose = unbound.filter((one) => one.name === newName && !one.isMember && !isField(one));
  if (others.length === 0 && loose.length === 0) return [];
  // The models that are made of a table look late names up from the file's scope, wherever they stand.
  const isExact = isJavaScript(facts.language) || facts.language === 'python';
  const scopeAt = (use: TextSpan & { readonly scope: number }) => (isExact ? use.scope : innermost(scopes, use.start));
  const clashes: Clash[] = [];
  for (const { scope, at, uses } of listRenamed()) {
    for (const other of others) {
      const place = other.declarations[0];
      if (place === undefined) continue;
      if (other.scope === scope || isOneBlock(scopes, other.scope, scope))
        add('collision', at, place, `${newName} is declared in the same scope`);
      const captured = uses.find((use) => liesBetween(scopes, scopeAt(use), other.scope, scope));
      if (captured !== undefined) add('capture', captured, place, `it would mean the inner ${newName}`);
      const free = other.references.find((use) => liesBetween(scopes, scopeAt(use), scope, other.scope));
      if (free !== undefined) add('capture', free, at, `it would mean the renamed ${newName}`);
    }
    const free = loose.find((use) => isInside(scopes, scopeAt(use), scope));
    if (free !== undefined) add('capture', free, at, `it would mean the renamed ${newName}`);
  }
  return clashes;

  function isPlanned(spans: readonly TextSpan[]): boolean {
    return spans.some(({ start }) => planned.has(start));
  }

  function listRenamed(): readonly Renamed[] {
    const found: Renamed[] = [];
    for (const { declarations, references, scope } of facts.bindings) {
      const [at] = declarations;
      if (at === undefined || !(isPlanned(declarations) || isPlanned(references))) continue;
      // A pattern that keeps its property is declared here all the same.
      found.push({ scope, at, uses: references });
    }
    const free = unbound.filter((one) => !one.isMember && planned.has(one.start) && !isField(one));
    const [first] = free;
    if (first !== undefined) found.push({ scope: 0, at: first, uses: free });
    else if (isPackageWide && found.length === 0) found.push({ scope: 0, at: { start: 0, end: 0 }, uses: [] });
    return found;
  }

  function add(reason: Clash['reason'], at: TextSpan, other: TextSpan, detail: string): void {
    clashes.push({
      path: facts.path,
      start: at.start,
      end: at.end,
      reason,
      detail,
      other: { path: facts.path, start: other.start, outside: false },
    });
  }
}

function innermost(scopes: readonly Scope[], at: number): number {
  // Parents come before their children.
  return scopes.findLastIndex(({ start, end }) => start <= at && at < end);
}

/** Is `middle` met on the way from a use out to `end`, before `end` is? */
function liesBetween(scopes: readonly Scope[], use: number, middle: number, end: number): boolean {
  for (let scope = use; scope >= 0 && scope !== end; scope = scopes[scope]?.parent ?? -1)
    if (scope === middle) return true;
  return false;
}

function isInside(scopes: readonly Scope[], use: number, outer: number): boolean {
  for (let scope = use; scope >= 0; scope = scopes[scope]?.parent ?? -1) if (scope === outer) return true;
  return false;
}

/** A function and its body, a `catch` and its block: two scopes for lookup, one for declaring. */
function isOneBlock(scopes: readonly Scope[], a: number, b: number): boolean {
  const isPair = (outer: number, inner: number) =>
    scopes[inner]?.parent === outer &&
    /^(?:function|catch)$/.test(scopes[outer]?.kind ?? '') &&
    /^(?:block|function_body)$/.test(scopes[inner]?.kind ?? '');
  return isPair(a, b) || isPair(b, a);
}

/** By owner: a field, method or declaration of the new name in the same place, or in a type that inherits or is inherited. */
export function findSymbolClashes(question: Question, family: SymbolFamily, newName: string): readonly Clash[] {
  const { isLive } = question.semantic();
  const clashes: Clash[] = [];
  const seen = new Set<string>();
  const check = (keys: readonly string[], detail: string) => {
    for (const key of keys) {
      if (seen.has(key)) continue;
      seen.add(key);
      const found = question.ask((session) => {
        const symbol = findSymbolByKey(session, key);
        return symbol === undefined ? undefined : listDefinitionsOf(session, [symbol.id]).find(isLive);
      });
      if (found === undefined) continue;
      const source = question.source(found.path);
      const start = source === undefined ? 0 : indexAt(source.text, found.line, found.column);
      const other = { path: found.path, start, outside: false };
      clashes.push({ path: found.path, start, end: start + newName.length, reason: 'collision', detail, other });
    }
  };
  for (const { key, inRepo } of family.symbols.values())
    if (inRepo) check(keysNamed(key, newName), `${newName} is declared in the same place`);
  const isMember = [...family.symbols.values()].some(({ key }) => isMemberKey(key));
  const owners = new Set(family.owners);
  for (const { key, inRepo } of family.symbols.values()) {
    const owner = inRepo && isMemberKey(key) && key.startsWith('go ') ? ownerKey(key) : undefined;
    if (owner !== undefined) for (const type of listEmbedding(question, owner)) owners.add(type);
  }
  if (isMember)
    for (const owner of owners) check(memberKeys(owner, newName), `${newName} is a member of a related type`);
  return clashes;
}

/** Go's types that have this one's members as their own, or the other way round: a token that is a type and a field is an embedding. */
function listEmbedding(question: Question, owner: string): ReadonlySet<string> {
  const layer = question.semantic();
  const found = new Set([owner]);
  const waiting = [owner];
  for (let key = waiting.pop(); key !== undefined && found.size < 1_000; key = waiting.pop()) {
    const own = key;
    const places = question.ask((session) => {
      const symbol = findSymbolByKey(session, own);
      return symbol === undefined ? [] : listOccurrencesOf(session, [symbol.id]).filter(layer.isLive);
    });
    for (const path of new Set(places.map((place) => place.path)))
      for (const says of layer.said(path)?.at.values() ?? []) {
        const type = says.find((one) => isTypeKey(one.key));
        const field = says.find((one) => isMemberKey(one.key) && (one.roles & 1) === 1);
        const outer = field === undefined ? undefined : ownerKey(field.key);
        if (type === undefined || outer === undefined || (type.key !== own && outer !== own)) continue;
        for (const one of [type.key, outer])
          if (!found.has(one)) {
            found.add(one);
            waiting.push(one);
          }
      }
  }
  return found;
}

export function indexAt(text: string, line: number, column: number): number {
  let start = 0;
  for (let at = 0; at < line; at += 1) start = text.indexOf('\n', start) + 1;
  return start + column;
}

/** The module, or one that passes all of it on, already exports the name. */
export async function findExportClashes(
  question: Question,
  language: string,
  defining: readonly string[],
  reexporting: readonly string[],
  newName: string,
): Promise<readonly Clash[]> {
  if (!isJavaScript(language)) return [];
  const clashes: Clash[] = [];
  const add = (path: string, detail: string) =>
    clashes.push({ path, start: 0, end: 0, reason: 'export_clash', detail, other: { path, start: 0, outside: false } });
  for (const path of [...defining, ...reexporting])
    if (question.exports(path).some(({ publicName }) => publicName === newName))
      add(path, `${quotedPath(path)} exports ${newName} already`);
  for (const path of defining)
    for (const importer of question.importers(path)) {
      const row = question.imports(importer.path)[importer.ordinal];
      if (row?.kind !== 'reexport' || !row.names.some(({ name }) => name === '*')) continue;
      const { endings } = await followExport(question, importer.path, newName);
      if (endings.length > 0) add(importer.path, `${quotedPath(importer.path)} passes on another ${newName}`);
    }
  return clashes;
}

// Languages in which the spelling says who may use a name (mutation.md §2.7, last row): a new name that takes it away from a use is
// `bindings_change`, with the use. Also names that the language or its library calls by themselves.

type Spelling = { readonly refusal?: Refusal; readonly notes: readonly string[] };

type SpellingCheck = {
  readonly question: Question;
  readonly target: Target;
  readonly language: string;
  readonly oldName: string;
  readonly newName: string;
  readonly isMember: boolean;
  readonly edits: readonly CompilerEdit[];
  readonly definitions: readonly CodeSpan[];
};

/** Methods by which types of Go's library are satisfied: a type that gets one changes what it is at run time. */
const goMethods =
  /^(?:String|GoString|Error|Unwrap|Is|As|Read|Write|Close|Seek|Len|Less|Swap|Format|Scan|ServeHTTP|MarshalJSON|UnmarshalJSON|MarshalText|UnmarshalText|MarshalBinary|UnmarshalBinary|Value)$/;

export async function checkSpelling(check: SpellingCheck): Promise<Spelling> {
  const { language, oldName, newName, isMember, target } = check;
  if (language === 'python' && /^__\w+__$/.test(newName))
    return { refusal: refuse('reserved_name', `Python itself calls names like ${newName}`), notes: [] };
  if (language === 'go' && isMember && goMethods.test(newName))
    return { refusal: refuse('collision', `types with ${newName} satisfy interfaces of Go's library`), notes: [] };
  if (language === 'python' && isMangledSomewhere(check)) {
    const why = 'inside a class, a name with two underscores in front is another name than outside';
    return { refusal: refuse('bindings_change', why), notes: [] };
  }
  if (target.kind === 'confined' || target.kind === 'parameter') return { notes: [] };
  const change = findVisibilityChange(language, oldName, newName, isMember);
  if (change === undefined) return { notes: [] };
  const broken = change.breaks === null ? undefined : findBroken(check, change.breaks);
  if (broken !== undefined)
    return {
      refusal: refuse('bindings_change', `${change.says}, and it is used there`, [
        { path: broken.path, start: broken.start, end: broken.end, says: 'this use needs it' },
      ]),
      notes: [],
    };
  if (language === 'python' && change.breaks === null && change.to === 'public') {
    const star = findStarImporter(check, newName);
    if (star !== undefined)
      return { refusal: refuse('bindings_change', `${change.says}, and ${star} has a ${newName}`), notes: [] };
  }
  return { notes: [`the new spelling changes who sees it: ${change.says}`] };
}

function findBroken(
  check: SpellingCheck,
  breaks: 'other_packages' | 'outside_class' | 'star_imports',
): CodeSpan | undefined {
  const { question, edits, definitions, oldName } = check;
  if (breaks === 'other_packages') {
    const packages = new Set(definitions.map(({ path }) => packageOf(question, path)));
    return edits.find(({ path }) => !packages.has(packageOf(question, path)));
  }
  if (breaks === 'star_imports') {
    const star = findStarImporter(check, oldName);
    return star === undefined ? undefined : { path: star, start: 0, end: 0 };
  }
  return edits.find(({ path, start }) => !isInOwnClass(check, path, start));
}

/** Tests of a package may be a package of their own. */
function packageOf(question: Question, path: string): string {
  const name = /^\s*package\s+(\w+)/m.exec(question.source(path)?.text ?? '')?.[1] ?? '';
  return `${dirname(path)}\0${name}`;
}

function isInOwnClass({ question, definitions }: SpellingCheck, path: string, start: number): boolean {
  const source = question.source(path);
  if (source === undefined) return false;
  const byteAt = (index: number) => Buffer.byteLength(source.text.slice(0, index)) + (source.bom ? 3 : 0);
  const classes = question.symbols(path).filter(({ kind }) => kind === 'class');
  const around = (index: number) => {
    const byte = byteAt(index);
    return classes.filter((one) => one.start <= byte && byte < one.end).at(-1);
  };
  const owner = definitions.find((one) => one.path === path);
  const own = owner === undefined ? undefined : around(owner.start);
  return (
    own !== undefined &&
    around(start) === own &&
    definitions.every((one) => one.path === path && around(one.start) === own)
  );
}

/** Names of functions and modules are mangled too where a class uses them. */
function isMangledSomewhere(check: SpellingCheck): boolean {
  const { isMember, newName, oldName, edits, question } = check;
  const mangles = (name: string) => name.startsWith('__') && !name.endsWith('__');
  if (isMember || mangles(newName) === mangles(oldName)) return false;
  return edits.some(({ path, start }) => {
    const source = question.source(path);
    if (source === undefined) return true;
    const byte = Buffer.byteLength(source.text.slice(0, start)) + (source.bom ? 3 : 0);
    return question.symbols(path).some((one) => one.kind === 'class' && one.start <= byte && byte < one.end);
  });
}

/** A file that takes all public names of a declaring module, and has this one in its text. */
function findStarImporter({ question, definitions, language }: SpellingCheck, name: string): string | undefined {
  for (const { path } of definitions)
    for (const importer of question.importers(path)) {
      const row = question.imports(importer.path)[importer.ordinal];
      const source = question.source(importer.path);
      const isStar = row?.kind !== 'import' && row?.names.some((one) => one.name === '*') === true;
      if (isStar && source !== undefined && mayHold(source, new Set([name]), language)) return importer.path;
    }
  return undefined;
}
