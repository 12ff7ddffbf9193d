/**
 * The programs of one root, open in the compiler (mutation.md §3.1). One compiler process reads the disk through callbacks, so that
 * texts of an overlay can stand in for files, and files can appear and vanish. A snapshot that was taken stays valid: `withTexts` gives
 * programs that can be asked side by side with those they come from, and what the overlay does not touch is shared, not read again.
 *
 * Files that no configuration covers are a program through a configuration that exists only here; that keeps packages apart, which
 * the compiler's own idea of an inferred project does not.
 */

import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readTextIfThere } from '../../../kernel/base/if-there.ts';
import { unsavedTexts } from '../../../kernel/tree/unsaved-texts.ts';
import { createPipeGuard } from '../../../languages/typescript/compiler/compiler-process.ts';
import {
  API,
  type Project,
  type Snapshot,
  type SourceFile,
} from '../../../languages/typescript/compiler/typescript-api.ts';
import type { FileMove, ProgramSpec } from '../session/messages.ts';
import type { OpenProgram, Programs } from './job-types.ts';
import { rememberAnswers } from './remembered-answers.ts';
import { createSeenPaths, type SeenPaths } from './seen-paths.ts';

type Texts = ReadonlyMap<string, string | null>;

/** `stays`: the programs are asked about again in another request, and what can be kept for it is. */
type OpenManner = { readonly stays?: boolean; readonly nowMs?: () => number };

export function openPrograms(root: string, first: readonly ProgramSpec[], manner: OpenManner = {}): Programs {
  const { stays = false, nowMs = Date.now } = manner;
  followed.clear();
  /** By absolute path. Replaced as a whole, before the snapshot that is to see it. */
  let overlay: Texts = renderLoose(root, first);
  const guard = createPipeGuard();
  const seen = createSeenPaths(nowMs);
  const unsaved = openUnsaved(root);
  const api = new API({
    cwd: root,
    fs: {
      readFile: (path) => {
        if (overlay.has(path)) return overlay.get(path);
        const text = unsaved.text(path);
        if (text !== undefined) return text;
        return seen.mayRead(path) ? guard.readFile(path) : null;
      },
      fileExists: (path) => exists(overlay, path) ?? (unsaved.text(path) !== undefined || seen.isFile(path)),
      directoryExists: (path) => holdsNew(overlay, path) || seen.isDirectory(withoutSlash(path)),
      getAccessibleEntries: (path) => listEntries(overlay, path, unsaved.added(withoutSlash(path), seen)),
    },
  });
  let latest = api.updateSnapshot({ openProjects: configsOf(root, first) });
  /**
   * What comes next is told by its difference to the latest snapshot; from one that is not there any more files would be carried over
   * that have changed. So the latest is given up when it no longer is.
   */
  let givenUp: Snapshot | undefined;
  const update = (change: Parameters<API['updateSnapshot']>[0]): Snapshot => {
    latest = api.updateSnapshot(change);
    givenUp?.dispose();
    givenUp = undefined;
    return latest;
  };
  const release = (snapshot: Snapshot): void => {
    if (snapshot === latest) givenUp = snapshot;
    else snapshot.dispose();
  };

  const take = (specs: readonly ProgramSpec[], snapshot: Snapshot, base: Programs | undefined): Programs => {
    const configs = configsOf(root, specs);
    let lifted: (Pick<Programs, 'release'> & { texts: Texts; checkJs: boolean; programs: Programs }) | undefined;
    const withTexts: Programs['withTexts'] = (texts, moves = [], checkJs = false) => {
      const before = base ?? programs;
      const wanted = new Map(renderLoose(root, specs, moves, checkJs) as Texts);
      for (const [path, text] of texts) {
        wanted.set(join(root, path), text);
        // Under every name that a program has it by.
        for (const { aliases } of before.open) for (const name of aliases.get(path) ?? []) wanted.set(name, text);
      }
      if (checkJs) for (const path of configs) checkIn(root, wanted, path);
      // What an earlier overlay replaced is again what the first snapshot saw, not what the disk says by now.
      for (const path of overlay.keys()) if (!wanted.has(path)) restore(before, wanted, path);
      const changes = compare(before, overlay, wanted);
      overlay = wanted;
      return take(specs, update({ fileChanges: changes }), before);
    };
    const programs: Programs = {
      root,
      specs,
      open: specs.flatMap((spec) => {
        const project = snapshot.getProject(configOf(root, spec));
        return project === undefined ? [] : openProgram(root, spec.key, project);
      }),
      listPipes: guard.list,
      place: (fileName) => placeFile(root, fileName),
      withTexts,
      lift(texts, checkJs) {
        if (lifted?.checkJs === checkJs && isDeepStrictEqual(lifted.texts, texts)) return lifted.programs;
        lifted?.release();
        lifted = undefined;
        const made = withTexts(texts, [], checkJs);
        if (!stays) return made;
        lifted = { texts, checkJs, programs: { ...made, release: () => {} }, release: made.release };
        return lifted.programs;
      },
      release: () => release(snapshot),
      reopen: () => openPrograms(root, specs, manner),
      renew: (wanted) => {
        followed.clear();
        const changed = seen.compare();
        // A note about a pipe is of the programs that met it.
        if (changed === null || guard.list().length > 0 || !changed.every(isSourceOf(programs))) return undefined;
        if (changed.length === 0 && isDeepStrictEqual(wanted, specs)) return { ...programs };
        seen.forget(changed);
        const virtual = renderLoose(root, wanted);
        const fileChanges = compareWithDisk(overlay, virtual, changed);
        overlay = virtual;
        const [before, now] = [new Set(configs), new Set(configsOf(root, wanted))];
        const openProjects = [...now].filter((config) => !before.has(config));
        const closeProjects = [...before].filter((config) => !now.has(config));
        const next = update({ fileChanges, openProjects, closeProjects });
        release(snapshot);
        lifted?.release();
        return take(wanted, next, undefined);
      },
      close: () => api.close(),
    };
    return programs;
  };
  return take(first, latest, undefined);
}

