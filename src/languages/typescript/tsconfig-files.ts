/**
 * Which files a configuration means by `files`, `include` and `exclude`, as the compiler reads them: for one path
 * (`compileConfigInputs`), and as the whole list (`listRootFiles`). Without `files` and `include` it is everything, without
 * `exclude` all but the output directories. `test/semantic/contexts-agree.test.ts` holds it equal to the compiler.
 */

import type { Json } from '../../kernel/base/json.ts';
import { directoryOf, isWithin } from '../resolving/root-paths.ts';
import { type ConfigFile, type ConfigValue, listStrings, readConfigPath, resolveConfigPath } from './read-tsconfig.ts';

export type ConfigInputs = {
  /** Is it listed, or does a pattern mean it? That another file may stand for it (`a.ts` beside `a.js`) is not looked at. */
  covers(path: string): boolean;
  /** May it cover any file of this directory? Cheap, and never wrongly false. */
  mayCover(directory: string): boolean;
  /** The deepest directory that holds all it can mean. */
  readonly base: string;
  /** What `files` lists, whether it is there or not. */
  readonly files: ReadonlySet<string>;
  /** In order: where several mean a file, the first one counts. */
  readonly include: readonly ConfigPattern[];
  readonly exclude: readonly ConfigPattern[];
  /** `allowJs`, else `checkJs`. */
  readonly readsJavaScript: boolean;
};

const filesMax = 10_000;
const patternsMax = 256;

export function compileConfigInputs(config: ConfigFile): ConfigInputs {
  const files = new Set(listFiles(config));
  const includeAll = config.files === undefined && config.include === undefined;
  const include = includeAll
    ? [compilePattern(config.directory === '' ? '**/*' : `${config.directory}/**/*`, 'include')]
    : compileSpecs(config, config.include, 'include');
  const exclude =
    config.exclude === undefined
      ? ['outDir', 'declarationDir'].map((option) => compileDirectory(readConfigPath(config, option)))
      : compileSpecs(config, config.exclude, 'exclude');
  const included = include.filter((pattern) => pattern !== undefined);
  const excluded = exclude.filter((pattern) => pattern !== undefined);
  const readsJavaScript = (readFlag(config, 'allowJs') ?? readFlag(config, 'checkJs')) === true;
  const extensions = readsJavaScript ? typeScriptOrJavaScript : typeScript;
  const bases = [...new Set([...included.map((pattern) => pattern.base), ...[...files].map(directoryOf)])];
  return {
    covers: (path) => {
      if (files.has(path)) return true;
      if (!extensions.test(path)) return false;
      // A listed name may leave out its extension.
      if (files.size > 0 && files.has(path.replace(/\.d\.ts$|\.[jt]sx?$/, ''))) return true;
      return (
        included.some((pattern) => matchesPath(pattern, path)) &&
        !excluded.some((pattern) => matchesPath(pattern, path))
      );
    },
    mayCover: (directory) => bases.some((base) => isWithin(directory, base)),
    base: bases.reduce(commonDirectory, bases[0] ?? config.directory),
    files,
    include: included,
    exclude: excluded,
    readsJavaScript,
  };
}

const typeScript = /\.[cm]?ts$|\.tsx$/;
/** Everything the compiler may be told to read, JSON aside. */
const typeScriptOrJavaScript = /\.[cm]?[jt]s$|\.[jt]sx$/;

function isTypeScriptFile(path: string): boolean {
  return typeScript.test(path);
}

/** A value of the wrong type is as good as none, and hides what a base says. */
export function readFlag(config: ConfigFile, option: string): boolean | undefined {
  const said: Json | undefined = config.compilerOptions.get(option)?.value;
  return typeof said === 'boolean' ? said : undefined;
}

function listFiles(config: ConfigFile): readonly string[] {
  const { files } = config;
  return listStrings(files?.value, filesMax).flatMap(
    (text) => resolveConfigPath(config, text, files?.directory ?? '') ?? [],
  );
}

