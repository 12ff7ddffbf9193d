/**
 * What has to be written anew when files move (mutation.md §12): every specifier that leads to one of them, every relative one inside
 * them, and, as questions, the strings that name them and that no tool resolves.
 */

import { posix } from 'node:path';
import type { Question } from '../../index/navigate/question.ts';
import { listAllPaths, listSearchableFiles } from '../../index/store/stored-files.ts';
import { listImportersWaitingFor, listUnresolvedImports } from '../../index/store/stored-imports.ts';
import { listFilesMatchingName, listRedactedFiles } from '../../index/store/stored-text.ts';
import { MAX_RUN_CHARS } from '../../index/text/scan-bytes.ts';
import { sha256Hex } from '../../kernel/base/hash.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { textLimits } from '../../kernel/base/limits.ts';
import { compileGlobs, isGlob } from '../../kernel/tree/path-patterns.ts';
import { listIdentifierRuns } from '../../languages/identifiers.ts';
import { findFamily, isJavaScript } from '../../languages/language-family.ts';
import type { ResolveWorld } from '../../languages/resolving/resolution.ts';
import { createResolver, type Resolver } from '../../languages/resolving/resolvers.ts';
import { ancestorsOf, baseNameOf, directoryOf, isRelativeName } from '../../languages/resolving/root-paths.ts';
import type { CompilerEdit, FileMove, ItemDraft } from '../compiler/session/messages.ts';
import { placeOf } from '../plans/answers.ts';
import type { ItemKind } from '../vocabulary.ts';
import { type Ground, isWorthLooking, lookAtCode } from './code-paths.ts';
import { lookAtCompanions, lookAtConventions } from './file-conventions.ts';
import { listSpecifiers, type Specifier } from './list-specifiers.ts';
import { createMovedTree, type Found, type MoveChanges, type Moves, type Moving, movesAlong } from './moved-tree.ts';
import { lookAtPackages, readPackagesAround } from './packages-around.ts';
import { findDirectoryStrings, findPathStrings, isProse, lookAtText, type PathString } from './path-strings.ts';
import { isIndex, pathNamed, relativeTo, stemOf } from './path-style.ts';
import { isPathPiece, lookAtWords } from './text-paths.ts';
import { type Written, writeSpecifier } from './write-specifier.ts';

type Trees = { readonly before: Resolver; readonly after: Resolver; readonly afterConfigs: Resolver };
export async function collectChanges(question: Question, world: ResolveWorld, moving: Moving): Promise<MoveChanges> {
  const { moves } = moving;
  const around = readPackagesAround(world);
  const ground = readGround(world, moving, around);
  const candidates = findCandidates(question, moving, listRivals(world, moves));
  const found: Found = { edits: [], items: [], mentions: [] };
  const notScanned: { path: string; why: string }[] = [];
  const texts: Record<string, string> = {};
  const configs = new Map<string, Uint8Array>();
  const code: { readonly path: string; readonly language: string; readonly text: string }[] = [];
  const holders: { readonly path: string; readonly text: string }[] = [];
  for (const path of candidates) {
    const { language = null, parse = null } = question.file(path) ?? {};
    const source = question.source(path);
    if (source === undefined) {
      if (!moves.has(path)) notScanned.push({ path, why: 'not text' });
      continue;
    }
    if (moves.has(path)) texts[path] = sha256Hex(source.text);
    if (language !== null && isJavaScript(language)) {
      if (parse === 'failed' || source.bytes.length > textLimits.parseBytes) {
        notScanned.push({ path, why: 'not parsed' });
        found.items.push(...lookAtUnparsed(path, source.text, moves));
      } else code.push({ path, language, text: source.text });
      continue;
    }
    if (isHolder(path)) holders.push({ path, text: source.text });
    const edits = lookAtText(question, path, source.text, moving, found);
    if (edits.length > 0) configs.set(path, Buffer.from(applyAll(source.text, edits)));
    if (isReadByTools(question, path) && !moves.has(path))
      found.items.push(...lookAtWords(path, source.text, ground, new Set(edits.map(({ start }) => start))));
  }
  const about: About = {
    ...ground,
    trees: openTrees(world, moves, configs),
    packages: listPackageNames(world),
    rivals: listRivals(world, moves),
  };
  for (const { path, language, text } of code) {
    const before = found.edits.length + found.items.length;
    for (const specifier of await listSpecifiers(path, language, text))
      lookAtSpecifier({ ...about, path, specifier }, found);
    await lookAtCode(path, language, text, ground, found);
    if (found.edits.length + found.items.length > before) texts[path] = sha256Hex(text);
  }
  for (const { path, text } of holders) lookAtHolder(path, text, about, found);
  lookAtPackages(question, moving, around, found);
  lookAtConventions(question, moving, around, found);
  lookAtCompanions(world, moving, found);
  for (const { path } of found.items) {
    const text = question.source(path)?.text;
    if (text !== undefined) texts[path] = sha256Hex(text);
  }
  return { ...found, items: groupByReason(question, found.items), texts, scanned: candidates.length, notScanned };
}

