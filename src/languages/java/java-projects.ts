/**
 * Java, Kotlin and Scala: one context per build root (code-plane.md §5).
 *
 * | tool | a root is a directory with | what belongs to it |
 * |---|---|---|
 * | gradle | `settings.gradle`, or a `build.gradle` below no settings | every build file below, up to the next root |
 * | maven | a `pom.xml` that no other one names as its module | the modules it names, and theirs |
 * | sbt | a `build.sbt` below no other | all below |
 *
 * Members are the sources below a root and no nearer one, without build scripts, `buildSrc` and what lies among resources: an indexer sees
 * what the build compiles. `config`: `buildTool`. Where a directory has several tools, the first of the list is taken.
 */

import { parseXml, type XmlElement } from '../../kernel/formats/xml.ts';
import type { ContextSpec } from '../projects/context-spec.ts';
import { type DiscoveryWorld, filesAbove, groupByNearest, hashFiles, sortDistinct } from '../projects/project-files.ts';
import { readConfigWith } from '../resolving/config-files.ts';
import type { ResolveWorld } from '../resolving/resolution.ts';
import { ancestorsOf, directoryOf, joinInRoot } from '../resolving/root-paths.ts';

type BuildTool = 'gradle' | 'maven' | 'sbt';
type BuildRoot = { readonly tool: BuildTool; readonly configPath: string };

const settingsNames = ['settings.gradle', 'settings.gradle.kts'];
const buildNames = ['build.gradle', 'build.gradle.kts'];
const buildFile = /(?:^|\/)(?:pom\.xml|build\.sbt|gradle\.properties|gradle\.lockfile|[^/]+\.gradle(?:\.kts)?)$/;

export default function discoverJava({ resolve, languageOf }: DiscoveryWorld): readonly ContextSpec[] {
  const { roots, owners } = findBuilds(resolve);
  if (roots.size === 0) return [];
  const files = resolve.allFiles();
  const sources = groupByBuild(
    files.filter((path) => isSource(path, languageOf(path))),
    owners,
  );
  const buildFiles = groupByBuild(
    files.filter((path) => buildFile.test(path)),
    owners,
  );
  return [...roots].flatMap(([directory, { tool, configPath }]): readonly ContextSpec[] => {
    const members = sources.get(directory) ?? [];
    if (members.length === 0) return [];
    // Properties and parents above a nested root count for it too.
    const inherited = filesAbove(resolve, directory, ['gradle.properties', 'pom.xml']);
    return [
      {
        key: `java:${configPath}`,
        family: 'java',
        root: directory,
        configPath,
        indexer: 'scip-java',
        members,
        config: { buildTool: tool },
        configInputs: {
          buildTool: tool,
          files: hashFiles(resolve, [...(buildFiles.get(directory) ?? []), ...inherited]),
        },
        problem: null,
        enabled: true,
      },
    ];
  });
}

/** Files by the root of the build they belong to, sorted; those of no build are left out. */
function groupByBuild(
  files: readonly string[],
  owners: ReadonlyMap<string, string>,
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const [place, found] of groupByNearest(files, new Set(owners.keys()))) {
    const root = place === null ? undefined : owners.get(place);
    if (root === undefined) continue;
    const group = groups.get(root) ?? [];
    for (const path of found) group.push(path);
    groups.set(root, group);
  }
  return new Map([...groups].map(([root, found]) => [root, sortDistinct(found)]));
}

function isSource(path: string, language: string | null): boolean {
  if (language !== 'java' && !/\.(?:kt|scala)$/.test(path)) return false;
  return !/(?:^|\/)buildSrc\/|(?:^|\/)src\/[^/]+\/resources\//.test(path);
}

type Builds = {
  readonly roots: ReadonlyMap<string, BuildRoot>;
  /** Directory → the directory of the root it belongs to: roots themselves, and Maven modules, which may lie anywhere. */
  readonly owners: ReadonlyMap<string, string>;
};

function findBuilds(world: ResolveWorld): Builds {
  const roots = new Map<string, BuildRoot>();
  const owners = new Map<string, string>();
  const add = (configPath: string, tool: BuildTool): void => {
    const directory = directoryOf(configPath);
    if (!roots.has(directory)) roots.set(directory, { tool, configPath });
    owners.set(directory, directory);
  };
  for (const path of findGradleRoots(world)) add(path, 'gradle');
  for (const [root, modules] of groupMavenModules(world)) {
    add(root, 'maven');
    for (const path of modules) if (!owners.has(directoryOf(path))) owners.set(directoryOf(path), directoryOf(root));
  }
  for (const path of outermost(world.configFilesNamed('build.sbt'))) add(path, 'sbt');
  return { roots, owners };
}

function findGradleRoots(world: ResolveWorld): readonly string[] {
  const settings = settingsNames.flatMap((name) => world.configFilesNamed(name)).filter(isNoBuildSrc);
  const places = new Set(settings.map(directoryOf));
  const isBelowSettings = (path: string): boolean => [...ancestorsOf(directoryOf(path))].some((at) => places.has(at));
  const builds = buildNames.flatMap((name) => world.configFilesNamed(name)).filter(isNoBuildSrc);
  return [...settings, ...outermost(builds.filter((path) => !isBelowSettings(path)))];
}

/** A build of its own, whose only product is the build around it. */
function isNoBuildSrc(path: string): boolean {
  return !/(?:^|\/)buildSrc\//.test(path);
}

/** Those that lie below no other of the list. */
function outermost(paths: readonly string[]): readonly string[] {
  const places = new Set(paths.map(directoryOf));
  return paths.filter((path) => {
    const [own, ...above] = ancestorsOf(directoryOf(path));
    return own !== undefined && !above.some((at) => places.has(at));
  });
}

/** Each root with all it names, directly or through its modules. Where projects name each other in a circle, the first is the root. */
function groupMavenModules(world: ResolveWorld): ReadonlyMap<string, readonly string[]> {
  const poms = world.configFilesNamed('pom.xml');
  const named = new Map(poms.map((path) => [path, listModuleFiles(world, path)]));
  const modules = new Set([...named.values()].flat());
  const groups = new Map<string, readonly string[]>();
  const seen = new Set<string>();
  for (const root of [...poms.filter((path) => !modules.has(path)), ...poms]) {
    if (seen.has(root)) continue;
    const group = new Set([root]);
    // A set may grow while it is walked.
    for (const path of group) {
      seen.add(path);
      for (const module of named.get(path) ?? []) if (!seen.has(module)) group.add(module);
    }
    group.delete(root);
    groups.set(root, [...group]);
  }
  return groups;
}

/** Modules are named by their directory or by their file. */
function listModuleFiles(world: ResolveWorld, path: string): readonly string[] {
  const project = readConfigWith(world, path, parseXml);
  return (project === null ? [] : listModules(project)).flatMap((name) => {
    const target = joinInRoot(directoryOf(path), name.endsWith('.xml') ? name : `${name}/pom.xml`);
    return target !== null && target !== path && world.hasFile(target) ? [target] : [];
  });
}

function listModules(project: XmlElement): readonly string[] {
  const profiles = childrenOf(project, 'profiles').flatMap((list) => childrenOf(list, 'profile'));
  return [project, ...profiles]
    .flatMap((holder) => childrenOf(holder, 'modules'))
    .flatMap((list) => childrenOf(list, 'module'))
    .map(({ text }) => text.trim())
    .filter((name) => name !== '');
}

function childrenOf(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.filter((child) => child.name === name);
}