function compileSpecs(
  config: ConfigFile,
  said: ConfigValue | undefined,
  usage: PatternUsage,
): readonly (ConfigPattern | undefined)[] {
  return listStrings(said?.value, patternsMax).map((text) => {
    const directory = said?.directory ?? '';
    if ((text === '' && directory === config.directory) || isRefused(text, usage)) return undefined;
    const path = resolveConfigPath(config, text, directory);
    return path === undefined ? undefined : compilePattern(path, usage);
  });
}

function compileDirectory(path: string | undefined): ConfigPattern | undefined {
  return path === undefined ? undefined : compilePattern(path, 'exclude');
}

/** What the compiler complains about it also ignores. */
function isRefused(text: string, usage: PatternUsage): boolean {
  if (usage === 'include' && /(?:^|\/)\*\*\/?$/.test(text)) return true;
  const wildcard = text.startsWith('**/') ? 0 : text.indexOf('/**/');
  return wildcard !== -1 && (text.endsWith('/..') || text.lastIndexOf('/../') > wildcard);
}

function commonDirectory(a: string, b: string): string {
  let common = a;
  while (!isWithin(b, common)) common = directoryOf(common);
  return common;
}

/**
 * The files a configuration names, exactly as the compiler lists them (`parseJsonConfigFileContent().fileNames`, without JSON); of
 * files that differ in their extension alone, only the one that stands for the others. Each once, in no particular order.
 */
export function listRootFiles(inputs: ConfigInputs, tree: SourceTree): readonly SourceFile[] {
  const listed = [...inputs.files].flatMap((path) => findListed(inputs, tree, path) ?? []);
  const matched = keepStanding(inputs, walkTree(inputs, tree));
  return listed.length === 0 ? matched : [...new Set([...listed, ...matched])];
}

function findListed(inputs: ConfigInputs, tree: SourceTree, path: string): SourceFile | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const paths = name === '' || name.includes('.') ? [path] : (groups[0] ?? []).map((end) => path + end);
  return paths.map(tree.find).find((file) => file !== undefined && (inputs.readsJavaScript || !file.isJavaScript));
}

type Place = {
  readonly directory: SourceDirectory;
  readonly include: readonly number[];
  readonly exclude: readonly number[];
};

/** What the patterns mean: per pattern that was the first to match, and in a directory by name. */
function walkTree({ include, exclude, readsJavaScript }: ConfigInputs, tree: SourceTree): readonly SourceFile[] {
  const found: SourceFile[][] = include.map(() => []);
  const pending: Place[] = listStarts(include).flatMap((path) => {
    const directory = tree.findDirectory(path);
    if (directory === undefined) return [];
    const place = {
      directory,
      include: include.map((pattern) => statesAt(pattern, path)),
      exclude: exclude.map((pattern) => statesAt(pattern, path)),
    };
    return isExcluded(exclude, place) ? [] : [place];
  });
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const { directory, include: included, exclude: excluded } = place;
    for (const file of directory.files) {
      if (file.isJavaScript && !readsJavaScript) continue;
      const first = include.findIndex((pattern, at) => matchesFile(pattern, included[at] ?? 0, file.name));
      if (first === -1 || exclude.some((pattern, at) => matchesFile(pattern, excluded[at] ?? 0, file.name))) continue;
      found[first]?.push(file);
    }
    for (const child of directory.directories) {
      const next = {
        directory: child,
        include: include.map((pattern, at) => enter(pattern, included[at] ?? 0, child.path, child.name)),
        exclude: exclude.map((pattern, at) => enter(pattern, excluded[at] ?? 0, child.path, child.name)),
      };
      if (next.include.some((states) => states !== 0) && !isExcluded(exclude, next)) pending.push(next);
    }
  }
  return found.flat();
}

/** The bases of the patterns, without those that lie in another one's. */
function listStarts(include: readonly ConfigPattern[]): readonly string[] {
  const starts: string[] = [];
  const bases = [...new Set(include.map(({ base }) => base))].sort((a, b) => a.length - b.length);
  for (const base of bases) if (!starts.some((start) => isWithin(base, start))) starts.push(base);
  return starts;
}

function isExcluded(exclude: readonly ConfigPattern[], place: Place): boolean {
  return exclude.some((pattern, at) => isThrough(pattern, place.exclude[at] ?? 0));
}

