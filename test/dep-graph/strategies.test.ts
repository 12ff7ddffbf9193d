/**
 * Every strategy against the package manager that wrote the lockfile (test/fixtures/dep-graph/README.md): what the graph and the
 * manager's own listing do not have in common is named here, each with its reason, and nothing else.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { createFixtureRepo, type FixtureRepo } from '../support/fixture-repo.ts';
import {
  arrow,
  type Listing,
  readBunList,
  readCargoMetadata,
  readDrawnTree,
  readGoModGraph,
  readNpmQuery,
  readPnpmList,
  readYarnInfo,
  readYarnList,
} from './listings.ts';

type Node = { id: string; name: string; version: string; kind: string; dev: boolean; optional: boolean };
type Edge = { from: string; to: string; type: string; range: string };
type Graph = { nodes: Node[]; edges: Edge[]; unresolved: unknown[] };

const fixtures = fileURLToPath(new URL('../fixtures/dep-graph/', import.meta.url));
let repo: FixtureRepo | undefined;
afterEach(() => repo?.dispose());

function readFiles(name: string): Record<string, string> {
  const root = join(fixtures, name);
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    entries.map((entry) => {
      const file = join(entry.parentPath, entry.name);
      return [relative(root, file).split(sep).join('/'), readFileSync(file, 'utf8')];
    }),
  );
}

/** The slice and the graph that the real coordinator publishes for a fixture. */
async function gather(
  name: string,
): Promise<{ slice: Record<string, unknown>; graph: Graph; files: Record<string, string> }> {
  const files = readFiles(name);
  const inRepo = Object.fromEntries(Object.entries(files).filter(([path]) => !path.startsWith('listing/')));
  repo = createFixtureRepo(inRepo);
  const { envelope } = await repo.publish({ only: ['dep_graph', 'index_health'] });
  expect((envelope['index_health'] as Record<string, unknown>)['dep_graph']).toMatchObject({ confidence: 'high' });
  const slice = envelope['dep_graph'] as Record<string, unknown>;
  const graph = JSON.parse(readFileSync(join(repo.root, slice['graph_path'] as string), 'utf8')) as Graph;
  expect([slice['nodes_count'], slice['edges_count']]).toEqual([graph.nodes.length, graph.edges.length]);
  return { slice, graph, files };
}

const onlyIn = (a: Iterable<string>, b: ReadonlySet<string>) => [...new Set(a)].filter((each) => !b.has(each)).sort();

/** What each side has alone. */
function differences(graph: Graph, listing: Listing, keep: (edge: Edge) => boolean = () => true) {
  const nodes = new Set(graph.nodes.map(({ id }) => id));
  const edges = new Set(graph.edges.filter(keep).map(({ from, to }) => arrow(from, to)));
  return {
    nodes: { graph: onlyIn(nodes, listing.nodes), listing: onlyIn(listing.nodes, nodes) },
    edges: { graph: onlyIn(edges, listing.edges), listing: onlyIn(listing.edges, edges) },
  };
}

/** What only a development dependency of the root leads to; the other way to is-buffer begins with `tiny-git`. */
const devOnly = ['is-even@1.0.0', 'is-number@3.0.0', 'is-odd@0.1.2', 'kind-of@3.2.2'];

const kindsOf = ({ nodes }: Graph) => Object.fromEntries(nodes.map(({ name, kind }) => [name, kind]));

const same = { nodes: { graph: [], listing: [] }, edges: { graph: [], listing: [] } };

describe.each([
  // Version 1 says nothing of the peers of other packages: use-sync-external-store → react.
  ['npm-1', 21, [arrow('use-sync-external-store@1.7.0', 'react@18.3.1')]],
  ['npm-2', 22, []],
  ['npm-3', 22, []],
  ['npm-shrinkwrap', 22, []],
] as const)('%s', (name, edges, peers) => {
  test('agrees with `npm query`', async () => {
    const { slice, graph, files } = await gather(name);
    expect(slice).toMatchObject({ strategy: 'npm', workspaces_count: 2, nodes_count: 19, edges_count: edges });
    const listing = readNpmQuery(files['listing/npm-query.json'] ?? '');
    // Version 1 knows a git package by its address alone.
    const gitId = graph.nodes.find(({ kind }) => kind === 'git')?.id ?? '';
    const plain = JSON.parse(JSON.stringify(graph).replaceAll(gitId, 'tiny-git@0.3.0')) as Graph;
    expect(differences(plain, listing)).toEqual({
      // Locked for macOS, hence not installed where the listing was made.
      nodes: { graph: ['fsevents@2.3.3'], listing: [] },
      edges: {
        graph: [arrow('sample@1.0.0', 'fsevents@2.3.3')],
        // npm installs members as if the root asked for them.
        listing: [arrow('sample@1.0.0', '@sample/app@0.2.0'), arrow('sample@1.0.0', '@sample/lib@0.1.0'), ...peers],
      },
    });
    expect(graph.nodes.filter(({ dev }) => dev).map(({ id }) => id)).toEqual(devOnly);
    expect(kindsOf(graph)).toMatchObject({ 'tiny-git': 'git', 'local-thing': 'link', '@sample/lib': 'workspace' });
  });
});

