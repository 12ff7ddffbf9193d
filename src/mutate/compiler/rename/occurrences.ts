/**
 * From a position to what is named there, to the family and to every place where its name is written (mutation.md §2.1–2.3, §2.8): the
 * part of a rename that needs the compiler's bindings and nothing else. Every token of the old name in every program is looked at once.
 */

import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';
import type { AliasPolicy, EditForm, RefusedReason } from '../../vocabulary.ts';
import { isConfined, isExportedByAssignment } from '../job/declarations.ts';
import {
  type BoundToken,
  type NameToken,
  type OpenProgram,
  type Programs,
  placeKey,
  type RenameWorld,
} from '../job/job-types.ts';
import { listNameTokens, tokensInFile, tokensNamed, type UnboundName } from '../job/name-tokens.ts';
import type { CodeSpan, CompilerEdit, DeclarationPlace, Refusal, RenameQuestion } from '../session/messages.ts';
import { type Meaning, meanings, positionOf } from './name-positions.ts';
import {
  collectFamily,
  explainExternal,
  type Family,
  findOverrides,
  hasRelatives,
  type Shape,
  type SidedToken,
  startSide,
  touches,
  withSides,
} from './rename-family.ts';

const memberFlags =
  ts.SymbolFlags.Property |
  ts.SymbolFlags.Method |
  ts.SymbolFlags.GetAccessor |
  ts.SymbolFlags.SetAccessor |
  ts.SymbolFlags.EnumMember;

export function spanKey({ path, start }: Omit<CodeSpan, 'end'>): string {
  return `${path}\0${start}`;
}

export function planOccurrences(
  programs: Programs,
  question: RenameQuestion,
  kept: RenameWorld['kept'] = new Set(),
  /** Declarations of the same name that are to be renamed along, with all that is tied to them. */
  along: readonly DeclarationPlace[] = [],
): RenameWorld | Refusal {
  const targets = findTarget(programs, question.path, question.offset);
  if ('kind' in targets) return targets;
  const oldName = targets[0]?.token.text;
  if (oldName === undefined) throw new Error('a target was found and none is given');
  const plan = (tokens: readonly BoundToken[]): RenameWorld | Refusal =>
    planAmong(withSides(tokens), { programs, question, kept, along, targets, oldName });
  // Most names are local, and of a local name no other file can know: the others are not even looked at.
  const near = tokensInFile(programs, question.path, oldName);
  const local = mayBeLocal(withSides(near), targets, question) ? plan(near) : undefined;
  return local !== undefined && 'reach' in local && local.reach === 'file'
    ? local
    : plan(tokensNamed(programs, oldName));
}

/** A member never is, unless the language hides it; to find its relatives costs too much to do it twice. */
function mayBeLocal(tokens: readonly SidedToken[], targets: readonly Target[], question: RenameQuestion): boolean {
  const own = tokens.filter((token) => targets.some((target) => isAt(target, token)));
  const start = startPlaces(own, question);
  return own.some(({ token }) => token.kind === 'private') || ('kind' in start ? true : !isMember(own, start));
}

type Asked = {
  readonly programs: Programs;
  readonly question: RenameQuestion;
  readonly kept: RenameWorld['kept'];
  readonly along: readonly DeclarationPlace[];
  readonly targets: readonly Target[];
  readonly oldName: string;
};

function planAmong(
  tokens: readonly SidedToken[],
  { programs, question, kept, along, targets, oldName }: Asked,
): RenameWorld | Refusal {
  const own = tokens.filter((token) => targets.some((target) => isAt(target, token)));
  const start = startPlaces(own, question);
  if ('kind' in start) return start;
  const fromMember = isMember(own, start);
  if (oldName === 'default' && !fromMember) {
    return refuse(
      'not_renamable',
      '`default` is what the language calls it',
      question.path,
      question.offset,
      question.offset,
    );
  }
  const family = collectFamily(tokens, [...start, ...along], {
    policy: question.aliasPolicy,
    overridesOf: overridesOf(programs, tokens, fromMember, oldName),
    keepsPublic: ({ token }) => kept.has(spanKey(token)),
    keepsLocal: ({ token }) =>
      question.aliasPolicy === 'through' &&
      token.path !== question.path &&
      importerHasName(programs, token.path, question.newName),
  });
  const external = explainExternal(family, start, question);
  if (external !== undefined) return external;
  const occurrences = writeOccurrences(tokens, family, question.newName);
  if ('kind' in occurrences) return occurrences;
  const target =
    own.find((token) => touches(family, token.sides.first) || touches(family, token.sides.second)) ?? own[0];
  if (target === undefined) throw new Error('the target is no token of its own name');
  const places = [...family.places.values()].sort(comparePlaces);
  return {
    programs,
    question,
    oldName,
    target,
    family: places,
    familyKeys: new Set(family.places.keys()),
    isMember: occurrences.some(({ binding }) =>
      linksInside(binding, family).some((flags) => (flags & memberFlags) !== 0),
    ),
    reach: reachOf(occurrences, places),
    occurrences,
    kept,
  };
}