const groups: readonly (readonly string[])[] = [
  ['.ts', '.tsx', '.d.ts', '.js', '.jsx'],
  ['.cts', '.d.cts', '.cjs'],
  ['.mts', '.d.mts', '.mjs'],
];

/**
 * Leaves out a file for which another one stands: `a.ts` for `a.tsx`, `a.d.ts` and `a.js`. The compiler decides it file by file in
 * the order of the patterns, and so do we, because the outcome can depend on it.
 */
function keepStanding(
  { files: listed, readsJavaScript }: ConfigInputs,
  matched: readonly SourceFile[],
): readonly SourceFile[] {
  if (listed.size === 0 && !matched.some(({ hasTwin }) => hasTwin)) return matched;
  const kept = new Map<string, SourceFile>();
  for (const file of matched) {
    if (listed.has(file.path)) continue;
    if (file.hasTwin || listed.size > 0) {
      const group = groups.find((extensions) => extensions.some((end) => file.path.endsWith(end))) ?? [];
      const extensions = readsJavaScript ? group : group.filter((end) => !/js/.test(end));
      const stem = stemOf(file.path);
      const isThere = (end: string) => listed.has(stem + end) || kept.has(stem + end);
      if (hasBetter(file.path, extensions, isThere)) continue;
      for (const end of extensions.slice(extensions.findLastIndex((own) => file.path.endsWith(own)) + 1)) {
        kept.delete(stem + end);
      }
    }
    kept.set(file.path, file);
  }
  return [...kept.values()];
}

function hasBetter(path: string, extensions: readonly string[], isThere: (extension: string) => boolean): boolean {
  for (const extension of extensions) {
    const isOwn = path.endsWith(extension) && !(extension === '.ts' && path.endsWith('.d.ts'));
    if (isOwn) return false;
    // A declaration and the script it describes go together.
    if (isThere(extension) && !(extension === '.d.ts' && /\.jsx?$/.test(path))) return true;
  }
  return false;
}

export type SourceFile = {
  readonly path: string;
  readonly name: string;
  /** Position in code-unit order of paths. */
  readonly rank: number;
  readonly isJavaScript: boolean;
  /** Another file differs from it in nothing but the extension. */
  readonly hasTwin: boolean;
  readonly directory: SourceDirectory;
};

type SourceDirectory = {
  readonly path: string;
  readonly name: string;
  readonly files: readonly SourceFile[];
  readonly directories: readonly SourceDirectory[];
};

/**
 * The TypeScript and JavaScript files in scope as a tree, built once for all configurations: each of them walks only the
 * directories its patterns can reach, so that hundreds of projects cost about as much as their files.
 */
export type SourceTree = {
  /** By rank. */
  readonly files: readonly SourceFile[];
  find(path: string): SourceFile | undefined;
  findDirectory(path: string): SourceDirectory | undefined;
};

type OpenDirectory = {
  readonly path: string;
  readonly name: string;
  readonly files: SourceFile[];
  readonly directories: OpenDirectory[];
};

/** `paths` are sorted by code unit. */
export function buildSourceTree(paths: readonly string[], isSource: (path: string) => boolean): SourceTree {
  const directories = new Map<string, OpenDirectory>();
  const open = (path: string): OpenDirectory => {
    const known = directories.get(path);
    if (known !== undefined) return known;
    const made = { path, name: path.slice(path.lastIndexOf('/') + 1), files: [], directories: [] };
    directories.set(path, made);
    if (path !== '') open(directoryOf(path)).directories.push(made);
    return made;
  };
  const sources = paths.filter((path) => typeScriptOrJavaScript.test(path) && isSource(path));
  const stems = new Map<string, number>();
  for (const path of sources) stems.set(stemOf(path), (stems.get(stemOf(path)) ?? 0) + 1);
  const byPath = new Map<string, SourceFile>();
  const files = sources.map((path, rank) => {
    const directory = open(directoryOf(path));
    const name = path.slice(path.lastIndexOf('/') + 1);
    const isJavaScript = !isTypeScriptFile(path);
    const file = { path, name, rank, isJavaScript, hasTwin: stems.get(stemOf(path)) !== 1, directory };
    directory.files.push(file);
    byPath.set(path, file);
    return file;
  });
  open('');
  return { files, find: (path) => byPath.get(path), findDirectory: (path) => directories.get(path) };
}