describe.each([
  // pnpm 7 does not install the peers of workspaces.
  ['pnpm-5', 21],
  ['pnpm-6', 22],
  ['pnpm-9', 22],
] as const)('%s', (name, edges) => {
  test('agrees with `pnpm ls`', async () => {
    const { slice, graph, files } = await gather(name);
    expect(slice).toMatchObject({ strategy: 'pnpm', workspaces_count: 2, nodes_count: 19, edges_count: edges });
    expect(differences(graph, readPnpmList(files['listing/pnpm-ls.json'] ?? ''))).toEqual(same);
    expect(graph.nodes.filter(({ dev }) => dev).map(({ id }) => id)).toEqual(devOnly);
    expect(kindsOf(graph)).toMatchObject({ 'tiny-git': 'git', 'local-thing': 'file', '@sample/lib': 'workspace' });
  });
});

test('yarn-classic agrees with `yarn list`', async () => {
  const { slice, graph, files } = await gather('yarn-classic');
  expect(slice).toMatchObject({ strategy: 'yarn-classic', workspaces_count: 2, nodes_count: 19, edges_count: 21 });
  const listing = readYarnList(files['listing/yarn-list.json'] ?? '');
  const nodes = new Set([...listing.nodes].map((id) => id.replace(/^alias-number@/, 'is-number@')));
  // The root is not listed; edges are listed with the ranges that were asked for.
  const asked = graph.edges
    .filter(({ from, type }) => from !== 'sample@1.0.0' && type !== 'peer')
    .map(({ from, to, range }) => ({ from, to: to.replace(/(?<=.)@.*$/, `@${range}`), type: '', range }));
  expect(differences({ ...graph, edges: asked }, { ...listing, nodes })).toEqual({
    ...same,
    nodes: { graph: ['sample@1.0.0'], listing: [] },
  });
  expect(graph.edges.filter(({ from }) => from === 'sample@1.0.0').map(({ to, type }) => `${type} ${to}`)).toEqual([
    'optional fsevents@2.3.3',
    'dev is-even@1.0.0',
    'prod is-number@4.0.0',
    'prod is-odd@3.0.1',
    'prod local-thing@0.0.1',
    'prod tiny-git@0.3.0',
  ]);
  expect(graph.nodes.filter(({ dev }) => dev).map(({ id }) => id)).toEqual(devOnly);
});

test('yarn-berry agrees with `yarn info`', async () => {
  const { slice, graph, files } = await gather('yarn-berry');
  expect(slice).toMatchObject({ strategy: 'yarn-berry', workspaces_count: 2, nodes_count: 39, edges_count: 45 });
  // Peers are not listed.
  const listing = readYarnInfo(files['listing/yarn-info.json'] ?? '');
  expect(differences(graph, listing, ({ type }) => type !== 'peer')).toEqual(same);
  expect(graph.edges.filter(({ type }) => type === 'peer').map(({ from, to }) => arrow(from, to))).toEqual([
    arrow('@sample/lib@0.1.0', 'react@18.3.1'),
    arrow('fdir@6.5.0', 'picomatch@4.0.7'),
    arrow('use-sync-external-store@1.7.0', 'react@18.3.1'),
  ]);
  expect(graph.nodes.filter(({ dev }) => dev).map(({ id }) => id)).toEqual(devOnly);
});

test('bun agrees with `bun pm ls`, and its edges with those of npm', async () => {
  const { slice, graph, files } = await gather('bun');
  expect(slice).toMatchObject({ strategy: 'bun', workspaces_count: 2, nodes_count: 18, edges_count: 20 });
  const renamed = new Map([
    ['@sample/app@workspace:packages/app', '@sample/app@0.2.0'],
    ['@sample/lib@workspace:packages/lib', '@sample/lib@0.1.0'],
    ['alias-number@4.0.0', 'is-number@4.0.0'],
    ['local-thing@vendor/thing', 'local-thing@file:vendor/thing'],
  ]);
  const listing = readBunList(files['listing/bun-pm-ls.txt'] ?? '');
  const nodes = new Set([...listing.nodes].map((id) => renamed.get(id) ?? id));
  expect(differences(graph, { ...listing, nodes }).nodes).toEqual({ graph: ['sample@1.0.0'], listing: [] });
  repo?.dispose();
  const npm = (await gather('npm-3')).graph.edges.map(({ from, to }) =>
    arrow(from, to).replaceAll('local-thing@0.0.1', 'local-thing@file:vendor/thing'),
  );
  const edges = new Set(npm.filter((edge) => !edge.includes('tiny-git')));
  expect(differences(graph, { nodes, edges }).edges).toEqual(same.edges);
});

