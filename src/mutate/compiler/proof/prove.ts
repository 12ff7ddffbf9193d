/**
 * The shadow proof (mutation.md §3.1): the programs as they are and as they would be after the edits, side by side. A plan is proven iff
 * every name keeps what it is bound to (M15, M16), no diagnostic comes or goes, no member meets another of the new name in a base or
 * derived type, and everything outside the edits is as it was. What could not be asked is a gap, never equal (M18).
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findUnsaved } from '../../../kernel/tree/unsaved-texts.ts';
import { describeFailure } from '../../../languages/typescript/compiler/compiler-process.ts';
import type { OpenProgram, Programs } from '../job/job-types.ts';
import { listNameTokens } from '../job/name-tokens.ts';
import { findDoubleFile } from '../job/programs.ts';
import {
  compareDiagnostics,
  type DiagnosticList,
  type NotSmall,
  type ProofPlace,
  type ProofQuestion,
  type ProofReport,
  type ProofSubject,
  type SideQuestion,
  type SmallProofQuestion,
} from '../session/messages.ts';
import { listAffected } from './affected-files.ts';
import { type BindingFindings, compareBindings } from './compare-bindings.ts';
import { isClashThatEnds, liftSuppressions, listAfter, listBefore, listUnchecked } from './compare-diagnostics.ts';
import { compareMembers } from './compare-members.ts';
import { type EditMap, mapEdits } from './map-edits.ts';
import { type Chosen, chooseByName } from './reach-by-name.ts';
import { isRenamedThroughout } from './renamed-throughout.ts';

const maxPlaces = 20;

type AnyQuestion = ProofQuestion | SmallProofQuestion | SideQuestion;
type AnyReport = ProofReport | NotSmall | DiagnosticList;

/** `argues` false: everything that imports lead to is asked, and nothing argued by names or mentions. The tests hold one against the other. */
type Manner = { readonly argues: boolean };

export function prove(opened: Programs, question: ProofQuestion, manner?: Manner): ProofReport;
export function prove(opened: Programs, question: AnyQuestion, manner?: Manner): AnyReport;
export function prove(opened: Programs, question: AnyQuestion, manner: Manner = { argues: true }): AnyReport {
  const taken: Programs[] = [];
  try {
    return proveWith(opened, question, manner, (programs) => {
      taken.push(programs);
      return programs;
    });
  } finally {
    // A compiler that has looked at everything is large, and the next question may need as much.
    for (const programs of taken) programs.release();
  }
}