/** Without what the compiler takes for the extension when it looks for the other forms of a file. */
function stemOf(path: string): string {
  return path.replace(/\.d\.[cm]?ts$|\.[cm]?[jt]s$|\.[jt]sx$/, '');
}

type PatternUsage = 'include' | 'exclude';
/**
 * A pattern of `include` or `exclude` as the compiler reads it: `**` skips dotted directories and package folders, a leading `*`
 * skips dotted names, no `*` reaches over `.min.js`, a last component without `.`, `*` or `?` is a directory with all it holds,
 * and an exclusion covers everything below what it names. Matching is a walk over states held in one number, never a regular
 * expression: no pattern can make it slow, and a tree is matched directory by directory.
 */
type ConfigPattern = {
  /** What stands before the first wildcard: nothing outside of it can match. */
  readonly base: string;
  readonly components: readonly Component[];
  readonly usage: PatternUsage;
};
type Component = { readonly kind: 'literal' | 'wildcard' | 'any' | 'recursive'; readonly text: string };

/** Bit n: the first n components have matched. 0: nothing below here can match. */
type PatternStates = number;
/** Of a directory above a pattern's base. */
const waiting: PatternStates = -1;

const componentsMax = 30;
/** No file system has longer names. */
const componentLengthMax = 1_024;

/** `path` is normalised, `''` the root. `undefined`: it never matches anything. */
function compilePattern(path: string, usage: PatternUsage): ConfigPattern | undefined {
  const components = path === '' ? [] : path.split('/');
  const last = components.at(-1);
  if (usage === 'include' && last === '**') return undefined;
  if (last === undefined || !/[.*?]/.test(last)) components.push('**', '*');
  // An exclusion covers what is below: `x/**` is `x`, be that a directory or a file.
  while (components.length > 1 && components.at(-1) === '**') components.pop();
  const literal = components.slice(0, -1).findIndex((component) => /[*?]/.test(component));
  const base = components.slice(0, literal === -1 ? components.length - 1 : literal);
  if (components.length - base.length > componentsMax) return undefined;
  if (components.some((component) => component.length > componentLengthMax)) return undefined;
  return { base: base.join('/'), components: components.slice(base.length).map(compileComponent), usage };
}

function compileComponent(text: string): Component {
  if (text === '**') return { kind: 'recursive', text };
  if (text === '*') return { kind: 'any', text };
  return { kind: /[*?]/.test(text) ? 'wildcard' : 'literal', text };
}

/** Root-relative; a directory is written with what stands for all it holds. */
export function renderPattern({ base, components }: ConfigPattern): string {
  return [...(base === '' ? [] : [base]), ...components.map(({ text }) => text)].join('/');
}

/** The states at a directory: what its entries are matched against. */
function statesAt(pattern: ConfigPattern, directory: string): PatternStates {
  const { base } = pattern;
  if (!isWithin(directory, base)) return isWithin(base, directory) ? waiting : 0;
  let states = closeOver(pattern, 1);
  for (const segment of segmentsBelow(directory, base)) states = step(pattern, states, segment, false);
  return states;
}

/** From a directory to one of its own. `path` is the child's. */
function enter(pattern: ConfigPattern, states: PatternStates, path: string, name: string): PatternStates {
  return states === waiting ? statesAt(pattern, path) : step(pattern, states, name, false);
}

function matchesFile(pattern: ConfigPattern, states: PatternStates, name: string): boolean {
  return states > 0 && isThrough(pattern, step(pattern, states, name, true));
}

/** An exclusion that is through at a directory excludes all of it. */
function isThrough(pattern: ConfigPattern, states: PatternStates): boolean {
  return states > 0 && (states & (1 << pattern.components.length)) !== 0;
}

