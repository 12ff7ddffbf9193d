/**
 * Which files a configuration means by `files`, `include` and `exclude`, as the compiler reads them (`config-patterns.ts` has the
 * rules of matching). Without `files` and `include` it is everything, without `exclude` all but the output directories.
 */

import type { Json } from '../../../kernel/base/json.ts';
import { directoryOf, isWithin } from '../shared/root-paths.ts';
import { type ConfigFile, type ConfigValue, listStrings, readConfigPath, resolveConfigPath } from './config-file.ts';
import { type ConfigPattern, compilePattern, matchesPath, type PatternUsage } from './config-patterns.ts';

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
export const typeScriptOrJavaScript = /\.[cm]?[jt]s$|\.[jt]sx$/;

export function isTypeScriptFile(path: string): boolean {
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