/** Asked once for all their places: what is answered for one is answered for all. */
const askedOnce: ReadonlySet<ItemKind> = new Set([
  'computed_path',
  'file_listing',
  'own_path',
  'module_system',
  'module_shadow',
  'companion_file',
  'file_convention',
  'dist_boundary',
]);
const mostShown = 3;

function groupByReason(question: Question, items: readonly ItemDraft[]): readonly ItemDraft[] {
  const byKind = Map.groupBy(
    items.filter(({ kind }) => askedOnce.has(kind)),
    ({ kind }) => kind,
  );
  const grouped = [...byKind.values()].flatMap((ones): ItemDraft[] => {
    const [first] = ones;
    if (first === undefined) return [];
    const reasons = [...Map.groupBy(ones, ({ detail }) => detail)].map(([detail, same]) => {
      const places = new Set(same.map((one) => `${one.path}:${placeOf(question, one).line}`));
      places.delete(`${first.path}:${placeOf(question, first).line}`);
      return places.size === 0 ? detail : `${detail} (${shorten([...places])})`;
    });
    return [{ ...first, detail: shorten(reasons, '; ') }];
  });
  return [...items.filter(({ kind }) => !askedOnce.has(kind)), ...grouped];
}

function shorten(texts: readonly string[], between = ', '): string {
  const more = texts.length - mostShown;
  return texts.slice(0, mostShown).join(between) + (more > 0 ? `${between}and ${more} more` : '');
}

/** Which files a path that a program makes can mean is judged by these. */
function readGround(world: ResolveWorld, moving: Moving, around: ReturnType<typeof readPackagesAround>): Ground {
  const counts = new Map<string, number>();
  for (const path of world.allFiles()) counts.set(baseNameOf(path), (counts.get(baseNameOf(path)) ?? 0) + 1);
  return {
    ...moving,
    world,
    workingDirectories: (path) => [...new Set([...around.of(path).map(({ directory }) => directory), ''])],
    countNamed: (name) => counts.get(name) ?? 0,
  };
}

const toolLanguages: ReadonlySet<string> = new Set(
  'json yaml toml shell powershell dockerfile make html css'.split(' '),
);

/** Configuration, scripts and lists, of which some program takes the words; no prose, no code of other languages. */
function isReadByTools(question: Question, path: string): boolean {
  const { language = null, generated = false } = question.file(path) ?? {};
  return !generated && !isProse(path) && (language === null || toolLanguages.has(language));
}

/** Files that an import without an ending could mean as well as what moves: the same name with another ending, or as a directory. */
function listRivals(world: ResolveWorld, moves: Moves): ReadonlyMap<string, string> {
  const rivals = new Map<string, string>();
  for (const to of moves.values()) {
    const stem = stemOf(to);
    if (stem === to || to.endsWith('.d.ts')) continue;
    const beside = world.listDirectory(directoryOf(to)).filter((path) => stemOf(path) === stem);
    const inside = world.listDirectory(stem).filter(isIndex);
    // The file of a directory’s own name is looked for before its index.
    const around = isIndex(to)
      ? world.listDirectory(directoryOf(directoryOf(to))).filter((path) => stemOf(path) === directoryOf(to))
      : [];
    for (const path of [...beside, ...inside, ...around])
      if (path !== to && !moves.has(path) && !/\.d\.[cm]?ts$/.test(path)) rivals.set(path, to);
  }
  return rivals;
}