test('cargo agrees with `cargo metadata`', async () => {
  const { slice, graph, files } = await gather('cargo');
  expect(slice).toMatchObject({ strategy: 'cargo', workspaces_count: 3, nodes_count: 10, edges_count: 10 });
  expect(differences(graph, readCargoMetadata(files['listing/cargo-metadata.json'] ?? ''))).toEqual(same);
  const ofApp = graph.edges.filter(({ from }) => from === 'app@0.2.0').map(({ to, type, range }) => [to, type, range]);
  expect(ofApp).toEqual([
    ['cfg-if@1.0.5', 'prod', '1'],
    ['either@1.19.0', 'dev', '1'],
    ['itoa@0.4.8', 'prod', '0.4'],
    ['itoa@1.0.18', 'prod', '1'],
    ['lib@0.1.0', 'prod', '*'],
    ['local-thing@0.0.1', 'prod', '*'],
    ['semver@1.0.28', 'prod', '1'],
  ]);
  const marked = graph.nodes
    .filter(({ dev, optional }) => dev || optional)
    .map(({ id, dev }) => `${id} ${dev ? 'dev' : 'optional'}`);
  expect(marked).toEqual(['either@1.19.0 dev', 'memchr@2.8.3 optional']);
});

test('go agrees with `go mod graph` as far as the repository goes', async () => {
  const { slice, graph, files } = await gather('go');
  expect(slice).toMatchObject({ strategy: 'go', workspaces_count: 1, nodes_count: 7, edges_count: 6 });
  const own = (text: string) =>
    text
      .replace('example.com/local@v0.0.0', 'example.com/local@workspace:local')
      .replace(/^example\.com\/shop(?= |$)/, 'example.com/shop@workspace:.');
  const listed = readGoModGraph(files['listing/go-mod-graph.txt'] ?? '');
  const listing = {
    nodes: new Set([...listed.nodes].map(own)),
    edges: new Set([...listed.edges].map((edge) => edge.split(' → ').map(own).join(' → '))),
  };
  expect(differences(graph, listing)).toEqual({
    ...same,
    edges: {
      graph: [],
      // What modules elsewhere require is in their own go.mod.
      listing: [
        arrow('rsc.io/quote@v1.5.2', 'rsc.io/sampler@v1.3.0'),
        arrow('rsc.io/sampler@v1.3.0', 'golang.org/x/text@v0.0.0-20170915032832-14c0d48ead0c'),
      ],
    },
  });
  expect(slice['unresolved']).toEqual({ value: 0, relation: 'gte' });
});

test('uv agrees with `uv tree`', async () => {
  const { slice, graph, files } = await gather('uv');
  expect(slice).toMatchObject({ strategy: 'uv', workspaces_count: 1, nodes_count: 12, edges_count: 14 });
  const readLine = (line: string) => line.replace(/ v/, '@').replace(/ \(.*$/, '');
  expect(differences(graph, readDrawnTree(files['listing/uv-tree.txt'] ?? '', readLine))).toEqual(same);
  const ofRoot = graph.edges
    .filter(({ from }) => from === 'shop@1.0.0')
    .map(({ to, type, range }) => [to, type, range]);
  expect(ofRoot).toEqual([
    ['colorama@0.4.6', 'prod', '*'],
    ['httpx@0.28.1', 'prod', '>=0.27'],
    ['iniconfig@2.3.1', 'dev', '>=2'],
    ['lib@0.1.0', 'prod', '*'],
    ['orjson@3.13.0', 'optional', '>=3'],
  ]);
});

test('poetry agrees with `poetry show --tree`', async () => {
  const { slice, graph, files } = await gather('poetry');
  expect(slice).toMatchObject({ strategy: 'poetry', workspaces_count: 0, nodes_count: 11, edges_count: 12 });
  // The tree has versions at the top, ranges below, and no root.
  const names = (text: string) => text.trim().split(' ')[0] ?? '';
  const listing = readDrawnTree(files['listing/poetry-tree.txt'] ?? '', (line) => line.trim());
  const asked = new Set(
    [...listing.edges].map((edge) =>
      edge
        .split(' → ')
        .map((each, at) => (at === 0 ? names(each) : each))
        .join(' → '),
    ),
  );
  const nameOf = (id: string) => id.slice(0, id.indexOf('@'));
  const edges = graph.edges
    .filter(({ from }) => from !== 'shop@1.0.0')
    .map(({ from, to, range }) => arrow(nameOf(from), `${nameOf(to)} ${range}`));
  expect([onlyIn(edges, asked), onlyIn(asked, new Set(edges))]).toEqual([[], []]);
  const listedNames = new Set([...listing.nodes].map(names));
  expect(
    onlyIn(
      graph.nodes.map(({ name }) => name),
      listedNames,
    ),
  ).toEqual(['shop']);
  const ofRoot = graph.edges
    .filter(({ from }) => from === 'shop@1.0.0')
    .map(({ to, type, range }) => [to, type, range]);
  expect(ofRoot).toEqual([
    ['colorama@0.4.6', 'prod', '>=0.4'],
    ['httpx@0.28.1', 'prod', '>=0.27'],
    ['iniconfig@2.3.1', 'dev', '^2'],
    ['orjson@3.13.0', 'optional', '>=3'],
  ]);
});
