/**
 * Cargo.lock: every package with what it came to. Packages without a source are the repository's own; their manifests say the ranges,
 * and which dependencies are optional or for development. Build dependencies are needed to build, hence production ones.
 */

import { posix } from 'node:path';
import { satisfies, validRange } from 'semver';
import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { listAt, objectAt, textAt } from '../../kernel/base/json-access.ts';
import { parseToml } from '../../kernel/formats/toml.ts';
import { isForeignManifest } from '../../kernel/tree/file-roles.ts';
import { readParsed } from '../shared/probe-reading.ts';
import {
  createGraphBuilder,
  type DepNode,
  type EdgeType,
  lockedNode,
  lockLimits,
  malformedLock,
  manifestLimits,
  pushTo,
  type Strategy,
  type StrategyInput,
} from './graph-builder.ts';

type LockedCrate = { readonly node: DepNode; readonly source: string | null; readonly dependencies: readonly string[] };
type CrateManifest = { readonly path: string; readonly declared: readonly Declared[] };
type Declared = { readonly crate: string; readonly range: string; readonly type: EdgeType };

export const readCargoGraph: Strategy = async (input) => {
  const { repo, lockfile } = input;
  const outcome = await readParsed(repo, lockfile, lockLimits.maxBytes, (bytes) => parseToml(bytes, lockLimits));
  if (!outcome.ok) return malformedLock;
  const manifests = await readManifests(input, posix.dirname(lockfile));
  const crates = listAt(outcome.value, 'package').flatMap((each) => readCrate(each, manifests));
  if (crates.length === 0 && Object.hasOwn(outcome.value, 'package')) return malformedLock;

  const builder = createGraphBuilder();
  const byName = new Map<string, LockedCrate[]>();
  for (const crate of crates) {
    builder.add(crate.node);
    pushTo(byName, crate.node.name, crate);
  }
  for (const { node, source, dependencies } of crates) {
    const declared = source === null ? (manifests.get(node.name)?.declared ?? []) : [];
    const matched = new Set<Declared>();
    const declaredOf = new Map<string, Declared[]>();
    for (const each of declared) pushTo(declaredOf, each.crate, each);
    for (const text of dependencies) {
      const target = findCrate(byName, text);
      if (target === undefined) {
        builder.miss(node.id, text.split(' ')[0] ?? text, 'prod', '');
        continue;
      }
      const asked = matchDeclared(declaredOf.get(target.node.name) ?? [], target.node);
      for (const each of asked) matched.add(each);
      if (asked.length === 0) builder.connect(node.id, target.node.id, 'prod', target.node.version);
      for (const { type, range } of asked) builder.connect(node.id, target.node.id, type, range);
    }
    for (const each of declared) if (!matched.has(each)) builder.miss(node.id, each.crate, each.type, each.range);
  }
  return { kind: 'graph', graph: builder.finish({ markReach: true }) };
};

function readCrate(entry: Json, manifests: ReadonlyMap<string, CrateManifest>): LockedCrate[] {
  const name = textAt(entry, 'name');
  const version = textAt(entry, 'version');
  if (name === null || version === null) return [];
  const source = textAt(entry, 'source');
  const integrity = textAt(entry, 'checksum');
  const path = source === null ? manifests.get(name)?.path : undefined;
  const kind =
    source === null ? (path === undefined ? 'file' : 'workspace') : source.startsWith('git+') ? 'git' : 'registry';
  const node: DepNode = lockedNode({ name, version, kind, path, integrity });
  const dependencies = listAt(entry, 'dependencies').filter((each): each is string => typeof each === 'string');
  return [{ node, source, dependencies }];
}

/** `name`, `name 1.0.0`, or with the source in parentheses: as much as it takes to tell it from others. */
function findCrate(byName: ReadonlyMap<string, readonly LockedCrate[]>, text: string): LockedCrate | undefined {
  const [name = '', version, source] = text.split(' ');
  return byName
    .get(name)
    ?.find(
      (crate) =>
        (version === undefined || crate.node.version === version) &&
        (source === undefined || source === `(${crate.source})`),
    );
}

/** One crate may be asked for twice, in two versions under two names, or for two purposes. */
function matchDeclared(named: readonly Declared[], { version }: DepNode): readonly Declared[] {
  const fitting = named.filter(({ range }) => satisfies(version, caretOf(range), { includePrerelease: true }));
  return fitting.length > 0 ? fitting : named;
}

function caretOf(range: string): string {
  const parts = range.split(',').map((part) => (/^\s*\d/.test(part) ? `^${part.trim()}` : part.trim()));
  return validRange(parts.join(' ')) ?? '*';
}

async function readManifests({ repo }: StrategyInput, base: string): Promise<ReadonlyMap<string, CrateManifest>> {
  const documents: { readonly path: string; readonly document: JsonObject }[] = [];
  for (const path of repo.inputs.list(['**/Cargo.toml'])) {
    const inBase = base === '.' || path.startsWith(`${base}/`);
    if (!inBase || isForeignManifest(path)) continue;
    const outcome = await readParsed(repo, path, manifestLimits.maxBytes, (bytes) => parseToml(bytes, manifestLimits));
    if (outcome.ok) documents.push({ path, document: outcome.value });
  }
  const shared = objectAt(
    documents.find(({ document }) => isJsonObject(document['workspace']))?.document,
    'workspace',
    'dependencies',
  );
  const manifests = new Map<string, CrateManifest>();
  for (const { path, document } of documents) {
    const name = textAt(document, 'package', 'name');
    if (name !== null && !manifests.has(name))
      manifests.set(name, { path: posix.dirname(path), declared: readDeclared(document, shared) });
  }
  return manifests;
}

function readDeclared(document: JsonObject, shared: JsonObject): readonly Declared[] {
  const targets = Object.values(objectAt(document, 'target')).filter(isJsonObject);
  return [document, ...targets].flatMap((table) =>
    tables.flatMap(([section, type]) =>
      Object.entries(objectAt(table, section)).map(([key, value]): Declared => {
        const inherited = textAt(value, 'workspace') !== null || (isJsonObject(value) && value['workspace'] === true);
        const spec = inherited ? (shared[key] ?? value) : value;
        const isOptional = isJsonObject(value) && value['optional'] === true;
        return {
          crate: textAt(spec, 'package') ?? key,
          range: typeof spec === 'string' ? spec : (textAt(spec, 'version') ?? '*'),
          type: isOptional ? 'optional' : type,
        };
      }),
    ),
  );
}

const tables = [
  ['dependencies', 'prod'],
  ['build-dependencies', 'prod'],
  ['dev-dependencies', 'dev'],
] as const satisfies readonly (readonly [string, EdgeType])[];
