/** `require`, `require_relative`, `load` and `autoload`. */

import type { Node } from 'web-tree-sitter';
import type { ImportKind, RawImport } from '../../facts.ts';
import { writtenName } from './literal.ts';

const kinds: Readonly<Record<string, ImportKind>> = {
  require: 'require',
  load: 'require',
  require_relative: 'require_relative',
  autoload: 'autoload',
};

export function readRequire(call: Node, method: string, given: readonly Node[], text: string): RawImport | undefined {
  const kind = Object.hasOwn(kinds, method) ? kinds[method] : undefined;
  const receiver = call.childForFieldName('receiver');
  const isKernel = receiver === null || text.slice(receiver.startIndex, receiver.endIndex) === 'Kernel';
  if (kind === undefined || !(isKernel || kind === 'autoload')) return undefined;
  const target = given[kind === 'autoload' ? 1 : 0];
  if (target === undefined) return undefined;
  const written = target.type === 'string' ? writtenName(target, text) : undefined;
  const constant = kind === 'autoload' ? writtenName(given[0], text) : undefined;
  return {
    specifier: written?.name ?? text.slice(target.startIndex, target.endIndex),
    kind,
    literal: written !== undefined,
    typeOnly: false,
    names: constant === undefined ? [] : [{ name: constant.name, alias: null, start: constant.start }],
    start: call.startIndex,
    end: call.endIndex,
  };
}
