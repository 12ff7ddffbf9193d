/**
 * C#: one context per solution, and one per project that is in none (code-plane.md §5). A solution whose projects are all in a larger one
 * gives no context of its own: indexing it again would say nothing new.
 *
 * Members are the compile items: what lies below the project and no nearer one for projects with an SDK, what `Compile` items include and
 * remove besides. `config`: `solution` (path or null), `projects` (paths), in the order of the solution.
 */

import { linesOf, parseText } from '../../kernel/formats/parse-outcome.ts';
import { parseXml, type XmlElement } from '../../kernel/formats/xml.ts';
import { compileGlobs } from '../../kernel/tree/path-patterns.ts';
import type { ContextSpec } from '../projects/context-spec.ts';
import { type DiscoveryWorld, filesAbove, groupByNearest, hashFiles, sortDistinct } from '../projects/project-files.ts';
import { readConfigWith } from '../resolving/config-files.ts';
import type { ResolveWorld } from '../resolving/resolution.ts';
import { directoryOf, joinInRoot } from '../resolving/root-paths.ts';

/** MSBuild reads these from the project's directory and those above it. */
const sharedFiles = [
  'Directory.Build.props',
  'Directory.Build.targets',
  'Directory.Packages.props',
  'packages.lock.json',
  'global.json',
];

export default function discoverCSharp({ resolve, languageOf }: DiscoveryWorld): readonly ContextSpec[] {
  const files = resolve.allFiles();
  const projectPaths = files.filter((path) => path.endsWith('.csproj'));
  if (projectPaths.length === 0) return [];
  const sources = files.filter((path) => path.endsWith('.cs') && languageOf(path) === 'csharp');
  const itemsOf = createCompileItems(resolve, projectPaths, sources);
  const solutions = dropContained(
    files
      .filter((path) => /\.slnx?$/.test(path))
      .map((path) => ({ path, projects: listProjects(resolve, path) }))
      .filter(({ projects }) => projects.length > 0),
  );
  const covered = new Set(solutions.flatMap(({ projects }) => projects));
  const alone = projectPaths.filter((path) => !covered.has(path));
  const describe = (solution: string | null, projects: readonly string[]): readonly ContextSpec[] => {
    const configPath = solution ?? projects[0];
    const items = projects.map(itemsOf);
    const members = sortDistinct(items.flatMap(({ members: own }) => own));
    const broken = projects.filter((_, at) => items[at]?.isReadable === false);
    const isBroken = broken.length === projects.length;
    if (configPath === undefined || (members.length === 0 && !isBroken)) return [];
    const shared = projects.flatMap((path) => filesAbove(resolve, directoryOf(path), sharedFiles));
    return [
      {
        key: `csharp:${configPath}`,
        family: 'csharp',
        root: directoryOf(configPath),
        configPath,
        indexer: 'scip-dotnet',
        members,
        config: { solution, projects },
        configInputs: { files: hashFiles(resolve, [configPath, ...projects, ...shared]) },
        problem: isBroken ? `${broken.join(', ')} cannot be read as XML` : null,
        enabled: true,
      },
    ];
  };
  return [
    ...solutions.flatMap(({ path, projects }) => describe(path, projects)),
    ...alone.flatMap((path) => describe(null, [path])),
  ];
}

type Solution = { readonly path: string; readonly projects: readonly string[] };

/** C# projects of a solution that are in scope, in its order. */
function listProjects(world: ResolveWorld, path: string): readonly string[] {
  const directory = directoryOf(path);
  const written = path.endsWith('.slnx') ? listXmlProjects(world, path) : listTextProjects(world, path);
  const found = written.flatMap((name) => joinInRoot(directory, name.replaceAll('\\', '/')) ?? []);
  return [...new Set(found)].filter((project) => project.endsWith('.csproj') && world.hasFile(project));
}

/** `Project("{type}") = "Name", "src\App\App.csproj", "{id}"`. */
function listTextProjects(world: ResolveWorld, path: string): readonly string[] {
  const names: string[] = [];
  for (const [line] of linesOf(readConfigWith(world, path, parseText) ?? '')) {
    const name = /^\s*Project\("[^"]*"\)\s*=\s*"[^"]*"\s*,\s*"([^"]*)"/.exec(line)?.[1];
    if (name !== undefined) names.push(name);
  }
  return names;
}

