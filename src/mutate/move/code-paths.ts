/**
 * Paths that TypeScript and JavaScript make at run time, and what a move does to them (mutation.md §12): a chain of literals that leads to a
 * file that moves is written anew where it begins beside its own file, and is a question where it begins elsewhere; a path with holes that
 * can mean it is a question; so is a listing of a directory that it leaves or enters, and what the moving file makes of its own place.
 */

import { posix } from 'node:path';
import { withSourceTree } from '../../index/navigate/read-file-facts.ts';
import { compileGlobs, isGlob } from '../../kernel/tree/path-patterns.ts';
import type { Node } from '../../languages/parsing/syntax-node.ts';
import { listChildren, walkTree } from '../../languages/parsing/walk-tree.ts';
import type { ResolveWorld } from '../../languages/resolving/resolution.ts';
import { baseNameOf, directoryOf, isWithin } from '../../languages/resolving/root-paths.ts';
import type { CompilerEdit } from '../compiler/session/messages.ts';
import type { ItemKind } from '../vocabulary.ts';
import type { Found, Moves, Moving } from './moved-tree.ts';
import {
  beginningsOf,
  compileShape,
  hole,
  type PathShape,
  readShapes,
  type Shapes,
  segmentsFrom,
} from './path-shapes.ts';
import { isIndex, pathNamed, relativeTo, stemOf } from './path-style.ts';

/** What is known of the tree when paths are judged. */
export type Ground = Moving & {
  readonly world: ResolveWorld;
  /** What may be the working directory of code in that file: the root, and the packages around it. */
  readonly workingDirectories: (path: string) => readonly string[];
  /** How many files have that base name. */
  readonly countNamed: (name: string) => number;
};

/** Lists directories, or loads what it computes. */
const listsOrLoads =
  /\b(?:readdir|opendir|readDir|scandir|klaw|requireDir|requireAll|includeAll|recursiveReaddir)\w*|\b[gG]lob\w*\s*[(<.]|\bfg\s*[(.]|require\.context|\b(?:import|require(?:\.resolve)?)\s*\(\s*(?!["'][^"']*["']\s*[),]|`[^`$]*`\s*[),])/;
const makesPaths =
  /__dirname|__filename|import\.meta|process\.cwd|\b(?:join|resolve|URL|fork|Worker|spawn\w*|exec\w*|readFile\w*|createReadStream|exists\w*|static|serveStatic|sendFile|render|register)\s*\(|\+\s*["'`]|`[^`]*\$\{[^`]*\/[^`]*`/;

/** Everything else makes no path that could lead to either place. */
export function isWorthLooking(path: string, text: string, moves: Moves): boolean {
  if (moves.has(path) || listsOrLoads.test(text)) return true;
  if (!makesPaths.test(text)) return false;
  const ways = [...moves];
  const names = new Set(ways.map(([from]) => baseNameOf(from)));
  const above = new Set(ways.flat().map((one) => baseNameOf(directoryOf(one))));
  above.delete('');
  return [...names].some((name) => text.includes(name)) || [...above].some((name) => isQuoted(text, name));
}

function isQuoted(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (/["'`/]/.test(text.charAt(at - 1)) && /["'`/]/.test(text.charAt(at + name.length))) return true;
  }
  return false;
}

export async function lookAtCode(
  path: string,
  language: string,
  text: string,
  ground: Ground,
  found: Found,
): Promise<void> {
  if (!isWorthLooking(path, text, ground.moves)) return;
  const own = await withSourceTree(path, language, text, ({ root }) => {
    const shapes = readShapes(root, path);
    const code: Code = { ...ground, path, text, shapes, found: { edits: [], items: [], mentions: [] } };
    const look = (node: Node) => {
      lookAtCall(node, code);
      lookAtWhole(node, code);
      return undefined;
    };
    walkTree(root, { call_expression: look, new_expression: look, template_string: look, binary_expression: look });
    if (ground.moves.has(path)) lookAtOwnPlace(root, code);
    return code.found;
  });
  found.edits.push(...own.edits);
  found.items.push(...own.items);
  found.mentions.push(...own.mentions);
}