function proveWith(
  opened: Programs,
  question: AnyQuestion,
  manner: Manner,
  take: (programs: Programs) => Programs,
): AnyReport {
  const clock = startClock();
  const map = mapEdits(question, (path) => findTokens(opened, path));
  const uncovered = map.touched.filter((path) => isCode.test(path) && findText(opened, path) === undefined);
  if (uncovered.length > 0) return leaveGaps(uncovered.map((path) => place(path, '', 'no program has this file')));
  const isConfined = question.reach === 'file' && question.moves.length === 0;
  const double = isConfined ? undefined : findDoubleFile(opened, [...listNames(question)].filter(Boolean));
  if (double !== undefined) return leaveGaps([place(double.path, '', double.detail)]);
  // Before anything is opened for it: where files stay where they are, it is known without what comes after.
  const early =
    isConfined || question.moves.length > 0
      ? undefined
      : new Map(
          opened.open.map((was) => [was.key, chooseFiles(opened, opened, { was, is: was }, question, map, manner)]),
        );
  // A program that is the same under another name has the same errors, also those that comments hide.
  const isSame = early !== undefined && [...early.values()].every((chosen) => chosen.isSame === true);
  clock.lap('affected');
  // Where errors are asked for, and there alone, a comment could hide one.
  const asked = listAsked(early);
  const { texts: suppressing, checksJs } = isSame
    ? { texts: new Map<string, string>(), checksJs: false }
    : liftSuppressions(opened, isConfined ? new Set(map.touched) : asked);
  // What a name means no comment hides, and the programs that are open have answered many questions about it already.
  const lifted: ReadonlyMap<string, string> = question.part === 'names' && !checksJs ? new Map() : suppressing;
  // Of a few files, other texts are lifted each time.
  const isFew = isConfined || asked !== null;
  const liftAll = () => (isFew ? opened.withTexts(lifted, [], checksJs) : opened.lift(lifted, checksJs));
  const programs = lifted.size === 0 && !checksJs ? opened : take(liftAll());
  const after = take(programs.withTexts(planTexts(programs, map, lifted), question.moves, checksJs));
  clock.lap('snapshot');

  const pairs = pairPrograms(programs, after);
  const lost = pairs.filter(({ is }) => is === undefined);
  if (lost.length > 0)
    return disprove(
      'bindings_change',
      lost.map(({ was }) => place(was.key, 'a program', 'no program')),
    );

  const strays = findStrays(pairs, question.moves);
  if (strays.kind === 'lost') return disprove('bindings_change', strays.places);

  let tokens = 0;
  let diagnostics = 0;
  const files = new Set<string>();
  const gaps: ProofPlace[] = [];
  const concerned: {
    readonly was: OpenProgram;
    readonly is: OpenProgram;
    readonly paths: readonly string[] | null;
    readonly checked?: Chosen['checked'];
    readonly isStray: boolean;
  }[] = [];
  for (const { was, is } of pairs) {
    if (is === undefined) continue;
    const texts = compareTexts(programs, was, is, map, strays.paths);
    if (texts.length > 0) return disprove('bindings_change', texts);
    // Comments decide nothing here, and what was found out about the opened programs is not thrown away.
    const [first = was] = opened.open.filter(({ key }) => key === was.key);
    const chosen = early?.get(was.key) ?? chooseFiles(opened, after, { was: first, is }, question, map, manner);
    const isBoth = (path: string) => was.sourceFile(path) !== undefined && is.sourceFile(map.path(path)) !== undefined;
    const paths = strays.paths.size === 0 ? chosen.paths : (chosen.paths?.filter(isBoth) ?? null);
    clock.lap('affected');
    if (paths?.length === 0) continue;
    concerned.push({ was, is, paths, checked: chosen.checked, isStray: false });
    for (const path of paths ?? was.files) files.add(path);
  }

  for (const { was, is, from } of strays.pairs) {
    concerned.push({ was, is, paths: [from], isStray: true });
    files.add(from);
  }

  const isSmall = concerned.every(({ checked }) => checked !== undefined);
  if (question.part === 'if small' && !isSmall && files.size > question.files) return { kind: 'not_small' };
  const names = listNames(question);
  const hasMoves = question.moves.length > 0;
  /**
   * What the compiler says of a name can depend on what it was asked before, where types go in circles; and before the edits it was
   * asked what is to be renamed. Two compilers that are asked the same in the same order differ by the edits alone.
   */
  const lookAgain = (was: OpenProgram, compare: (before: OpenProgram, then: OpenProgram) => BindingFindings) => {
    const fresh = opened.reopen();
    try {
      const base = lifted.size === 0 && !checksJs ? fresh : fresh.withTexts(lifted, [], checksJs);
      const then = base.withTexts(planTexts(base, map, lifted), question.moves, checksJs);
      const [before] = base.open.filter(({ key }) => key === was.key);
      const [later] = then.open.filter(({ key }) => key === was.key);
      const isSame = was.files.every((path) => before?.sourceFile(path)?.text === was.sourceFile(path)?.text);
      return before === undefined || later === undefined || !isSame ? undefined : compare(before, later);
    } finally {
      fresh.close();
    }
  };
  const sidesOf = ({ was, is, paths, checked, isStray }: (typeof concerned)[number]) => {
    const shared = { programs, map, paths: checked ?? paths, question, isApart: isStray };
    return { before: { ...shared, program: was }, after: { ...shared, program: is } };
  };
  if (question.part === 'before' || question.part === 'after') {
    const list = question.part === 'before' ? listBefore : listAfter;
    const side = question.part;
    const listed = concerned.flatMap((pair) => list(sidesOf(pair)[side]));
    clock.lap('diagnostics');
    return { kind: 'listed', diagnostics: listed, ms: clock.spent };
  }
  for (const { was, is, paths, checked } of question.part === 'diagnostics' ? [] : concerned) {
    const both = (paths ?? was.files).filter(
      (path) => !strays.paths.has(map.path(path)) || is.sourceFile(map.path(path)),
    );
    const own = takeHalf(editedFirst(both, map), map, 'half' in question ? question.half : undefined);
    const compare = (before: OpenProgram, then: OpenProgram) =>
      compareBindings(before, then, map, own, names, { hasMoves, onlyNames: checked !== undefined });
    const first = compare(was, is);
    const found = first.changed.length > 0 && first.isElsewhere ? (lookAgain(was, compare) ?? first) : first;
    clock.lap('bindings');
    if (found.changed.length > 0) return disprove('bindings_change', found.changed);
    tokens += found.tokens;
    gaps.push(...found.gaps);
    const members = question.isMember ? askMembers(is, map, question, (paths ?? was.files).map(map.path)) : [];
    if (typeof members === 'string') gaps.push(place(map.touched[0] ?? '', 'base and derived types', members));
    else if (members.length > 0) return disprove('bindings_change', members);
    clock.lap('members');
  }
  for (const pair of question.part === 'names' ? [] : concerned) {
    const { before, after: then } = sidesOf(pair);
    const found = compareDiagnostics(listBefore(before), listAfter(then));
    const changed = found.changed.filter((one) => !isClashThatEnds(pair.was, one, question.oldName));
    clock.lap('diagnostics');
    if (changed.length > 0) return disprove('new_diagnostics', changed);
    diagnostics += found.diagnostics;
  }
  if (question.isMember && !isSame)
    for (const path of new Set(concerned.flatMap(({ was }) => listUnchecked(was))))
      if (files.has(path)) gaps.push(place(path, 'JavaScript', 'its errors cannot be asked for'));
  if (gaps.length > 0) return leaveGaps(gaps);
  return { kind: 'proven', tokens, files: files.size, programs: concerned.length, diagnostics, ms: clock.spent };
}