function configsOf(root: string, specs: readonly ProgramSpec[]): string[] {
  return [...new Set(specs.map((spec) => configOf(root, spec)))];
}

/** The configurations that exist only here. */
function renderLoose(
  root: string,
  specs: readonly ProgramSpec[],
  moves: readonly FileMove[] = [],
  checkJs = false,
): ReadonlyMap<string, string> {
  return new Map(
    specs.flatMap((spec) => (spec.config === null ? [[configOf(root, spec), render(root, spec, moves, checkJs)]] : [])),
  );
}

/** Code of the repository. What else the compiler reads decides which files there are, and what they may say. */
function isSourceOf({ open, root }: Programs): (fileName: string) => boolean {
  const sources = new Set(open.flatMap(({ project }) => project.program.getSourceFileNames()));
  return (fileName) => isCode.test(fileName) && sources.has(fileName) && !placeFile(root, fileName).outside;
}

const isCode = /\.[cm]?[jt]sx?$/;

function openProgram(root: string, key: string, project: Project): OpenProgram {
  const paths = new Map<string, string>();
  const aliases = new Map<string, string[]>();
  const doubles = new Map<string, readonly string[]>();
  for (const fileName of project.program.getSourceFileNames()) {
    const { path, outside } = placeFile(root, fileName);
    if (outside) continue;
    const other = paths.get(path);
    if (other !== undefined) doubles.set(path, [...(doubles.get(path) ?? [other]), fileName]);
    else paths.set(path, fileName);
    if (!isNamedSo(root, path, fileName)) aliases.set(path, [...(aliases.get(path) ?? []), fileName]);
  }
  const known = new Map<string, SourceFile | undefined>();
  rememberAnswers(project.checker);
  return {
    key,
    root,
    project,
    files: [...paths.keys()].sort(),
    aliases,
    doubles,
    sourceFile: (path) => {
      const fileName = paths.get(path);
      if (fileName === undefined) return undefined;
      if (!known.has(path)) known.set(path, project.program.getSourceFile(fileName));
      return known.get(path);
    },
  };
}

function isNamedSo(root: string, path: string, fileName: string): boolean {
  return fileName.length === root.length + 1 + path.length && fileName.endsWith(path);
}

/** A name no file has: with a space, and next to the files' common directory so that relative lookups start there. */
function configOf(root: string, spec: ProgramSpec): string {
  if (spec.config !== null) return join(root, spec.config);
  const first = spec.files[0] ?? '';
  let directory = dirname(first);
  while (directory !== '.' && !spec.files.every((file) => file.startsWith(`${directory}/`)))
    directory = dirname(directory);
  return join(root, directory, `tsconfig loose ${encodeURIComponent(spec.key)}.json`);
}

