/**
 * Go: every go.mod of the repository with what it requires. What those modules require in turn is not in the repository, so edges
 * between them are unknown; the hashes of go.sum are the integrity of a module.
 */

import { posix } from 'node:path';
import { limits } from '../../kernel/base/limits.ts';
import { decodeLenient } from '../../kernel/base/text.ts';
import { type GoMod, parseGoMod } from '../../kernel/formats/go-mod.ts';
import { isForeignManifest } from '../../kernel/tree/file-roles.ts';
import { readParsed } from '../shared/probe-reading.ts';
import { createGraphBuilder, type DepNode, malformedLock, type Strategy, type StrategyInput } from './graph-builder.ts';

type OwnModule = { readonly directory: string; readonly mod: GoMod; readonly node: DepNode };

export const readGoGraph: Strategy = async (input) => {
  const { repo, lockfile, findings } = input;
  const modules: OwnModule[] = [];
  for (const path of repo.inputs.list(['**/go.mod'])) {
    if (isForeignManifest(path)) continue;
    const outcome = await readParsed(repo, path, limits.manifestBytes, (bytes) =>
      parseGoMod(bytes, { maxBytes: limits.manifestBytes }),
    );
    if (outcome.ok) modules.push(ownModule(posix.dirname(path), outcome.value));
    else if (path === lockfile) return malformedLock;
  }
  const used = await readUsed(input);
  const hashes = await readHashes(input);
  const builder = createGraphBuilder();
  const byDirectory = new Map(modules.map((each) => [each.directory, each.node]));
  const usedByPath = new Map(
    modules.filter(({ directory }) => used.has(directory)).map(({ mod, node }) => [mod.module, node]),
  );
  for (const { node } of modules) builder.add(node);

  for (const { directory, mod, node } of modules) {
    const replaces = new Map(mod.replaces.map((each) => [`${each.path} ${each.version ?? ''}`, each]));
    for (const { path, version } of mod.requires) {
      const replaced = replaces.get(`${path} ${version}`) ?? replaces.get(`${path} `);
      const target =
        replaced?.targetVersion === null
          ? localNode(posix.normalize(posix.join(directory, replaced.target)), path)
          : (findUsed(path, directory) ?? fetchedNode(replaced?.target ?? path, replaced?.targetVersion ?? version));
      builder.add(target);
      builder.connect(node.id, target.id, 'prod', version);
    }
  }
  return { kind: 'graph', graph: builder.finish({ complete: false }) };

  function localNode(directory: string, name: string): DepNode {
    const known = byDirectory.get(directory);
    if (known !== undefined) return known;
    if (directory.startsWith('..') || directory.startsWith('/'))
      findings.warn('dep_graph.workspace_outside_repo', { path: directory.slice(0, 200) });
    const version = `link:${directory}`;
    return { id: `${name}@${version}`, name, version, kind: 'link', path: directory, dev: false, optional: false };
  }

  /** A module that the same go.work uses stands for itself, whatever version is asked for. */
  function findUsed(path: string, from: string): DepNode | undefined {
    return used.has(from) ? usedByPath.get(path) : undefined;
  }

  function fetchedNode(name: string, version: string): DepNode {
    const integrity = hashes.get(`${name} ${version}`);
    return {
      id: `${name}@${version}`,
      name,
      version,
      kind: 'registry',
      dev: false,
      optional: false,
      ...(integrity === undefined ? {} : { integrity }),
    };
  }
};

function ownModule(directory: string, mod: GoMod): OwnModule {
  const name = mod.module ?? directory;
  const version = `workspace:${directory}`;
  const node: DepNode = {
    id: `${name}@${version}`,
    name,
    version,
    kind: 'workspace',
    path: directory,
    dev: false,
    optional: false,
  };
  return { directory, mod, node };
}

/** Directories that the go.work of the root uses. */
async function readUsed({ repo }: StrategyInput): Promise<ReadonlySet<string>> {
  if (!repo.inputs.has('go.work')) return new Set();
  const read = await repo.inputs.read('go.work', limits.textBytes);
  if (read.kind !== 'read') return new Set();
  const text = decodeLenient(read.bytes).replace(/\/\/.*$/gm, '');
  const blocks = [...text.matchAll(/^[ \t]*use[ \t]*\(([^)]*)\)/gm)].flatMap(([, block = '']) => block.split('\n'));
  const single = [...text.matchAll(/^[ \t]*use[ \t]+([^\s(]+)[ \t]*$/gm)].map(([, path = '']) => path);
  const paths = [...blocks, ...single].map((path) => path.trim().replace(/^"|"$/g, '')).filter((path) => path !== '');
  return new Set(paths.map((path) => posix.normalize(path).replace(/\/$/, '')));
}

/** `path version` → `h1:…`; hashes of go.mod files alone say nothing about the module. */
async function readHashes({ repo }: StrategyInput): Promise<ReadonlyMap<string, string>> {
  const hashes = new Map<string, string>();
  for (const path of repo.inputs.list(['**/go.sum'])) {
    if (isForeignManifest(path)) continue;
    const read = await repo.inputs.read(path, limits.lockfileBytes);
    if (read.kind !== 'read') continue;
    for (const line of decodeLenient(read.bytes).split('\n')) {
      const [name, version, hash] = line.trim().split(/\s+/);
      if (hash !== undefined && version !== undefined && !version.endsWith('/go.mod'))
        hashes.set(`${name} ${version}`, hash);
    }
  }
  return hashes;
}
