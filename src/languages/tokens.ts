/**
 * Every identifier of a file with its class (code-plane.md §3.2): names in code, and the identifier runs inside strings, templates,
 * comments and regular expressions. Text inside an `ERROR` node has class `error` and nothing else, whatever it looks like.
 * For every token, the normalised text of its span is its `text`; tokens are in document order and do not overlap.
 */

import { assert } from '../kernel/base/assert.ts';
import type { SourceTree, TextSpan } from './facts.ts';
import { listIdentifierRuns, normaliseIdentifier } from './identifiers.ts';
import type { TokenRole, TokenTable } from './language.ts';
import { findLanguage } from './languages.ts';
import { type FlatTree, firstChild, flattenTree, isNamed, textOf } from './parsing/flat-tree.ts';

const tokenClasses = ['code', 'string', 'comment', 'regex', 'error'] as const;
export type TokenClass = (typeof tokenClasses)[number];

export type Token = TextSpan & {
  readonly text: string;
  readonly class: TokenClass;
  readonly role?: TokenRole;
};

/** `language` is one that is parsed. */
export function listTokens(source: SourceTree, language: string): readonly Token[] {
  const table = tableOf(language);
  const tree = flattenTree(source);
  const classOf = new Uint8Array(tree.count);
  const roleOf = new Map<number, TokenRole>();
  const tokens: Token[] = [];

  for (let node = 0; node < tree.count; node++) {
    const type = tree.type[node] ?? '';
    const parent = tree.parent[node] ?? -1;
    const inherited = parent < 0 ? 0 : (classOf[parent] ?? 0);
    const own = ownClass(table, type, inherited);
    classOf[node] = own;
    if (own === 0) {
      if (addCode(node, type)) node = (tree.after[node] ?? node + 1) - 1;
      continue;
    }
    const role = roleOf.get(parent) ?? table.stringRole?.(type, tree.type[parent] ?? '');
    if (role !== undefined) roleOf.set(node, role);
    if (own === errorClass || own === commentClass || firstChild(tree, node) < 0) {
      if (!isDelimiter(type, own)) addRuns(tree.start[node] ?? 0, tree.end[node] ?? 0, own, role);
      node = (tree.after[node] ?? node + 1) - 1;
    } else addGaps(node, own, role);
  }
  return tokens.sort((a, b) => a.start - b.start);

  /** True for a name: what is below it is part of it. */
  function addCode(node: number, type: string): boolean {
    if (table.rawCode?.has(type) === true) {
      addRuns(tree.start[node] ?? 0, tree.end[node] ?? 0, 0, undefined);
      return true;
    }
    const role = Object.hasOwn(table.names, type) ? table.names[type] : undefined;
    if (role === undefined) return false;
    const written = textOf(tree, node);
    const text = normaliseIdentifier(written, language);
    if (text === '' || (type === 'primitive_type' && table.typeWords?.has(written) === true)) return true;
    const start = tree.start[node] ?? 0;
    tokens.push({ start, end: start + written.length, text, class: 'code', role: refine(tree, node, role, table) });
    return true;
  }

  /** The text between the children of a string belongs to the string. */
  function addGaps(node: number, own: number, role: TokenRole | undefined): void {
    let from = tree.start[node] ?? 0;
    for (let child = firstChild(tree, node); child >= 0; child = tree.next[child] ?? -1) {
      addRuns(from, tree.start[child] ?? from, own, role);
      from = tree.end[child] ?? from;
    }
    addRuns(from, tree.end[node] ?? from, own, role);
  }

  function addRuns(start: number, end: number, own: number, role: TokenRole | undefined): void {
    if (end <= start) return;
    for (const run of listIdentifierRuns(tree.text.slice(start, end), language))
      tokens.push({
        start: start + run.start,
        end: start + run.end,
        text: run.name,
        class: tokenClasses[own] ?? 'code',
        ...(role === undefined ? {} : { role }),
      });
  }
}

/** The class of the text at an index, from its ancestors alone: for the few places of a file that are not bound. */
export function classAt({ root }: SourceTree, language: string, index: number): TokenClass {
  const table = tableOf(language);
  const types: string[] = [];
  for (let node = root.descendantForIndex(index, index + 1); node !== null; node = node.parent) types.push(node.type);
  const own = types.reduceRight((inherited, type) => ownClass(table, type, inherited), 0);
  return tokenClasses[own] ?? 'code';
}

function tableOf(language: string): TokenTable {
  const table = findLanguage(language)?.tokens;
  assert(table !== undefined, `${language} has a token table`);
  return table;
}

const stringClass = tokenClasses.indexOf('string');
const commentClass = tokenClasses.indexOf('comment');
const regexClass = tokenClasses.indexOf('regex');
const errorClass = tokenClasses.indexOf('error');

function ownClass(table: TokenTable, type: string, inherited: number): number {
  if (inherited === errorClass || type === 'ERROR') return errorClass;
  if (inherited === commentClass) return commentClass;
  if (!isNamed(type)) return inherited;
  if (inherited === stringClass && table.insertions?.has(type) === true) return 0;
  if (table.strings.has(type)) return stringClass;
  if (table.comments.has(type)) return commentClass;
  if (table.regexes?.has(type) === true) return regexClass;
  if (inherited === regexClass && table.insertions?.has(type) === true) return 0;
  return inherited;
}

/** Quotes with their prefixes, escapes and flags are part of a string but no text of it. */
const delimiters = new Set([
  'escape_sequence',
  'string_start',
  'string_end',
  'interpolation_start',
  'interpolation_quote',
  'interpolation_brace',
  'raw_string_delimiter',
  'string_literal_encoding',
  'regex_flags',
]);

function isDelimiter(type: string, own: number): boolean {
  return (own === stringClass || own === regexClass) && (!isNamed(type) || delimiters.has(type));
}

function refine(tree: FlatTree, node: number, role: TokenRole, { members }: TokenTable): TokenRole {
  if (role !== 'name') return role;
  const parent = tree.type[tree.parent[node] ?? -1] ?? '';
  if (parent.startsWith('jsx_') && parent !== 'jsx_expression') return 'jsx';
  return members?.has(`${parent}.${tree.field[node]}`) === true ? 'property' : role;
}
