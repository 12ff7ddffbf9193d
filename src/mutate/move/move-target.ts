/**
 * What is to move, file by file, and where to: from the words of a request to `Moves`, or why not. A directory is all the files in scope
 * below it; it is moved only if each of them could be moved by itself, so that nothing of it is left behind unsaid.
 */

import { posix } from 'node:path';
import type { Question } from '../../index/navigate/question.ts';
import { findTargetFile } from '../../index/navigate/question-target.ts';
import { listAllPaths, listFilesBelow, type StoredFile } from '../../index/store/stored-files.ts';
import { listFilesMatchingName, listRedactedFiles } from '../../index/store/stored-text.ts';
import { isNotAnswered } from '../../index/view/not-answered.ts';
import { quotedPath, singleLine } from '../../kernel/base/text.ts';
import { isVendoredPath } from '../../kernel/tree/file-roles.ts';
import { type IgnoreRule, judgeEntry } from '../../kernel/tree/path-patterns.ts';
import { pathInRoot } from '../../kernel/tree/root.ts';
import { createDirectoryGuard, inspect, lstatOf } from '../../kernel/tree/safe-read.ts';
import { judgeScope } from '../../kernel/tree/scope-layers.ts';
import { readIgnoreFiles } from '../../kernel/tree/walk-paths.ts';
import { languageOf } from '../../languages/file-language.ts';
import { findFamily, isJavaScript } from '../../languages/language-family.ts';
import { hasSyntax } from '../../languages/languages.ts';
import { directoryOf } from '../../languages/resolving/root-paths.ts';
import type { Answer } from '../answer.ts';
import { isPlainPath } from '../apply/journal.ts';
import { notFound, refusedAnswer, unsupportedAnswer } from '../plans/answers.ts';
import type { LookingWorld } from '../refactoring.ts';
import type { RefusedReason } from '../vocabulary.ts';
import { longestWord } from './collect-changes.ts';
import type { MoveInput } from './move-request.ts';
import type { Moves } from './moved-tree.ts';
import { pathNamed } from './path-style.ts';

export type MoveTarget = {
  readonly kind: 'target';
  readonly from: string;
  readonly to: string;
  readonly isDirectory: boolean;
  readonly moves: Moves;
  readonly notes: readonly string[];
};

type Found = MoveTarget | { readonly kind: 'answer'; readonly answer: Answer };

/** More is a reorganisation, which no reader can look through. */
const mostFiles = 1_000;

export function findMoveTarget(world: LookingWorld, asked: MoveInput): Found {
  const { question, root } = world;
  const input = { ...asked, cwd: whereFrom(world, asked) };
  const named = pathInRoot(root, input.cwd, input.file);
  if (named !== undefined && named !== '' && lstatOf(`${root}/${named}`)?.kind === 'directory')
    return findDirectory(world, named, input);
  const found = question.ask((session) => findTargetFile(session, question.view, { path: input.file, cwd: input.cwd }));
  if (isNotAnswered(found))
    return { kind: 'answer', answer: { ...notFound(found), next: 'Name a file or a directory that is in scope.' } };
  const { path: from } = found.file;
  if (found.alias !== null)
    return refused(
      'not_renamable',
      `${quotedPath(found.alias)} is a link to ${quotedPath(from)}; move one of them by hand`,
    );
  const destination = findDestination(world, from, input);
  if (destination.kind === 'refused') return refused(destination.reason, destination.detail);
  const { path: to } = destination;
  const twins = listTwins(question, from, to);
  if (twins.kind === 'refused') return refused('collision', twins.detail);
  const stays = whyItStays(world, found.file, twins.moves);
  return stays ?? { kind: 'target', from, to, isDirectory: false, moves: twins.moves, notes: twins.notes };
}

/**
 * Both paths of a request are meant from the same directory: the current one where it has what is to move, or where both name something in
 * the root from there; otherwise, as under `-C`, the root.
 */
function whereFrom({ root }: LookingWorld, { cwd, file }: MoveInput): string {
  if (cwd === undefined) return root;
  const isThere = (from: string) => {
    const named = pathInRoot(root, from, file);
    return named !== undefined && lstatOf(`${root}/${named}`) !== undefined;
  };
  return isThere(cwd) || (pathInRoot(root, cwd, '.') !== undefined && !isThere(root)) ? cwd : root;
}

