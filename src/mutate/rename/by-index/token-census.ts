/**
 * The census of a rename without the compiler (mutation.md §2.4): every token spelled like the old name, in every file in reach, gets
 * exactly one class (M6), its edit where it is of the family, and an item where its owner is not known (M7).
 *
 * `other_symbol` needs a reason that holds: lexical scope binds it to another declaration, or an indexer that has seen these bytes binds
 * it to a symbol that is known. Python's indexer names only one member of a union, so a member of something whose type is not written at
 * the token is a question; TypeScript's objects fit by structure, so keys of literals are.
 */

import { findNames, findPlainNames, mayHold, mayRespell } from '../../../index/navigate/find-in-text.ts';
import { findImportRow, findRowAt } from '../../../index/navigate/follow-exports.ts';
import type { Question } from '../../../index/navigate/question.ts';
import type { FileFacts } from '../../../index/navigate/read-file-facts.ts';
import { listSaidOf, type Said } from '../../../index/navigate/semantic-layer.ts';
import type { Occurrence } from '../../../index/store/stored-occurrences.ts';
import { blake3Hex } from '../../../kernel/base/hash.ts';
import { quotedPath } from '../../../kernel/base/text.ts';
import { createTextOffsets } from '../../../kernel/tree/positions.ts';
import type { TextSpan } from '../../../languages/facts.ts';
import { familyOf, isJavaScript } from '../../../languages/language-family.ts';
import { hasSyntax } from '../../../languages/languages.ts';
import type { Token } from '../../../languages/tokens.ts';
import type { CodeSpan, CompilerEdit, ItemDraft } from '../../compiler/session/messages.ts';
import type { CensusClass, ItemKind } from '../../vocabulary.ts';
import {
  isImplied,
  isPlainSpecifier,
  type Place,
  readPlaces,
  type Sides,
  type Written,
  writeAnew,
} from './edit-forms.ts';
import { isOwnAlias, type Target } from './index-target.ts';
import { readStringRoles } from './string-roles.ts';
import { isMemberKey, isParameterKey } from './symbol-family.ts';

/** M6: every token spelled like the old name, with its one class. `why` is a few words for the reader. */
export type TokenAccount = CodeSpan & { readonly class: CensusClass; readonly why: string };

export type Counting = {
  readonly question: Question;
  readonly target: Target;
  readonly newName: string;
  /** Symbols of the family; empty where only lexical scope takes part. */
  readonly ids: ReadonlySet<number>;
  /** Their occurrences in live contexts, by path. */
  readonly occurrences: ReadonlyMap<string, readonly Occurrence[]>;
  readonly reach: 'file' | 'repo';
  readonly isMember: boolean;
  /** Files that declare it. */
  readonly defining: ReadonlySet<string>;
  /** What a dotted path to the family may hold right before the name: names of files and owners. */
  readonly stems: ReadonlySet<string>;
  /** Files in which an import keeps its own name for it. */
  readonly keepsLocal: ReadonlySet<string>;
  /** Those who pass it on do so under the new name; otherwise under the old one. */
  readonly isThrough: boolean;
};

export type FileCount = {
  readonly path: string;
  readonly edits: readonly CompilerEdit[];
  readonly items: readonly ItemDraft[];
  readonly accounts: readonly TokenAccount[];
  /** A token of the name stands in code. */
  readonly holdsCode: boolean;
  /** Projects disagree about this token. */
  readonly divergence: TextSpan | null;
  /** This token of the family is a member's name as well, and cannot be written so that it is not. */
  readonly implied?: TextSpan | null;
};

