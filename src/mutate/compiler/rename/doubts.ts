/**
 * Reasons to doubt that the compiler can know (mutation.md §2.6, M9): each about this symbol, at one place, with what each choice edits.
 * Every rule is narrow: what the compiler binds, or would report if it were missed, is no doubt. Names that only their scope can reach
 * have none, `eval` in that scope excepted.
 */

import { placeKey, type RenameWorld } from '../job/job-types.ts';
import { type CompilerEdit, cannotFollow, type ItemDraft } from '../session/messages.ts';
import { findBorder, siteKey, type TiedSite, type TieKind, type Ties, tieKinds } from './border.ts';
import { findClashes, tellPlace } from './clashes.ts';
import { findConventionNames } from './convention-names.ts';
import { findAmbientNames } from './declared-elsewhere.ts';
import { listOwners, tellFirst } from './doubted-family.ts';
import { findFunctionTexts } from './function-texts.ts';
import { listKeyEdits } from './key-literals.ts';
import { findLoadedModules } from './loaded-modules.ts';
import { memberDeclaration } from './member-types.ts';
import { findNamesAsData } from './names-as-data.ts';
import { findNamesInTemplates } from './names-in-templates.ts';
import { listWrites, planOccurrences, spanKey } from './occurrences.ts';
import { findProtocolNames } from './protocol-names.ts';
import { findPublicExports } from './public-names.ts';
import { findDynamicAccesses, findEvals, findStringReferences, findWiths } from './spelled-names.ts';
import { findUntoldInheritance } from './untold-inheritance.ts';
import { findModuleLookups, findUnknownBases, findUntypedAccesses } from './untyped-doubts.ts';

const tieWords: Readonly<Record<TieKind, (oldName: string, newName: string) => string>> = {
  missed: (oldName) => `What is expected here may have \`${oldName}\`, and this would no longer give it`,
  lost: (oldName) => `This fits by a \`${oldName}\` of its own, which would no longer be seen`,
  gained: (_, newName) => `What is given here and what is expected would come to meet in \`${newName}\``,
};

/** One per place and kind, sorted by place. */
export function findDoubts(world: RenameWorld): readonly ItemDraft[] {
  const found = listDoubts(world);
  const distinct = new Map<string, ItemDraft>();
  for (const item of [...found.items, ...tellTies(world, found)]) {
    const key = `${item.path}\0${item.start}\0${item.kind === 'untyped_access' ? 'string_reference' : item.kind}`;
    if (!distinct.has(key)) distinct.set(key, item);
  }
  return [...distinct.values()].sort((a, b) => (a.path === b.path ? a.start - b.start : a.path < b.path ? -1 : 1));
}

/** What every rule finds, before anything is told. */
type Doubts = { readonly items: readonly ItemDraft[]; readonly ties: Ties };

function listDoubts(world: RenameWorld): Doubts {
  const owners = listOwners(world);
  const border = findBorder(world);
  const items = [
    ...findUntypedAccesses(world),
    ...findModuleLookups(world),
    ...findStringReferences(world, owners),
    ...findDynamicAccesses(world, owners),
    ...findEvals(world, listWrites(world)),
    ...border.items,
    ...findUnknownBases(world, owners),
    ...findConventionNames(world),
    ...findProtocolNames(world),
    ...findAmbientNames(world),
    ...findNamesAsData(world),
    ...findFunctionTexts(world),
    ...findUntoldInheritance(world, owners),
    ...findNamesInTemplates(world),
    ...findLoadedModules(world),
    ...findWiths(world, owners),
  ];
  return { items, ties: border.ties };
}

/**
 * Ties by shape as questions, one for each kind of them, at the first such place. `rename` takes the others along: all that a rename of
 * them would edit. It is offered only where that is known to be the whole (M11, M13): they are members that the repository declares, the
 * new name is free there too, and neither of the two renames leaves a doubt that is not asked about already. The proof of what is selected
 * decides again.
 */
