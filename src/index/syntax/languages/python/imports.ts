/** Python's import statements. Dots of a relative import stay in the specifier; the resolver knows the file's package. */

import type { Node } from 'web-tree-sitter';
import type { ImportedName, RawImport } from '../../facts.ts';

/** `import a.b, c as d`: one import per module. `import a.b` binds `a`, so that is the alias under which everything is known. */
export function readImportStatement(node: Node, text: string, typeOnly: boolean): RawImport[] {
  const span = { start: node.startIndex, end: node.endIndex };
  return node.namedChildren.flatMap((child) => {
    const found = readName(child, text);
    if (found === undefined) return [];
    const { name: specifier, start } = found;
    const names = [{ name: '*', alias: found.alias ?? specifier.replace(/\..*/s, ''), start }];
    return [{ specifier, kind: 'import', literal: true, typeOnly, names, ...span }];
  });
}

export function readFromStatement(node: Node, text: string, typeOnly: boolean): RawImport | undefined {
  const children = node.namedChildren;
  const isFuture = node.type === 'future_import_statement';
  const module = isFuture
    ? undefined
    : children.find(({ type }) => type === 'dotted_name' || type === 'relative_import');
  const specifier = isFuture ? '__future__' : module && dottedName(module, text);
  if (!specifier) return undefined;
  const names: ImportedName[] = [];
  for (const child of children) {
    if (child.type === 'wildcard_import') names.push({ name: '*', alias: null, start: child.startIndex });
    const found = child === module ? undefined : readName(child, text);
    if (found !== undefined) names.push(found);
  }
  return { specifier, kind: 'from', literal: true, typeOnly, names, start: node.startIndex, end: node.endIndex };
}

function readName(node: Node, text: string): ImportedName | undefined {
  const isAliased = node.type === 'aliased_import';
  const named = isAliased ? node.childForFieldName('name') : node;
  if (named?.type !== 'dotted_name') return undefined;
  const name = dottedName(named, text);
  const alias = isAliased ? node.childForFieldName('alias') : null;
  const written = alias === null ? '' : text.slice(alias.startIndex, alias.endIndex);
  return name === '' ? undefined : { name, alias: written === '' ? null : written, start: named.startIndex };
}

/** `a . b` is `a.b`. */
function dottedName(node: Node, text: string): string {
  return text.slice(node.startIndex, node.endIndex).replace(/#[^\n]*|[\s\\]+/g, '');
}