function findDirectory(world: LookingWorld, from: string, input: MoveInput): Found {
  const { question } = world;
  const files = question
    .ask((session) => listFilesBelow(session, `${from}/`, mostFiles + 1))
    .filter(({ presence }) => presence === 'present');
  if (files.length === 0)
    return refused('no_symbol', `${quotedPath(from)} is a directory in which no file is in scope`);
  if (files.length > mostFiles) return refused('not_renamable', `${quotedPath(from)} has more than ${mostFiles} files`);
  const destination = findDestination(world, from, input, true);
  if (destination.kind === 'refused') return refused(destination.reason, destination.detail);
  const { path: to } = destination;
  if (to.startsWith(`${from}/`)) return refused('collision', `${quotedPath(to)} lies in ${quotedPath(from)} itself`);
  const moves = new Map(files.map(({ path }) => [path, `${to}${path.slice(from.length)}`]));
  for (const file of files) {
    if (file.kind === 'alias') return refused('not_renamable', `${quotedPath(file.path)} is a link; move it by hand`);
    const stays = whyItStays(world, file, moves);
    if (stays !== undefined) return stays;
  }
  const notes = [`${files.length} files move; what is not in scope below ${quotedPath(from)} stays there`];
  return { kind: 'target', from, to, isDirectory: true, moves, notes };
}

const leading = /(?:url\(\s*["']?|@(?:import|use|forward)\s+(?:url\()?["'])(\.{1,2}\/[^"')\s]*)/g;

function whyItStays({ question }: LookingWorld, file: StoredFile, moves: Moves): Found | undefined {
  const { path, language } = file;
  if (file.vendored) return refused('vendored', `${quotedPath(path)} is vendored code, which is not edited`);
  const source = question.source(path);
  if (source === undefined)
    return refused('encoding', `${quotedPath(path)} is not text that can be read; move it by hand`);
  if (language !== null && hasSyntax(language) && !isJavaScript(language)) {
    const why = whyOtherStays(question, language, path, moves.get(path) ?? path);
    if (why !== undefined) return unsupported(why);
  }
  if (moves.size === 1 && findFamily('typescript')?.holders?.test(path) === true)
    return unsupported(`${quotedPath(path)} holds code that is not parsed, so its imports cannot be written anew`);
  if (language !== 'css') return undefined;
  const own = [...source.text.matchAll(leading)].map((match) => pathNamed(directoryOf(path), match[1] ?? ''));
  const outside = own.find((one) => !moves.has(one));
  return outside === undefined
    ? undefined
    : unsupported(
        `${quotedPath(path)} leads to ${quotedPath(outside)} by a relative path, and paths in style sheets are not followed`,
      );
}

function refused(...[reason, detail]: Parameters<typeof refusedAnswer>): Found {
  return { kind: 'answer', answer: refusedAnswer(reason, detail) };
}

function unsupported(detail: string): Found {
  return { kind: 'answer', answer: unsupportedAnswer('language', detail, { can_force_syntactic: false }) };
}

// Where a file is to be: a path below the root that nothing has, in a place that the index looks at, of the same language. Names and stats
// alone are looked at.

type Destination =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'refused'; readonly reason: RefusedReason; readonly detail: string };

type World = Pick<LookingWorld, 'root' | 'question'>;

/** `isTree`: `from` is a directory, whose name says nothing of a language. */
function findDestination(world: World, from: string, { to, cwd }: MoveInput, isTree = false): Destination {
  const { root } = world;
  const named = pathInRoot(root, cwd ?? root, to);
  if (named === undefined) return refuse('invalid_name', `${quotedPath(to)} lies outside ${root}`);
  const isDirectory = named === '' || /[/\\]\.{0,2}$/.test(to) || lstatOf(`${root}/${named}`)?.kind === 'directory';
  const path = isDirectory ? posix.join(named, posix.basename(from)) : named;
  if (path === from) return refuse('same_name', `${quotedPath(from)} is there already`);
  return (
    refuseName(from, path, isTree) ??
    refusePlace(world, isTree ? `${path}/x` : path) ??
    refuseTaken(world, from, path) ?? { kind: 'path', path }
  );
}

