/** Facts of preprocessor lines: what is included, which macros there are, and which of them make names out of parts. */

import type { Node } from 'web-tree-sitter';
import { addRecord, addSymbol, type FactSheet } from '../shared/fact-sheet.ts';
import { normaliseC } from './tokens.ts';

/** A node of a line ends behind the line; its facts end with its last word. */
export function addInclude(sheet: FactSheet, node: Node, text: string): void {
  const path = node.childForFieldName('path');
  if (path === null) return;
  const written = text.slice(path.startIndex, path.endIndex);
  const literal = path.type === 'string_literal' || path.type === 'system_lib_string';
  sheet.imports.push({
    specifier: literal ? written.slice(1, -1) : written,
    kind: path.type === 'system_lib_string' ? 'include_system' : 'include',
    literal,
    typeOnly: false,
    names: [],
    start: node.startIndex,
    end: path.endIndex,
  });
}

/** `#include_next` and `#import` are lines the grammar has no rule for; `#undef` takes a macro away from the includer. */
export function addDirective(sheet: FactSheet, node: Node, text: string, guard: string, isHeader: boolean): void {
  const { startIndex: start } = node;
  const line = text.slice(start, node.endIndex).trimEnd();
  const end = start + line.length;
  const include = /^#\s*(?:include_next|import)\s*(?:"([^"\n]*)"|<([^>\n]*)>)/.exec(line);
  if (include !== null) {
    const kind = include[1] === undefined ? 'include_system' : 'include';
    const specifier = include[1] ?? include[2] ?? '';
    sheet.imports.push({ specifier, kind, literal: true, typeOnly: false, names: [], start, end });
  } else if (/^#\s*undef\b/.test(line)) {
    addRecord(sheet, [], isHeader, () => guard + normaliseC(line));
  }
}

export function addMacro(sheet: FactSheet, node: Node, text: string, guard: string, isHeader: boolean): void {
  const name = node.childForFieldName('name');
  if (name === null) return;
  const parameters = node.childForFieldName('parameters');
  const value = node.childForFieldName('value');
  const named = { text: text.slice(name.startIndex, name.endIndex), start: name.startIndex, end: name.endIndex };
  const span = { start: node.startIndex, end: (value ?? parameters ?? name).endIndex };
  addSymbol(sheet, 'macro', named, span, -1, isHeader);
  const head = { start: name.startIndex, end: (parameters ?? name).endIndex };
  const body = value === null ? '' : text.slice(value.startIndex, value.endIndex);
  addRecord(
    sheet,
    [named.text],
    isHeader,
    // The space says that what follows are not parameters.
    () => `${guard}#define ${normaliseC(text.slice(head.start, head.end))} ${normaliseC(body)}`,
  );
  if (value !== null && body.includes('##')) {
    sheet.dynamicSites.push({ kind: 'reflection', name: null, start: value.startIndex, end: value.endIndex });
  }
}

/** The condition that what is inside depends on. */
export function guardOf(node: Node, text: string): string {
  const condition = node.childForFieldName('condition') ?? node.childForFieldName('name');
  if (condition === null) return '#else ';
  return `${normaliseC(text.slice(node.startIndex, condition.endIndex))} `;
}

/** `#ifndef X` followed by `#define X`: the line that keeps a header from being read twice tells nothing. */
export function isIncludeGuard(node: Node, around: Node, text: string): boolean {
  if (node.type !== 'preproc_def' || around.type !== 'preproc_ifdef' || node.childForFieldName('value') !== null)
    return false;
  const asked = around.childForFieldName('name');
  const made = node.childForFieldName('name');
  if (asked === null || made === null || !text.startsWith('#ifndef', around.startIndex)) return false;
  return text.slice(asked.startIndex, asked.endIndex) === text.slice(made.startIndex, made.endIndex);
}