function tellTies(world: RenameWorld, found: Doubts): readonly ItemDraft[] {
  const { oldName, question } = world;
  return tieKinds.flatMap((kind): ItemDraft[] => {
    const [item] = tellFirst('structural_tie', found.ties[kind], tieWords[kind](oldName, question.newName));
    if (item === undefined) return [];
    if (kind === 'gained') return [{ ...item, options: ['leave', 'stop'] }];
    const along = planAlong(world, kind, found);
    if (typeof along !== 'string') return [{ ...item, edits: { rename: along } }];
    return [cannotFollow(item, along)];
  });
}

/** What is edited beside the rename itself, or why that cannot be said. */
function planAlong(world: RenameWorld, kind: TieKind, found: Doubts): readonly CompilerEdit[] | string {
  const others = found.ties[kind].map(({ others: places }) => places);
  if (others.includes(null)) return 'nothing declares it by name';
  const along = others.flatMap((places) => places ?? []);
  if (along.some(({ outside }) => outside)) return 'it is declared outside the repository';
  const wider = planOccurrences(world.programs, world.question, world.kept, along);
  if ('kind' in wider) return wider.reason === 'external_family' ? `it ${wider.detail}` : wider.detail;
  const edits = listBeside(world, wider);
  if (edits === undefined || wider.reach !== world.reach || !addsMembersAlone(world, wider))
    return 'it is more than a member';
  const [clash] = findClashes(wider);
  if (clash !== undefined) return clash.detail.replace(/\.$/, '');
  if (findPublicExports(wider).length > 0 && findPublicExports(world).length === 0)
    return 'users of the package see it';
  const isKnown = knows(found);
  const after = listDoubts(wider);
  const isSettled =
    after.ties[kind].length === 0 &&
    after.items.every(isKnown.item) &&
    tieKinds.every((each) => after.ties[each].every((site) => isKnown.site(each, site)));
  if (isSettled) return edits;
  const [first] = along;
  const begin = first === undefined ? '' : `, which a rename that begins at ${tellPlace(world.programs, first)} asks`;
  return `that raises questions of its own${begin}`;
}

/** Undefined where a name that the rename edits would be written in another way. */
function listBeside(world: RenameWorld, wider: RenameWorld): readonly CompilerEdit[] | undefined {
  const own = new Map(world.occurrences.map(({ token, edit }) => [spanKey(token), edit]));
  const beside: CompilerEdit[] = [];
  for (const { token, edit } of wider.occurrences) {
    const before = own.get(spanKey(token));
    if (before === undefined && edit !== null) beside.push(edit);
    else if (before?.newText !== edit?.newText) return undefined;
  }
  const keys = new Set(listKeyEdits(world).map(spanKey));
  return [...beside, ...listKeyEdits(wider).filter((edit) => !keys.has(spanKey(edit)))];
}

/** What else is declared is a key of a literal, or a member of a type: nothing that scopes or modules know. */
function addsMembersAlone(world: RenameWorld, wider: RenameWorld): boolean {
  const names = new Map(wider.occurrences.map(({ token }) => [spanKey(token), token.node]));
  return wider.family.every((place) => {
    const key = placeKey(place);
    const name = names.get(key);
    return world.familyKeys.has(key) || (name !== undefined && memberDeclaration(name) !== undefined);
  });
}

function knows({ items, ties }: Doubts): {
  readonly item: (item: ItemDraft) => boolean;
  readonly site: (kind: TieKind, site: TiedSite) => boolean;
} {
  // Of many, not all are told, and the last one says how many are not.
  const keyOf = ({ kind, path, start, detail }: ItemDraft) => `${kind}\0${path}\0${start}\0${detail}`;
  const known = new Set(items.map(keyOf));
  const sites = new Set(tieKinds.flatMap((kind) => ties[kind].map((site) => `${kind}\0${siteKey(site)}`)));
  return {
    item: (item) => known.has(keyOf(item)),
    site: (kind, site) => sites.has(`${kind}\0${siteKey(site)}`),
  };
}
