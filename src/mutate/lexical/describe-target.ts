/** The target as a plan names it: name path, kind, where it is declared. */

import type { Question } from '../../index/state/navigate/question.ts';
import type { CodeSpan, RenameFindings } from '../compiler/types.ts';
import type { Target } from './find-target.ts';

export function describeTarget(
  question: Question,
  { facts, oldName, binding, said }: Target,
  definitions: readonly CodeSpan[],
): RenameFindings['symbol'] {
  const own = definitions.find(({ path }) => path === facts.path) ?? definitions[0];
  const at = own ?? { path: facts.path, start: 0, end: 0 };
  const source = question.source(at.path);
  const byte = source === undefined ? -1 : Buffer.byteLength(source.text.slice(0, at.start)) + (source.bom ? 3 : 0);
  const row = question.symbols(at.path).find(({ nameStart, name }) => nameStart === byte && name === oldName);
  const kind =
    row?.kind ??
    facts.bindings[binding ?? -1]?.kind ??
    (said.some(({ key }) => /#[^#]+$/.test(key)) ? 'member' : 'name');
  return {
    name: oldName,
    namePath: row?.namePath ?? oldName,
    kind,
    definedAt: { path: at.path, start: at.start, outside: false },
  };
}