type Code = Ground & {
  readonly path: string;
  readonly text: string;
  readonly shapes: Shapes;
  readonly found: Found;
};

function ask(code: Code, kind: ItemKind, node: Node, detail: string): void {
  const { path, found } = code;
  const { startIndex: start } = node;
  // One line is enough to know the place.
  const line = code.text.slice(start, node.endIndex).search(/[\r\n]/);
  found.items.push({ path, start, end: line < 0 ? node.endIndex : start + line, kind, detail, edits: {} });
}

// ---- calls that load, list or read what a path names

const loaders =
  /^(?:import|require|module\.require|require\.resolve|import\.meta\.resolve|createRequire\(.*\)(?:\.resolve)?|(?:jest|vi|vitest)\.(?:requireActual|requireMock|importActual|importMock|mock|doMock))$/s;
const directoryListers =
  /^(?:readdir|readdirSync|opendir|opendirSync|readDir|readDirSync|scandir\w*|readdirp|klaw|klawSync|recursiveReaddir|requireDir\w*|requireAll|includeAll)$/;
/** Names that other things have as well: they count where something of the path is known. */
const mayList = /^(?:walk|walkSync|walkDir\w*|importAll|fdir|crawl|autoload|load\w*|scan\w*|list\w*)$/;
const globListers =
  /^(?:glob|globSync|globStream|globIterate\w*|globby\w*|fg|fastGlob|tinyglobby|Glob|globEager|expandGlob\w*)$/;
const readers =
  /^(?:readFile\w*|createReadStream|exists\w*|stat|statSync|lstat\w*|access\w*|open|openSync|copyFile\w*|cp|cpSync|rename\w*|unlink\w*|rm|rmSync|sendFile|download|render|fork|Worker|SharedWorker|spawn|spawnSync|exec|execSync|execFile\w*|execa\w*|execaNode|static|serveStatic|register|loadFile|importScripts|readJson\w*|readJSON\w*|loadConfig\w*|run|sh)$/;

function lookAtCall(node: Node, code: Code): void {
  const callee = node.childForFieldName('function') ?? node.childForFieldName('constructor');
  if (callee === null) return;
  const text = callee.text.replaceAll(/\s|<[^()]*>$/g, '');
  const args = listChildren(node.childForFieldName('arguments'));
  const [first] = args;
  const name = nameOfCallee(text);
  if (loaders.test(text)) lookAtLoader(first, code);
  else if (isGlobLister(text, name)) lookAtGlobs(node, first, args[1], code, text === 'import.meta.glob');
  else if (text === 'require.context' || directoryListers.test(name) || mayList.test(name))
    lookAtListing(node, first, code, text);
  else if (readers.test(name)) lookAtReader(name, args, code);
}

function nameOfCallee(text: string): string {
  const name = text.slice(text.lastIndexOf('.') + 1);
  // `fg.sync(…)`, `glob.sync(…)`.
  return /^(?:sync|async|stream|promise)$/.test(name) ? nameOfCallee(text.slice(0, -name.length - 1)) : name;
}

function isGlobLister(text: string, name: string): boolean {
  return text === 'import.meta.glob' || globListers.test(name);
}

/** `import(x)`, `require(x)`: any file that the expression can name. Literals are specifiers, which are told elsewhere. */
function lookAtLoader(node: Node | undefined, code: Code): void {
  if (node === undefined || isLiteral(node)) return;
  for (const shape of code.shapes.of(node)) {
    const asked = asModule(shape);
    if (asked === undefined) continue;
    const beginnings =
      asked.base === 'plain'
        ? [directoryOf(code.path)]
        : beginningsOf(asked, code.path, code.workingDirectories(code.path));
    if (asked.base === 'unknown' && isCommon(asked.text, code)) continue;
    const tests = beginnings.flatMap((from) => compileShape(asked.text, from) ?? []);
    const [way] = [...code.moves].filter(([from, to]) =>
      [from, to].some((one) => namesOf(one).some((each) => tests.some((test) => test(each)))),
    );
    if (way === undefined) continue;
    const isOpen = asked.text.replaceAll(/[\0./]/g, '') === '';
    const detail = isOpen
      ? `what is loaded is computed, so whether it is ${way[0]} cannot be told`
      : `what is loaded is computed, and can be ${way[0]} or ${way[1]}`;
    ask(code, 'computed_path', node, detail);
    return;
  }
}