function refuseName(from: string, path: string, isTree: boolean): Destination | undefined {
  if (path === '' || hasControls(path)) return refuse('invalid_name', 'a path with control characters, or none');
  if (!isPlainPath(path))
    return refuse('invalid_name', `${quotedPath(path)} lies in a private directory, or some volumes take it for one`);
  if (isTree) return undefined;
  const [was, is] = [from, path].map((one) => languageOf(one));
  if (was !== is) {
    const says = (language: string | null | undefined) => language ?? 'no language that is known';
    return refuse(
      'invalid_name',
      `${quotedPath(from)} is ${says(was)}, and ${quotedPath(path)} would be ${says(is)}; a move keeps the language`,
    );
  }
  const [wasDeclaration, isDeclaration] = [from, path].map((one) => /\.d\.[cm]?ts$/.test(one));
  if (wasDeclaration !== isDeclaration)
    return refuse(
      'invalid_name',
      `one of ${quotedPath(from)} and ${quotedPath(path)} is a declaration file, and the other is code`,
    );
  return undefined;
}

function refusePlace({ root, question }: World, path: string): Destination | undefined {
  if (isTooLong(root, path))
    return refuse('invalid_name', `${quotedPath(path)} is a name that this volume does not take`);
  if (isVendoredPath(path))
    return refuse('vendored', `${quotedPath(path)} lies among vendored code, which is not written to`);
  const guard = createDirectoryGuard(root);
  const known = question.ask(listAllPaths);
  const rules = (name: string) => readIgnoreFiles(root, known, name, guard);
  const verdict = judgeScope({
    path,
    tracked: false,
    gitIgnored: isIgnored(rules('.gitignore'), path),
    cplRules: rules('.cplignore'),
  });
  // A directory that tools usually write to is source where files in scope are in it.
  const isOwn = verdict.layer === 'defaults' && known.some((one) => posix.dirname(one) === posix.dirname(path));
  if (!verdict.in && !isOwn) return refuse('invalid_name', `${quotedPath(path)} ${whyOut[verdict.layer]}`);
  const parents = path.split('/').slice(0, -1);
  for (const [at] of parents.entries()) {
    const directory = parents.slice(0, at + 1).join('/');
    const found = lstatOf(`${root}/${directory}`);
    if (found === undefined) break;
    if (found.kind === 'directory' && lstatOf(`${root}/${directory}/.git`) === undefined) continue;
    const why = { file: 'a file', link: 'a link', other: 'no directory', directory: 'another repository' }[found.kind];
    return refuse(found.kind === 'directory' ? 'invalid_name' : 'collision', `${quotedPath(directory)} is ${why}`);
  }
  return undefined;
}

const whyOut: Readonly<Record<string, string>> = {
  hard: 'lies in a directory that is never written to',
  git: 'is ignored by git',
  cplignore: 'is left out by .cplignore',
  defaults: 'lies in a directory that tools write to, which is not looked at',
};

/** As git asks it: on the way down, and nothing below an ignored directory can come back. */
function isIgnored(rules: readonly IgnoreRule[], path: string): boolean {
  const names = path.split('/');
  return names.some((_, at) => {
    const entry = names.slice(0, at + 1).join('/');
    return judgeEntry(rules, at === names.length - 1 ? entry : `${entry}/`) === 'ignored';
  });
}

function refuseTaken({ root, question }: World, from: string, path: string): Destination | undefined {
  const found = lstatOf(`${root}/${path}`);
  const isSelf = found !== undefined && found.stat.ino === lstatOf(`${root}/${from}`)?.stat.ino;
  if (isSelf && path.toLowerCase() === from.toLowerCase())
    return refuse(
      'case_clash',
      `${quotedPath(path)} and ${quotedPath(from)} are one file on this volume; rename it by way of another name`,
    );
  if (found !== undefined || question.file(path)?.presence === 'present')
    return refuse('collision', `${quotedPath(path)} exists already`);
  const twin = question.ask(listAllPaths).find((one) => one !== from && one.toLowerCase() === path.toLowerCase());
  if (twin !== undefined)
    return refuse(
      'case_clash',
      `${quotedPath(path)} and ${quotedPath(twin)} would differ in case alone, which some file systems do not tell apart`,
    );
  return undefined;
}

/** As the volume says: of the whole path, and of each name where the deepest directory is that exists. */
function isTooLong(root: string, path: string): boolean {
  const refuses = (absolute: string) => {
    const found = inspect(absolute);
    return found?.kind === 'unknown' && found.errno === 'ENAMETOOLONG';
  };
  let there = root;
  for (const name of path.split('/')) {
    if (refuses(`${there}/${name}`)) return true;
    if (lstatOf(`${there}/${name}`)?.kind === 'directory') there = `${there}/${name}`;
  }
  return refuses(`${root}/${path}`);
}

