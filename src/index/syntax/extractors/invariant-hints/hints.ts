/** What the visitors of one file add to, and how they quote it. */

import type { Node } from 'web-tree-sitter';
import { redactString } from '../../../../kernel/secrets/redact-string.ts';

export const assertionKinds = ['assert', 'invariant', 'throw_guard', 'type_guard', 'exhaustive_never'] as const;
export type AssertionKind = (typeof assertionKinds)[number];
export const validatorLibraries = ['zod', 'yup', 'joi', 'valibot', 'ajv', 'class-validator', 'pydantic'] as const;
export type ValidatorLibrary = (typeof validatorLibraries)[number];
export const contractTags = ['throws', 'deprecated', 'internal', 'invariant', 'pre', 'post'] as const;
export type ContractTag = (typeof contractTags)[number];

/** Lines count from 1. */
export type InvariantHints = {
  readonly assertions: readonly { readonly line: number; readonly kind: AssertionKind; readonly text: string }[];
  readonly validators: readonly { readonly line: number; readonly library: ValidatorLibrary; readonly name: string }[];
  readonly titles: readonly { readonly line: number; readonly title: string }[];
  readonly contracts: readonly { readonly line: number; readonly tag: ContractTag }[];
};

export interface HintNotes {
  /** The beginning of a node as it is written. Every look at the source is of bounded length. */
  head(node: Node, chars: number): string;
  /** Does a sticky pattern match where a node begins? Spares most nodes a closer look. */
  beginsWith(node: Node, pattern: RegExp): boolean;
  assertion(kind: AssertionKind, node: Node, quoted?: { readonly start: number; readonly end: number }): void;
  validator(library: ValidatorLibrary, node: Node, name: string): void;
  /** `literal` with its quotes. */
  title(node: Node, literal: string): void;
  contract(tag: ContractTag, line: number): void;
}

const maxTextChars = 200;

export function createHints(text: string): { readonly notes: HintNotes; readonly hints: InvariantHints } {
  const hints = {
    assertions: [] as { line: number; kind: AssertionKind; text: string }[],
    validators: [] as { line: number; library: ValidatorLibrary; name: string }[],
    titles: [] as { line: number; title: string }[],
    contracts: [] as { line: number; tag: ContractTag }[],
  };
  const lineOf = (node: Node) => node.startPosition.row + 1;
  const notes: HintNotes = {
    head: ({ startIndex, endIndex }, chars) => text.slice(startIndex, Math.min(endIndex, startIndex + chars)),
    beginsWith({ startIndex }, pattern) {
      pattern.lastIndex = startIndex;
      return pattern.test(text);
    },
    assertion(kind, node, { start, end } = { start: node.startIndex, end: node.endIndex }) {
      hints.assertions.push({ line: lineOf(node), kind, text: quote(text, start, end) });
    },
    validator(library, node, name) {
      hints.validators.push({ line: lineOf(node), library, name: name.slice(0, maxTextChars) });
    },
    title(node, literal) {
      const plain = literal.replace(/^[a-zA-Z]{0,2}["'`]+/, '').replace(/["'`]{1,3}$/, '');
      hints.titles.push({ line: lineOf(node), title: quote(plain, 0, plain.length) });
    },
    contract: (tag, line) => void hints.contracts.push({ line, tag }),
  };
  return { notes, hints };
}

/** One line, at most 200 characters, cut with an ellipsis. Redacted before it is cut: half a secret is not recognised as one. */
function quote(text: string, start: number, end: number): string {
  const isLong = end - start > maxTextChars * 4;
  const source = text.slice(start, isLong ? start + maxTextChars * 4 : end);
  const line = redactString(source, { entropy: false }).text.replace(/\s+/g, ' ').trim();
  if (line.length <= maxTextChars && !isLong) return line;
  // Where white space made room, the last word may be one that was cut before it could be recognised.
  const shown = line.length < maxTextChars ? line.replace(/\S+$/, '') : line.slice(0, maxTextChars - 1);
  return `${shown.replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Where a comment names a tag: at the beginning of one of its lines. */
export function readTags(
  notes: HintNotes,
  comment: Node,
  pattern: RegExp,
  tags: Readonly<Record<string, ContractTag>>,
): void {
  const text = notes.head(comment, maxCommentChars);
  let [line, from] = [comment.startPosition.row + 1, 0];
  for (const match of text.matchAll(pattern)) {
    for (let next = text.indexOf('\n', from); next !== -1 && next < match.index; next = text.indexOf('\n', from)) {
      line += 1;
      from = next + 1;
    }
    const tag = tags[(match[1] ?? '').toLowerCase()];
    if (tag !== undefined) notes.contract(tag, line);
  }
}

const maxCommentChars = 50_000;