function matchesPath(pattern: ConfigPattern, path: string): boolean {
  if (!isWithin(path, pattern.base) || path.length === pattern.base.length) return false;
  let states = closeOver(pattern, 1);
  const segments = segmentsBelow(path, pattern.base);
  for (const [at, segment] of segments.entries()) {
    const isLast = at === segments.length - 1;
    states = step(pattern, states, segment, isLast);
    if (states === 0) return false;
    if ((isLast || pattern.usage === 'exclude') && isThrough(pattern, states)) return true;
  }
  return false;
}

function segmentsBelow(path: string, base: string): readonly string[] {
  const rest = base === '' ? path : path.slice(base.length + 1);
  return rest === '' ? [] : rest.split('/');
}

function step(pattern: ConfigPattern, states: PatternStates, segment: string, isLast: boolean): PatternStates {
  const { components, usage } = pattern;
  // Through is for good: whatever lies below an excluded directory is excluded.
  let next = usage === 'exclude' && isThrough(pattern, states) ? 1 << components.length : 0;
  for (let at = 0; at < components.length; at += 1) {
    if ((states & (1 << at)) === 0) continue;
    const component = components[at] as Component;
    if (component.kind === 'recursive') {
      if (usage === 'exclude' || !isSkipped(segment)) next |= 1 << at;
    } else if (matchesSegment(component, segment, usage, isLast)) next |= 1 << (at + 1);
  }
  return next === 0 ? 0 : closeOver(pattern, next);
}

/** `**` may stand for nothing. */
function closeOver({ components }: ConfigPattern, states: PatternStates): PatternStates {
  let closed = states;
  for (let at = 0; at < components.length; at += 1) {
    if (components[at]?.kind === 'recursive' && (closed & (1 << at)) !== 0) closed |= 1 << (at + 1);
  }
  return closed;
}

export const packageFolders: ReadonlySet<string> = new Set(['node_modules', 'bower_components', 'jspm_packages']);

function isSkipped(directory: string): boolean {
  return directory.startsWith('.') || packageFolders.has(directory);
}

const minified = '.min.js';

function matchesSegment({ kind, text }: Component, segment: string, usage: PatternUsage, isLast: boolean): boolean {
  if (kind === 'literal') return text === segment;
  if (usage === 'exclude') return kind === 'any' || matchesFreely(text, segment);
  if (packageFolders.has(segment)) return false;
  const barrier = isLast && segment.endsWith(minified) ? segment.length - minified.length : -1;
  if (kind === 'any') return barrier === -1 && !segment.startsWith('.');
  if (!segment.startsWith('.') || !/^[*?]/.test(text)) return matchesWildcards(text, segment, barrier);
  // A leading `*` may stand for nothing before the dot, but never for the dot; a leading `?` stands for neither.
  return text.startsWith('*') && matchesWildcards(text.slice(1), segment, barrier);
}

function matchesWildcards(pattern: string, text: string, barrier: number): boolean {
  return barrier === -1 ? matchesFreely(pattern, text) : matchesAround(pattern, text, barrier);
}

/** The classic two-pointer match. */
function matchesFreely(pattern: string, text: string): boolean {
  let at = 0;
  let p = 0;
  let star = -1;
  let resume = 0;
  while (at < text.length) {
    if (pattern[p] === '*') {
      star = p;
      p += 1;
      resume = at;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === text[at])) {
      p += 1;
      at += 1;
    } else if (star !== -1) {
      p = star + 1;
      resume += 1;
      at = resume;
    } else return false;
  }
  while (pattern[p] === '*') p += 1;
  return p === pattern.length;
}

/** No `*` may take the character at `barrier`, so the shortest match of an earlier `*` need not be the best: all are followed. */
function matchesAround(pattern: string, text: string, barrier: number): boolean {
  let open = new Set<number>();
  const add = (states: Set<number>, from: number) => {
    let p = from;
    for (states.add(p); pattern[p] === '*'; states.add(p)) p += 1;
  };
  add(open, 0);
  for (let at = 0; at < text.length && open.size > 0; at += 1) {
    const next = new Set<number>();
    for (const p of open) {
      if (pattern[p] === '*') {
        if (at !== barrier) add(next, p);
      } else if (pattern[p] === '?' || pattern[p] === text[at]) add(next, p + 1);
    }
    open = next;
  }
  return open.has(pattern.length);
}