export async function countFile(counting: Counting, path: string): Promise<FileCount | undefined> {
  const { question, target } = counting;
  const source = question.source(path);
  if (source === undefined) return undefined;
  const language = question.file(path)?.language ?? null;
  const { code, holders } = familyOf(target.facts.language);
  const names = new Set([target.oldName]);
  if (language === null || !code.includes(language)) return countForeign();
  if (!mayHold(source, names, language)) return undefined;
  const quick = await countQuickly(counting, path, language, source);
  if (quick !== undefined) return quick;
  const outcome = await question.read(path);
  if (outcome.kind === 'facts') return countTokens(counting, outcome.facts);
  const spans = findNames(source, names, language);
  return unparsed(spans, `${quotedPath(path)} is not parsed`);

  function countForeign(): FileCount {
    const isHolder = holders?.test(path) === true;
    const spans = isHolder
      ? findNames(source as NonNullable<typeof source>, names, language ?? '')
      : findPlainNames(source?.text ?? '', names);
    if (isHolder && counting.reach === 'repo')
      return unparsed(spans, `${quotedPath(path)} holds code that is not parsed`);
    const isCode = language !== null && hasSyntax(language);
    const accounts = spans.map((span) =>
      isCode || isHolder
        ? account(path, span, 'other_symbol', 'another language')
        : account(path, span, 'string', 'data or prose'),
    );
    return { path, edits: [], items: [], accounts, holdsCode: false, divergence: null };
  }

  function unparsed(spans: readonly TextSpan[], detail: string): FileCount {
    const items = spans.map((span) => item(path, span, 'unreadable_file', detail));
    const accounts = spans.map((span) => account(path, span, 'unaccounted', detail));
    return { path, edits: [], items, accounts, holdsCode: spans.length > 0, divergence: null };
  }
}

/** A clean file of one context in which every token of the name is an occurrence of the family needs no scopes. */
async function countQuickly(
  { question, target, newName, occurrences, reach, keepsLocal }: Counting,
  path: string,
  language: string,
  source: NonNullable<ReturnType<Question['source']>>,
): Promise<FileCount | undefined> {
  const known = occurrences.get(path);
  const row = question.file(path);
  if (known === undefined || reach === 'file' || target.kind !== 'symbol' || keepsLocal.has(path)) return undefined;
  if (row === undefined || row.generated || row.vendored || mayRespell(source, language)) return undefined;
  const state = question.semantic().states.of(path);
  if (state.freshness !== 'clean' || state.contexts.length !== 1) return undefined;
  if (row.contentHash !== blake3Hex(source.bytes)) return undefined;
  const offsets = createTextOffsets(source.text, source);
  const at = new Map(known.filter(({ form }) => form === 'name').map((one) => [one.start, one.end]));
  const spans = findPlainNames(source.text, new Set([target.oldName]));
  if (!spans.every(({ start, end }) => at.get(offsets.toByte(start)) === offsets.toByte(end))) return undefined;
  const isScript = isJavaScript(language);
  const formed = spans.filter((span) => !(isScript && isPlainSpecifier(source.text, span)));
  const places = await readPlaces(path, language, source.text, formed);
  const isSimple = (place: Place) => ['plain', 'import', 'export', 'reexport'].includes(place);
  if (!places.every(isSimple)) return undefined;
  return {
    path,
    edits: spans.map((span) => ({ path, ...span, oldText: target.oldName, newText: newName, form: 'plain' as const })),
    items: [],
    accounts: spans.map((span) => account(path, span, 'planned', 'the indexer')),
    holdsCode: true,
    divergence: null,
  };
}

type Verdict =
  | { readonly kind: 'planned'; readonly why: string; readonly sides: Sides }
  | { readonly kind: 'other'; readonly why: string }
  | { readonly kind: 'mention'; readonly class: 'string' | 'comment' }
  /** Counted as the string it is, and asked about. */
  | { readonly kind: 'string'; readonly why: string }
  | { readonly kind: 'open'; readonly item: ItemKind; readonly why: string };

