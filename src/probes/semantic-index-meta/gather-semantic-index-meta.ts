/** The configurations of a repository with what they mean, through the declared inputs of a probe. */

import type { ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { compareCodeUnits, isJsonObject, type JsonObject } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { singleLine, truncate } from '../../kernel/base/text.ts';
import { isVendoredPath } from '../../kernel/tree/file-roles.ts';
import type { ResolveWorld } from '../../languages/resolving/resolution.ts';
import {
  createFindPackagedConfig,
  createFindRepositoryPackage,
  createPackages,
} from '../../languages/typescript/js-packages.ts';
import { type ConfigFile, createReadConfigFile } from '../../languages/typescript/read-tsconfig.ts';
import {
  buildSourceTree,
  compileConfigInputs,
  listRootFiles,
  renderPattern,
  type SourceTree,
} from '../../languages/typescript/tsconfig-files.ts';
import { createFindings, evidenceOf, type Findings } from '../shared/probe-reading.ts';
import { findPrimaryTsconfig, tsconfigSource } from '../shared/tsconfig.ts';
import { configsMax, listOwnConfigs } from './semantic-index-meta-section.ts';

const listMax = 200;
const charsMax = 300;

export async function gatherSemanticIndexMeta(
  repo: ProbeRepo,
  ctx: Pick<ProbeContext, 'parsedManifest' | 'upstream'>,
): Promise<ProbeOutput> {
  const findings = createFindings();
  const world = await readWorld(repo);
  const packages = createPackages(world);
  const findPackaged = createFindPackagedConfig(world, packages, createFindRepositoryPackage(world, packages));
  const configs = listConfigs(listOwnConfigs(repo), createReadConfigFile(world, findPackaged));
  const tree = buildSourceTree(
    world.allFiles().filter((path) => !isVendoredPath(path)),
    () => true,
  );
  for (const config of configs) reportProblems(config, findings);
  if (configs.length === 0) findings.warn('semantic_index_meta.no_tsconfig');
  return {
    kind: 'ran',
    slice: {
      semantic_index_meta: {
        configs: configs.map((config) => describeConfig(config, tree)),
        root: await findRoot(repo, ctx),
      },
    },
    confidence: findings.hasErrors() ? 'low' : findings.report().warnings.length > 0 ? 'medium' : 'high',
    ...findings.report(),
    evidence: evidenceOf(repo, [...new Set(configs.flatMap(({ layers }) => layers.map(({ path }) => path)))]),
  };
}

/** Every JSON file among the inputs is a configuration, a base or a manifest: all are read, and then nothing waits any more. */
async function readWorld(repo: ProbeRepo): Promise<ResolveWorld> {
  const all = repo.inputs.list();
  const files = new Set(all);
  const directories = new Set(['']);
  const contents = new Map<string, Uint8Array>();
  for (const path of all) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const directory = path.slice(0, at);
      if (directories.has(directory)) break;
      directories.add(directory);
    }
    if (!path.endsWith('.json') || repo.inputs.fingerprint(path)?.kind !== 'file') continue;
    const read = await repo.inputs.read(path, limits.manifestBytes);
    if (read.kind === 'read') contents.set(path, read.bytes);
  }
  return {
    hasFile: (path) => files.has(path),
    hasDirectory: (path) => directories.has(path),
    listDirectory: () => [],
    filesProviding: () => [],
    readConfig: (path) => contents.get(path),
    configFilesNamed: (name) => all.filter((path) => path === name || path.endsWith(`/${name}`)),
    allFiles: () => all,
  };
}

/** Those that have the name, and those that are referenced under another one; by path. */
function listConfigs(paths: readonly string[], read: (path: string) => ConfigFile | undefined): readonly ConfigFile[] {
  const found = new Map<string, ConfigFile>();
  const pending = [...paths];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const config = found.has(path) || found.size >= configsMax ? undefined : read(path);
    if (config === undefined) continue;
    found.set(path, config);
    pending.push(...config.references);
  }
  return [...found.values()].sort((a, b) => compareCodeUnits(a.path, b.path));
}

function reportProblems(config: ConfigFile, findings: Findings): void {
  for (const problem of config.problems) {
    if (problem.kind !== 'malformed') {
      const detail = `${problem.kind.replaceAll('_', ' ')}: ${problem.base}`;
      findings.warn('semantic_index_meta.extends_unresolved', { path: problem.path, detail });
      continue;
    }
    const { failure, path } = problem;
    const line = failure.kind === 'malformed' && failure.line !== undefined ? { line: failure.line } : {};
    findings.fail('semantic_index_meta.tsconfig_unparseable', { path, ...line });
  }
  for (const name of config.unseen) {
    findings.warn('semantic_index_meta.extends_unresolved', { path: config.path, detail: `not found: ${name}` });
  }
}

function describeConfig(config: ConfigFile, tree: SourceTree): JsonObject {
  const inputs = compileConfigInputs(config);
  const optionOf = (name: string) => {
    const value = config.compilerOptions.get(name)?.value;
    return typeof value === 'string' ? show(value.toLowerCase()) : null;
  };
  const strict = config.compilerOptions.get('strict')?.value;
  return {
    tsconfig_path: show(config.path),
    has_extends: config.hasExtends,
    target: optionOf('target'),
    module: optionOf('module'),
    module_resolution: optionOf('moduleResolution'),
    strict: typeof strict === 'boolean' ? strict : null,
    jsx: optionOf('jsx'),
    references: config.references.slice(0, listMax).map(show),
    include_globs: inputs.include.slice(0, listMax).map((pattern) => show(renderPattern(pattern))),
    exclude_globs: inputs.exclude.slice(0, listMax).map((pattern) => show(renderPattern(pattern))),
    files_count_estimate: listRootFiles(inputs, tree).length,
  };
}

/** The one the build system goes by, else the one that would be found the same way. */
async function findRoot(
  repo: ProbeRepo,
  ctx: Pick<ProbeContext, 'parsedManifest' | 'upstream'>,
): Promise<string | null> {
  const upstream = ctx.upstream['node_build_system']?.value;
  const said = isJsonObject(upstream) ? upstream['compiler_options_path'] : undefined;
  if (typeof said === 'string') return said;
  const found = await findPrimaryTsconfig(listOwnConfigs(repo), tsconfigSource(repo, ctx).read);
  return found === null ? null : show(found);
}

function show(text: string): string {
  return truncate(singleLine(text), charsMax);
}
