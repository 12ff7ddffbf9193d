/** `use` in all its forms, and `include`/`require`. */

import type { Node } from 'web-tree-sitter';
import type { RawImport } from '../../facts.ts';
import { listChildren } from '../../walk-tree.ts';
import { stringLiteral } from './literal.ts';

/** One import per name: each may lie in another file. */
export function readUse(declaration: Node, text: string): RawImport[] {
  const span = { start: declaration.startIndex, end: declaration.endIndex };
  const children = listChildren(declaration);
  const group = children.find(({ type }) => type === 'namespace_use_group');
  const prefixNode = children.find(({ type }) => type === 'namespace_name');
  const prefix = group === undefined || prefixNode === undefined ? '' : `${nameText(prefixNode, text)}\\`;
  const clauses = (group === undefined ? children : listChildren(group)).filter(
    ({ type }) => type === 'namespace_use_clause',
  );
  return clauses.flatMap((clause) => {
    const named = listChildren(clause).find(({ type }) => type === 'qualified_name' || type === 'name');
    if (named === undefined || named.startIndex === named.endIndex) return [];
    const specifier = `${prefix}${nameText(named, text)}`.replace(/^\\/, '');
    const name = specifier.slice(specifier.lastIndexOf('\\') + 1);
    const alias = clause.childForFieldName('alias');
    const names = [{ name, alias: alias && nameText(alias, text), start: named.endIndex - name.length }];
    return [{ specifier, kind: 'use', literal: true, typeOnly: false, names, ...span }];
  });
}

/** `__DIR__ . '/x.php'` is the file beside this one, `./x.php`; a bare literal is looked for along the include path. */
export function readInclude(expression: Node, text: string): RawImport {
  const [argument] = listChildren(expression);
  const inner = argument?.type === 'parenthesized_expression' ? listChildren(argument)[0] : argument;
  const literal = stringLiteral(inner, text) ?? besideThis(inner, text);
  return {
    specifier: literal ?? (inner === undefined ? '' : text.slice(inner.startIndex, inner.endIndex)),
    kind: expression.type.startsWith('require') ? 'require' : 'include',
    literal: literal !== null,
    typeOnly: false,
    names: [],
    start: expression.startIndex,
    end: expression.endIndex,
  };
}

function besideThis(node: Node | undefined, text: string): string | null {
  if (node?.type !== 'binary_expression') return null;
  const left = node.childForFieldName('left');
  const path = stringLiteral(node.childForFieldName('right'), text);
  if (left === null || !path?.startsWith('/')) return null;
  const base = text.slice(left.startIndex, left.endIndex).replace(/\s+/g, '');
  if (base === '__DIR__' || base === 'dirname(__FILE__)') return `.${path}`;
  return base === 'dirname(__DIR__)' ? `..${path}` : null;
}

function nameText(node: Node, text: string): string {
  return text.slice(node.startIndex, node.endIndex).replace(/\s+/g, '');
}