function listXmlProjects(world: ResolveWorld, path: string): readonly string[] {
  const solution = readConfigWith(world, path, parseXml);
  if (solution === null) return [];
  return descendantsOf(solution, 'Project').flatMap((project) => project.attributes.get('Path') ?? []);
}

/** Of solutions with the same projects the first by path stays. */
function dropContained(solutions: readonly Solution[]): readonly Solution[] {
  const kept: { readonly solution: Solution; readonly projects: ReadonlySet<string> }[] = [];
  const bySize = [...solutions].sort((a, b) => b.projects.length - a.projects.length);
  for (const solution of bySize) {
    const isContained = kept.some(({ projects }) => solution.projects.every((path) => projects.has(path)));
    if (!isContained) kept.push({ solution, projects: new Set(solution.projects) });
  }
  return kept.map(({ solution }) => solution);
}

type CompileItems = { readonly members: readonly string[]; readonly isReadable: boolean };

function createCompileItems(
  world: ResolveWorld,
  projectPaths: readonly string[],
  sources: readonly string[],
): (project: string) => CompileItems {
  const byDirectory = groupByNearest(sources, new Set(projectPaths.map(directoryOf)));
  const isSource = new Set(sources);
  const known = new Map<string, CompileItems>();
  const read = (path: string): CompileItems => {
    const directory = directoryOf(path);
    const project = readConfigWith(world, path, parseXml);
    const nearest = byDirectory.get(directory) ?? [];
    if (project === null) return { members: nearest, isReadable: false };
    const included = listPatterns(directory, project, 'Include');
    const removed = listPatterns(directory, project, 'Remove');
    const isRemoved = (source: string): boolean => removed.exact.has(source) || removed.matches(source);
    const byDefault = takesDefaults(project) ? nearest.filter((source) => !isRemoved(source)) : [];
    const named = [...included.exact].filter((source) => isSource.has(source));
    const matched = included.isEmpty ? [] : sources.filter(included.matches);
    return { members: sortDistinct([...byDefault, ...named, ...matched]), isReadable: true };
  };
  return (path) => {
    const items = known.get(path) ?? read(path);
    known.set(path, items);
    return items;
  };
}

/** Projects with an SDK compile all that lies below them; older ones list their files. */
function takesDefaults(project: XmlElement): boolean {
  const hasSdk =
    project.attributes.has('Sdk') ||
    project.children.some(({ name, attributes }) => name === 'Sdk' || (name === 'Import' && attributes.has('Sdk')));
  const isOff = descendantsOf(project, 'EnableDefaultCompileItems', 'EnableDefaultItems').some(({ text }) =>
    /^false$/i.test(text),
  );
  return hasSdk && !isOff;
}

type Patterns = {
  readonly exact: ReadonlySet<string>;
  readonly matches: (path: string) => boolean;
  /** There is no pattern to match. */
  readonly isEmpty: boolean;
};

/** Paths that hold a property (`$(Shared)\x.cs`) are known to MSBuild alone. */
function listPatterns(directory: string, project: XmlElement, kind: 'Include' | 'Remove'): Patterns {
  const globs = descendantsOf(project, 'Compile')
    .flatMap((item) => (item.attributes.get(kind) ?? '').split(';'))
    .map((text) => text.trim().replaceAll('\\', '/'))
    .filter((text) => text !== '' && !text.includes('$('))
    .flatMap((text) => joinInRoot(directory, text) ?? []);
  const wild = globs.filter((glob) => /[*?]/.test(glob));
  const exact = new Set(globs.filter((glob) => !/[*?]/.test(glob)));
  return { exact, matches: compileGlobs(wild), isEmpty: wild.length === 0 };
}

function descendantsOf(root: XmlElement, ...names: readonly string[]): readonly XmlElement[] {
  const found: XmlElement[] = [];
  const pending = [root];
  for (let element = pending.pop(); element !== undefined; element = pending.pop()) {
    for (const child of element.children) {
      if (names.includes(child.name)) found.push(child);
      pending.push(child);
    }
  }
  return found;
}
