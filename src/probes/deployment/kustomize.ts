/**
 * Kustomizations: from every one that no other names, along `resources`, `bases` and `components`, at most 5 deep and 50 files.
 * The walk never leaves the root: a path that would is reported and not read. Patches change workloads and are none themselves.
 */

import type { ProbeRepo } from '../../gather/contract.ts';
import { compareCodeUnits, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { listAt, textAt, textsOf } from '../../kernel/base/json-access.ts';
import { limits } from '../../kernel/base/limits.ts';
import { shortLine } from '../../kernel/base/text.ts';
import { parseYamlDocuments, parseYamlObject } from '../../kernel/formats/yaml.ts';
import { readParsed } from '../shared/probe-reading.ts';
import { baseName, directoryOf, kustomizationGlobs } from './deployment-section.ts';
import { addFacts, type DeploymentFacts, noFacts, readManifests } from './workloads.ts';

type KustomizeFacts = {
  readonly facts: DeploymentFacts;
  readonly outside: boolean;
  readonly files: readonly string[];
};

/** By directory. */
type Kustomizations = ReadonlyMap<string, { readonly path: string; readonly document: JsonObject }>;

const maxDepth = 5;
const maxFiles = 50;
/** What is longer is no path. */
const maxReference = 1_000;
const yamlLimits = { maxBytes: limits.yamlBytes, maxDepth: limits.parseDepth };

export async function readKustomize(repo: ProbeRepo): Promise<KustomizeFacts> {
  const facts = noFacts();
  const kustomizations = await readKustomizations(repo, facts);
  const named = new Set<string>();
  for (const [directory, { document }] of kustomizations) {
    for (const reference of listReferences(document)) {
      const target = resolveInside(directory, reference);
      if (target !== undefined && kustomizations.has(target)) named.add(target);
    }
  }
  const walk = createWalk(repo, kustomizations, facts);
  const directories = [...kustomizations.keys()].sort(compareCodeUnits);
  const roots = directories.filter((directory) => !named.has(directory));
  // Kustomizations that name each other in a circle have no root; each is as good as any.
  for (const directory of roots.length > 0 ? roots : directories) await walk.visit(directory, 0);
  for (const directory of roots) {
    const root = kustomizations.get(directory);
    if (root !== undefined) addEnvironment(directory, root.path, root.document, facts);
  }
  return { facts, outside: walk.outside(), files: walk.files() };
}

async function readKustomizations(repo: ProbeRepo, facts: DeploymentFacts): Promise<Kustomizations> {
  const found = new Map<string, { path: string; document: JsonObject }>();
  for (const path of repo.inputs.list(kustomizationGlobs)) {
    const outcome = await readParsed(repo, path, limits.yamlBytes, (bytes) => parseYamlObject(bytes, yamlLimits));
    if ('absent' in outcome) continue;
    if (outcome.ok) found.set(directoryOf(path), { path, document: outcome.value });
    else facts.warnings.push({ id: 'deployment.manifest_parse_error', path, detail: outcome.failure.kind });
  }
  return found;
}

function createWalk(repo: ProbeRepo, kustomizations: Kustomizations, facts: DeploymentFacts) {
  const seen = new Set<string>();
  const files: string[] = [];
  const said = new Set<string>();
  let outside = false;
  const warn = (id: string, path: string, detail?: string) => {
    if (!said.has(`${id}\0${path}`)) facts.warnings.push({ id, path, ...(detail === undefined ? {} : { detail }) });
    said.add(`${id}\0${path}`);
  };
  const leave = (from: string, detail: string) => {
    outside = true;
    warn('kustomization.resource_outside_repo', from === '' ? '.' : from, detail);
  };

  async function visit(directory: string, depth: number): Promise<void> {
    if (seen.has(directory)) return;
    if (depth > maxDepth) return warn('kustomization.depth_cap_exceeded', directory);
    seen.add(directory);
    for (const reference of listReferences(kustomizations.get(directory)?.document ?? {})) {
      if (isRemote(reference)) continue;
      const target = resolveInside(directory, reference);
      if (target === undefined) leave(directory, shortLine(reference, 200));
      else if (kustomizations.has(target)) await visit(target, depth + 1);
      else await readResource(directory, target);
    }
  }

  async function readResource(from: string, path: string): Promise<void> {
    if (seen.has(path) || !repo.inputs.has(path)) return;
    if (files.length >= maxFiles) return warn('kustomization.file_cap_exceeded', path);
    seen.add(path);
    files.push(path);
    const outcome = await readParsed(repo, path, limits.yamlBytes, (bytes) => parseYamlDocuments(bytes, yamlLimits));
    if ('absent' in outcome) return;
    if (outcome.ok) addFacts(facts, readManifests(path, outcome.value));
    // A link may lead anywhere; it is never followed.
    else if (outcome.failure.kind === 'symlink_refused') leave(from, `${path}: symbolic link`);
    else warn('deployment.manifest_parse_error', path, outcome.failure.kind);
  }

  return { visit, outside: () => outside, files: () => files };
}

function listReferences(kustomization: JsonObject): string[] {
  const named = ['resources', 'bases', 'components'].flatMap((key) => textsOf(listAt(kustomization, key)));
  return [...new Set(named)].filter((reference) => reference.length <= maxReference);
}

function isRemote(reference: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/|^git@|^[\w.-]+\.(?:com|org|io|net)\/|[?&]ref=/i.test(reference);
}

/** Root-relative path, undefined when it is absolute or climbs above the root. */
export function resolveInside(directory: string, reference: string): string | undefined {
  if (reference.startsWith('/')) return undefined;
  const segments = directory === '' ? [] : directory.split('/');
  for (const segment of reference.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments.join('/');
}

/** An overlay is an environment called like its directory; its image is what its `images` transformer sets. */
function addEnvironment(directory: string, file: string, document: JsonObject, facts: DeploymentFacts): void {
  if (!/(?:^|\/)(?:overlays?|environments?|envs?|clusters?)\//.test(directory)) return;
  const [image] = listAt(document, 'images');
  facts.environments.push({
    name: shortLine(baseName(directory), 100),
    file,
    image_reference: image === undefined ? null : overriddenImage(image),
  });
}

function overriddenImage(image: Json): string | null {
  const name = textAt(image, 'newName') ?? textAt(image, 'name');
  if (name === null) return null;
  const digest = textAt(image, 'digest');
  const [tag] = textsOf((image as JsonObject)['newTag']);
  return shortLine(digest !== null ? `${name}@${digest}` : tag === undefined ? name : `${name}:${tag}`);
}
