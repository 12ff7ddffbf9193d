/** Interface records (code-plane.md §3.3): of a header everything, of a source file what the linker sees. */

import type { Node } from 'web-tree-sitter';
import { addRecord } from '../shared/fact-sheet.ts';
import { findDeclared } from './declarators.ts';
import { hasPlaceholder } from './declared-kinds.ts';
import { normaliseC } from './tokens.ts';
import type { Item, Walk } from './walk.ts';

/** All tokens of a declaration at the level of the file, for a header and for what a source file keeps to itself. */
export function addItemRecord(
  walk: Walk,
  { node, start, scope }: Item,
  names: readonly string[],
  inferred = false,
): void {
  if (scope.kind !== 'file') return;
  const { endIndex } = node;
  const { sheet, text, isHeader } = walk;
  if (!isHeader) sheet.hidden.add(node.id);
  addRecord(
    sheet,
    names,
    isHeader,
    () => scope.guard + scope.path + normaliseC(text.slice(start, endIndex)),
    inferred && isHeader,
  );
}

/** Of a source file: variables that are defined here are seen by the linker; prototypes and types are not. */
export function addSourceRecords(
  walk: Walk,
  { node, start, scope }: Item,
  declarators: readonly Node[],
  type: Node | null,
  is: { readonly exported: boolean; readonly isTypedef: boolean; readonly isExtern: boolean },
): void {
  const { sheet, text } = walk;
  if (!is.exported) sheet.hidden.add(node.id);
  const prefix = scope.guard + scope.path;
  const typeEnd = type?.endIndex ?? start;
  for (const declarator of declarators) {
    const declared = findDeclared(declarator, text);
    if (declared === undefined) continue;
    const value = declarator.type === 'init_declarator' ? declarator.childForFieldName('value') : null;
    const isDefinition = !is.isTypedef && !declared.isFunction && (!is.isExtern || value !== null);
    const inner = declarator.type === 'init_declarator' ? declarator.childForFieldName('declarator') : null;
    const inferred = value !== null && hasPlaceholder(type, node);
    const span = { start: declarator.startIndex, end: (inferred ? declarator : (inner ?? declarator)).endIndex };
    addRecord(
      sheet,
      [declared.text],
      is.exported && isDefinition,
      () => `${prefix}${normaliseC(text.slice(start, typeEnd))} ${normaliseC(text.slice(span.start, span.end))}`,
      inferred,
    );
  }
}

/** Of a source file: a function without its body, unless the body says what it returns. */
export function addSourceFunction(
  walk: Walk,
  { node, start, scope }: Item,
  name: string,
  exported: boolean,
  inferred: boolean,
): void {
  const { sheet, text } = walk;
  if (!exported) sheet.hidden.add(node.id);
  const initializers = node.namedChildren.find((child) => child.type === 'field_initializer_list');
  const body = initializers ?? node.childForFieldName('body');
  const end = inferred || body === null ? node.endIndex : body.startIndex;
  addRecord(sheet, [name], exported, () => scope.guard + scope.path + normaliseC(text.slice(start, end)), inferred);
}
