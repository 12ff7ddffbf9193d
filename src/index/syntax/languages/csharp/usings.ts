/** `using`: everything of a namespace, everything static of a type, or another name for one. */

import type { Node } from 'web-tree-sitter';
import { addRecord, type FactSheet } from '../shared/fact-sheet.ts';
import { normaliseCSharp } from './tokens.ts';

export function addUsing(sheet: FactSheet, node: Node, text: string): void {
  const alias = node.childForFieldName('name');
  const target = node.namedChildren.findLast((child) => child.id !== alias?.id) ?? alias;
  if (target === null || target.isExtra) return;
  const specifier = normaliseCSharp(text.slice(target.startIndex, target.endIndex));
  const local = alias === null ? null : text.slice(alias.startIndex, alias.endIndex);
  const name = alias === null ? '*' : (/(\w+)(?:<.*)?$/.exec(specifier)?.[1] ?? specifier);
  const { startIndex: start, endIndex: end } = node;
  sheet.imports.push({
    specifier,
    kind: 'use',
    literal: true,
    typeOnly: false,
    names: [{ name, alias: local === name ? null : local, start: nameStart(target) }],
    start,
    end,
  });
  // It holds for every file of the project.
  if (text.startsWith('global', start)) addRecord(sheet, [], true, () => normaliseCSharp(text.slice(start, end)));
}

function nameStart(target: Node): number {
  return target.childForFieldName('name')?.startIndex ?? target.startIndex;
}