/** What the index assumes of such files too: JavaScript is read but not judged, and modules are found as bundlers find them. */
function render(
  root: string,
  spec: Extract<ProgramSpec, { config: null }>,
  moves: readonly FileMove[],
  checkJs: boolean,
): string {
  const movedTo = new Map(moves.map(({ from, to }) => [from, to]));
  return JSON.stringify({
    compilerOptions: {
      allowJs: true,
      checkJs,
      allowImportingTsExtensions: true,
      esModuleInterop: true,
      experimentalDecorators: true,
      jsx: 'preserve',
      module: 'esnext',
      moduleResolution: 'bundler',
      noEmit: true,
      resolveJsonModule: true,
      skipLibCheck: true,
      target: 'esnext',
    },
    files: spec.files.map((file) => join(root, movedTo.get(file) ?? file)),
  });
}

function checkIn(root: string, wanted: Map<string, string | null>, config: string): void {
  const text = wanted.has(config) ? wanted.get(config) : (openUnsaved(root).text(config) ?? readTextIfThere(config));
  if (typeof text === 'string') wanted.set(config, checkJavascript(text));
}

function exists(overlay: Texts, path: string): boolean | undefined {
  const text = overlay.get(path);
  return text === undefined ? undefined : text !== null;
}

/** Directories above files that an overlay has: the compiler asks about them far more often than overlays come. */
const knownParents = new WeakMap<Texts, { readonly all: ReadonlySet<string>; readonly filled: ReadonlySet<string> }>();

function parentsIn(overlay: Texts) {
  const known = knownParents.get(overlay);
  if (known !== undefined) return known;
  const [all, filled] = [new Set<string>(), new Set<string>()];
  for (const [path, text] of overlay) {
    const into = text === null ? all : filled;
    for (let at = dirname(path); !into.has(at); at = dirname(at)) {
      all.add(at);
      into.add(at);
    }
  }
  const parents = { all, filled };
  knownParents.set(overlay, parents);
  return parents;
}

function holdsNew(overlay: Texts, directory: string): boolean {
  return parentsIn(overlay).filled.has(withoutSlash(directory));
}

function withoutSlash(directory: string): string {
  return directory.length > 1 && directory.endsWith('/') ? directory.slice(0, -1) : directory;
}

/** What stands in for files on disk, by absolute path. A buffer of a file in a directory that is not there has no place to be saved to. */
function openUnsaved(root: string) {
  const texts = new Map([...unsavedTexts(root)].map(([path, bytes]) => [join(root, path), bytes.toString('utf8')]));
  return {
    text: (path: string) => texts.get(path),
    added(directory: string, seen: SeenPaths): ReturnType<SeenPaths['list']> {
      const listed = seen.list(directory);
      const known = new Set(listed.files);
      const more = [...texts.keys()].filter((path) => dirname(path) === directory && !known.has(basename(path)));
      return more.length === 0
        ? listed
        : { ...listed, files: [...listed.files, ...more.map((path) => basename(path))] };
    },
  };
}

function listEntries(
  overlay: Texts,
  directory: string,
  listed: ReturnType<SeenPaths['list']>,
): ReturnType<SeenPaths['list']> {
  if (!parentsIn(overlay).all.has(withoutSlash(directory))) return listed;
  const prefix = directory.endsWith('/') ? directory : `${directory}/`;
  const touched = [...overlay].filter(([path]) => path.startsWith(prefix));
  const files = new Set(listed.files);
  const directories = new Set(listed.directories);
  for (const [path, text] of touched) {
    const [name = '', ...below] = path.slice(prefix.length).split('/');
    if (below.length > 0) {
      if (text !== null) directories.add(name);
    } else if (text === null) files.delete(name);
    else files.add(name);
  }
  return { files: [...files].sort(), directories: [...directories].sort() };
}

function restore(before: Programs, wanted: Map<string, string | null>, path: string): void {
  const file = findFile(before, path);
  if (file !== undefined) wanted.set(path, file.text);
}

function findFile(programs: Programs, absolute: string): SourceFile | undefined {
  const { path } = programs.place(absolute);
  for (const program of programs.open) {
    const file = program.sourceFile(path);
    if (file !== undefined) return file;
  }
  return undefined;
}

function compare(
  before: Programs,
  from: Texts,
  to: Texts,
): { changed: string[]; created: string[]; deleted: string[] } {
  const changed: string[] = [];
  const created: string[] = [];
  const deleted: string[] = [];
  for (const path of new Set([...from.keys(), ...to.keys()])) {
    const old = from.get(path);
    const now = to.get(path);
    if (old === now && now !== undefined) continue;
    // Configuration is no file of a program.
    const wasThere = old === undefined ? findFile(before, path) !== undefined || existsSync(path) : old !== null;
    if (now === null) deleted.push(path);
    else if (wasThere) changed.push(path);
    else if (now === undefined) deleted.push(path);
    else created.push(path);
  }
  return { changed, created, deleted };
}

