/** `use` and `extern crate`, at the level of items and inside bodies, and what `pub use` hands on. */

import type { Node } from 'web-tree-sitter';
import { listUseLeaves, type UseLeaf } from './use-tree.ts';
import { addRecordOf, type Item, isVisible, nameOf, sliceOf, type Walk } from './walk.ts';

export function addUse(walk: Walk, item: Item): void {
  const { node, scope } = item;
  walk.usesSeen.add(node.startIndex);
  const leaves = addUses(walk, node, item.start, scope.modules);
  if (scope.local) return;
  if (leaves.some(({ name, path }) => name === '*' && !closedGlob.test(path))) walk.hasGlob = true;
  if (!isVisible(walk, node)) return;
  addRecordOf(walk, item, [...scope.names, ...leaves.map(({ local }) => local)], scope.open, node.endIndex);
  for (const { path, local, name } of leaves) {
    walk.sheet.exports.push({
      publicName: local,
      localName: name === '*' ? null : name,
      specifier: path,
      star: name === '*',
      typeOnly: false,
    });
  }
}

/** Globs over this file itself or the standard library: nothing unknown comes in. */
const closedGlob = /^(?:self$|(?:::)?(?:std|core|alloc)\b)/;

type UsedName = { readonly path: string; readonly name: string; readonly local: string };

function addUses(walk: Walk, node: Node, start: number, modules: readonly string[]): UsedName[] {
  const used: UsedName[] = [];
  for (const { path: written, name } of listLeaves(walk, node)) {
    const path = fromFile(written, modules);
    walk.sheet.imports.push({
      specifier: path,
      kind: 'use',
      literal: true,
      typeOnly: false,
      names: [name],
      start,
      end: node.endIndex,
    });
    used.push({ path, name: name.name, local: name.alias ?? name.name });
  }
  return used;
}

/** Uses inside bodies, at any depth. The inline modules around them are followed as both come in the order of the text. */
export function addBodyUses(walk: Walk, root: Node): void {
  const around: { readonly name: string; readonly end: number }[] = [];
  for (const node of root.descendantsOfType(['use_declaration', 'extern_crate_declaration', 'mod_item'])) {
    if (node === null) continue;
    while ((around.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= node.startIndex) around.pop();
    if (node.type === 'mod_item') around.push({ name: nameOf(walk, node).text, end: node.endIndex });
    else if (!walk.usesSeen.has(node.startIndex)) {
      addUses(
        walk,
        node,
        node.startIndex,
        around.slice(-16).map(({ name }) => name),
      );
    }
  }
  walk.sheet.imports.sort((a, b) => a.start - b.start);
}

/** A path as the file's own module would write it: inside `mod a { … }`, `super::x` is `self::x` and `self::x` is `self::a::x`. */
function fromFile(path: string, modules: readonly string[]): string {
  const [first = '', ...rest] = modules.length === 0 ? [] : path.split('::');
  if (first !== 'self' && first !== 'super') return path;
  const segments = first === 'self' ? rest : path.split('::');
  let left = modules.length;
  while (left > 0 && segments[0] === 'super') {
    segments.shift();
    left -= 1;
  }
  return [...(segments[0] === 'super' ? [] : ['self']), ...modules.slice(0, left), ...segments].join('::');
}

function listLeaves(walk: Walk, node: Node): UseLeaf[] {
  if (node.type === 'use_declaration') {
    const argument = node.childForFieldName('argument');
    return argument === null ? [] : listUseLeaves(argument, walk.text);
  }
  const name = nameOf(walk, node);
  const alias = node.childForFieldName('alias');
  if (name.text === '') return [];
  return [{ path: name.text, name: { name: name.text, alias: alias && sliceOf(walk, alias), start: name.start } }];
}
