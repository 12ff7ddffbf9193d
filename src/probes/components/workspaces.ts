/**
 * Which packages a workspace has, as its own tool counts them, for every ecosystem: the directories that the declaring file names and that
 * hold a manifest of that ecosystem, without the declaring directory itself. A member that cannot be told (a computed `include`) makes the
 * list incomplete, never shorter in silence.
 */

import { posix } from 'node:path';
import { compareCodeUnits, isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { listAt, member, objectAt, textAt, textsAt, textsOf } from '../../kernel/base/json-access.ts';
import type { XmlElement } from '../../kernel/formats/xml.ts';
import { compileGlobs } from '../../kernel/tree/path-patterns.ts';
import { packageGlobsOf, workspaceGlobsOf } from '../shared/node-packages.ts';

export type Workspace = {
  readonly tool: string;
  readonly declared_in: string;
  /** What the line that declares it holds. */
  readonly shows: string;
  readonly members: readonly string[];
  readonly complete: boolean;
};

/** What is read for it, each path parsed once; null for what is not there or could not be read (which is reported elsewhere). */
export type ManifestFiles = {
  /** Every file of the tree, sorted. */
  readonly paths: readonly string[];
  has(path: string): boolean;
  object(path: string): Promise<JsonObject | null>;
  text(path: string): Promise<string | null>;
  xml(path: string): Promise<XmlElement | null>;
};

/** The files that declare workspaces, as declared inputs; package.json, Cargo.toml, pyproject.toml and pom.xml are read anyway. */
export const workspaceGlobs: readonly string[] = [
  '**/{pnpm-workspace.yaml,lerna.json,rush.json,deno.json,deno.jsonc,go.work,settings.gradle,settings.gradle.kts,mix.exs,pubspec.yaml}',
  '**/*.{sln,slnx}',
];

type Declared = {
  readonly tool: string;
  readonly shows: string;
  readonly members: readonly string[];
  readonly complete?: boolean;
} | null;
type ReadWorkspace = (files: ManifestFiles, dir: string, path: string) => Promise<Declared>;

/** By the name of the file. Of several Node files in one directory only the first counts, as the managers have it. */
const readers: readonly (readonly [RegExp, ReadWorkspace])[] = [
  [/^package\.json$/, readNode],
  [/^rush\.json$/, readRush],
  [/^deno\.jsonc?$/, readDeno],
  [/^Cargo\.toml$/, readCargo],
  [/^go\.work$/, readGoWork],
  [/^pyproject\.toml$/, readPython],
  [/^pom\.xml$/, readMaven],
  [/^settings\.gradle(?:\.kts)?$/, readGradle],
  [/\.slnx?$/, readSolution],
  [/^composer\.json$/, readComposer],
  [/^mix\.exs$/, readMix],
  [/^pubspec\.yaml$/, readPubspec],
];

/** By declaring directory, then file. Files that are `foreign` (vendored, fixtures) declare nothing. */
export async function readWorkspaces(
  files: ManifestFiles,
  isForeign: (path: string) => boolean,
): Promise<readonly Workspace[]> {
  const found: Workspace[] = [];
  for (const path of files.paths) {
    const name = posix.basename(path);
    const read = readers.find(([pattern]) => pattern.test(name))?.[1];
    if (read === undefined || isForeign(path)) continue;
    const dir = posix.dirname(path);
    const declared = await read(files, dir, path);
    if (declared === null) continue;
    const { tool, shows, complete = true } = declared;
    const members = [...new Set(declared.members)].filter((one) => one !== dir).sort(compareCodeUnits);
    if (members.length === 0 && complete) continue;
    const declaredIn =
      tool === 'pnpm'
        ? posix.join(dir, 'pnpm-workspace.yaml')
        : tool === 'lerna'
          ? posix.join(dir, 'lerna.json')
          : path;
    found.push({ tool, declared_in: declaredIn, shows, members, complete });
  }
  return found;
}

/** Directories below `dir` that a glob names and that hold one of the manifests. */
function expand(
  { paths }: ManifestFiles,
  dir: string,
  globs: readonly string[],
  manifest: RegExp,
  excluded: readonly string[] = [],
): string[] {
  const under = (glob: string) => {
    const clean = posix.join(dir, glob.replace(/(?<=.)\/+$/, ''));
    return clean.endsWith('/**') ? [clean, clean.slice(0, -'/**'.length)] : [clean];
  };
  const included = compileGlobs(globs.filter((glob) => !glob.startsWith('!')).flatMap(under));
  const negated = globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1));
  const left = compileGlobs([...negated, ...excluded].flatMap(under));
  return paths
    .filter((path) => manifest.test(posix.basename(path)) && !`/${path}`.includes('/node_modules/'))
    .map((path) => posix.dirname(path))
    .filter((one) => one !== dir && included(one) && !left(one));
}

