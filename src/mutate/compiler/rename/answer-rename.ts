/**
 * Everything the compiler has to say about a rename (mutation.md §2, asked of the job): the family and its occurrences as edits, who else
 * has the new name, an account of every token the census found (M6), and how the compiler's own search compares; and, asked for it, what
 * is left in doubt. Nothing is decided here.
 */

import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { describeFailure } from '../../../languages/typescript/compiler/compiler-process.ts';
import {
  getTokenAtPosition,
  isBindingElement,
  isExpression,
  isExpressionStatement,
  isIdentifier,
  isJsxAttribute,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isQualifiedName,
  isReturnStatement,
  isVariableDeclaration,
  type Node,
  SymbolFlags,
  SyntaxKind,
} from '../../../languages/typescript/compiler/typescript-api.ts';
import { declarationOf, declarationStart, isStringLike, kindOf, namePathOf, nameStart } from '../job/declarations.ts';
import {
  type BoundToken,
  type NameToken,
  type OpenProgram,
  type Programs,
  placeKey,
  type RenameWorld,
} from '../job/job-types.ts';
import { listNameTokens, tokensInFile, tokensNamed } from '../job/name-tokens.ts';
import { findDoubleFile } from '../job/programs.ts';
import type {
  CensusAccount,
  CodeSpan,
  DeclarationPlace,
  DoubtList,
  DoubtQuestion,
  Refusal,
  RenameFindings,
  RenameQuestion,
} from '../session/messages.ts';
import { findClashes } from './clashes.ts';
import { findDoubts } from './doubts.ts';
import { listKeyEdits } from './key-literals.ts';
import { planOccurrences, refuse, spanKey } from './occurrences.ts';
import { findPublicExports } from './public-names.ts';

export function answerRename(programs: Programs, question: RenameQuestion): RenameFindings | Refusal {
  const planned = planWorld(programs, question);
  if (planned.kind === 'refused') return planned;
  const { world, publicAt } = planned;
  const edits = [...world.occurrences.flatMap(({ edit }) => edit ?? []), ...listKeyEdits(world)];
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
  const publicAt = question.publicNames === 'rename' ? [] : findPublicExports(planned);
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

/** M6: what the compiler says about every token of the old name that the census found. */
export function accountCensus(world: RenameWorld): readonly CensusAccount[] {
  const { programs, question, oldName } = world;
  const planned = new Set(world.occurrences.flatMap(({ token, edit }) => (edit === null ? [] : [spanKey(token)])));
  const bound = new Map<string, CensusAccount['account']>();
  const details = new Map<string, string>();
  const elsewhere = new Map<string, Set<string>>();
  const confined = world.reach === 'file';
  for (const { token, binding } of confined
    ? tokensInFile(programs, question.path, oldName)
    : tokensNamed(programs, oldName)) {
    const key = spanKey(token);
    const known = bound.get(key);
    // A program that binds the token knows more than one that does not, and a failure is no knowledge.
    if (binding.kind === 'bound') {
      bound.set(key, 'other_symbol');
      const places = binding.links.flatMap(({ places }) => places);
      // Where it comes from says more than where it is imported.
      const place = places.find(({ path }) => path !== token.path) ?? places[0];
      if (place !== undefined) details.set(key, `${place.path}:${place.start}`);
      const others = places.flatMap(({ path }) => (path === token.path ? [] : [path]));
      if (others.length > 0) elsewhere.set(key, new Set([...(elsewhere.get(key) ?? []), ...others]));
    } else if (binding.kind === 'none') {
      // No member access reaches what is not declared, or what a file keeps to itself.
      const isElse = world.isMember ? isLexical(token.node) : confined && !isLexical(token.node);
      bound.set(key, known === 'other_symbol' || isElse ? 'other_symbol' : 'unbound');
    } else {
      bound.set(key, known ?? 'failed');
      details.set(key, binding.detail);
    }
  }
  return question.census.map((span) => {
    const key = spanKey(span);
    if (planned.has(key)) return { ...bare(span), account: 'planned', detail: null };
    if (confined && span.path !== question.path) {
      return { ...bare(span), account: 'other_symbol', detail: 'the name is confined to its file' };
    }
    if (!programs.open.some((program) => holds(program, span.path)))
      return { ...bare(span), account: 'uncovered', detail: null };
    const account = bound.get(key) ?? (isReadWell(programs, span.path) ? 'no_name' : 'unbound');
    const declaredIn = elsewhere.get(key);
    const inside = account === 'no_name' ? tellInside(programs, span) : undefined;
    return {
      ...bare(span),
      account,
      detail: details.get(key) ?? null,
      ...(inside === undefined ? {} : { inside }),
      ...(declaredIn === undefined ? {} : { declaredIn: [...declaredIn].sort() }),
    };
  });
}

/** Looked up in scopes, not in a type. */
function isLexical(node: Node): boolean {
  const { parent } = node;
  if (!isIdentifier(node)) return false;
  if (isPropertyAccessExpression(parent)) return parent.name !== node;
  if (isQualifiedName(parent)) return parent.right !== node;
  if (isPropertyAssignment(parent) || isJsxAttribute(parent) || isBindingElement(parent)) return false;
  return (
    isExpression(parent) || isExpressionStatement(parent) || isVariableDeclaration(parent) || isReturnStatement(parent)
  );
}

const readWell = new WeakMap<Programs, Map<string, boolean>>();

/** Without a syntax error in any program: then every name in it was seen. */
function isReadWell(programs: Programs, path: string): boolean {
  const known = readWell.get(programs) ?? new Map<string, boolean>();
  readWell.set(programs, known);
  const before = known.get(path);
  if (before !== undefined) return before;
  const isWell = programs.open.every(({ project, sourceFile }) => {
    const file = sourceFile(path);
    return file === undefined || project.program.getSyntacticDiagnostics(file.fileName).length === 0;
  });
  known.set(path, isWell);
  return isWell;
}

/** Before a token, or a part of its text. Of documentation, and of what JSX has between its tags, this tree does not say it. */
function tellInside(programs: Programs, { path, start }: CodeSpan): CensusAccount['inside'] {
  for (const { sourceFile } of programs.open) {
    const file = sourceFile(path);
    if (file === undefined) continue;
    const token = getTokenAtPosition(file, start);
    if (token.kind === SyntaxKind.JSDoc || token.kind === SyntaxKind.JSDocText) return 'comment';
    if (token.kind === SyntaxKind.JsxText || file.text.startsWith('#!')) return undefined;
    if (start < token.getStart()) return 'comment';
    return start < token.end && texts.has(token.kind) ? 'string' : undefined;
  }
  return undefined;
}

const texts: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateHead,
  SyntaxKind.TemplateMiddle,
  SyntaxKind.TemplateTail,
  SyntaxKind.RegularExpressionLiteral,
]);