function isAt({ program, token }: Target, bound: BoundToken): boolean {
  return bound.program === program && bound.token.path === token.path && bound.token.start === token.start;
}

function isMember(tokens: readonly BoundToken[], start: readonly DeclarationPlace[]): boolean {
  const keys = new Set(start.map(placeKey));
  return tokens.some(
    ({ binding }) =>
      binding.kind === 'bound' &&
      binding.links.some(
        ({ symbol, places }) => (symbol.flags & memberFlags) !== 0 && places.some((place) => keys.has(placeKey(place))),
      ),
  );
}

/** M5: programs that bind the target differently cannot both be right about what is renamed. */
function startPlaces(own: readonly SidedToken[], question: RenameQuestion): readonly DeclarationPlace[] | Refusal {
  const bound = own
    .map((token) => ({ token, places: token.sides[startSide(token.sides, question.aliasPolicy)] }))
    .filter(({ places }) => places.length > 0);
  const [first, ...others] = bound;
  const at = own[0]?.token ?? { path: question.path, start: question.offset, end: question.offset };
  if (first === undefined) {
    const failed = own.find(({ binding }) => binding.kind === 'failed');
    const detail =
      failed === undefined ? 'the compiler gives this name no declaration' : 'the compiler failed on this name';
    return refuse('no_symbol', detail, at.path, at.start, at.end);
  }
  const keys = new Set(first.places.map(placeKey));
  const other = others.find(({ places }) => !places.some((place) => keys.has(placeKey(place))));
  if (other !== undefined) return divergence(first.token, other.token);
  const unique = new Map(bound.flatMap(({ places }) => places.map((place) => [placeKey(place), place] as const)));
  return [...unique.values()];
}

function divergence(inside: SidedToken, outside: SidedToken): Refusal {
  const told = ({ program, token, sides }: SidedToken): string => {
    const places = [...sides.first, ...sides.second].map(({ path, start }) => `${path}:${start}`);
    return `${program.key} binds \`${token.text}\` to ${[...new Set(places)].join(', ')}`;
  };
  return {
    kind: 'refused',
    reason: 'divergence',
    detail: `programs bind \`${inside.token.text}\` to different declarations`,
    evidence: [inside, outside].map((bound) => ({
      path: bound.token.path,
      start: bound.token.start,
      end: bound.token.end,
      says: told(bound),
    })),
  };
}

/** Heritage is looked up once, and only where a member can be in the family: most renames are of something else. */
function overridesOf(
  programs: Programs,
  tokens: readonly SidedToken[],
  fromMember: boolean,
  name: string,
): (place: string) => readonly DeclarationPlace[] {
  const related = new Set(tokens.filter(({ token }) => hasRelatives(token.node)).map(({ token }) => spanKey(token)));
  let ties: ReturnType<typeof findOverrides> | undefined;
  return (place) => {
    if (!(fromMember || related.has(place))) return [];
    ties ??= findOverrides(programs.open, tokens, name);
    return ties.get(place) ?? [];
  };
}

type Occurrence = BoundToken & { readonly edit: CompilerEdit | null };

