/**
 * A declaration beside its script (`a.d.ts`, `a.js`) is one module in two files, and the compiler reads one of them: what it calls another
 * symbol in the other is, by name, the same one. Nobody proves that, so it is a question.
 */

import type { Question } from '../../index/state/navigate/question.ts';
import type { CensusAccount, CompilerEdit, RenameFindings } from '../compiler/types.ts';
import { declarationTwin } from '../move/list-twins.ts';
import type { ItemDraft } from './build-groups.ts';

export function findTwins(
  question: Question,
  { census, family, edits, isMember, reach }: RenameFindings,
  { oldName, newName }: { readonly oldName: string; readonly newName: string },
): readonly ItemDraft[] {
  if (reach === 'file') return [];
  const declaring = new Set(family.filter(({ outside }) => !outside).map(({ path }) => path));
  const edited = new Set(edits.map(({ path }) => path));
  const items: ItemDraft[] = [];
  for (const path of declaring) {
    const twin = declarationTwin(path);
    if (twin === undefined || edited.has(twin) || question.file(twin)?.presence !== 'present') continue;
    // Of an export, what the file itself exports by that name; of a member there is no more than the name.
    if (!isMember && !question.exports(twin).some(({ publicName }) => publicName === oldName)) continue;
    const own = census.filter((one) => one.path === twin && one.account === 'other_symbol');
    const uses = isMember ? own : sameAs(own, twin);
    const [first] = uses;
    if (first === undefined) continue;
    const rename = uses.map(
      ({ start, end }): CompilerEdit => ({ path: twin, start, end, oldText: oldName, newText: newName, form: 'plain' }),
    );
    const detail = `${twin} and ${path} are one module, and the compiler reads the latter alone`;
    const { start, end } = first;
    items.push({ path: twin, start, end, kind: 'unresolved_reference', detail, edits: { rename } });
  }
  return items;
}

/** All that is bound to the first declaration of the name in the file: exports stand at its top, and most come first. */
function sameAs(own: readonly CensusAccount[], twin: string): readonly CensusAccount[] {
  const [first] = own.filter(({ detail }) => detail?.startsWith(`${twin}:`));
  return first === undefined ? own : own.filter(({ detail }) => detail === first.detail);
}