async function countTokens(counting: Counting, facts: FileFacts): Promise<FileCount> {
  const { question, target, newName, ids, keepsLocal } = counting;
  const { path, language } = facts;
  const row = question.file(path);
  const said = question.semantic().said(path);
  const tokens = facts.tokens.filter(({ text }) => text === target.oldName);
  const familyBindings = listFamilyBindings();
  const places = await readPlaces(path, language, facts.source.text, tokens);
  const strings = target.kind === 'symbol' ? tokens.filter((token) => token.class === 'string') : [];
  const roles = await readStringRoles(path, language, facts.source.text, strings);
  const roleAt = new Map(strings.map(({ start }, index) => [start, roles[index]]));
  const edits: CompilerEdit[] = [];
  const items: ItemDraft[] = [];
  const accounts: TokenAccount[] = [];
  let divergence: TextSpan | null = null;
  let implied: TextSpan | null = null;
  for (const [index, token] of tokens.entries()) {
    const place = token.class === 'string' ? 'string' : (places[index] ?? 'plain');
    const says = listSaidOf(said?.at, facts, token).filter(({ form }) => form !== 'keyword');
    if (isDivided(says)) divergence ??= token;
    const verdict = judge(token, place, says);
    switch (verdict.kind) {
      case 'planned': {
        if (target.kind !== 'symbol' && isImplied(place, facts, token.start)) implied ??= token;
        const written = write(token, place, verdict.sides);
        if (written === undefined) {
          accounts.push(account(path, token, 'other_symbol', 'the file keeps its own name'));
          break;
        }
        const edit = editOf(token, written);
        accounts.push(account(path, token, 'planned', verdict.why));
        if (row?.generated === true)
          items.push(item(path, token, 'generated_code', `${quotedPath(path)} is generated`, { edit: [edit] }));
        else edits.push(edit);
        break;
      }
      case 'other':
        accounts.push(account(path, token, 'other_symbol', verdict.why));
        break;
      case 'mention':
        accounts.push(account(path, token, verdict.class, verdict.class));
        break;
      case 'string':
        accounts.push(account(path, token, 'string', verdict.why));
        items.push(
          item(path, token, 'string_reference', verdict.why, {
            rename: [editOf(token, { newText: newName, form: 'string' })],
          }),
        );
        break;
      case 'open': {
        accounts.push(account(path, token, 'unaccounted', verdict.why));
        const canRename = verdict.item !== 'parse_error' && verdict.item !== 'unreadable_file';
        const rename = canRename
          ? { rename: [editOf(token, writeAnew(place, raw(token), newName, { value: true, property: true }))] }
          : {};
        items.push(item(path, token, verdict.item, verdict.why, rename));
      }
    }
  }
  const holdsCode = tokens.some((token) => token.class === 'code' || token.class === 'error');
  return { path, edits, items, accounts, holdsCode, divergence, implied };

  /** What this file has of the family by lexical scope: the target's binding, or every binding one of whose declarations is an occurrence. */
  function listFamilyBindings(): ReadonlySet<number> {
    if (path === target.facts.path && target.binding !== null && target.kind !== 'symbol')
      return new Set([target.binding]);
    const found = new Set<number>();
    if (target.kind !== 'symbol') return found;
    const shorthands = new Set(tokens.filter(({ role }) => role === 'shorthand').map(({ start }) => start));
    for (const [at, { declarations, name, importOf }] of facts.bindings.entries()) {
      if (
        name !== target.oldName ||
        (importOf !== undefined && isOwnAlias(facts, { ...(facts.bindings[at] as (typeof facts.bindings)[number]) }))
      )
        continue;
      const isOurs = declarations.some((span) => {
        // A pattern's token is the property's and the local's: the property alone does not make the local one of the family.
        const isTwo = shorthands.has(span.start);
        return listSaidOf(said?.at, facts, span).some((one) => isFamily(one) && !(isTwo && isMemberKey(one.key)));
      });
      if (isOurs) found.add(at);
    }
    return found;
  }

  function isFamily({ symbolId, form }: Said): boolean {
    return ids.has(symbolId) && (form === 'name' || form === 'string');
  }

  /** M5: one project sees the family here, another something else. */
  function isDivided(says: readonly Said[]): boolean {
    if (!says.some(isFamily)) return false;
    const contexts = new Set(says.map(({ contextId }) => contextId));
    return [...contexts].some((contextId) => !says.some((one) => one.contextId === contextId && isFamily(one)));
  }

  function judge(token: Token, place: Place, says: readonly Said[]): Verdict {
    if (token.class === 'error')
      return { kind: 'open', item: 'parse_error', why: 'it stands in text that does not parse' };
    const isSaid = says.some(isFamily);
    if (token.class !== 'code') {
      if (isSaid && token.class === 'string') return { kind: 'planned', why: 'the indexer', sides: both };
      if (token.class === 'comment' || token.role === 'docstring') return { kind: 'mention', class: 'comment' };
      return judgeString(token);
    }
    const bound = facts.boundAt.get(token.start)?.binding;
    const isMemberToken = facts.memberAt.has(token.start) || (bound === undefined && token.role === 'property');
    if (bound !== undefined && familyBindings.has(bound)) {
      const property = says.some((one) => isFamily(one) && isMemberKey(one.key)) && place !== 'plain';
      return { kind: 'planned', why: 'lexical scope', sides: { value: true, property } };
    }
    const binding = bound === undefined ? undefined : facts.bindings[bound];
    const isAliased = binding !== undefined && isOwnAlias(facts, binding);
    if (target.kind === 'parameter' && path === target.facts.path && isSaid)
      return { kind: 'planned', why: 'the indexer', sides: both };
    if (target.kind === 'parameter' && !isNameOfArgument(token))
      return { kind: 'other', why: 'a parameter is reached by the name of an argument alone' };
    if (isSaid && (place === 'default_import' || place === 'alias' || (isAliased && !isMemberToken)))
      return { kind: 'other', why: 'the file gives it this name itself' };
    const isTwo = place === 'shorthand' || place === 'pattern';
    const isProperty = says.some((one) => isFamily(one) && isMemberKey(one.key));
    if (isSaid && binding !== undefined && isTwo)
      return isProperty
        ? { kind: 'planned', why: 'the indexer', sides: { value: false, property: true } }
        : { kind: 'other', why: 'the file gives it this name itself' };
    if (isSaid && binding !== undefined && binding.importOf === undefined && !isMemberToken)
      return { kind: 'other', why: 'lexical scope' };
    if (isSaid) return { kind: 'planned', why: 'the indexer', sides: sidesOf(says) };
    if (counting.reach === 'file') {
      if (isMemberToken) return { kind: 'other', why: 'a name of something else' };
      if (bound !== undefined) return { kind: 'other', why: 'lexical scope' };
      const isComplete = isJavaScript(language) || language === 'python';
      return isComplete && !facts.scopes.hasErrors
        ? { kind: 'other', why: 'lexical scope' }
        : { kind: 'open', item: 'unaccounted_token', why: 'lexical scope does not bind it' };
    }
    if (binding !== undefined && !(isMemberToken && counting.isMember)) {
      if (isAliased || binding.importOf === undefined) return { kind: 'other', why: 'lexical scope' };
      const clause = findRowAt(question, facts, binding.declarations[0]?.start ?? -1);
      if (clause?.reason === 'external') return { kind: 'other', why: 'it is imported from outside' };
    }
    return judgeSaid(token, place, says, isMemberToken);
  }

  /** `__all__` belongs to the rename where the module's own name does; what reaches by name is a question (M12). */
  function judgeString(token: Token): Verdict {
    const role = roleAt.get(token.start) ?? 'text';
    if (role === 'all') {
      const ours = [...familyBindings].some(
        (at) => facts.scopes.scopes[facts.bindings[at]?.scope ?? -1]?.kind === 'module',
      );
      if (ours) return { kind: 'planned', why: 'an entry of __all__', sides: both };
      const isDeclared = facts.bindings.some(
        ({ name, scope }) => name === target.oldName && facts.scopes.scopes[scope]?.kind === 'module',
      );
      if (isDeclared || counting.isMember) return { kind: 'mention', class: 'string' };
    }
    const isAsked = role === 'reaching' || role === 'all' || (role === 'dotted' && isPathOfOurs(token));
    return isAsked
      ? { kind: 'string', why: 'a string that may name it while the program runs' }
      : { kind: 'mention', class: 'string' };
  }

  /** `"shop.base.helper"`: does what stands before it name a file or an owner of the family? */
  function isPathOfOurs(token: Token): boolean {
    const before = /(\w+)[.:]$/.exec(facts.source.text.slice(Math.max(0, token.start - 200), token.start))?.[1];
    return before !== undefined && counting.stems.has(before);
  }

  function judgeSaid(token: Token, place: Place, says: readonly Said[], isMemberToken: boolean): Verdict {
    const isCovered = said !== undefined;
    const firm = says.filter(({ form }) => form === 'name' || form === 'string');
    const { layer } = { layer: question.semantic() };
    if (firm.length > 0 && said?.isClean === true && firm.every((one) => layer.isSettled(one))) {
      const doubt = isMemberToken && counting.isMember ? whyDoubtful(token, place, firm) : undefined;
      return doubt === undefined
        ? { kind: 'other', why: 'the indexer' }
        : { kind: 'open', item: doubt.item, why: doubt.why };
    }
    if (!isCovered)
      return { kind: 'open', item: 'uncovered_file', why: `no indexer has looked at ${quotedPath(path)}` };
    if (isMemberToken && firm.length === 0)
      return { kind: 'open', item: 'untyped_access', why: 'what it is a member of is not known' };
    return { kind: 'open', item: 'unaccounted_token', why: 'no indexer says what it is' };
  }

  /** Bound to another member of the same name: is that all it can mean? */
  function whyDoubtful(
    token: Token,
    place: Place,
    firm: readonly Said[],
  ): { readonly item: ItemKind; readonly why: string } | undefined {
    const isDefinition = firm.some(({ roles }) => (roles & 1) === 1);
    if (language === 'python') {
      if (isDefinition || firm.every(({ key }) => isParameterKey(key)) || firm.some(({ inRepo }) => !inRepo))
        return undefined;
      const before = facts.source.text.slice(Math.max(0, token.start - 80), token.start);
      if (
        !/\.\s*$/.test(before) ||
        /\b(?:self|cls|super\(\))\s*\.\s*$/.test(before) ||
        /\b[A-Z]\w*\s*\.\s*$/.test(before)
      )
        return undefined;
      return { item: 'untyped_access', why: 'it is read as a member of another class, and may be of several' };
    }
    if (!isJavaScript(language)) return undefined;
    const isKey = facts.memberAt.get(token.start)?.access === 'declare' || place === 'shorthand' || place === 'pattern';
    const isOfType = firm.every(({ key }) => isMemberKey(key) && !key.startsWith('local '));
    if (isOfType && !(isKey && !isDefinition)) return undefined;
    return { item: 'indexer_gap', why: 'what the object is used as is not known' };
  }

  function sidesOf(says: readonly Said[]): Sides {
    const ours = says.filter(isFamily);
    return { value: ours.some(({ key }) => !isMemberKey(key)), property: ours.some(({ key }) => isMemberKey(key)) };
  }

  /** `f(a=1)`: a name that is no attribute and no part of an import. */
  function isNameOfArgument(token: Token): boolean {
    if (!facts.memberAt.has(token.start)) return false;
    const before = /(\S)\s*$/.exec(facts.source.text.slice(Math.max(0, token.start - 200), token.start))?.[1];
    return before !== '.' && /^\s*=(?!=)/.test(facts.source.text.slice(token.end, token.end + 200));
  }

  function write(token: Token, place: Place, sides: Sides): Written | undefined {
    if (keepsLocal.has(path)) {
      // What passes it on under the old name goes on doing so; only imports of the new name have to change.
      const row = place === 'string' ? undefined : findRowAt(question, facts, token.start);
      if (row !== undefined && ['import', 'from', 'reexport'].includes(row.kind)) {
        const isNew = counting.isThrough || row.targets.some((one) => counting.defining.has(one));
        if (!isNew) return undefined;
        if (place === 'import') return { newText: `${newName} as ${raw(token)}`, form: 'import_keeps_local' };
        const isKept = place === 'reexport' && !counting.isThrough;
        return isKept
          ? { newText: `${newName} as ${raw(token)}`, form: 'export_keeps_public' }
          : { newText: newName, form: 'plain' };
      }
      const isText = place === 'string';
      if (!isText && facts.boundAt.has(token.start)) return undefined;
      const isHeld = !counting.isMember && !counting.isThrough && facts.memberAt.has(token.start);
      if (!isText && isHeld && !isHeldByDefiner(token)) return undefined;
    }
    if (target.kind === 'alias' && place === 'export')
      return { newText: `${newName} as ${raw(token)}`, form: 'export_keeps_public' };
    if (target.kind !== 'symbol') return writeAnew(place, raw(token), newName, { value: true, property: false });
    return writeAnew(place, raw(token), newName, sides);
  }

  /** `ns.a`, where `ns` is the declaring file itself. */
  function isHeldByDefiner({ start }: Token): boolean {
    const dot = /\s*\??\.\s*$/.exec(facts.source.text.slice(Math.max(0, start - 100), start))?.[0].length ?? 0;
    const holder = facts.bindings[facts.boundEnd.get(start - dot) ?? -1];
    const row = holder === undefined ? undefined : findImportRow(question, facts, holder);
    return row?.targets.some((one) => counting.defining.has(one)) === true;
  }

  function raw({ start, end }: TextSpan): string {
    return facts.source.text.slice(start, end);
  }

  function editOf(token: TextSpan, { newText, form }: Written): CompilerEdit {
    return { path, start: token.start, end: token.end, oldText: raw(token), newText, form };
  }
}

const both: Sides = { value: true, property: true };

function account(path: string, { start, end }: TextSpan, kind: TokenAccount['class'], why: string): TokenAccount {
  return { path, start, end, class: kind, why };
}

export function item(
  path: string,
  { start, end }: TextSpan,
  kind: ItemKind,
  detail: string,
  edits: ItemDraft['edits'] = {},
): ItemDraft {
  return { path, start, end, kind, detail, edits };
}