/** All that is known of it is the name of a file, and many have that name. */
function isCommon(text: string, { countNamed }: Code): boolean {
  const segments = text.split('/').filter((one) => one !== '' && one !== '.');
  const [name, ...others] = segments.filter((one) => !one.includes(hole));
  return name !== undefined && others.length === 0 && name === segments.at(-1) && countNamed(name) > commonName;
}

/** What a loader makes of it: undefined for a package, and an alias could begin anywhere. */
function asModule(shape: PathShape): PathShape | undefined {
  const { base, text } = shape;
  if (base !== 'plain' || /^\.{0,2}\//.test(text) || text.startsWith(hole)) return shape;
  if (/^[@~#][\w-]*\//.test(text) && !/^@[\w-]+\/[\w.-]+(?:\/|$)/.test(text))
    return { base: 'unknown', text: `${hole}${text.slice(text.indexOf('/'))}` };
  return undefined;
}

/** Every name under which a module can be asked for. */
function namesOf(path: string): readonly string[] {
  const stem = stemOf(path);
  const built = stem === path ? [] : ['.js', '.mjs', '.cjs', '.jsx'].map((ending) => stem + ending);
  return [path, stem, ...built, ...(isIndex(path) ? [directoryOf(path)] : [])];
}

function lookAtListing(call: Node, node: Node | undefined, code: Code, callee: string): void {
  if (node === undefined || node.type === 'arrow_function' || node.type === 'function_expression') return;
  const isDeep = /\brecursive\b|isDirectory\(|\bwalk|\bklaw|readdirp|fdir|requireDir|context/.test(code.text);
  for (const shape of code.shapes.of(node)) {
    const beginnings =
      callee === 'require.context' && shape.base === 'plain'
        ? [directoryOf(code.path)]
        : beginningsOf(shape, code.path, code.workingDirectories(code.path));
    if (mayList.test(nameOfCallee(callee)) && (shape.base === 'plain' || !/[^\0./]/.test(shape.text))) continue;
    for (const from of beginnings) {
      const segments = segmentsFrom(from ?? hole, shape.text);
      const test = compileShape(shape.text, from);
      if (segments === undefined || test === undefined || segments.includes('node_modules')) continue;
      const directory = segments.some((segment) => segment.includes(hole)) ? undefined : segments.join('/');
      const way = [...code.moves].find(([one, other]) =>
        directory === undefined
          ? [one, other].some((path) => ancestors(path).some((above) => test(above)))
          : changesListing(directory, one, other, isDeep, code.world),
      );
      if (way === undefined) continue;
      const which =
        directory === undefined ? 'a directory that is computed' : directory === '' ? 'the root' : directory;
      ask(
        code,
        'file_listing',
        call,
        `the files of ${which} are listed${directory === undefined ? `, and it can be that of ${way[0]}` : ''}`,
      );
      return;
    }
  }
}

function ancestors(path: string): readonly string[] {
  const found: string[] = [];
  for (let at = directoryOf(path); at !== ''; at = directoryOf(at)) found.push(at);
  return [...found, ''];
}

/** Does a listing of the directory name something else when the file has gone from one path to the other? */
function changesListing(directory: string, from: string, to: string, isDeep: boolean, world: ResolveWorld): boolean {
  const [was, is] = [from, to].map((path) => (isWithin(path, directory) ? belowIt(path, directory) : undefined));
  if (was === undefined && is === undefined) return false;
  if (isDeep) return true;
  const [left, came] = [was, is].map((rest) => rest?.split('/')[0]);
  if (left === came) return false;
  const goes = was !== undefined && (!was.includes('/') || isOnly(world, directory, left ?? '', from));
  const comes = is !== undefined && (!is.includes('/') || !world.hasDirectory(pathNamed(directory, came ?? '')));
  return goes || comes;
}

function belowIt(path: string, directory: string): string {
  return directory === '' ? path : path.slice(directory.length + 1);
}

function isOnly(world: ResolveWorld, directory: string, name: string, file: string): boolean {
  const below = `${pathNamed(directory, name)}/`;
  return !world.allFiles().some((path) => path !== file && path.startsWith(below));
}

/** `glob('src/*.ts')`: what it matches before and after. */
function lookAtGlobs(
  call: Node,
  node: Node | undefined,
  options: Node | undefined,
  code: Code,
  isBesideFile: boolean,
): void {
  if (node === undefined) return;
  const lists = node.type === 'array' ? listChildren(node) : [node];
  const within =
    options?.type === 'object'
      ? listChildren(options).find((pair) => pair.childForFieldName('key')?.text === 'cwd')
      : undefined;
  const starts =
    within === undefined
      ? isBesideFile
        ? [directoryOf(code.path)]
        : code.workingDirectories(code.path)
      : code.shapes
          .of(within.childForFieldName('value') ?? within)
          .flatMap((shape) =>
            beginningsOf(shape, code.path, code.workingDirectories(code.path)).map((from) =>
              from === null || shape.text.includes(hole) ? null : (segmentsFrom(from, shape.text)?.join('/') ?? null),
            ),
          );
  for (const one of lists) {
    for (const shape of code.shapes.of(one)) {
      const bases =
        shape.base === 'plain' ? starts : beginningsOf(shape, code.path, code.workingDirectories(code.path));
      if (shape.base === 'plain' && /^(?:\/(?!\*)|[a-z]+:)/i.test(shape.text)) continue;
      for (const base of bases) {
        const segments = segmentsFrom(base ?? hole, shape.text.replace(/^!/, ''));
        if (segments === undefined || segments.includes('node_modules')) continue;
        const isKnown = base !== null && !shape.text.includes(hole);
        const glob = segments.map((segment) => (segment === hole ? '**' : segment.replaceAll(hole, '*'))).join('/');
        const matches = compileGlobs(isGlob(glob) ? [glob] : [`${glob}/**`, glob]);
        const way = [...code.moves].find(([from, to]) =>
          isKnown ? matches(from) !== matches(to) : matches(from) || matches(to),
        );
        if (way === undefined) continue;
        const detail = isKnown
          ? `the pattern \`${shape.text}\` matches ${matches(way[0]) ? way[0] : way[1]}, and not ${matches(way[0]) ? way[1] : way[0]}`
          : `files are listed by a pattern that is computed, and ${way[0]} can be one of them`;
        ask(code, 'file_listing', isLiteral(one) ? one : call, detail);
        return;
      }
    }
  }
}

/** `readFileSync('a.txt')`, `exec('node scripts/a.js')`: what the working directory makes of it. */
function lookAtReader(name: string, args: readonly Node[], code: Code): void {
  const isCommand = /^(?:exec|execSync|execa\w*|spawn|spawnSync|execFile\w*|run|sh)$/.test(name);
  const nodes = args.slice(0, isCommand ? 2 : 1).flatMap((arg) => (arg.type === 'array' ? listChildren(arg) : [arg]));
  for (const node of nodes) {
    if (!isLiteral(node)) continue;
    const text = node.text.slice(1, -1);
    const words = isCommand ? text.split(/[\s"'=]+/) : [text];
    for (const word of words) {
      // With a slash it is told as a string that has the path.
      if (word === '' || (word === text && word.includes('/'))) continue;
      const means = code.workingDirectories(code.path).map((from) => pathNamed(from, word));
      const way = [...code.moves].find(([from]) => means.includes(from));
      if (way !== undefined) ask(code, 'computed_path', node, `the path of ${way[0]}, seen from the working directory`);
    }
  }
}

function isLiteral(node: Node): boolean {
  return node.type === 'string' || (node.type === 'template_string' && !node.text.includes('${'));
}

// ---- paths that are put together

/** An expression that makes a path and is no part of a longer one. */
function lookAtWhole(node: Node, code: Code): void {
  const { shapes, path, moves } = code;
  if (!shapes.isPart(node) || isLiteral(node)) return;
  const holder = holderOf(node);
  if (holder !== null && shapes.isPart(holder)) return;
  const consumer = consumerOf(node);
  if (consumer.isLoader || consumer.isLister) return;
  for (const shape of shapes.of(node)) {
    if (shape.base === 'home' && moves.has(path)) continue;
    // A constant for the place of the file is looked at where it is used.
    if (node.parent?.type === 'variable_declarator' && isPlace(shape, path)) continue;
    if (lookAtShape(node, shape, consumer.name, code)) return;
  }
}

/** What an operand or an argument is part of. */
function holderOf(node: Node): Node | null {
  const { parent } = node;
  return parent?.type === 'arguments' || parent?.type === 'template_substitution' ? parent.parent : parent;
}

function consumerOf(node: Node): { readonly name: string; readonly isLoader: boolean; readonly isLister: boolean } {
  let { parent } = node;
  if (parent?.type === 'array') parent = parent.parent;
  if (parent?.type === 'pair') {
    return { name: parent.childForFieldName('key')?.text ?? '', isLoader: false, isLister: false };
  }
  const call = parent?.type === 'arguments' ? parent.parent : null;
  const callee = call?.childForFieldName('function') ?? call?.childForFieldName('constructor');
  const text = callee?.text.replaceAll(/\s/g, '') ?? '';
  const name = nameOfCallee(text);
  const isLister = isGlobLister(text, name) || text === 'require.context' || directoryListers.test(name);
  return { name, isLoader: loaders.test(text), isLister };
}

/** Its specifier is written anew like those of imports. */
const urlBesideFile = /\bnew\s+URL\(\s*(["'`])[^"'`$\n]*\1\s*,\s*import\.meta\.url\b/;

/** More files of one name than this, and the name alone says nothing. */
const commonName = 5;
const takesDirectory =
  /dir|path|route|folder|load|scan|walk|register|plugin|view|page|migrat|command|entit|model|schema|locale|static|root/i;

function lookAtShape(node: Node, shape: PathShape, consumer: string, code: Code): boolean {
  const { path, moves, world } = code;
  for (const from of beginningsOf(shape, path, code.workingDirectories(path))) {
    const segments = segmentsFrom(from ?? hole, shape.text);
    const test = compileShape(shape.text, from);
    if (segments === undefined || test === undefined || segments.includes('node_modules')) continue;
    const last = segments.at(-1) ?? '';
    if (!segments.some((segment) => segment.includes(hole))) {
      const named = segments.join('/');
      const target = moves.get(named);
      if (target !== undefined) {
        const isExact = shape.base === 'home' && writeLiterals(node, relativeTo(directoryOf(path), target), code);
        if (!isExact && !urlBesideFile.test(node.text))
          ask(code, 'computed_path', node, `the path of ${named} is put together`);
        return true;
      }
      if (named === '' || !world.hasDirectory(named)) continue;
      const way = [...moves].find(
        ([one, other]) =>
          isWithin(one, named) !== isWithin(other, named) ||
          (takesDirectory.test(consumer) && [one, other].some((each) => directoryOf(each) === named)),
      );
      if (way === undefined) continue;
      ask(code, 'file_listing', node, `a path leads to ${named}; what is done with its files cannot be told`);
      return true;
    }
    const way = [...moves.keys()].find((one) => test(one));
    if (way === undefined) continue;
    const known = segments.filter((segment) => !segment.includes(hole));
    if (!last.includes(hole)) {
      if (known.length < 2 && code.countNamed(last) > commonName) continue;
      ask(code, 'computed_path', node, `a path that ends in \`${known.join('/')}\` is put together, and can be ${way}`);
      return true;
    }
    // `join(__dirname, name)`, `templates/${name}.html`: the directory is known, the file is not.
    const directory = segments.slice(0, -1);
    const leads = shape.base === 'home' || shape.base === 'cwd' || readers.test(consumer);
    const isThere = directory.length > 0 && directory.at(-1) === baseNameOf(directoryOf(way));
    const isBeside = directory.join('/') === directoryOf(way) && shape.base !== 'unknown';
    if (!leads || !(isThere || isBeside)) continue;
    ask(code, 'computed_path', node, `a path in ${directoryOf(way) || 'the root'} is computed, and can be ${way}`);
    return true;
  }
  return false;
}

// ---- what the moving file makes of its own place

const ownMembers =
  /^(?:import\.meta\.(?:url|dirname|dir|filename|file|path)|module\.(?:filename|path|id|paths|parent))$/;

function lookAtOwnPlace(root: Node, code: Code): void {
  const aliases = listAliases(code);
  walkTree(root, {
    identifier: (node) => {
      const name = node.text;
      const isOwn = name === '__dirname' || name === '__filename' || aliases.has(name);
      if (isOwn && isUse(node)) lookAtPlace(node, code);
      return undefined;
    },
    shorthand_property_identifier: (node) => {
      if (aliases.has(node.text) || /^__(?:dirname|filename)$/.test(node.text)) askAboutPlace(node, code);
      return undefined;
    },
    member_expression: (node) => {
      if (ownMembers.test(node.text.replaceAll(/\s/g, ''))) lookAtPlace(node, code);
      return undefined;
    },
    meta_property: (node) => {
      if (node.text.startsWith('import') && node.parent?.type !== 'member_expression') askAboutPlace(node, code);
      return undefined;
    },
  });
}

/** Constants that are the directory or the path of the file itself, and nothing else. */
function listAliases({ shapes, path }: Code): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [name, values] of shapes.constants) {
    const all = values.flatMap((value) => shapes.of(value));
    if (all.length > 0 && all.every((shape) => isPlace(shape, path))) names.add(name);
  }
  return names;
}

function isPlace({ base, text }: PathShape, path: string): boolean {
  return base === 'home' && (text === '' || text === baseNameOf(path));
}

function isUse(node: Node): boolean {
  const { parent } = node;
  if (parent === null) return false;
  if (parent.type === 'variable_declarator') return parent.childForFieldName('name')?.id !== node.id;
  if (parent.type === 'pair') return parent.childForFieldName('value')?.id === node.id;
  return !/^(?:import_specifier|import_clause|required_parameter|formal_parameters|unary_expression|assignment_pattern)$/.test(
    parent.type,
  );
}

function lookAtPlace(start: Node, code: Code): void {
  const { shapes, path, moves, world } = code;
  let node = start;
  for (;;) {
    const holder = holderOf(node);
    if (holder === null || !(shapes.isPart(holder) || isReading(holder, node))) break;
    node = holder;
  }
  const after = moves.get(path) ?? path;
  const all = shapes.of(node);
  const [only] = all;
  const { parent } = node;
  const isDeclared =
    parent?.type === 'variable_declarator' &&
    parent.parent?.parent?.type !== 'export_statement' &&
    isPlace(all[0] ?? noShape, path);
  if (isDeclared && all.length === 1) return;
  const isInPlace = directoryOf(after) === directoryOf(path);
  if (isInPlace && all.every(({ base, text }) => base === 'home' && posix.basename(text) !== baseNameOf(path))) return;
  if (isComparedWithEntry(node) || isRequireBase(node)) return;
  if (urlBesideFile.test(node.text)) return;
  if (only === undefined || all.length > 1 || only.base !== 'home' || only.text.includes(hole)) {
    askAboutPlace(node, code);
    return;
  }
  const named = segmentsFrom(directoryOf(path), only.text)?.join('/');
  const target = named === undefined ? undefined : (moves.get(named) ?? movedDirectory(named, code) ?? named);
  const isThere = named !== undefined && (world.hasFile(named) || world.hasDirectory(named));
  const isKept = target !== undefined && segmentsFrom(directoryOf(after), only.text)?.join('/') === target;
  if (isKept && named !== path) return;
  if (named === path || target === undefined || !isThere) askAboutPlace(node, code);
  else if (!writeLiterals(node, relativeTo(directoryOf(after), target), code)) askAboutPlace(node, code);
}

const noShape: PathShape = { base: 'outside', text: '' };

function movedDirectory(named: string, { directory }: Code): string | undefined {
  if (directory === null || !isWithin(named, directory.from)) return undefined;
  return `${directory.to}${named.slice(directory.from.length)}`;
}

/** `.href` of a URL. */
function isReading(holder: Node, node: Node): boolean {
  return (
    holder.type === 'member_expression' &&
    holder.childForFieldName('object')?.id === node.id &&
    /^(?:href|pathname)$/.test(holder.childForFieldName('property')?.text ?? '')
  );
}

/** Is this file what was started? That stays so wherever it lies. */
function isComparedWithEntry({ parent }: Node): boolean {
  return parent?.type === 'binary_expression' && /process\.argv|require\.main/.test(parent.text);
}

/** What it then requires are specifiers of their own. */
function isRequireBase({ parent }: Node): boolean {
  return (
    parent?.type === 'arguments' &&
    parent.parent?.childForFieldName('function')?.text.endsWith('createRequire') === true
  );
}

function askAboutPlace(node: Node, code: Code): void {
  ask(code, 'own_path', node, 'the file that moves makes something of its own path, which will be another');
}

// ---- literals of a path, written anew

/**
 * `join(__dirname, '..', 'data.txt')`, `__dirname + '/data.txt'`: the literals so that the path leads to `relative` from the file's
 * directory. False where the form is another.
 */
function writeLiterals(node: Node, relative: string, { path, text, found, shapes }: Code): boolean {
  if (urlBesideFile.test(node.text)) return false;
  const isHome = (one: Node | null | undefined) =>
    one !== null && one !== undefined && shapes.of(one).every((shape) => shape.base === 'home' && shape.text === '');
  const edits = editsOf(node, relative.replace(/^\.\//, ''), text, isHome);
  if (edits === undefined) return false;
  for (const { start, end, newText } of edits) {
    const oldText = text.slice(start, end);
    const edit: CompilerEdit = { path, start, end, oldText, newText, form: 'specifier' };
    if (oldText !== newText) found.edits.push(edit);
  }
  return true;
}

type Literal = { readonly start: number; readonly end: number; readonly newText: string };

function editsOf(
  node: Node,
  relative: string,
  text: string,
  isHome: (node: Node | null | undefined) => boolean,
): readonly Literal[] | undefined {
  if (/["'`\\$]/.test(relative)) return undefined;
  if (node.type === 'call_expression') {
    const [first, ...literals] = listChildren(node.childForFieldName('arguments'));
    if (!isHome(first) || literals.length === 0 || !literals.every(isLiteral)) return undefined;
    return spread(literals, relative);
  }
  if (node.type === 'binary_expression') {
    const [left, right] = [node.childForFieldName('left'), node.childForFieldName('right')];
    if (right === null || !isHome(left) || !isLiteral(right) || right.text.charAt(1) !== '/') return undefined;
    return [inside(right, `/${relative}`)];
  }
  if (node.type !== 'template_string') return undefined;
  const [hole, ...others] = node.namedChildren.filter(({ type }) => type === 'template_substitution');
  if (hole === undefined || others.length > 0 || hole.startIndex !== node.startIndex + 1) return undefined;
  if (!isHome(listChildren(hole)[0])) return undefined;
  const [start, end] = [hole.endIndex, node.endIndex - 1];
  return text.charAt(start) === '/' ? [{ start, end, newText: `/${relative}` }] : undefined;
}

function inside(literal: Node, newText: string): Literal {
  return { start: literal.startIndex + 1, end: literal.endIndex - 1, newText };
}

/** As many literals as before: the last stay what they are where they can, and the first takes the difference. */
function spread(literals: readonly Node[], relative: string): readonly Literal[] | undefined {
  const [first, ...rest] = literals;
  if (first === undefined) return undefined;
  const tail = rest.map((one) => one.text.slice(1, -1)).join('/');
  if (rest.length === 0) return [inside(first, relative)];
  if (relative === tail) return [inside(first, '.')];
  if (relative.endsWith(`/${tail}`)) return [inside(first, relative.slice(0, -tail.length - 1))];
  const names = relative.split('/');
  if (names.length < literals.length) return undefined;
  const cut = names.length - rest.length;
  return [
    inside(first, names.slice(0, cut).join('/')),
    ...rest.map((one, index) => inside(one, names[cut + index] ?? '')),
  ];
}