// pnpm reads its own file alone; npm, yarn and bun read package.json, and old lerna repositories lerna.json.
async function readNode(files: ManifestFiles, dir: string, path: string): Promise<Declared> {
  const pnpm = packageGlobsOf(await files.object(posix.join(dir, 'pnpm-workspace.yaml')));
  if (pnpm !== null) return { tool: 'pnpm', shows: 'packages', members: expand(files, dir, pnpm, /^package\.json$/) };
  const own = workspaceGlobsOf(await files.object(path));
  if (own !== null) return { tool: 'node', shows: 'workspaces', members: expand(files, dir, own, /^package\.json$/) };
  const lerna = packageGlobsOf(await files.object(posix.join(dir, 'lerna.json')));
  return lerna && { tool: 'lerna', shows: 'packages', members: expand(files, dir, lerna, /^package\.json$/) };
}

async function readRush(files: ManifestFiles, dir: string, path: string): Promise<Declared> {
  const folders = listAt(await files.object(path), 'projects').flatMap((one) => textAt(one, 'projectFolder') ?? []);
  return { tool: 'rush', shows: 'projectFolder', members: expand(files, dir, folders, /^package\.json$/) };
}

async function readDeno(files: ManifestFiles, dir: string, path: string): Promise<Declared> {
  const field = member((await files.object(path)) ?? {}, 'workspace');
  const globs = textsOf(isJsonObject(field) ? field['members'] : field);
  return { tool: 'deno', shows: 'workspace', members: expand(files, dir, globs, /^(?:deno\.jsonc?|package\.json)$/) };
}

/** What a member depends on by path is a member too, where it lies inside the workspace and is not excluded. */
async function readCargo(files: ManifestFiles, dir: string, path: string): Promise<Declared> {
  const manifest = await files.object(path);
  const workspace = manifest?.['workspace'];
  if (!isJsonObject(workspace)) return null;
  const excluded = textsAt(workspace, 'exclude');
  const isExcluded = compileGlobs(excluded.map((glob) => posix.join(dir, glob)).flatMap((one) => [one, `${one}/**`]));
  const members = new Set(expand(files, dir, textsAt(workspace, 'members'), /^Cargo\.toml$/, excluded));
  const shared = objectAt(workspace, 'dependencies');
  for (const one of [dir, ...members]) {
    const own = one === dir ? manifest : await files.object(posix.join(one, 'Cargo.toml'));
    for (const found of pathDependencies(own, one, shared, dir)) {
      if (found === dir || members.has(found) || isExcluded(found) || !isBelow(found, dir)) continue;
      if (!files.has(posix.join(found, 'Cargo.toml'))) continue;
      members.add(found);
    }
  }
  return { tool: 'cargo', shows: 'members', members: [...members], complete: true };
}

function pathDependencies(manifest: JsonObject | null, dir: string, shared: JsonObject, root: string): string[] {
  const tables = ['dependencies', 'dev-dependencies', 'build-dependencies'];
  const targets = Object.values(objectAt(manifest ?? {}, 'target'));
  return [manifest ?? {}, ...targets]
    .flatMap((from) => tables.flatMap((table) => Object.entries(objectAt(from as Json, table))))
    .flatMap(([name, given]) => {
      if (!isJsonObject(given)) return [];
      if (given['workspace'] === true) {
        const path = textAt(shared, name, 'path');
        return path === null ? [] : [posix.join(root, path)];
      }
      const path = textAt(given, 'path');
      return path === null ? [] : [posix.join(dir, path)];
    });
}

function isBelow(path: string, dir: string): boolean {
  return !path.startsWith('..') && (dir === '.' || path.startsWith(`${dir}/`));
}

