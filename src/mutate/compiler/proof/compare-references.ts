/**
 * The compiler's own find-all-references, asked at every declaration of the family and united, against the spans a plan would edit. It is a
 * second opinion by other code than ours: the plan's own closure decides, and where the two differ somebody should know.
 */

import { describeFailure } from '../../../kernel/compiler/ask-in-batches.ts';
import { type Node, SyntaxKind } from '../../../kernel/compiler/typescript-api.ts';
import { declarationStart, isStringLike, nameStart } from '../declaration-name.ts';
import { type BoundToken, type NameToken, type OpenProgram, type Programs, placeKey } from '../in-job.ts';
import { listNameTokens } from '../name-tokens.ts';
import type { CodeSpan, DeclarationPlace, RenameFindings } from '../types.ts';

export function compareReferences(
  programs: Programs,
  target: BoundToken,
  planned: readonly CodeSpan[],
  family: readonly DeclarationPlace[],
): RenameFindings['references'] {
  const familyKeys = new Set(family.map(placeKey));
  const found: Found = { sure: new Map(), beyond: new Map() };
  let isComplete = true;
  for (const program of programs.open) {
    for (const { path, start, outside } of family) {
      const token = outside ? undefined : listNameTokens(program, path).find((one) => one.start === start);
      if (token !== undefined && !askReferences(programs, program, token, target.token.text, familyKeys, found))
        isComplete = false;
    }
  }
  const own = new Map(planned.map((span) => [keyOf(span), span]));
  const onlyThere = [...found.sure].filter(([key]) => !own.has(key)).map(([, span]) => span);
  const onlyHere = [...own]
    .filter(([key]) => !found.sure.has(key) && !found.beyond.has(key))
    .map(([, { path, start, end }]) => ({ path, start, end }));
  return { agrees: isComplete && onlyThere.length === 0 && onlyHere.length === 0, onlyThere, onlyHere };
}

/**
 * `beyond`: the search went through a name that stands for two symbols, such as an import; whether a rename does is the request's policy,
 * so these may be planned and need not be.
 */
type Found = { readonly sure: Map<string, CodeSpan>; readonly beyond: Map<string, CodeSpan> };

/** False when the search itself failed. */
function askReferences(
  programs: Programs,
  { project }: OpenProgram,
  { node, start }: NameToken,
  name: string,
  familyKeys: ReadonlySet<string>,
  found: Found,
): boolean {
  try {
    for (const { definition, references } of project.checker.getReferencedSymbolsForNode(node, start)) {
      const declared = definition.resolve(project);
      const isOwn = declared === undefined || familyKeys.has(keyOfNode(programs, declared));
      const into = !isOwn && (isTie(node) || isTie(declared)) ? found.beyond : found.sure;
      for (const handle of references) keepSpan(programs, handle.resolve(project), name, into);
    }
    return true;
  } catch (error) {
    describeFailure(error);
    return false;
  }
}

const ties: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.ImportSpecifier,
  SyntaxKind.ExportSpecifier,
  SyntaxKind.ImportClause,
  SyntaxKind.BindingElement,
  SyntaxKind.ShorthandPropertyAssignment,
]);

function isTie(node: Node): boolean {
  return ties.has(node.kind) || (node.parent !== undefined && ties.has(node.parent.kind));
}

function keyOfNode(programs: Programs, node: Node): string {
  const isName = node.kind === SyntaxKind.Identifier || isStringLike(node);
  const start = isName ? nameStart(node) : declarationStart(node);
  return placeKey({ ...programs.place(node.getSourceFile().fileName), start });
}

/** Uses under another name (`import { a as c }`, then `c`) are references that no rename edits. */
function keepSpan(programs: Programs, node: Node | undefined, name: string, found: Map<string, CodeSpan>): void {
  if (node === undefined || (node as Node & { readonly text?: string }).text !== name) return;
  const { path, outside } = programs.place(node.getSourceFile().fileName);
  if (outside) return;
  const span = { path, start: nameStart(node), end: isStringLike(node) ? node.end - 1 : node.end };
  found.set(keyOf(span), span);
}

function keyOf({ path, start, end }: CodeSpan): string {
  return `${path}\0${start}\0${end}`;
}