/** One edit per span: the union over programs; a program that binds the span elsewhere ends the rename (M5). */
function writeOccurrences(
  tokens: readonly SidedToken[],
  family: Family,
  newName: string,
): readonly Occurrence[] | Refusal {
  const spans = new Map<string, { token: SidedToken; renamed: Renamed; bound: SidedToken[] }>();
  for (const token of tokens) {
    const renamed = { first: touches(family, token.sides.first), second: touches(family, token.sides.second) };
    const key = spanKey(token.token);
    const known = spans.get(key);
    if (known === undefined) spans.set(key, { token, renamed, bound: [token] });
    else {
      const inside = renamed.first || renamed.second;
      const before = known.renamed.first || known.renamed.second;
      if (inside && !before) known.token = token;
      known.renamed = { first: known.renamed.first || renamed.first, second: known.renamed.second || renamed.second };
      known.bound.push(token);
    }
  }
  const occurrences: Occurrence[] = [];
  for (const { token, renamed, bound } of spans.values()) {
    if (!(renamed.first || renamed.second)) continue;
    const elsewhere = bound.find((other) => other.program !== token.program && disagrees(token, other, renamed));
    if (elsewhere !== undefined) return divergence(token, elsewhere);
    const text = token.program.sourceFile(token.token.path)?.text.slice(token.token.start, token.token.end);
    const edit = chooseForm(token.token, token.sides.shape, renamed, text ?? token.token.text, newName);
    occurrences.push({ program: token.program, token: token.token, binding: token.binding, edit });
  }
  return occurrences.sort((a, b) => comparePlaces(a.token, b.token));
}

/** Side by side: that an import is called the same in all programs does not make it the same import. */
function disagrees(inside: SidedToken, other: SidedToken, renamed: Renamed): boolean {
  return (['first', 'second'] as const).some((side) => {
    const [here, there] = [inside.sides[side], other.sides[side]];
    if (!renamed[side] || here.length === 0 || there.length === 0) return false;
    const keys = new Set(here.map(placeKey));
    return !there.some((place) => keys.has(placeKey(place)));
  });
}

function linksInside(binding: BoundToken['binding'], family: Family): readonly number[] {
  return binding.kind === 'bound'
    ? binding.links.filter(({ places }) => touches(family, places)).map(({ symbol }) => symbol.flags)
    : [];
}

function reachOf(occurrences: readonly Occurrence[], places: readonly DeclarationPlace[]): 'file' | 'repo' {
  const declared = new Map(occurrences.map((occurrence) => [spanKey(occurrence.token), occurrence.token.node]));
  const path = places[0]?.path;
  const confined = places.every((place) => {
    const name = declared.get(placeKey(place));
    return place.path === path && name !== undefined && isConfined(name);
  });
  const isKept = ({ token, edit }: Occurrence) =>
    token.path === path && edit !== null && !edit.form.startsWith('export_') && !isExportedByAssignment(token.node);
  return confined && occurrences.every(isKept) ? 'file' : 'repo';
}

function comparePlaces(
  a: { readonly path: string; readonly start: number },
  b: { readonly path: string; readonly start: number },
): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.start - b.start;
}

/**
 * Does an importing file say this name already (mutation.md §2.8)? Then its import keeps the old local name, `import { b as a }`, and its
 * uses stay: under any other form one of the two would have to give way. Any use in a scope of the file counts, declared there or not.
 */
export function importerHasName(programs: Programs, path: string, newName: string): boolean {
  return programs.open.some((program) => {
    const text = program.sourceFile(path)?.text;
    if (text === undefined || !(text.includes(newName) || text.includes('\\'))) return false;
    return listNameTokens(program, path).some((token) => {
      if (token.text !== newName) return false;
      const { kind } = positionOf(token.node);
      return kind === 'declares' || kind === 'refers';
    });
  });
}

// What a rename is about (mutation.md §2.1): the name token of each program at the position, or why there is none.

type Target = { readonly program: OpenProgram; readonly token: NameToken };

/** Words that are identifiers to the scanner and yet no names of anything that is declared, unless a member is called so. */
const fixedNames: ReadonlySet<string> = new Set(['this', 'super', 'arguments', 'undefined', 'globalThis']);

