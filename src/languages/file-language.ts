/**
 * The language of a file by its name alone: exact name, then extension (case-folded), from a closed table that configuration can
 * add to. Promise: no byte is read, and the same set of names gives the same answers in any order.
 * Headers and a few other extensions are shared by languages; they follow the unambiguous files that are nearest to them.
 */

import { findLanguage } from './languages.ts';
import { languages } from './registry.gen.ts';

/** Its own folder says which extensions a language has that is parsed. */
const declared = null;

/** Extensions, in the order in which documents list languages; parsed ones that are not named here come last. */
const table: Readonly<Record<string, string | null>> = {
  javascript: declared,
  typescript: declared,
  python: declared,
  go: declared,
  rust: declared,
  java: declared,
  kotlin: 'kt kts',
  scala: 'scala',
  csharp: declared,
  fsharp: 'fs',
  cpp: declared,
  c: declared,
  objc: 'm mm',
  swift: 'swift',
  ruby: declared,
  php: declared,
  elixir: 'ex exs',
  erlang: 'erl',
  haskell: 'hs',
  ocaml: 'ml mli',
  lua: 'lua',
  r: 'r',
  julia: 'jl',
  dart: 'dart',
  zig: 'zig',
  nim: 'nim',
  perl: 'pl pm',
  shell: 'sh bash zsh',
  powershell: 'ps1',
  sql: 'sql',
  html: 'html htm',
  css: 'css scss sass less',
  vue: 'vue',
  svelte: 'svelte',
  astro: 'astro',
  graphql: 'graphql gql',
  proto: 'proto',
  terraform: 'tf',
  yaml: 'yaml yml',
  json: 'json',
  toml: 'toml',
  markdown: 'md mdx',
  dockerfile: '',
  make: '',
};

export const knownLanguages: readonly string[] = [
  ...new Set([...Object.keys(table), ...languages.map(({ name }) => name)]),
];

/** They describe or decorate; a repository full of them is still written in something else. */
export const dataLanguages: ReadonlySet<string> = new Set(['yaml', 'json', 'toml', 'markdown', 'html', 'css', 'sql']);

const languageByExtension: ReadonlyMap<string, string> = new Map(
  knownLanguages.flatMap((language) =>
    extensionsOf(language).map((extension): [string, string] => [extension, language]),
  ),
);

function extensionsOf(language: string): readonly string[] {
  const own = findLanguage(language)?.extensions ?? table[language]?.split(' ') ?? [];
  return own.filter((extension) => extension !== '');
}

/** Who may own a shared extension. The first is the answer when nothing nearby speaks; languages outside the table count once configured. */
const claimants: ReadonlyMap<string, readonly string[]> = new Map([
  ['h', ['c', 'cpp', 'objc']],
  ['m', ['objc', 'matlab', 'octave', 'mathematica']],
  ['pl', ['perl', 'prolog']],
]);

/** `languages.extra_extensions` as given (`.foo` and `foo` mean the same): only what can be a name of a language is taken. */
export function readExtraExtensions(given: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const extra = new Map<string, string>();
  for (const [extension, language] of Object.entries(given)) {
    if (/^[a-z][a-z0-9_+#-]{0,31}$/.test(language)) extra.set(extension.replace(/^\./, '').toLowerCase(), language);
  }
  return extra;
}

/** Without its neighbours a shared extension gets the first of its claimants; use a resolver where the whole listing is at hand. */
export function languageOf(path: string, extra: ReadonlyMap<string, string> = noExtra): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const byName = languageByName(name);
  if (byName !== null) return byName;
  const extension = extensionOf(name);
  if (extension === null) return null;
  return extra.get(extension) ?? languageByExtension.get(extension) ?? null;
}

/** `languageOf` for the files of one listing, where `.h`, `.m` and `.pl` follow the majority of the nearest unambiguous files. */
export function createLanguageResolver(
  paths: Iterable<string>,
  extra: ReadonlyMap<string, string> = noExtra,
): (path: string) => string | null {
  const votes = countVotes(paths, extra);
  return (path) => {
    const candidates = claimantsOf(path, extra);
    if (candidates === undefined) return languageOf(path, extra);
    for (let directory = parentOf(path); directory !== null; directory = parentOf(directory)) {
      const elected = electIn(votes.get(directory), candidates);
      if (elected !== null) return elected;
    }
    return candidates[0] ?? null;
  };
}

/** Can only the neighbours of this file tell its language? */
export function isSharedExtension(path: string): boolean {
  return claimantsOf(path, noExtra) !== undefined;
}

const noExtra: ReadonlyMap<string, string> = new Map();
const contested = new Set([...claimants.values()].flat());

/** Per directory: how many unambiguous files of each contested language it holds, itself and below. */
function countVotes(
  paths: Iterable<string>,
  extra: ReadonlyMap<string, string>,
): ReadonlyMap<string, Map<string, number>> {
  const votes = new Map<string, Map<string, number>>();
  for (const path of paths) {
    const language = languageOf(path, extra);
    if (language === null || !contested.has(language) || claimantsOf(path, extra) !== undefined) continue;
    for (let directory = parentOf(path); directory !== null; directory = parentOf(directory)) {
      const counts = votes.get(directory) ?? new Map<string, number>();
      counts.set(language, (counts.get(language) ?? 0) + 1);
      votes.set(directory, counts);
    }
  }
  return votes;
}

function electIn(counts: ReadonlyMap<string, number> | undefined, candidates: readonly string[]): string | null {
  let elected: string | null = null;
  let most = 0;
  for (const candidate of candidates) {
    const count = counts?.get(candidate) ?? 0;
    if (count > most) {
      elected = candidate;
      most = count;
    }
  }
  return elected;
}

function claimantsOf(path: string, extra: ReadonlyMap<string, string>): readonly string[] | undefined {
  const extension = extensionOf(path.slice(path.lastIndexOf('/') + 1));
  // A configured extension is the user's word and no longer shared.
  return extension === null || extra.has(extension) ? undefined : claimants.get(extension);
}

function languageByName(name: string): string | null {
  if (/^(Dockerfile|Containerfile)(\..+)?$/.test(name) || /\.(dockerfile|containerfile)$/i.test(name))
    return 'dockerfile';
  return /^(GNUmakefile|[Mm]akefile(\..+)?)$/.test(name) || name.endsWith('.mk') ? 'make' : null;
}

function extensionOf(name: string): string | null {
  const dot = name.lastIndexOf('.');
  return dot <= 0 || dot === name.length - 1 ? null : name.slice(dot + 1).toLowerCase();
}

/** `''` is the root, which has no parent. */
function parentOf(path: string): string | null {
  if (path === '') return null;
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}
