/** `navigate`: from a place or a name to where it is declared, used, implemented, or to what a file imports. */

import def from '../../operations/def.ts';
import deps from '../../operations/deps.ts';
import implementations from '../../operations/implementations.ts';
import { oneOf, strictInput } from '../../operations/input.ts';
import refs from '../../operations/refs.ts';
import { askForTool } from '../ask-for-tool.ts';
import { defineTool, fieldsOf, readTarget, type ToolAnswer, type ToolInput, type ToolWorld } from '../tool.ts';

const ops = ['def', 'refs', 'implementations', 'deps'] as const;

type Ask = (input: ToolInput, token: unknown, world: ToolWorld) => Promise<ToolAnswer>;

const asks: Readonly<Record<(typeof ops)[number], Ask>> = {
  def: (input, token, world) => {
    const lists = ['definitions', 'chain', 'modules', 'outside'];
    return askForTool(def, { input, token, lists, next: () => 'Read the definition at path:line:col.' }, world);
  },
  refs: (input, token, world) => {
    const next = ({ unresolved, count }: { readonly unresolved: readonly unknown[]; readonly count: Counted }) =>
      unresolved.length > 0
        ? 'These are the uses; `unresolved` could be uses too: read them. To rename, call plan_refactor.'
        : count.relation === 'gte'
          ? 'There may be more uses, see count.unresolved. To rename, call plan_refactor instead of editing each.'
          : 'These are all uses. To rename, call plan_refactor instead of editing each.';
    return askForTool(refs, { input, token, lists: ['files[].hits', 'unresolved[].hits'], next }, world);
  },
  implementations: (input, token, world) => {
    const next = () => 'Read one at path:line:col; where types are not indexed, see count.unresolved.';
    return askForTool(implementations, { input, token, lists: ['implementations'], next }, world);
  },
  deps: ({ target, ...others }, token, world) => {
    const input = { ...others, path: target };
    const lists = ['imports', 'importers', 'also_uses', 'also_used_by'];
    const next = () => 'Ask deps of a file named here to go on; to move a file, call plan_refactor.';
    return askForTool(deps, { input, token, names: { path: 'target' }, lists, next }, world);
  },
};
type Counted = { readonly relation: 'eq' | 'gte' };

const fields = fieldsOf(deps, ['reverse', 'limit', 'continue']);

export default defineTool({
  name: 'navigate',
  says: 'What grep cannot tell: where a name is declared (def), every use bound by scope, imports and types (refs), what implements it (implementations), what a file imports (deps; reverse: its importers). Use it before you change or delete anything. outcome ambiguous: call again with a candidate.',
  readsOnly: true,
  input: strictInput({
    op: oneOf(ops),
    target: fieldsOf(def, ['target']).target.describe(
      'path:line:col, name path (Class/method), path#name; deps: a file',
    ),
    ...fields,
  }),
  run: ({ op, target, continue: token, ...input }, world) =>
    asks[op as (typeof ops)[number]]({ ...input, target: readTarget(target) }, token, world),
});
