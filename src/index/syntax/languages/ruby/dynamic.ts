/** Calls that reach for methods, constants and variables by a name that is computed or quoted. */

import type { Node } from 'web-tree-sitter';
import type { DynamicKind, DynamicSite } from '../../facts.ts';
import { listChildren } from '../../walk-tree.ts';
import { writtenName } from './literal.ts';

const kinds: Readonly<Record<string, DynamicKind>> = {
  send: 'send',
  public_send: 'send',
  __send__: 'send',
  method: 'send',
  public_method: 'send',
  instance_method: 'send',
  'respond_to?': 'send',
  define_method: 'reflection',
  define_singleton_method: 'reflection',
  remove_method: 'reflection',
  undef_method: 'reflection',
  const_get: 'reflection',
  const_set: 'reflection',
  'const_defined?': 'reflection',
  instance_variable_get: 'reflection',
  instance_variable_set: 'reflection',
  'instance_variable_defined?': 'reflection',
  class_variable_get: 'reflection',
  class_variable_set: 'reflection',
  eval: 'eval',
  instance_eval: 'eval',
  class_eval: 'eval',
  module_eval: 'eval',
};

/** With a block alone `instance_eval` runs code that can be read; only with a string does it run one that cannot. */
export function readReach(call: Node, method: string, given: readonly Node[], text: string): DynamicSite | undefined {
  const kind = Object.hasOwn(kinds, method) ? kinds[method] : undefined;
  if (kind === undefined || given.length === 0) return undefined;
  const name = kind === 'eval' ? null : (writtenName(given[0], text)?.name.replace(/^.*::/s, '') ?? null);
  return { start: call.startIndex, end: call.endIndex, kind, name };
}

/** `map(&:name)` sends `name`. */
export function readBlockSymbol(argument: Node, text: string): DynamicSite | undefined {
  const written = writtenName(listChildren(argument)[0], text);
  return written && { start: argument.startIndex, end: argument.endIndex, kind: 'send', name: written.name };
}