function findTarget(programs: Programs, path: string, offset: number): readonly Target[] | Refusal {
  const targets: Target[] = [];
  let seen: Refusal | undefined;
  for (const program of programs.open) {
    const source = program.sourceFile(path);
    if (source === undefined) continue;
    const at = classOfConstructor(source, offset) ?? offset;
    const token = tokenAt(listNameTokens(program, path), at);
    if (token === undefined) seen ??= explain(source, path, offset);
    else if (isFixed(token)) {
      return refuse(
        'not_renamable',
        `\`${token.text}\` is a word of the language, not a name`,
        path,
        token.start,
        token.end,
      );
    } else if (isNumeric(token.text)) {
      // `o[42]` and `o["42"]` are one property, and a number is written in many ways.
      return refuse('not_renamable', `\`${token.text}\` is a number to the language`, path, token.start, token.end);
    } else targets.push({ program, token });
  }
  if (targets.length > 0) return targets;
  if (seen !== undefined) return seen;
  const { outside } = programs.place(`${programs.root}/${path}`);
  return outside
    ? refuse('external_symbol', 'the file is not part of the repository', path, offset, offset)
    : refuse('no_symbol', 'no program holds the file', path, offset, offset);
}

function isFixed({ text, kind, node }: NameToken): boolean {
  if (isQuoted(kind)) return false;
  const { parent } = node;
  // `declare global`, unless it is `namespace global`.
  if (ts.isModuleDeclaration(parent) && parent.name === node)
    return text === 'global' && !/\b(?:namespace|module)\s*$/.test(node.getSourceFile().text.slice(0, node.getStart()));
  if (text === 'default') return ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent);
  return fixedNames.has(text) && (!('name' in parent && parent.name === node) || ts.isParameterDeclaration(parent));
}

/** A token that holds the position goes before one that ends there; quotes belong to a string. */
function tokenAt(tokens: readonly NameToken[], offset: number): NameToken | undefined {
  const on = tokens.find(({ start, end }) => start <= offset && offset < end);
  const near = on ?? tokens.find(({ end }) => end === offset);
  return near ?? tokens.find(({ kind, start, end }) => isQuoted(kind) && start - 1 <= offset && offset <= end + 1);
}

function isQuoted(kind: NameToken['kind']): boolean {
  return kind === 'string' || kind === 'template';
}

function isNumeric(name: string): boolean {
  return String(Number(name)) === name && name !== 'NaN' && name !== 'Infinity' && name !== '-Infinity';
}

function classOfConstructor(source: ts.SourceFile, offset: number): number | undefined {
  const word = ts.getTokenAtPosition(source, offset);
  if (word.kind !== ts.SyntaxKind.ConstructorKeyword) return undefined;
  const owner = word.parent?.parent;
  if (owner === undefined || !(ts.isClassDeclaration(owner) || ts.isClassExpression(owner))) return undefined;
  return owner.name?.getStart();
}

function explain(source: ts.SourceFile, path: string, offset: number): Refusal {
  for (const at of offset > 0 ? [offset, offset - 1] : [offset]) {
    const token = ts.getTokenAtPosition(source, at);
    const start = token.getStart();
    if (start > at || at >= token.end) continue;
    if (ts.isKeywordKind(token.kind)) {
      return refuse('not_renamable', `\`${source.text.slice(start, token.end)}\` is a keyword`, path, start, token.end);
    }
    if (ts.isLiteralKind(token.kind) || ts.isTemplateMiddleOrTemplateTail(token)) {
      return refuse('not_renamable', 'a literal is no name', path, start, token.end);
    }
  }
  return refuse('no_symbol', 'no name stands here', path, offset, offset);
}

export function refuse(reason: RefusedReason, detail: string, path: string, start: number, end: number): Refusal {
  return { kind: 'refused', reason, detail, evidence: [{ path, start, end, says: detail }] };
}

// Every place where a rename writes the new name, in every program that has the file, with what the new name will be there. A form that
// keeps a local name (`import { b as a }`) writes the new one only as the other module's, so it has no part in scopes.

export type Write = UnboundName & {
  readonly edit: CompilerEdit;
  /** What is declared under the new name, in a scope. */
  readonly declares: ts.Node | null;
  /** What the new name is looked up as, in scopes; 0: it is not. */
  readonly refers: Meaning;
  /** Declared in, or looked up in, some type. */
  readonly isMember: boolean;
};