/** From an overlay to the files as they are, some of which have changed on disk as well. */
function compareWithDisk(
  from: Texts,
  to: Texts,
  onDisk: readonly string[],
): { changed: string[]; created: string[]; deleted: string[] } {
  const found = { changed: [] as string[], created: [] as string[], deleted: [] as string[] };
  for (const path of new Set([...from.keys(), ...to.keys(), ...onDisk])) {
    const old = from.get(path);
    if (old !== undefined && old === to.get(path)) continue;
    const isThere = to.has(path) || existsSync(path);
    const wasThere = from.has(path) ? old !== null : existsSync(path);
    if (isThere && wasThere) found.changed.push(path);
    else if (isThere) found.created.push(path);
    else if (wasThere) found.deleted.push(path);
  }
  return found;
}

/**
 * The text of a configuration with JavaScript checked, for a program that exists only in the overlay. The setting is written into the file
 * itself: one that extends it would lose its references. The caller looks at the options afterwards; a text that is not understood
 * here leaves them as they were.
 */
export function checkJavascript(text: string): string {
  if (/"checkJs"\s*:\s*(?:true|false)/.test(text))
    return text.replaceAll(/("checkJs"\s*:\s*)false/g, (_, before: string) => `${before}true `);
  const options = /"compilerOptions"\s*:\s*\{/.exec(text);
  if (options !== null) return insert(text, options.index + options[0].length, '"checkJs":true', /^\s*\}/);
  const start = /^(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*\{/.exec(text.replace(/^\uFEFF/, ' '));
  return start === null ? text : insert(text, start[0].length, '"compilerOptions":{"checkJs":true}', /^\s*\}/);
}

function insert(text: string, at: number, what: string, isEmpty: RegExp): string {
  const rest = text.slice(at);
  return `${text.slice(0, at)}${what}${isEmpty.test(rest) ? '' : ','}${rest}`;
}

// Where a file of a program lies: below the root and ours to edit, or somewhere else. By what it is, not by how the program came to it:
// a file behind a link is the file the link leads to, so that one file has one path in every program.

const packageFolders: ReadonlySet<string> = new Set(['node_modules', 'bower_components', 'jspm_packages']);

/** One of the compiler's own declarations of the language. A file of the repository may be called `lib.….d.ts` as well. */
export function isCompilerLibrary(fileName: string): boolean {
  return /\/node_modules\/@typescript\/[^/]+\/lib\/lib\.[^/]*\.d\.ts$/.test(fileName);
}

/** Root-relative with `/`, or absolute and outside, which is also what installed packages inside the root are. */
export function placeFile(root: string, fileName: string): { readonly path: string; readonly outside: boolean } {
  const real = followLinks(fileName);
  const prefix = root.endsWith('/') ? root : `${root}/`;
  if (!real.startsWith(prefix)) return { path: fileName, outside: true };
  const path = real.slice(prefix.length);
  return path.split('/').some((segment) => packageFolders.has(segment))
    ? { path: fileName, outside: true }
    : { path, outside: false };
}

/** Asked of every declaration again and again; forgotten whenever programs are opened. */
const followed = new Map<string, string>();

function followLinks(path: string): string {
  const known = followed.get(path);
  if (known !== undefined) return known;
  const real = follow(path);
  followed.set(path, real);
  return real;
}

function follow(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    // A file that only an overlay has lies where its directory does.
    const directory = dirname(path);
    return directory === path ? path : join(followLinks(directory), basename(path));
  }
}

// One file that a program has under two names, through a link: two modules to the compiler, one to its editor. Tokens are told apart
// by file and place, so what is said of one could be true of the other alone; where such a file spells a name that matters, nothing is said.

export type DoubleFile = { readonly path: string; readonly detail: string };

export function findDoubleFile(programs: Programs, names: readonly string[]): DoubleFile | undefined {
  for (const { key, doubles, sourceFile } of programs.open) {
    for (const [path, fileNames] of doubles) {
      const text = sourceFile(path)?.text ?? '';
      if (!names.some((name) => text.includes(name))) continue;
      const [first = '', second = ''] = fileNames.map((name) => name.replace(`${programs.root}/`, ''));
      return { path, detail: `${first} and ${second} are one file, and ${key} has both` };
    }
  }
  return undefined;
}

/** `a.d.ts`, `a.ts` and `a.js` without what makes them different files. */
export function withoutEnding(path: string): string {
  return path.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '');
}
