/**
 * Words of text that is no code of this language and that mean a file or a directory for the tool that reads them: scripts of packages,
 * shell, CI, Dockerfiles, lists of configuration. `path-strings.ts` finds whole paths of what moves; here is what names it otherwise: behind
 * a variable or a placeholder, without its ending, by its directory, by a pattern, from another working directory, by what is built of it.
 */

import { quotedPath } from '../../kernel/base/text.ts';
import { compileGlobs, judgeIgnore, parseIgnoreFile } from '../../kernel/tree/path-patterns.ts';
import { baseNameOf, directoryOf, isWithin } from '../../languages/resolving/root-paths.ts';
import type { ItemDraft } from '../compiler/session/messages.ts';
import type { Ground } from './code-paths.ts';
import { segmentsFrom } from './path-shapes.ts';
import { isIndex, pathNamed, stemOf } from './path-style.ts';

/** `taken`: places of whole paths, which are asked about as such. */
export function lookAtWords(
  path: string,
  text: string,
  ground: Ground,
  taken: ReadonlySet<number>,
): readonly ItemDraft[] {
  const ignored = lookAtIgnoreFile(path, text, ground);
  if (ignored !== undefined) return ignored;
  const bases = [...new Set([directoryOf(path), ...ground.workingDirectories(path)])];
  const found: ItemDraft[] = [];
  const askedLines = new Set<number>([...taken].map((at) => lineStart(text, at)));
  for (const field of listFields(path, text)) {
    for (const word of listWords(field)) {
      if (taken.has(word.start)) continue;
      const item = judgeWord(word, { ...ground, path, text, bases });
      if (item === undefined) continue;
      // What is asked about as a path need not be asked about as a directory.
      if (item.kind === 'file_listing' && askedLines.has(lineStart(text, item.start)) && !path.endsWith('.json'))
        continue;
      askedLines.add(lineStart(text, item.start));
      found.push(item);
    }
  }
  return found;
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

/** What these leave out is no part of a package, or of an image. */
function lookAtIgnoreFile(path: string, text: string, { moves }: Ground): readonly ItemDraft[] | undefined {
  const name = baseNameOf(path);
  if (/^\.(?:prettier|eslint|git|style)ignore$|^\.gitattributes$|^CODEOWNERS$/.test(name)) return [];
  if (!/^\.(?:npm|docker|vscode|gcloud|eb)ignore$/.test(name)) return undefined;
  const rules = parseIgnoreFile(text, directoryOf(path));
  const way = [...moves].find(([from, to]) => judgeIgnore(rules, from) !== judgeIgnore(rules, to));
  if (way === undefined) return [];
  const detail = `it leaves out one of ${way[0]} and ${way[1]}, and not the other`;
  return [{ path, start: 0, end: 0, kind: 'file_listing', detail, edits: {} }];
}

// ---- fields: what stands for itself, and how it is read

type Field = {
  readonly start: number;
  readonly text: string;
  /** `command`: words of a shell; `paths`: names of files and directories; `plain`: a value. */
  readonly read: 'command' | 'paths' | 'plain';
  /** A pattern of names that imports go through, which they are written anew for. */
  readonly isAlias: boolean;
  readonly isEntry: boolean;
};

const pathKeys =
  /^(?:include|exclude|files|roots?|root_?dirs?|rootDirs?|typeRoots|baseUrl|testDir|srcDir|sourceRoot|dirs?|directory|directories|paths?|entry|entries|entryPoints|input|inputs|ignore|ignorePatterns|watch|src|sources|testMatch|collectCoverageFrom|setupFiles\w*|projects|workspaces|assets|spec|require|extends|bin|main|types|module|browser|outputs?)$/i;
const entryKeys = /^(?:main|module|types|typings|exports|bin|browser|typesVersions)$/;

function listFields(path: string, text: string): readonly Field[] {
  if (/\.jsonc?$|(?:^|\/)\.\w+rc$/.test(path) && /^\s*[{[]/.test(text)) return listJsonFields(path, text);
  const fields: Field[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    const comment = /^\s*(?:#(?!!)|\/\/|;|REM\b)/.test(line);
    if (!comment) fields.push({ start, text: line, read: 'command', isAlias: false, isEntry: false });
    start += line.length + 1;
  }
  return fields;
}

/** Strings that are values, with the keys above them. */
function listJsonFields(path: string, text: string): readonly Field[] {
  const fields: Field[] = [];
  const keys: string[] = [];
  let key = '';
  const isPackage = baseNameOf(path) === 'package.json';
  for (const match of text.matchAll(/"((?:[^"\\\n]|\\.)*)"(\s*:)?|[{}]|\/\/[^\n]*/g)) {
    if (match[0] === '{') keys.push(key);
    else if (match[0] === '}') key = keys.pop() ?? '';
    else if (match[2] !== undefined) key = match[1] ?? '';
    else if (match[1] !== undefined) {
      const top = keys[1] ?? key;
      const isScript = /^(?:scripts|tasks)$/.test(top) || /^(?:command|cmd|run|script|build|start|test)$/.test(key);
      fields.push({
        start: match.index + 1,
        text: match[1],
        read: isScript ? 'command' : pathKeys.test(key) || pathKeys.test(top) ? 'paths' : 'plain',
        isAlias: (isPackage && top === 'imports') || keys.includes('paths') || key === 'paths',
        isEntry: isPackage && entryKeys.test(top),
      });
    }
  }
  return fields;
}

type Word = Field & {
  readonly word: string;
  readonly before: string;
};

const placeholder = String.raw`\$\{[^}\s]*\}|\$\(\w+\)|<\w+>|%\w+%|\{\{[^}]*\}\}`;
const words = new RegExp(String.raw`(?:${placeholder}|\{[^\s{}"']*,[^\s{}"']*\}|[\w@~+\-./*?$[\]!#])+`, 'g');

function listWords(field: Field): readonly Word[] {
  const found: Word[] = [];
  let end = 0;
  for (const match of field.text.matchAll(words)) {
    const word = match[0].replace(/^!/, '').replace(/[.]$/, '');
    const start = field.start + match.index + (match[0].startsWith('!') ? 1 : 0);
    const before = field.text.slice(0, match.index);
    if (field.read === 'command' || end === 0) found.push({ ...field, start, word, before });
    end = match.index + match[0].length;
  }
  return found;
}

// ---- what a word means

type WordPlace = Ground & { readonly path: string; readonly text: string; readonly bases: readonly string[] };

const commonName = 5;

function judgeWord(word: Word, place: WordPlace): ItemDraft | undefined {
  if (word.word === '' || word.word.length > 300 || /^[./-]*$/.test(word.word.replace(/^\.\.?$/, '..x')))
    return undefined;
  if (isPathPiece(place.path, word.word)) return judgePiece(word, place);
  const behind = new RegExp(`^(?:${placeholder}|\\$\\w+|[~@#])/(.+)$`).exec(word.word)?.[1];
  if (behind !== undefined && !holes.test(behind)) return judgeTail(word, behind, place);
  if (holes.test(word.word)) return judgeFilled(word, place);
  if (/[*?]|\{.*,.*\}|\[[^\]]+\]/.test(word.word)) return judgeGlob(word, place);
  return judgeStem(word, place) ?? judgeBuilt(word, place) ?? judgeDirectory(word, place) ?? judgeName(word, place);
}

/** `/utils/` in the configuration of a tool, which looks for it anywhere in a path: Jest's `testPathIgnorePatterns`. */
export function isPathPiece(path: string, text: string): boolean {
  return /^\/(?:[\w.@-]+\/)+$/.test(text) && /^package\.json$|config|^\.\w+rc/i.test(baseNameOf(path));
}

function judgePiece(word: Word, place: WordPlace): ItemDraft | undefined {
  const has = (path: string) => `/${path}`.includes(word.word);
  const way = [...place.moves].find(([from, to]) => has(from) !== has(to));
  return way === undefined ? undefined : itemOf(word, place, 'file_listing', globDetail(word.word, way, has));
}

function itemOf(
  { start, word }: Word,
  { path }: WordPlace,
  kind: ItemDraft['kind'],
  detail: string,
  newText?: string,
): ItemDraft {
  const end = start + word.length;
  const edits =
    newText === undefined ? {} : { rename: [{ path, start, end, oldText: word, newText, form: 'string' as const }] };
  return { path, start, end, kind, detail, edits };
}

/** `<rootDir>/test/setup.js`, `$DIR/a.js`: where it begins is not known here. */
function judgeTail(word: Word, tail: string, place: WordPlace): ItemDraft | undefined {
  const { moves, world, bases, countNamed } = place;
  if (/[*?]|\{.*,.*\}/.test(tail)) {
    if (word.isAlias) return undefined;
    const matches = compileGlobs([`**/${tail}`]);
    const way = [...moves].find(([from, to]) => matches(from) !== matches(to));
    return way === undefined ? undefined : itemOf(word, place, 'file_listing', globDetail(word.word, way, matches));
  }
  const plain = tail.replace(/\/$/, '');
  for (const [from, to] of moves) {
    const hit = [from, ...(plain.includes('/') ? [stemOf(from)] : [])].find(
      (name) => name === plain || name.endsWith(`/${plain}`),
    );
    if (hit === undefined || (!plain.includes('/') && countNamed(plain) > commonName)) continue;
    const above = hit.slice(0, -plain.length);
    const target = hit === from ? to : stemOf(to);
    const newText = target.startsWith(above)
      ? word.word.slice(0, -tail.length) + target.slice(above.length)
      : undefined;
    const detail = `behind a part that is filled in elsewhere stands the path of ${quotedPath(from)}`;
    return newText === undefined
      ? itemOf(word, place, 'computed_path', detail)
      : itemOf(word, place, 'string_reference', detail, newText);
  }
  const directory = bases.map((base) => pathNamed(base, plain)).find((one) => one !== '' && world.hasDirectory(one));
  return directory === undefined ? undefined : judgeHolding(word, directory, place);
}

const holes = new RegExp(`${placeholder}|\\$\\w+`);

/** `scripts/$step.mjs`: what is filled in may be the name of what moves. */
function judgeFilled(word: Word, place: WordPlace): ItemDraft | undefined {
  const pattern = word.word.replaceAll(new RegExp(holes, 'g'), '*').replace(/^\*\//, '**/');
  // Where nothing is written but an ending, everything fits.
  if (!/\w/.test(pattern.replace(/\.\w+$/, ''))) return undefined;
  for (const base of place.bases) {
    const segments = segmentsFrom(base, pattern);
    if (segments === undefined || segments.includes('node_modules')) continue;
    const matches = compileGlobs([segments.join('/')]);
    const isMeant = (path: string) => matches(path) || matches(stemOf(path));
    const way = [...place.moves].find(([from, to]) => isMeant(from) !== isMeant(to));
    if (way === undefined) continue;
    const detail = `a part of it is filled in elsewhere, and may make it the path of ${isMeant(way[0]) ? way[0] : way[1]}`;
    return itemOf(word, place, 'computed_path', detail);
  }
  return undefined;
}

function judgeGlob(word: Word, place: WordPlace): ItemDraft | undefined {
  if (word.isAlias || !/\/|\*\./.test(word.word) || !/\w/.test(word.word)) return undefined;
  for (const base of place.bases) {
    const segments = segmentsFrom(base, word.word);
    if (segments === undefined || segments.includes('node_modules')) continue;
    const matches = compileGlobs([segments.join('/')]);
    const way = [...place.moves].find(([from, to]) => matches(from) !== matches(to));
    if (way !== undefined) return itemOf(word, place, 'file_listing', globDetail(word.word, way, matches));
  }
  return undefined;
}

function globDetail(glob: string, [from, to]: readonly [string, string], matches: (path: string) => boolean): string {
  const [one, other] = matches(from) ? [from, to] : [to, from];
  return `the pattern \`${glob}\` matches ${quotedPath(one)}, and not ${quotedPath(other)}`;
}

/** `node scripts/a` and `require: ./test/setup`, where the ending is left out; `src` for `src/index.js`. */
function judgeStem(word: Word, place: WordPlace): ItemDraft | undefined {
  const { moves, world, bases } = place;
  const plain = word.word.replace(/\/$/, '');
  for (const base of bases) {
    const named = pathNamed(base, plain);
    if (world.hasFile(named)) return undefined;
    for (const [from, to] of moves) {
      const isStem = plain.includes('/') && named === stemOf(from) && stemOf(from) !== from;
      const isBuilt = plain.includes('/') && /\.[cm]?jsx?$/.test(named) && stemOf(named) === stemOf(from);
      const isDirectory =
        isIndex(from) &&
        named === directoryOf(from) &&
        /(?:^|\s)(?:node|nodemon|tsx|ts-node|bun|deno|esno)(?:\s+-\S+)*\s+$/.test(word.before);
      if (!isStem && !isBuilt && !isDirectory) continue;
      const detail = `it means ${quotedPath(from)}`;
      const newPath = isStem && stemOf(to) !== to ? stemOf(to) : undefined;
      const newText =
        newPath !== undefined && base === '' ? plain.slice(0, plain.length - named.length) + newPath : undefined;
      return newText === undefined
        ? itemOf(word, place, 'computed_path', detail)
        : itemOf(word, place, 'string_reference', detail, newText);
    }
  }
  return undefined;
}

/** An entry of a package that is built: `./dist/a.js` of `src/a.ts`. */
function judgeBuilt(word: Word, place: WordPlace): ItemDraft | undefined {
  if (!word.isEntry || place.world.hasFile(pathNamed(directoryOf(place.path), word.word))) return undefined;
  const built = word.word
    .replace(/^\.\//, '')
    .replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '')
    .split('/');
  for (const from of place.moves.keys()) {
    if (!isWithin(from, directoryOf(place.path)) || stemOf(from) === from) continue;
    const stem = stemOf(from).slice(directoryOf(place.path) === '' ? 0 : directoryOf(place.path).length + 1);
    const source = stem.replace(/^(?:src|source|lib)\//, '');
    const isOf = [1, 2, 3].some((cut) => built.length > cut && built.slice(cut).join('/') === source);
    if (isOf)
      return itemOf(
        word,
        place,
        'dist_boundary',
        `users of the package reach what is built of ${quotedPath(from)} by this path`,
      );
  }
  return undefined;
}

const entersDirectory =
  /(?:\b(?:cd|pushd|COPY|ADD|WORKDIR|rsync|cp|mv|ls|find|cat|zip|tar)\s+(?:-\S+\s+)*|(?:^|\s)(?:-C|-d|-p|-r|--(?:prefix|cwd|root|dir|directory|rootDir|project|require|import|path|watch))[\s=]|(?:working-directory|workdir|context|path|dir|directory|root):\s*["']?|\w\s*[:?]?=\s*["']?)$/;
const runsScript =
  /(?:^|[&|;]\s*)(?:\w+=\S+\s+)*$|\b(?:npm|yarn|pnpm|bun|run|npx|exec|run-s|run-p|npm-run-all|turbo|nx|-w|--workspace)(?:\s+-\S+)*\s+$/;

function judgeDirectory(word: Word, place: WordPlace): ItemDraft | undefined {
  const { world, bases, path } = place;
  const plain = word.word.replace(/\/$/, '');
  const isScript = baseNameOf(path) === 'package.json' && word.read === 'command' && !runsScript.test(word.before);
  const isTold = word.word.includes('/') || word.read === 'paths' || isScript || entersDirectory.test(word.before);
  if (!isTold || word.isAlias) return undefined;
  const directory = bases
    .map((base) => pathNamed(base, plain))
    .find((one) => one !== '' && !one.startsWith('..') && world.hasDirectory(one));
  return directory === undefined ? undefined : judgeHolding(word, directory, place);
}

function judgeHolding(word: Word, directory: string, place: WordPlace): ItemDraft | undefined {
  const way = [...place.moves].find(([from, to]) => isWithin(from, directory) !== isWithin(to, directory));
  if (way === undefined || (place.directory !== null && isWithin(directory, place.directory.from))) return undefined;
  const [one, other] = isWithin(way[0], directory) ? way : [way[1], way[0]];
  return itemOf(
    word,
    place,
    'file_listing',
    `\`${quotedPath(directory)}\` holds ${quotedPath(one)}, and not ${quotedPath(other)}`,
  );
}

/** `cd scripts && node a.js`: the name alone, where nothing else has it. */
function judgeName(word: Word, place: WordPlace): ItemDraft | undefined {
  const { moves, world, bases, text, countNamed } = place;
  if (word.read === 'plain' || word.word.includes('/') || !word.word.includes('.')) return undefined;
  if (bases.some((base) => world.hasFile(pathNamed(base, word.word)))) return undefined;
  const from = [...moves.keys()].find((one) => baseNameOf(one) === word.word);
  if (from === undefined) return undefined;
  const above = baseNameOf(directoryOf(from));
  const isNear = above !== '' && new RegExp(`(?<![\\w-])${above.replaceAll(/[^\w]/g, '\\$&')}(?![\\w-])`).test(text);
  if (!isNear && countNamed(word.word) > 1) return undefined;
  return itemOf(word, place, 'computed_path', `it can be ${quotedPath(from)}, from another working directory`);
}
