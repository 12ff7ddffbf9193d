/**
 * Include paths from `compile_commands.json`: per source file, and for headers the union of all in order of appearance.
 *
 * Its paths are absolute on the machine that wrote it. The root is told from the file's own place where its `directory` ends like it
 * (`build/compile_commands.json` and `/home/ann/acme/build`); else it is the prefix under which most of the listed sources are here.
 */

import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { textAt, textsAt } from '../../kernel/base/json-access.ts';
import { limits } from '../../kernel/base/limits.ts';
import { parseJson } from '../../kernel/formats/parse-json.ts';
import { readConfigWith } from '../resolving/config-files.ts';
import { maxCandidates, type ResolveWorld } from '../resolving/resolution.ts';
import { directoryOf } from '../resolving/root-paths.ts';

/** Directories within the root: `quote` for quotes only, `system` for both. */
type IncludePaths = { readonly quote: readonly string[]; readonly system: readonly string[] };
export type CompileCommands = { pathsOf(from: string): IncludePaths };

const mostEntries = 50_000;
const mostSampled = 200;
const mostPaths = maxCandidates - 4;

export function readCompileCommands(world: ResolveWorld): CompileCommands {
  const bySource = new Map<string, IncludePaths>();
  const union = { quote: new Set<string>(), system: new Set<string>() };
  for (const path of world.configFilesNamed('compile_commands.json')) {
    const entries = readEntries(world, path);
    const root = findRoot(world, directoryOf(path), entries);
    const known = new Map<string, IncludePaths>();
    for (const entry of entries) {
      const paths = includePathsOf(entry, root, known);
      const source = toLocal(root, absolute(entry.directory, entry.file));
      if (source !== null && !bySource.has(source)) bySource.set(source, paths);
      for (const kind of ['quote', 'system'] as const) {
        for (const directory of paths[kind]) if (union[kind].size < mostPaths / 2) union[kind].add(directory);
      }
    }
  }
  const forHeaders = { quote: [...union.quote], system: [...union.system] };
  return { pathsOf: (from) => bySource.get(from) ?? forHeaders };
}

/** What one database lists: its sources as paths of this repository where they lie in it, and the root it was written for. */
type TranslationUnits = {
  readonly root: string;
  readonly entries: number;
  readonly sources: readonly string[];
};

export function listTranslationUnits(world: ResolveWorld, path: string): TranslationUnits {
  const entries = readEntries(world, path);
  const root = findRoot(world, directoryOf(path), entries);
  const sources = new Set<string>();
  for (const entry of entries) {
    const source = toLocal(root, absolute(entry.directory, entry.file));
    if (source !== null && world.hasFile(source)) sources.add(source);
  }
  return { root, entries: entries.length, sources: [...sources] };
}

type Entry = {
  readonly directory: string;
  readonly file: string;
  readonly arguments: () => readonly string[];
  readonly key: string;
};

function readEntries(world: ResolveWorld, path: string): readonly Entry[] {
  const parsed = readConfigWith<Json>(world, path, parseJson, limits.lockfileBytes);
  if (!Array.isArray(parsed)) return [];
  return (parsed as readonly Json[])
    .slice(0, mostEntries)
    .filter(isJsonObject)
    .flatMap((entry: JsonObject) => {
      const directory = textAt(entry, 'directory');
      const file = textAt(entry, 'file');
      if (directory === null || file === null) return [];
      const command = textAt(entry, 'command');
      const given = textsAt(entry, 'arguments');
      const argumentsOf = () => (given.length > 0 || command === null ? given : splitCommand(command));
      return {
        directory: toSlashes(directory),
        file: toSlashes(file),
        arguments: argumentsOf,
        key: command ?? given.join('\0'),
      };
    });
}

/** `known`: most entries of a build differ in nothing but their source, and are read once all the same if they do not. */
function includePathsOf(entry: Entry, root: string, known: Map<string, IncludePaths>): IncludePaths {
  const key = `${entry.directory}\0${entry.key}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const groups: Record<Flag, Set<string>> = {
    '-iquote': new Set(),
    '-I': new Set(),
    '-isystem': new Set(),
    '-idirafter': new Set(),
  };
  const written = entry.arguments();
  for (let at = 0; at < written.length; at += 1) {
    const argument = written[at] ?? '';
    const flag = flags.find((name) => argument.startsWith(name));
    if (flag === undefined) continue;
    const value = argument.length > flag.length ? argument.slice(flag.length) : (written[++at] ?? '');
    const directory = value === '' ? null : toLocal(root, absolute(entry.directory, toSlashes(value)));
    if (directory !== null) groups[flag].add(directory);
  }
  const system = [...new Set([...groups['-I'], ...groups['-isystem'], ...groups['-idirafter']])];
  const paths = { quote: [...groups['-iquote']].slice(0, mostPaths / 2), system: system.slice(0, mostPaths / 2) };
  known.set(key, paths);
  return paths;
}

const flags = ['-iquote', '-isystem', '-idirafter', '-I'] as const;
type Flag = (typeof flags)[number];

function findRoot(world: ResolveWorld, home: string, entries: readonly Entry[]): string {
  const directory = absolute('/', entries[0]?.directory ?? '/');
  if (home !== '' && directory.endsWith(`/${home}`)) return directory.slice(0, -home.length - 1);
  const votes = new Map<string, number>();
  for (const entry of entries.slice(0, mostSampled)) {
    const segments = absolute(entry.directory, entry.file).split('/');
    const at = segments.findIndex((_, index) => index > 0 && world.hasFile(segments.slice(index).join('/')));
    if (at === -1) continue;
    const prefix = segments.slice(0, at).join('/');
    votes.set(prefix, (votes.get(prefix) ?? 0) + 1);
  }
  let [best, most] = [directory, 0];
  for (const [prefix, count] of votes) if (count > most) [best, most] = [prefix, count];
  return best;
}

/** Normal form with a leading slash; a relative `directory` is taken from the machine's root, which no vote can match by chance. */
function absolute(directory: string, path: string): string {
  const segments: string[] = [];
  const isAbsolute = path.startsWith('/') || /^[A-Za-z]:\//.test(path);
  for (const segment of (isAbsolute ? path : `${directory}/${path}`).split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return `/${segments.join('/')}`;
}

function toLocal(root: string, path: string): string | null {
  const base = root === '/' ? '' : root;
  if (path === base || path === '/') return path === base || base === '' ? '' : null;
  return path.startsWith(`${base}/`) ? path.slice(base.length + 1) : null;
}

function toSlashes(path: string): string {
  return path.replaceAll('\\', '/');
}

/** The words of a command line as a POSIX shell splits them: quotes and backslashes, no expansion. Linear, never fails. */
export function splitCommand(command: string): readonly string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote = '';
  for (let at = 0; at < command.length; at += 1) {
    const char = command.charAt(at);
    if (quote !== '') {
      if (char === quote) quote = '';
      else if (char === '\\' && quote === '"' && /["\\$`]/.test(command.charAt(at + 1))) word += command.charAt(++at);
      else word += char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else {
      word = (word ?? '') + (char === '\\' ? command.charAt(++at) : char);
    }
  }
  if (word !== null) words.push(word);
  return words;
}
