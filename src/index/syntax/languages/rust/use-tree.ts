/**
 * A `use` tree as one import per leaf. `use a::{b as c, d::*}` gives `a::b` with the name `b as c` and `a::d` with the name `*`.
 * Trees nested deeper than anyone writes are cut: every leaf repeats its whole path, so their size would grow with the square.
 */

import type { Node } from 'web-tree-sitter';
import type { ImportedName } from '../../facts.ts';

export type UseLeaf = { readonly path: string; readonly name: ImportedName };

const maxDepth = 16;

export function listUseLeaves(argument: Node, text: string): UseLeaf[] {
  const leaves: UseLeaf[] = [];
  const pending: { node: Node; prefix: string; depth: number }[] = [{ node: argument, prefix: '', depth: 0 }];
  const pathOf = (node: Node | null) => (node === null ? '' : squeeze(text.slice(node.startIndex, node.endIndex)));
  const add = (path: string, start: number, alias: string | null = null, name = lastSegment(path)) => {
    if (name !== '') leaves.push({ path, name: { name, alias, start } });
  };
  for (let task = pending.pop(); task !== undefined; task = pending.pop()) {
    const { node, prefix, depth } = task;
    if (depth > maxDepth) continue;
    switch (node.type) {
      case 'scoped_use_list': {
        const list = node.childForFieldName('list');
        const inner = join(prefix, pathOf(node.childForFieldName('path')), text[node.startIndex] === ':');
        if (list !== null) pending.push({ node: list, prefix: inner, depth: depth + 1 });
        break;
      }
      case 'use_list':
        for (const child of node.namedChildren.toReversed()) pending.push({ node: child, prefix, depth });
        break;
      case 'use_wildcard': {
        const path = join(prefix, pathOf(node).replace(/(?:::)?\*$/, ''), false);
        add(path, node.endIndex - 1, null, '*');
        break;
      }
      case 'use_as_clause': {
        const path = node.childForFieldName('path');
        if (path === null) break;
        const alias = pathOf(node.childForFieldName('alias'));
        add(leafPath(prefix, pathOf(path)), nameStart(path), alias === '' ? null : alias);
        break;
      }
      case 'identifier':
      case 'scoped_identifier':
      case 'self':
      case 'crate':
      case 'super':
      case 'metavariable':
        add(leafPath(prefix, pathOf(node)), nameStart(node));
        break;
    }
  }
  return leaves;
}

/** `a::{self}` means `a`. */
function leafPath(prefix: string, path: string): string {
  return path === 'self' && prefix !== '' ? prefix : join(prefix, path, false);
}

function join(prefix: string, path: string, absolute: boolean): string {
  if (prefix === '') return absolute && !path.startsWith('::') ? `::${path}` : path;
  return path === '' ? prefix : `${prefix}::${path.replace(/^::/, '')}`;
}

function nameStart(path: Node): number {
  return (path.type === 'scoped_identifier' ? path.childForFieldName('name') : null)?.startIndex ?? path.startIndex;
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf(':') + 1).replace(/^r#/, '');
}

function squeeze(text: string): string {
  return /[\s/]/.test(text) ? text.replace(/\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\s+/g, '') : text;
}