/** Of more files, what is lifted for all of them may serve the next proof as well. */
const fewFiles = 100;

/** The files whose errors are asked for; null: any may be, or many are. */
function listAsked(
  early: ReadonlyMap<string, Pick<Chosen, 'checked'> & { readonly paths: readonly string[] | null }> | undefined,
): ReadonlySet<string> | null {
  if (early === undefined) return null;
  const asked = new Set<string>();
  for (const { checked, paths } of early.values()) {
    const own = checked ?? paths;
    if (own === null) return null;
    for (const path of own) asked.add(path);
  }
  return asked.size > fewFiles ? null : asked;
}

/** All that the edits take away or bring, as planned or not: the argument that other names keep what they stand for rests on it. */
function listNames({ oldName, newName, edits }: ProofSubject): ReadonlySet<string> {
  const written = edits.flatMap(({ oldText, newText }) => [oldText, newText]).join(' ');
  return new Set([oldName, newName, ...(written.match(/#?[\p{ID_Continue}$]+/gu) ?? [])]);
}

/** Why they could not be compared, if one of the questions failed. */
function askMembers(
  after: OpenProgram,
  map: EditMap,
  { family, newName }: ProofSubject,
  paths: readonly string[],
): readonly ProofPlace[] | string {
  try {
    return compareMembers(after, map, family, newName, paths);
  } catch (error) {
    return describeFailure(error);
  }
}

/** Names that the language confines to their file are proved there; others wherever the edits can reach. */
function chooseFiles(
  programs: Programs,
  after: Programs,
  { was, is }: { readonly was: OpenProgram; readonly is: OpenProgram },
  question: ProofSubject,
  map: EditMap,
  { argues }: Manner,
): Pick<Chosen, 'checked'> & {
  readonly paths: readonly string[] | null;
  /** The program is the same under another name. */
  readonly isSame?: boolean;
} {
  const own = new Set(was.files);
  const touched = map.touched.filter((path) => own.has(path));
  if (question.reach === 'file' && question.moves.length === 0) return { paths: touched };
  const { oldName, newName, isMember, moves, edits } = question;
  const names = [oldName, newName];
  if (moves.length === 0) {
    const appearing = isMember ? [] : [newName];
    // Where it holds of all files, which of them the edits can reach need not be known.
    const wide =
      argues && !isMember ? chooseByName(programs, was, was.files, question, listNames(question)) : undefined;
    if (wide !== undefined && (wide.checked !== undefined || wide.paths.length === 1)) return wide;
    const before = listAffected(programs, was, { seeds: edits, names, appearing, byImports: !argues });
    if (argues && isMember && isRenamedThroughout(programs, was, before ?? was.files, question))
      return { paths: touched, checked: touched, isSame: true };
    const chosen = argues ? chooseByName(programs, was, before ?? was.files, question, listNames(question)) : undefined;
    return chosen ?? { paths: before };
  }
  const reachedFrom = (paths: readonly string[]) => ({
    seeds: paths.map((path) => ({ path })),
    names,
    byImports: true,
  });
  const before = listAffected(programs, was, reachedFrom(touched));
  if (before === null) return { paths: null };
  // A moved file can answer imports that found nothing, or something else, before.
  const then = listAffected(after, is, reachedFrom(map.touched.map(map.path)));
  return { paths: then === null ? null : [...new Set([...before, ...then.map(map.pathBefore)])].sort() };
}

function editedFirst(paths: readonly string[], { touched }: EditMap): readonly string[] {
  const edited = new Set(touched);
  return [...paths.filter((path) => edited.has(path)), ...paths.filter((path) => !edited.has(path))];
}

function takeHalf(paths: readonly string[], { touched }: EditMap, half: ProofQuestion['half']): readonly string[] {
  if (half === undefined) return paths;
  const edited = new Set(touched);
  return paths.filter((path, at) => (edited.has(path) || at % 2 === 0) === (half === 'first'));
}

function planTexts(
  programs: Programs,
  map: EditMap,
  lifted: ReadonlyMap<string, string>,
): ReadonlyMap<string, string | null> {
  const texts = new Map<string, string | null>(lifted);
  for (const path of map.touched) if (map.path(path) !== path) texts.set(path, null);
  for (const path of map.touched) {
    const text = findText(programs, path) ?? readData(programs.root, path);
    texts.set(map.path(path), map.textAfter(path, text));
  }
  return texts;
}

/** Whatever else is edited has no names of its own, but may decide what others mean: configuration is. */
const isCode = /\.[cm]?[jt]sx?$/;

function readData(root: string, path: string): string {
  return new TextDecoder().decode(findUnsaved(root, path) ?? readFileSync(join(root, path)));
}

function pairPrograms(
  before: Programs,
  after: Programs,
): readonly { readonly was: OpenProgram; readonly is: OpenProgram | undefined }[] {
  const byKey = new Map(after.open.map((program) => [program.key, program]));
  return before.open.map((was) => ({ was, is: byKey.get(was.key) }));
}

function findText(programs: Programs, path: string): string | undefined {
  for (const program of programs.open) {
    const file = program.sourceFile(path);
    if (file !== undefined) return file.text;
  }
  return undefined;
}

function findTokens(programs: Programs, path: string): ReturnType<typeof listNameTokens> {
  const program = programs.open.find((one) => one.sourceFile(path) !== undefined);
  return program === undefined ? [] : listNameTokens(program, path);
}

function disprove(reason: 'bindings_change' | 'new_diagnostics', places: readonly ProofPlace[]): ProofReport {
  return {
    kind: 'disproved',
    reason,
    places: places.slice(0, maxPlaces),
    more: Math.max(0, places.length - maxPlaces),
  };
}

function leaveGaps(places: readonly ProofPlace[]): ProofReport {
  return { kind: 'gaps', places: places.slice(0, maxPlaces), more: Math.max(0, places.length - maxPlaces) };
}

function place(path: string, before: string, after: string): ProofPlace {
  return { at: { path, start: 0, end: 0 }, before, after };
}

function startClock(): { readonly spent: Record<string, number>; lap(name: string): void } {
  const spent: Record<string, number> = {};
  let last = performance.now();
  return {
    spent,
    lap(name) {
      const now = performance.now();
      spent[name] = Math.round((spent[name] ?? 0) + now - last);
      last = now;
    },
  };
}

/**
 * Condition 4 of the shadow proof (mutation.md §3.1): the after programs have the planned texts in the edited files, and every other file
 * as it was, no more and no fewer files than before. A file that moves may change programs, which `findStrays` looks at.
 */
function compareTexts(
  programs: Programs,
  before: OpenProgram,
  after: OpenProgram,
  map: EditMap,
  /** After the edits. */
  strays: ReadonlySet<string>,
): readonly ProofPlace[] {
  const was = listAll(programs, before).map(map.path).sort();
  const is = [...listAll(programs, after)].sort();
  const stays = (path: string) => !strays.has(path);
  const lost = subtract(was, is)
    .filter(stays)
    .map((path) => place(path, `part of ${before.key}`, `${path} is no part of ${before.key}`));
  const come = subtract(is, was)
    .filter(stays)
    .map((path) => place(path, `no part of ${before.key}`, `${path} is part of ${before.key}`));
  if (lost.length + come.length > 0) return [...lost, ...come];
  const touched = new Set(map.touched);
  return before.files.flatMap((path) => {
    if (strays.has(map.path(path)) && after.sourceFile(map.path(path)) === undefined) return [];
    const old = before.sourceFile(path);
    const now = after.sourceFile(map.path(path));
    // The same object stands for the same bytes, parsed the same way.
    if (old !== undefined && old === now && !touched.has(path)) return [];
    const expected = old === undefined ? undefined : map.textAfter(path, old.text);
    return expected !== undefined && expected === now?.text ? [] : [place(path, 'as planned', 'another text')];
  });
}

function listAll(programs: Programs, { project }: OpenProgram): readonly string[] {
  return project.program.getSourceFileNames().map((fileName) => programs.place(fileName).path);
}

function subtract(from: readonly string[], what: readonly string[]): readonly string[] {
  const known = new Set(what);
  return from.filter((path) => !known.has(path));
}

// A file that moves can leave one program and come into another: from one package to the next, or to where no project looks. It must have
// a program afterwards if it had one before, and there it is compared with what it was in the one it comes from.

type Strays =
  | {
      readonly kind: 'settled';
      /** After the move: files that not the same programs have as before. */
      readonly paths: ReadonlySet<string>;
      readonly pairs: readonly { readonly was: OpenProgram; readonly is: OpenProgram; readonly from: string }[];
    }
  | { readonly kind: 'lost'; readonly places: readonly ProofPlace[] };

type Pair = { readonly was: OpenProgram; readonly is: OpenProgram | undefined };

function findStrays(programs: readonly Pair[], moves: ProofQuestion['moves']): Strays {
  const paths = new Set<string>();
  const pairs: { was: OpenProgram; is: OpenProgram; from: string }[] = [];
  const places: ProofPlace[] = [];
  for (const { from, to } of moves) {
    const had = programs.filter(({ was }) => was.sourceFile(from) !== undefined);
    const has = programs.filter(({ is }) => is?.sourceFile(to) !== undefined);
    const [home] = had;
    if (home === undefined) continue;
    if (has.length === 0) {
      const keys = had.map(({ was }) => was.key).join(', ');
      const at = { path: from, start: 0, end: 0 };
      places.push({ at, before: `part of ${keys}`, after: `no project includes ${to}, and ${keys} had the file` });
      continue;
    }
    if (had.length === has.length && had.every((pair) => has.includes(pair))) continue;
    paths.add(to);
    for (const { was, is } of has)
      if (is !== undefined && was.sourceFile(from) === undefined) pairs.push({ was: home.was, is, from });
  }
  return places.length > 0 ? { kind: 'lost', places } : { kind: 'settled', paths, pairs };
}
