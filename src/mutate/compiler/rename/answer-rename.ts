/**
 * Everything the compiler has to say about a rename (mutation.md §2, asked of the job): the family and its occurrences as edits, who else
 * has the new name, and an account of every token the census found; and, asked for it, what is left in doubt. Nothing is decided here.
 */

import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { SymbolFlags } from '../../../kernel/compiler/typescript-api.ts';
import { findDoubleFile } from '../double-files.ts';
import { type BoundToken, type Programs, placeKey, type RenameWorld } from '../in-job.ts';
import { compareReferences } from '../proof/compare-references.ts';
import type {
  CodeSpan,
  DeclarationPlace,
  DoubtList,
  DoubtQuestion,
  Refusal,
  RenameFindings,
  RenameQuestion,
} from '../types.ts';
import { accountCensus, listFiles, textOf } from './account-census.ts';
import { declarationOf, kindOf, namePathOf } from './describe-symbol.ts';
import { findDoubts } from './find-doubts.ts';
import { refuse } from './find-target.ts';
import { findClashes } from './name-clashes.ts';
import { planOccurrences, spanKey } from './plan-occurrences.ts';
import { findPublicExports } from './public-exports.ts';

export function answerRename(programs: Programs, question: RenameQuestion): RenameFindings | Refusal {
  const planned = planWorld(programs, question);
  if (planned.kind === 'refused') return planned;
  const { world, publicAt } = planned;
  const edits = world.occurrences.flatMap(({ edit }) => edit ?? []);
  return {
    kind: 'findings',
    symbol: describe(world),
    reach: world.reach,
    isMember: world.isMember,
    family: world.family,
    edits,
    clashes: findClashes(world),
    census: accountCensus(world),
    publicAt,
    texts: hashTexts(world),
    ...(world.reach === 'repo' ? { files: [...new Set(programs.open.flatMap(({ files }) => files))].sort() } : {}),
    references: compareReferences(programs, world.target, edits, roots(world)),
    notes: notesAboutPipes(programs),
  };
}

export function answerDoubts(programs: Programs, question: DoubtQuestion): DoubtList | Refusal {
  const planned = planWorld(programs, { ...question, kind: 'rename' });
  return planned.kind === 'refused' ? planned : { kind: 'doubts', items: findDoubts(planned.world) };
}

type Planned = { readonly kind: 'planned'; readonly world: RenameWorld; readonly publicAt: readonly CodeSpan[] };

/** Two questions are asked about the same rename. */
let last: { readonly programs: Programs; readonly question: RenameQuestion; readonly planned: Planned } | undefined;

function planWorld(programs: Programs, question: RenameQuestion): Planned | Refusal {
  if (last?.programs === programs && isDeepStrictEqual(last.question, question)) return last.planned;
  const planned = planOccurrences(programs, question);
  if ('kind' in planned) return planned;
  if (planned.oldName === question.newName) {
    const { path, start, end } = planned.target.token;
    return refuse('same_name', `it is called \`${question.newName}\` already`, path, start, end);
  }
  const double = planned.reach === 'repo' ? findDoubleFile(programs, [planned.oldName, question.newName]) : undefined;
  if (double !== undefined) return refuse('divergence', double.detail, double.path, 0, 0);
  const publicAt = findPublicExports(planned);
  const world = question.publicNames === 'keep' ? keepPublic(planned, new Set(publicAt.map(spanKey))) : planned;
  if ('kind' in world) return world;
  const found: Planned = { kind: 'planned', world, publicAt };
  last = { programs, question, planned: found };
  return found;
}

function notesAboutPipes({ root, listPipes }: Programs): readonly string[] {
  const [first, ...others] = listPipes();
  if (first === undefined) return [];
  const name = first.replace(`${root}/`, '');
  const more = others.length === 0 ? '' : `, nor are ${others.length} more that the compiler would read`;
  return [`${name} is no regular file and was not read${more}`];
}

/** The outermost export keeps its name by an alias; a declaration that the entry exports by itself has no place for one. */
function keepPublic(planned: RenameWorld, kept: ReadonlySet<string>): RenameWorld | Refusal {
  if (kept.size === 0) return planned;
  const world = planOccurrences(planned.programs, planned.question, kept);
  if ('kind' in world) return world;
  const bare = world.occurrences.find(
    ({ token, edit }) => edit !== null && kept.has(spanKey(token)) && edit.form !== 'export_keeps_public',
  );
  if (bare === undefined) return world;
  const { path, start, end } = bare.token;
  const detail =
    'the entry exports the declaration itself: its public name cannot be kept by an alias in an export list';
  return refuse('not_renamable', detail, path, start, end);
}

function describe({ target, family, occurrences, oldName }: RenameWorld): RenameFindings['symbol'] {
  const declared = new Map(occurrences.map((occurrence) => [spanKey(occurrence.token), occurrence]));
  const own = ownPlaces(target).filter((place) => family.some((other) => placeKey(other) === placeKey(place)));
  const definedAt = own[0] ?? family[0];
  if (definedAt === undefined) throw new Error('a family without a declaration');
  const name = declared.get(placeKey(definedAt))?.token.node ?? target.token.node;
  const declaration = declarationOf(name);
  return { name: oldName, namePath: namePathOf(declaration, oldName), kind: kindOf(declaration), definedAt };
}

function ownPlaces({ binding }: BoundToken): readonly DeclarationPlace[] {
  return binding.kind === 'bound' ? binding.links.flatMap(({ places }) => places) : [];
}

/** Where to ask for references: names of imports lead to the same answer as what they import, once per file. */
function roots({ family, occurrences }: RenameWorld): readonly DeclarationPlace[] {
  const aliases = new Set<string>();
  for (const { token, binding } of occurrences) {
    const own = binding.kind === 'bound' ? binding.links.find(({ role }) => role === 'symbol') : undefined;
    if (own !== undefined && (own.symbol.flags & SymbolFlags.Alias) !== 0) aliases.add(spanKey(token));
  }
  const declarations = family.filter((place) => !aliases.has(placeKey(place)));
  return declarations.length > 0 ? declarations : family;
}

function hashTexts(world: RenameWorld): Readonly<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const path of listFiles(world)) {
    const text = textOf(world.programs, path);
    if (text !== undefined) hashes[path] = createHash('sha256').update(text, 'utf8').digest('hex');
  }
  return hashes;
}