function bare({ path, start, end }: CodeSpan): CodeSpan {
  return { path, start, end };
}

function holds(program: OpenProgram, path: string): boolean {
  return program.sourceFile(path) !== undefined;
}

/** Every file that takes part: what is edited, what is declared, what the census asks about. */
export function listFiles(world: RenameWorld): readonly string[] {
  const files = new Set<string>([world.question.path]);
  for (const { token } of world.occurrences) files.add(token.path);
  for (const { path, outside } of world.family) if (!outside) files.add(path);
  if (world.reach === 'repo') for (const { path } of world.question.census) files.add(path);
  return [...files].sort();
}

export function textOf(programs: Programs, path: string): string | undefined {
  for (const program of programs.open) {
    const source = program.sourceFile(path);
    if (source !== undefined) return source.text;
  }
  return undefined;
}

/**
 * The compiler's own find-all-references, asked at every declaration of the family and united, against the spans a plan would edit. It is a
 * second opinion by other code than ours: the plan's own closure decides, and where the two differ the user is told.
 */
export function compareReferences(
  programs: Programs,
  target: BoundToken,
  planned: readonly CodeSpan[],
  family: readonly DeclarationPlace[],
): RenameFindings['references'] {
  const familyKeys = new Set(family.map(placeKey));
  const found: Found = { sure: new Map(), beyond: new Map() };
  let isComplete = true;
  for (const program of programs.open) {
    for (const { path, start, outside } of family) {
      const token = outside ? undefined : listNameTokens(program, path).find((one) => one.start === start);
      if (token !== undefined && !askReferences(programs, program, token, target.token.text, familyKeys, found))
        isComplete = false;
    }
  }
  const own = new Map(planned.map((span) => [keyOf(span), span]));
  const onlyThere = [...found.sure].filter(([key]) => !own.has(key)).map(([, span]) => span);
  const onlyHere = [...own]
    .filter(([key]) => !found.sure.has(key) && !found.beyond.has(key))
    .map(([, { path, start, end }]) => ({ path, start, end }));
  return { agrees: isComplete && onlyThere.length === 0 && onlyHere.length === 0, onlyThere, onlyHere };
}

/**
 * `beyond`: the search went through a name that stands for two symbols, such as an import; whether a rename does is the request's policy,
 * so these may be planned and need not be.
 */
type Found = { readonly sure: Map<string, CodeSpan>; readonly beyond: Map<string, CodeSpan> };

/** False when the search itself failed. */
function askReferences(
  programs: Programs,
  { project }: OpenProgram,
  { node, start }: NameToken,
  name: string,
  familyKeys: ReadonlySet<string>,
  found: Found,
): boolean {
  try {
    for (const { definition, references } of project.checker.getReferencedSymbolsForNode(node, start)) {
      const declared = definition.resolve(project);
      const isOwn = declared === undefined || familyKeys.has(keyOfNode(programs, declared));
      const into = !isOwn && (isTie(node) || isTie(declared)) ? found.beyond : found.sure;
      for (const handle of references) keepSpan(programs, handle.resolve(project), name, into);
    }
    return true;
  } catch (error) {
    describeFailure(error);
    return false;
  }
}

const ties: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.ImportSpecifier,
  SyntaxKind.ExportSpecifier,
  SyntaxKind.ImportClause,
  SyntaxKind.BindingElement,
  SyntaxKind.ShorthandPropertyAssignment,
]);

function isTie(node: Node): boolean {
  return ties.has(node.kind) || (node.parent !== undefined && ties.has(node.parent.kind));
}

function keyOfNode(programs: Programs, node: Node): string {
  const isName = node.kind === SyntaxKind.Identifier || isStringLike(node);
  const start = isName ? nameStart(node) : declarationStart(node);
  return placeKey({ ...programs.place(node.getSourceFile().fileName), start });
}

/** Uses under another name (`import { a as c }`, then `c`) are references that no rename edits. */
function keepSpan(programs: Programs, node: Node | undefined, name: string, found: Map<string, CodeSpan>): void {
  if (node === undefined || (node as Node & { readonly text?: string }).text !== name) return;
  const { path, outside } = programs.place(node.getSourceFile().fileName);
  if (outside) return;
  const span = { path, start: nameStart(node), end: isStringLike(node) ? node.end - 1 : node.end };
  found.set(keyOf(span), span);
}

function keyOf({ path, start, end }: CodeSpan): string {
  return `${path}\0${start}\0${end}`;
}