export function listWrites(world: RenameWorld): readonly Write[] {
  const edits = new Map<string, Map<number, CompilerEdit>>();
  for (const { token, edit } of world.occurrences) {
    if (edit === null) continue;
    const inFile = edits.get(token.path) ?? new Map<number, CompilerEdit>();
    edits.set(token.path, inFile.set(token.start, edit));
  }
  const { aliasPolicy } = world.question;
  return world.programs.open.flatMap((program) =>
    [...edits].flatMap(([path, inFile]) =>
      listNameTokens(program, path).flatMap((token) => {
        const edit = inFile.get(token.start);
        return edit === undefined ? [] : [{ program, token, edit, ...rolesOf(edit.form, token.node, aliasPolicy) }];
      }),
    ),
  );
}

type Roles = Pick<Write, 'declares' | 'refers' | 'isMember'>;

const none: Roles = { declares: null, refers: 0, isMember: false };

/**
 * Under `through`, local names are meant to be the names of what they stand for. A destructured local keeps its own all the same (M11),
 * but where it could not follow because the new name is taken, the two would read as if they belonged together: that is refused, and
 * `keep_local` is the way to ask for it.
 */
function rolesOf(form: EditForm, node: ts.Node, policy: AliasPolicy): Roles {
  switch (form) {
    case 'shorthand_value':
      return { ...none, refers: meanings.value };
    case 'export_keeps_public':
      return { ...none, refers: meanings.all };
    case 'destructured_property':
      return { ...none, declares: policy === 'through' ? node.parent : null, isMember: true };
    case 'shorthand_property':
    case 'string':
      return { ...none, isMember: true };
    case 'destructured_local':
    case 'import_local':
      return { ...none, declares: node.parent };
    case 'import_keeps_local':
    case 'export_public':
    case 'specifier':
      return none;
    case 'plain':
    case 'jsdoc': {
      const position = positionOf(node);
      if (position.kind === 'declares') return { ...none, declares: position.declaration };
      if (position.kind === 'refers') return { ...none, refers: position.meaning };
      return { ...none, isMember: position.kind === 'member' };
    }
  }
}

// How an occurrence is written anew (mutation.md §2.8), by which of its sides are renamed. Where a token says one name for two things and
// only one of them is renamed, the other keeps its name by an expansion (M11). Only the token's own span changes.

type Renamed = { readonly first: boolean; readonly second: boolean };

type Form = { readonly form: EditForm; readonly text: (old: string, fresh: string) => string };

const plain: Form = { form: 'plain', text: (_, fresh) => fresh };

const expansions: Record<Shape, { readonly first: Form | null; readonly second: Form | null }> = {
  name: { first: plain, second: null },
  shorthand: {
    first: { form: 'shorthand_value', text: (old, fresh) => `${old}: ${fresh}` },
    second: { form: 'shorthand_property', text: (old, fresh) => `${fresh}: ${old}` },
  },
  binding: {
    first: { form: 'destructured_local', text: (old, fresh) => `${old}: ${fresh}` },
    second: { form: 'destructured_property', text: (old, fresh) => `${fresh}: ${old}` },
  },
  import: {
    first: { form: 'import_local', text: (old, fresh) => `${old} as ${fresh}` },
    second: { form: 'import_keeps_local', text: (old, fresh) => `${fresh} as ${old}` },
  },
  whole_import: { first: plain, second: null },
  export: {
    first: { form: 'export_keeps_public', text: (old, fresh) => `${fresh} as ${old}` },
    second: { form: 'export_public', text: (old, fresh) => `${old} as ${fresh}` },
  },
  export_value: { first: plain, second: null },
};

/** `written` is the token as it stands, with the escapes it may have. */
function chooseForm(
  token: NameToken,
  shape: Shape,
  renamed: Renamed,
  written: string,
  newName: string,
): CompilerEdit | null {
  const form = formOf(shape, renamed);
  if (form === null) return null;
  return {
    path: token.path,
    start: token.start,
    end: token.end,
    oldText: written,
    newText: form.text(token.text, newName),
    form: form === plain ? plainForm(token) : form.form,
  };
}

function formOf(shape: Shape, { first, second }: Renamed): Form | null {
  if (first && second) return plain;
  if (first) return expansions[shape].first;
  return second ? expansions[shape].second : null;
}

function plainForm({ kind }: NameToken): EditForm {
  if (kind === 'string' || kind === 'template') return 'string';
  return kind === 'jsdoc' ? 'jsdoc' : 'plain';
}
