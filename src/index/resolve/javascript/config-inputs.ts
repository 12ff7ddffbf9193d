/**
 * Which files a configuration means by `files`, `include` and `exclude`, as the compiler reads them: `**` skips dotted directories
 * and package folders, a leading `*` skips dotted names, no `*` reaches over `.min.js`, a last component without `.`, `*` or `?` is
 * a directory with all it holds, an exclusion covers everything below what it names, and without `exclude` it is the output
 * directories. Matching is a walk over states, never a regular expression: no pattern can make it slow.
 */

import { directoryOf, isWithin } from '../shared/root-paths.ts';
import { type ConfigFile, type ConfigValue, listStrings, readConfigPath, resolveConfigPath } from './config-file.ts';

export type ConfigInputs = {
  covers(path: string): boolean;
  /** May it cover any file of this directory? Cheap, and never wrongly false. */
  mayCover(directory: string): boolean;
  /** The deepest directory that holds all it can mean. */
  readonly base: string;
};

const filesMax = 10_000;
const patternsMax = 256;
const componentsMax = 32;

export function compileConfigInputs(config: ConfigFile): ConfigInputs {
  const files = new Set(listSpecs(config, config.files, filesMax).flatMap((spec) => spec.path ?? []));
  const includeAll = config.files === undefined && config.include === undefined;
  const include = includeAll
    ? [compileSpec(config, { text: '**/*', directory: config.directory }, 'include')]
    : listSpecs(config, config.include, patternsMax).map((spec) => compileSpec(config, spec, 'include'));
  const exclude =
    config.exclude === undefined
      ? ['outDir', 'declarationDir'].map((option) => readConfigPath(config, option)).map(compileDirectory)
      : listSpecs(config, config.exclude, patternsMax).map((spec) => compileSpec(config, spec, 'exclude'));
  const included = include.filter((pattern) => pattern !== undefined);
  const excluded = exclude.filter((pattern) => pattern !== undefined);
  const extensions = readsJavaScript(config) ? typeScriptOrJavaScript : typeScript;
  const bases = [...new Set([...included.map((pattern) => pattern.base), ...[...files].map(directoryOf)])];
  return {
    covers: (path) => {
      if (files.has(path)) return true;
      if (!extensions.test(path)) return false;
      return included.some((pattern) => matches(pattern, path)) && !excluded.some((pattern) => matches(pattern, path));
    },
    mayCover: (directory) => bases.some((base) => isWithin(directory, base)),
    base: bases.reduce(commonDirectory, bases[0] ?? config.directory),
  };
}

type Spec = { readonly text: string; readonly directory: string };
type Usage = 'include' | 'exclude';
type Pattern = { readonly base: string; readonly components: readonly string[]; readonly usage: Usage };

const typeScript = /\.[cm]?ts$|\.tsx$/;
const typeScriptOrJavaScript = /\.[cm]?[jt]s$|\.[jt]sx$/;

function readsJavaScript(config: ConfigFile): boolean {
  const allow = config.compilerOptions.get('allowJs') ?? config.compilerOptions.get('checkJs');
  return allow?.value === true;
}

function listSpecs(
  config: ConfigFile,
  said: ConfigValue | undefined,
  max: number,
): (Spec & { readonly path: string | undefined })[] {
  return listStrings(said?.value, max).map((text) => ({
    text,
    directory: said?.directory ?? '',
    path: resolveConfigPath(config, text, said?.directory ?? ''),
  }));
}

function compileSpec(config: ConfigFile, spec: Spec, usage: Usage): Pattern | undefined {
  if (usage === 'include' && /(?:^|\/)\*\*\/?$/.test(spec.text)) return undefined;
  const path = resolveConfigPath(config, spec.text, spec.directory);
  if (path === undefined || climbsBehindWildcard(spec.text)) return undefined;
  return compileComponents(path === '' ? [] : path.split('/'), usage);
}

function compileDirectory(path: string | undefined): Pattern | undefined {
  return path === undefined ? undefined : compileComponents(path === '' ? [] : path.split('/'), 'exclude');
}

function compileComponents(components: string[], usage: Usage): Pattern | undefined {
  if (components.length > componentsMax) return undefined;
  const last = components.at(-1);
  if (last === undefined || !/[.*?]/.test(last)) components.push('**', '*');
  const literal = components.slice(0, -1).findIndex((component) => /[*?]/.test(component));
  const base = components.slice(0, literal === -1 ? components.length - 1 : literal);
  return { base: base.join('/'), components: components.slice(base.length), usage };
}

function climbsBehindWildcard(text: string): boolean {
  const wildcard = text.startsWith('**/') ? 0 : text.indexOf('/**/');
  return wildcard !== -1 && (text.endsWith('/..') || text.lastIndexOf('/../') > wildcard);
}

/** States are the components still to be matched; an exclusion that is through before the path ends has matched a directory. */
function matches(pattern: Pattern, path: string): boolean {
  if (!isWithin(path, pattern.base) || path.length === pattern.base.length) return false;
  const { components, usage } = pattern;
  let states = closeOver(components, [0]);
  let at = pattern.base === '' ? 0 : pattern.base.length + 1;
  for (let end = path.indexOf('/', at); ; end = path.indexOf('/', at)) {
    const segment = end === -1 ? path.slice(at) : path.slice(at, end);
    const next: number[] = [];
    for (const state of states) {
      const component = components[state];
      if (component === '**') {
        if (usage === 'exclude' || !isSkipped(segment)) next.push(state);
      } else if (component !== undefined && matchesSegment(component, segment, usage)) next.push(state + 1);
    }
    if (next.length === 0) return false;
    states = closeOver(components, next);
    const done = states.includes(components.length);
    if (end === -1) return done;
    if (done && usage === 'exclude') return true;
    at = end + 1;
  }
}

/** `**` may stand for nothing. */
function closeOver(components: readonly string[], states: readonly number[]): number[] {
  const closed: number[] = [];
  for (let state of states) {
    while (!closed.includes(state)) {
      closed.push(state);
      if (components[state] === '**') state += 1;
    }
  }
  return closed;
}

const packageFolders = new Set(['node_modules', 'bower_components', 'jspm_packages']);

function isSkipped(directory: string): boolean {
  return directory.startsWith('.') || packageFolders.has(directory);
}

function matchesSegment(pattern: string, segment: string, usage: Usage): boolean {
  if (!/[*?]/.test(pattern)) return pattern === segment;
  if (usage === 'exclude') return matchesWildcards(pattern, segment, -1);
  if (packageFolders.has(segment) || (/^[*?]/.test(pattern) && segment.startsWith('.'))) return false;
  return matchesWildcards(pattern, segment, segment.endsWith('.min.js') ? segment.length - '.min.js'.length : -1);
}

/** The classic two-pointer match; no `*` may take the character at `barrier`. */
function matchesWildcards(pattern: string, text: string, barrier: number): boolean {
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
    } else if (star !== -1 && resume !== barrier) {
      p = star + 1;
      resume += 1;
      at = resume;
    } else return false;
  }
  while (pattern[p] === '*') p += 1;
  return p === pattern.length;
}

function commonDirectory(a: string, b: string): string {
  let common = a;
  while (!isWithin(b, common)) common = directoryOf(common);
  return common;
}