function hasControls(path: string): boolean {
  return singleLine(path) !== path;
}

function refuse(reason: RefusedReason, detail: string): Destination {
  return { kind: 'refused', reason, detail };
}

// Files that are found by the name of another alone move with it: a declaration beside the JavaScript it describes, which are one module,
// and the snapshots of a test. One without the other would come to mean something else.

type Twins =
  | { readonly kind: 'moves'; readonly moves: Moves; readonly notes: readonly string[] }
  | { readonly kind: 'refused'; readonly detail: string };

function listTwins(question: Question, from: string, to: string): Twins {
  const isThere = (path: string) => question.file(path)?.presence === 'present';
  const moves = new Map([[from, to]]);
  const notes: string[] = [];
  for (const twinOf of [declarationTwin, snapshotOf]) {
    const [was, is] = [twinOf(from), twinOf(to)];
    if (was === undefined || is === undefined || !isThere(was)) continue;
    if (isThere(is))
      return {
        kind: 'refused',
        detail: `${quotedPath(was)} goes with ${quotedPath(from)}, and ${quotedPath(is)} exists already`,
      };
    moves.set(was, is);
    notes.push(`${was} belongs to it and moves with it`);
  }
  return { kind: 'moves', moves, notes };
}

/** `a.js` and `a.d.ts`, in both directions. */
export function declarationTwin(path: string): string | undefined {
  const declaration = /\.d\.([cm]?)ts$/.exec(path);
  if (declaration !== null) return `${path.slice(0, declaration.index)}.${declaration[1]}js`;
  const script = /\.([cm]?)jsx?$/.exec(path);
  return script === null ? undefined : `${path.slice(0, script.index)}.d.${script[1]}ts`;
}

function snapshotOf(path: string): string | undefined {
  return /\.[cm]?[jt]sx?$/.test(path) ? path.replace(/[^/]+$/, '__snapshots__/$&.snap') : undefined;
}

// Files of languages whose imports are not written anew here. They move only where it can be shown that nothing has to be: a file of Go
// within its package, and one of Python that nothing of the repository names and that names nothing of it.

/** Undefined: it may move. */
function whyOtherStays(question: Question, language: string, from: string, to: string): string | undefined {
  if (language === 'go') return whyGoStays(from, to);
  if (language === 'python') return whyPythonStays(question, from);
  return `moving a file of ${language} is not supported (${quotedPath(from)}): its imports are not followed`;
}

function whyGoStays(from: string, to: string): string | undefined {
  if (directoryOf(from) !== directoryOf(to))
    return `${quotedPath(from)} would leave its package, and imports of Go are not followed; a file moves within its directory`;
  return constraintsOf(from) === constraintsOf(to)
    ? undefined
    : `the name of ${quotedPath(from)} says when it is built, and ${quotedPath(to)} says something else`;
}

const builds =
  /(?:_(?:test|aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|wasip1|windows|unix|386|amd64|arm|arm64|loong64|mips|mips64|mips64le|mipsle|ppc64|ppc64le|riscv64|s390x|wasm))+(?=\.go$)/;

function constraintsOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  // The build leaves such files out.
  const hidden = /^[_.]/.exec(name)?.[0] ?? '';
  return hidden + (builds.exec(name)?.[0] ?? '');
}

function whyPythonStays(question: Question, from: string): string | undefined {
  const says = `imports of Python are not followed, and ${quotedPath(from)}`;
  const name = from.slice(from.lastIndexOf('/') + 1).replace(/\.pyi?$/, '');
  if (/^__\w+__$|^conftest$|^setup$/.test(name)) return `${says} has a name with a meaning`;
  const [importer] = question.importers(from);
  if (importer !== undefined) return `${says} is imported by ${importer.path}`;
  const own = question.imports(from).find(({ targets, reason }) => targets.length > 0 || reason !== 'external');
  if (own !== undefined) return `${says} imports ${own.specifier}`;
  if (question.source(from)?.text.includes('__file__') === true) return `${says} looks at its own path`;
  const word = longestWord(name);
  const holding = question.ask((session) =>
    word === undefined ? [] : [...listFilesMatchingName(session, word), ...listRedactedFiles(session)],
  );
  const other = holding.find(({ path }) => path !== from && !/\.(?:md|rst|txt)$/i.test(path));
  return other === undefined && word !== undefined ? undefined : `${says} may be named in ${other?.path ?? 'any file'}`;
}