async function readGoWork(files: ManifestFiles, dir: string, path: string): Promise<Declared> {
  const dirs: string[] = [];
  let inBlock = false;
  for (const line of linesOf((await files.text(path)) ?? '')) {
    const words = line.trim().split(/\s+/);
    if (inBlock && words[0] === ')') inBlock = false;
    else if (inBlock) dirs.push(words[0] ?? '');
    else if (words[0] === 'use' && words[1] === '(') inBlock = true;
    else if (words[0] === 'use') dirs.push(words[1] ?? '');
  }
  const clean = dirs.map((one) => one.replace(/^["`]|["`]$/g, '')).filter((one) => one !== '');
  return { tool: 'go', shows: 'use', members: expand(files, dir, clean, /^go\.mod$/) };
}

/** Without comments: `//` to the end of the line, and what stands between `/*` and its end. */
function linesOf(text: string): readonly string[] {
  let kept = '';
  for (let at = 0; at < text.length; ) {
    const open = text.indexOf('/*', at);
    kept += text.slice(at, open < 0 ? text.length : open);
    const close = open < 0 ? -1 : text.indexOf('*/', open + 2);
    at = close < 0 ? text.length : close + 2;
  }
  return kept.split('\n').map((line) => line.replace(/(?<![:\S])\/\/.*$/, ''));
}

const pythonTables = [
  ['uv', ['tool', 'uv', 'workspace']],
  ['rye', ['tool', 'rye', 'workspace']],
  ['hatch', ['tool', 'hatch', 'workspace']],
] as const;

async function readPython(files: ManifestFiles, dir: string, path: string): Promise<Declared> {
  const manifest = await files.object(path);
  for (const [tool, keys] of pythonTables) {
    const table = member(manifest ?? {}, ...keys);
    if (!isJsonObject(table)) continue;
    const members = expand(files, dir, textsAt(table, 'members'), /^pyproject\.toml$/, textsAt(table, 'exclude'));
    return { tool, shows: 'members', members };
  }
  return null;
}

const maxDepth = 8;

/** Modules name directories or pom files, and have modules themselves. A profile's modules are built only where it is chosen. */
async function readMaven(files: ManifestFiles, dir: string, path: string): Promise<Declared> {
  const members: string[] = [];
  const visit = async (from: string, depth: number): Promise<void> => {
    const modules = (await files.xml(from))?.children.find(({ name }) => name === 'modules')?.children ?? [];
    for (const { text } of modules) {
      const target = posix.join(posix.dirname(from), text);
      const pom = target.endsWith('.xml') ? target : posix.join(target, 'pom.xml');
      const home = posix.dirname(pom);
      if (depth >= maxDepth || !files.has(pom) || home === dir || members.includes(home)) continue;
      members.push(home);
      await visit(pom, depth + 1);
    }
  };
  await visit(path, 0);
  return { tool: 'maven', shows: '<module>', members };
}

/** `include ':a', 'b:c'` and `project(':a').projectDir = file('x')`. What else stands in an `include` is computed: the list is incomplete then. */
async function readGradle(files: ManifestFiles, dir: string, path: string): Promise<Declared> {
  const lines = linesOf((await files.text(path)) ?? '');
  const moved = new Map(
    lines.flatMap((line): [string, string][] => {
      const [, name, to] = /project\(\s*['"](:[^'"]+)['"]\s*\)\.projectDir\s*=[^'"]*['"]([^'"]+)['"]/.exec(line) ?? [];
      return name === undefined || to === undefined ? [] : [[name, to]];
    }),
  );
  let complete = true;
  const members: string[] = [];
  let open = '';
  for (const line of lines) {
    if (open === '' && !/^\s*include\b/.test(line)) continue;
    open += open === '' ? line.replace(/^\s*include\b/, '') : line;
    // A list goes on after a comma or an open parenthesis.
    if (/,\s*$/.test(line) || (open.includes('(') && !open.includes(')'))) continue;
    if (/[^\s,()]/.test(open.replace(/(['"])[^'"$]*\1/g, ''))) complete = false;
    for (const [, name = ''] of open.matchAll(/['"]([^'"$]+)['"]/g)) {
      const key = name.startsWith(':') ? name : `:${name}`;
      const home = posix.join(dir, moved.get(key) ?? key.slice(1).replaceAll(':', '/'));
      if (files.paths.some((one) => one.startsWith(`${home}/`))) members.push(home);
    }
    open = '';
  }
  return { tool: 'gradle', shows: 'include', members, complete };
}

async function readSolution(files: ManifestFiles, dir: string, path: string): Promise<Declared> {
  const projects = path.endsWith('.slnx')
    ? projectPaths(await files.xml(path))
    : ((await files.text(path)) ?? '')
        .split('\n')
        .flatMap((line) => /^Project\([^)]*\)\s*=\s*"[^"]*",\s*"([^"]+proj)"/.exec(line)?.[1] ?? []);
  const members = projects
    .map((project) => posix.join(dir, project.replaceAll('\\', '/')))
    .filter((project) => files.has(project))
    .map((project) => posix.dirname(project));
  return { tool: 'dotnet', shows: 'proj', members };
}

function projectPaths(element: XmlElement | null): readonly string[] {
  if (element === null) return [];
  const own = element.name === 'Project' ? (element.attributes.get('Path') ?? '') : '';
  return [...(own.endsWith('proj') ? [own] : []), ...element.children.flatMap(projectPaths)];
}

/** Packages that the root takes from its own tree. */
async function readComposer(files: ManifestFiles, dir: string, path: string): Promise<Declared> {
  const repositories = member((await files.object(path)) ?? {}, 'repositories');
  const entries: readonly Json[] = Array.isArray(repositories)
    ? (repositories as readonly Json[])
    : Object.values(isJsonObject(repositories) ? repositories : {});
  const globs = entries.filter((one) => textAt(one, 'type') === 'path').flatMap((one) => textAt(one, 'url') ?? []);
  return { tool: 'composer', shows: '"path"', members: expand(files, dir, globs, /^composer\.json$/) };
}

async function readMix(files: ManifestFiles, dir: string, path: string): Promise<Declared> {
  const apps = /^\s*apps_path:\s*"([^"]+)"/m.exec((await files.text(path)) ?? '')?.[1];
  return apps === undefined
    ? null
    : { tool: 'mix', shows: 'apps_path', members: expand(files, dir, [`${apps}/*`], /^mix\.exs$/) };
}

async function readPubspec(files: ManifestFiles, dir: string, path: string): Promise<Declared> {
  const globs = textsAt((await files.object(path)) ?? {}, 'workspace');
  return { tool: 'dart', shows: 'workspace', members: expand(files, dir, globs, /^pubspec\.yaml$/) };
}