function openTrees(world: ResolveWorld, moves: Moves, configs: ReadonlyMap<string, Uint8Array>): Trees {
  const after = createResolver(createMovedTree(world, moves));
  return {
    before: createResolver(world),
    after,
    afterConfigs: configs.size === 0 ? after : createResolver(createMovedTree(world, moves, configs)),
  };
}

type About = Ground & {
  readonly trees: Trees;
  readonly packages: ReadonlySet<string>;
  readonly rivals: ReadonlyMap<string, string>;
};
type Place = About & { readonly path: string; readonly specifier: Specifier };

function lookAtSpecifier(place: Place, found: Found): void {
  const { path, specifier, moves, trees, packages } = place;
  const { start, end, text: oldText, role, kind } = specifier;
  if (role === 'string') {
    lookAtString(place, found);
    return;
  }
  if (role === 'pattern') {
    // Elsewhere it is a path that is computed, which `code-paths.ts` tells.
    if (!moves.has(path)) return;
    const item = lookAtPattern(path, specifier, moves, place.directory);
    if (item !== undefined) found.items.push(item);
    return;
  }
  // `<reference path="a.ts">` and `new URL('a.ts', import.meta.url)` are relative without saying so.
  const isBare = role === 'reference' || (role === 'url' && !/^(?:\/|[a-z][\w+.-]*:)/i.test(oldText));
  const bare = isBare && !/^\.{1,2}(?:\/|$)/.test(oldText) ? './' : '';
  const ask = (resolver: Resolver, from: string, name: string) =>
    resolver('typescript', from, { specifier: name, kind, literal: true, names: [] }).targets;
  const targets = ask(trees.before, path, bare + oldText);
  const target = targets.find((one) => moves.has(one)) ?? targets[0] ?? null;
  if (!moves.has(path) && (target === null || !moves.has(target))) {
    lookAtShadow(place, target, ask(trees.after, path, bare + oldText)[0] ?? null, found);
    return;
  }
  const fromAfter = moves.get(path) ?? path;
  const move = {
    specifier: bare + oldText,
    from: path,
    fromAfter,
    target,
    targetAfter: target === null ? null : (moves.get(target) ?? target),
  };
  const written = writeSpecifier(move, (from, name) => ask(trees.after, from, name)[0]);
  if (written.kind === 'same') return;
  const newText = bare === '' ? written.specifier : written.specifier.replace(/^\.\//, '');
  if (newText === oldText) return;
  const edit: CompilerEdit = { path, start, end, oldText, newText, form: 'specifier' };
  if (written.kind === 'relative') {
    // The configuration that gives it this meaning names the file, and is asked about.
    if (ask(trees.afterConfigs, fromAfter, oldText)[0] === move.targetAfter) return;
    if (isPackageName(oldText, packages)) {
      found.items.push({
        path,
        start,
        end,
        kind: 'string_reference',
        detail: `the package’s own configuration makes \`${oldText}\` mean ${target}; it will not mean ${move.targetAfter}`,
        edits: { rename: [edit] },
      });
      return;
    }
  }
  found.edits.push(edit);
}

/** An import that is not about what moves, and would lead to it. */
function lookAtShadow(
  { path, specifier, rivals }: Place,
  target: string | null,
  after: string | null,
  found: Found,
): void {
  const { start, end, text } = specifier;
  const rival = target === null ? undefined : rivals.get(target);
  const isOpen = rival !== undefined && isRelativeName(text) && !text.endsWith(baseNameOf(target ?? ''));
  if (target === after && !isOpen) return;
  const is = target === after ? rival : after;
  const detail =
    target === null
      ? `\`${text}\` leads to nothing now, and would lead to ${is}`
      : `\`${text}\` means ${target}, and ${is} ${target === after ? 'could be meant as well' : 'would be found first'}`;
  found.items.push({ path, start, end, kind: 'module_shadow', detail, edits: {} });
}

/** A string in code that is the path of the file, from where it stands or from the root. */
function lookAtString(place: Place, found: Found): void {
  const { path, specifier, moves, directory, world } = place;
  const { start, end, text } = specifier;
  const along = moves.has(path) && movesAlong(path, text, moves);
  if (along) return;
  const whole = [
    ...findPathStrings(path, text, moves),
    ...(directory === null || moves.has(path) ? [] : findDirectoryStrings(path, text, directory)),
  ]
    .filter((one) => one.start === 0)
    .map((one) => ({ ...one, newText: one.newText + text.slice(one.end) }))
    .find((one) => one.end === text.length || text[one.end] === '/');
  // A bare word is a name of many things.
  const own = whole === undefined || !text.includes('/') ? whatItLoads(path, text, moves, world) : whole.newText;
  if (own === undefined || own === text) {
    if (!moves.has(path)) lookAtOtherString(place, found);
    return;
  }
  const leads = moves.has(path) && !moves.has(pathNamed(directoryOf(path), text));
  found.items.push({
    path,
    start,
    end,
    kind: 'string_reference',
    detail: leads
      ? 'a path in a string, seen from the file that moves; what reads it may start from elsewhere'
      : 'a string has the path of the file that moves; what reads it may start from elsewhere',
    edits: { rename: [{ path, start, end, oldText: text, newText: own, form: 'string' }] },
  });
}

/** A string that means what moves in another way: without its ending, by a pattern, behind a part that is filled in, by its directory. */
function lookAtOtherString(place: Place, found: Found): void {
  const { path, specifier, moves } = place;
  const { start, end, text } = specifier;
  const isPiece = isPathPiece(path, text);
  if (!isPiece && (!/[/*]/.test(text) || /\s|^[a-z][\w+.-]*:|^\/(?!\*)/i.test(text))) return;
  const words = lookAtWords(path, text, place, new Set()).filter(({ start: at }) => at === 0);
  const [word] = words;
  if (word === undefined) return;
  const isRelative = isRelativeName(text);
  // A directory is told where the string cannot be anything else.
  if (word.kind === 'file_listing' && !isPiece && !isGlob(text) && !isRelative && !/^<\w+>/.test(text)) return;
  if (word.kind === 'dist_boundary') return;
  const isStem = isRelative && [...moves.keys()].some((from) => pathNamed(directoryOf(path), text) === stemOf(from));
  if (word.kind === 'computed_path' && !isStem && !isRelative) return;
  const edits = Object.fromEntries(
    Object.entries(word.edits).map(([option, ones]) => [
      option,
      ones.map((edit) => ({ ...edit, start: start + edit.start, end: start + edit.end })),
    ]),
  );
  found.items.push({ ...word, start, end, edits });
}

/** Of a file that moves: a relative path to a file that is there. */
function whatItLoads(path: string, text: string, moves: Moves, world: ResolveWorld): string | undefined {
  if (!/^\.{1,2}\/./.test(text)) return undefined;
  const named = pathNamed(directoryOf(path), text);
  const target = moves.get(named);
  if (target === undefined && (!moves.has(path) || !world.hasFile(named))) return undefined;
  const move = { specifier: text, from: path, fromAfter: moves.get(path) ?? path, target: null, targetAfter: null };
  if (target === undefined) {
    const written = writeSpecifier(move, () => undefined);
    return written.kind === 'same' ? undefined : written.specifier;
  }
  const known: Written = writeSpecifier({ ...move, target: named, targetAfter: target }, () => undefined);
  return known.kind === 'same' ? undefined : known.specifier;
}

/** Where the specifiers are is not known; that one may be there can be seen. */
function lookAtUnparsed(path: string, text: string, moves: Moves): readonly ItemDraft[] {
  if (!moves.has(path) && ![...moves.keys()].some((from) => text.includes(posix.basename(stemOf(from))))) return [];
  const detail = 'the file is not parsed, so whether it names what moves is not known';
  return [{ path, start: 0, end: 0, kind: 'unreadable_file', detail, edits: {} }];
}

function isHolder(path: string): boolean {
  return findFamily('typescript')?.holders?.test(path) === true;
}

const quoted = /(["'])((?:\.{1,2}\/|[@~#])[^"'\n]*)\1/g;

/** Components and pages: code lies in them that is not parsed, so what looks like an import of the file is asked about. */
function lookAtHolder(path: string, text: string, about: About, found: Found): void {
  const own: Found = { edits: [], items: [], mentions: [] };
  const known = new Set(found.items.filter((item) => item.path === path).map(({ start }) => start));
  for (const match of text.matchAll(quoted)) {
    const [start, name] = [match.index + 1, match[2] ?? ''];
    if (known.has(start)) continue;
    const specifier: Specifier = { start, end: start + name.length, text: name, role: 'module', kind: 'import' };
    lookAtSpecifier({ ...about, path, specifier }, own);
  }
  for (const edit of own.edits)
    found.items.push({
      path,
      start: edit.start,
      end: edit.end,
      kind: 'uncovered_file',
      detail: 'it leads to the file that moves, in a file that is not parsed',
      edits: { rename: [edit] },
    });
  found.items.push(...own.items);
}

function listPackageNames(world: ResolveWorld): ReadonlySet<string> {
  const names = new Set<string>();
  for (const path of world.configFilesNamed('package.json')) {
    const name = /"name"\s*:\s*"([^"\\]+)"/.exec(Buffer.from(world.readConfig(path) ?? []).toString('utf8'))?.[1];
    if (name !== undefined) names.add(name);
  }
  return names;
}

function isPackageName(specifier: string, packages: ReadonlySet<string>): boolean {
  const parts = specifier.split('/');
  return packages.has(parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/'));
}

function applyAll(text: string, edits: readonly PathString[]): string {
  const sorted = [...edits].sort((a, b) => b.start - a.start);
  return sorted.reduce((sum, { start, end, newText }) => sum.slice(0, start) + newText + sum.slice(end), text);
}

/** Files in which a moving file may be named: those that import it, and all whose text has the words of its name. A superset. */
function findCandidates(
  question: Question,
  { moves, directory }: Moving,
  rivals: ReadonlyMap<string, string>,
): readonly string[] {
  const found = new Set<string>(moves.keys());
  const words = new Set<string>();
  let isAnywhere = false;
  const own = directory === null ? undefined : longestWord(directory.from.slice(directory.from.lastIndexOf('/') + 1));
  if (own !== undefined) words.add(own);
  for (const from of moves.keys()) {
    for (const { path } of question.importers(from)) found.add(path);
    const named = isIndex(from) ? [stemOf(from), directoryOf(from)] : [stemOf(from)];
    for (const name of named) {
      const word = longestWord(name.slice(name.lastIndexOf('/') + 1));
      if (word !== undefined) words.add(word);
      // The index of the root is named by nothing but dots.
      else if (name !== '') isAnywhere = true;
    }
  }
  // Paths that are computed, and listings, do not have the name.
  for (const word of listingWords) words.add(word);
  for (const path of listReadForPlaces(question, moves)) found.add(path);
  const places = [...moves.values()].flatMap((to) => [to, `${directoryOf(to)}/`]);
  for (const path of question.ask((session) => listImportersWaitingFor(session, places))) found.add(path);
  for (const rival of rivals.keys()) for (const { path } of question.importers(rival)) found.add(path);
  const computed = question.ask(listUnresolvedImports).filter(({ reason }) => reason === 'dynamic');
  for (const { path, language } of computed) if (language !== null && isJavaScript(language)) found.add(path);
  const holding = question.ask((session) => [
    ...(isAnywhere ? listSearchableFiles(session) : [...words].flatMap((word) => listFilesMatchingName(session, word))),
    ...listRedactedFiles(session),
  ]);
  for (const { path } of holding) found.add(path);
  return [...found].filter((path) => question.file(path)?.presence === 'present').sort(compareCodeUnits);
}

const listingWords =
  'readdir readdirSync opendir opendirSync readDir readDirSync glob globSync globEager globby globbySync fg fastGlob Glob klaw readdirp autoload AutoLoad requireDir importAll'.split(
    ' ',
  );
const pathWords = '__dirname dirname cwd join resolve URL static serveStatic sep'.split(' ');

/** Files in which the directories on both sides may be named: all configuration above, and what else has the words of their names. */
function listReadForPlaces(question: Question, moves: Moves): ReadonlySet<string> {
  const directories = new Set([...moves].flat().flatMap((path) => [...ancestorsOf(directoryOf(path))]));
  const names = new Set([...directories].flatMap((path) => longestWord(baseNameOf(path)) ?? []));
  const matching = (word: string) =>
    question.ask((session) => listFilesMatchingName(session, word)).map(({ path }) => path);
  const makesPaths = new Set(pathWords.flatMap(matching));
  const isCode = (path: string) => isJavaScript(question.file(path)?.language ?? '');
  const isConfigCode = /\.(?:config|conf)\.[cm]?[jt]s$|(?:^|\/)\.[\w-]+rc\.[cm]?js$/;
  const mayLead = (path: string) =>
    isConfigCode.test(path) || (makesPaths.has(path) && isWorthLooking(path, question.source(path)?.text ?? '', moves));
  const naming = [...new Set([...names].flatMap(matching))].filter((path) => !isCode(path) || mayLead(path));
  // `require.context` of a bundler; the word alone is a common one.
  const required = new Set(matching('require'));
  const contexts = matching('context').filter((path) => required.has(path));
  const above = question
    .ask(listAllPaths)
    .filter((path) => directories.has(directoryOf(path)) && (!isCode(path) || isConfigCode.test(path)));
  return new Set([...naming, ...above, ...contexts]);
}

export function longestWord(name: string): string | undefined {
  const runs = listIdentifierRuns(name, 'typescript').filter((run) => run.name.length <= MAX_RUN_CHARS);
  return runs.sort((a, b) => b.name.length - a.name.length || a.start - b.start)[0]?.name;
}

/**
 * A path that a program computes, of which the beginning is written down: a template in `import()`, a sum in `require()`, a glob of a
 * bundler. Where it stands in a file that moves, its beginning leads elsewhere; where it may mean one that moves, it is a question.
 */
function lookAtPattern(
  path: string,
  { start, end, text }: Specifier,
  moves: Moves,
  directory: FileMove | null,
): ItemDraft | undefined {
  if (!/^\.{1,2}\//.test(text)) return undefined;
  const fixed = text.slice(0, text.search(/[*?{[]|$/));
  const cut = fixed.lastIndexOf('/') + 1;
  const below = pathNamed(directoryOf(path), text.slice(0, cut));
  const home = moves.get(path);
  if (home !== undefined) {
    const movesAlong = directory !== null && `${below}/`.startsWith(`${directory.from}/`);
    const newText = `${relativeTo(directoryOf(home), below)}/${text.slice(cut)}`;
    if (movesAlong || newText === text) return undefined;
    return {
      path,
      start,
      end,
      kind: 'string_reference',
      detail: `the beginning of a path that is computed, seen from the file that moves; it would become \`${newText}\``,
      edits: { rename: [{ path, start, end, oldText: text, newText, form: 'string' }] },
    };
  }
  const prefix = below === '' ? '' : `${below}/`;
  const matches = isGlob(text) ? compileGlobs([prefix + text.slice(cut)]) : undefined;
  const meant = [...moves].find(([from, to]) =>
    matches === undefined ? from.startsWith(prefix + text.slice(cut)) : matches(from) && !matches(to),
  );
  if (meant === undefined) return undefined;
  const detail = `the path is computed, and ${meant[0]} may be what it means`;
  return { path, start, end, kind: 'dynamic_access', detail, edits: {} };
}
