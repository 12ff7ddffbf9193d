/**
 * What stands at the position of a rename (mutation.md §2.1): a name token of each program that holds the file, or why there is none. A
 * position just behind a name is on it; a position at `constructor` means the class.
 */

import * as ts from '../../../kernel/compiler/typescript-api.ts';
import type { RefusedReason } from '../../outcome.ts';
import type { NameToken, OpenProgram, Programs } from '../in-job.ts';
import { listNameTokens } from '../name-tokens.ts';
import type { Refusal } from '../types.ts';

export type Target = { readonly program: OpenProgram; readonly token: NameToken };

/** Words that are identifiers to the scanner and yet no names of anything that is declared, unless a member is called so. */
const fixedNames: ReadonlySet<string> = new Set(['this', 'super', 'arguments', 'undefined', 'globalThis']);

export function findTarget(programs: Programs, path: string, offset: number): readonly Target[] | Refusal {
  const targets: Target[] = [];
  let seen: Refusal | undefined;
  for (const program of programs.open) {
    const source = program.sourceFile(path);
    if (source === undefined) continue;
    const at = classOfConstructor(source, offset) ?? offset;
    const token = tokenAt(listNameTokens(program, path), at);
    if (token === undefined) seen ??= explain(source, path, offset);
    else if (isFixed(token)) {
      return refuse(
        'not_renamable',
        `\`${token.text}\` is a word of the language, not a name`,
        path,
        token.start,
        token.end,
      );
    } else if (isNumeric(token.text)) {
      // `o[42]` and `o["42"]` are one property, and a number is written in many ways.
      return refuse('not_renamable', `\`${token.text}\` is a number to the language`, path, token.start, token.end);
    } else targets.push({ program, token });
  }
  if (targets.length > 0) return targets;
  if (seen !== undefined) return seen;
  const { outside } = programs.place(`${programs.root}/${path}`);
  return outside
    ? refuse('external_symbol', 'the file is not part of the repository', path, offset, offset)
    : refuse('no_symbol', 'no program holds the file', path, offset, offset);
}

function isFixed({ text, kind, node }: NameToken): boolean {
  if (isQuoted(kind)) return false;
  const { parent } = node;
  // `declare global`, unless it is `namespace global`.
  if (ts.isModuleDeclaration(parent) && parent.name === node)
    return text === 'global' && !/\b(?:namespace|module)\s*$/.test(node.getSourceFile().text.slice(0, node.getStart()));
  if (text === 'default') return ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent);
  return fixedNames.has(text) && (!('name' in parent && parent.name === node) || ts.isParameterDeclaration(parent));
}

/** A token that holds the position goes before one that ends there; quotes belong to a string. */
function tokenAt(tokens: readonly NameToken[], offset: number): NameToken | undefined {
  const on = tokens.find(({ start, end }) => start <= offset && offset < end);
  const near = on ?? tokens.find(({ end }) => end === offset);
  return near ?? tokens.find(({ kind, start, end }) => isQuoted(kind) && start - 1 <= offset && offset <= end + 1);
}

function isQuoted(kind: NameToken['kind']): boolean {
  return kind === 'string' || kind === 'template';
}

function isNumeric(name: string): boolean {
  return String(Number(name)) === name && name !== 'NaN' && name !== 'Infinity' && name !== '-Infinity';
}

function classOfConstructor(source: ts.SourceFile, offset: number): number | undefined {
  const word = ts.getTokenAtPosition(source, offset);
  if (word.kind !== ts.SyntaxKind.ConstructorKeyword) return undefined;
  const owner = word.parent?.parent;
  if (owner === undefined || !(ts.isClassDeclaration(owner) || ts.isClassExpression(owner))) return undefined;
  return owner.name?.getStart();
}

function explain(source: ts.SourceFile, path: string, offset: number): Refusal {
  for (const at of offset > 0 ? [offset, offset - 1] : [offset]) {
    const token = ts.getTokenAtPosition(source, at);
    const start = token.getStart();
    if (start > at || at >= token.end) continue;
    if (ts.isKeywordKind(token.kind)) {
      return refuse('not_renamable', `\`${source.text.slice(start, token.end)}\` is a keyword`, path, start, token.end);
    }
    if (ts.isLiteralKind(token.kind) || ts.isTemplateMiddleOrTemplateTail(token)) {
      return refuse('not_renamable', 'a literal is no name', path, start, token.end);
    }
  }
  return refuse('no_symbol', 'no name stands here', path, offset, offset);
}

export function refuse(reason: RefusedReason, detail: string, path: string, start: number, end: number): Refusal {
  return { kind: 'refused', reason, detail, evidence: [{ path, start, end, says: detail }] };
}
