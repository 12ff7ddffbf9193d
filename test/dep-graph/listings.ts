/**
 * What package managers themselves say about the fixtures (test/fixtures/dep-graph): nodes as `name@version`, edges as `from → to`.
 * Each reader takes the output of one command, as it was recorded.
 */

export type Listing = { readonly nodes: ReadonlySet<string>; readonly edges: ReadonlySet<string> };

export const arrow = (from: string, to: string): string => `${from} → ${to}`;

type NpmNode = {
  readonly name: string;
  readonly version: string;
  readonly location: string;
  readonly to: readonly string[];
};

/** `npm query '*'`: one entry per installed folder, with the folders its dependencies are in. Links are listed as what they link to. */
export function readNpmQuery(text: string): Listing {
  const entries = JSON.parse(text) as readonly NpmNode[];
  const idAt = new Map(entries.map(({ name, version, location }) => [location, `${name}@${version}`]));
  const linked = new Map(
    entries
      .filter(({ location }) => !location.includes('node_modules'))
      .map(({ name, version }) => [`node_modules/${name}`, `${name}@${version}`]),
  );
  const edges = new Set<string>();
  for (const { location, to } of entries)
    for (const target of to)
      edges.add(arrow(idAt.get(location) ?? '?', idAt.get(target) ?? linked.get(target) ?? `?${target}`));
  return { nodes: new Set(idAt.values()), edges };
}

type PnpmNode = {
  readonly name?: string;
  readonly from?: string;
  readonly version: string;
  readonly path?: string;
  readonly dependencies?: Readonly<Record<string, PnpmNode>>;
  readonly devDependencies?: Readonly<Record<string, PnpmNode>>;
  readonly optionalDependencies?: Readonly<Record<string, PnpmNode>>;
};

/** `pnpm ls -r --depth 100 --json`: a tree per package of the workspace. */
export function readPnpmList(text: string): Listing {
  const nodes = new Set<string>();
  const edges = new Set<string>();
  const visit = (id: string, node: PnpmNode): void => {
    nodes.add(id);
    const children = { ...node.dependencies, ...node.devDependencies, ...node.optionalDependencies };
    for (const [name, child] of Object.entries(children)) {
      const version = child.version.startsWith('link:') ? workspaceVersions.get(name) : child.version;
      const childId = `${child.from ?? name}@${version}`;
      edges.add(arrow(id, childId));
      visit(childId, child);
    }
  };
  const roots = JSON.parse(text) as readonly PnpmNode[];
  const workspaceVersions = new Map(roots.map(({ name, version }) => [name, version]));
  for (const root of roots) visit(`${root.name}@${root.version}`, root);
  return { nodes, edges };
}

type YarnTree = { readonly name: string; readonly children?: readonly YarnTree[]; readonly shadow?: boolean };

/** `yarn list --json`: folders; a `shadow` is a dependency with the range it was asked for by. Edges here lead to ranges. */
export function readYarnList(text: string): Listing {
  const nodes = new Set<string>();
  const edges = new Set<string>();
  const visit = (tree: YarnTree): void => {
    nodes.add(tree.name);
    for (const child of tree.children ?? []) {
      if (child.shadow === true) edges.add(arrow(tree.name, child.name));
      else visit(child);
    }
  };
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; data: { trees: YarnTree[] } });
  for (const { type, data } of lines) if (type === 'tree') data.trees.forEach(visit);
  return { nodes, edges };
}

type YarnInfo = {
  readonly value: string;
  readonly children: { readonly Version: string; readonly Dependencies?: readonly { readonly locator: string }[] };
};

/** `yarn info -A -R --json`: one line per package, with the packages its dependencies came to. */
export function readYarnInfo(text: string): Listing {
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as YarnInfo);
  const plain = (locator: string) => locator.replace(/@virtual:[^#]*#/, '@');
  const idOf = new Map(
    lines.map(({ value, children }) => [value, `${value.slice(0, value.indexOf('@', 1))}@${children.Version}`]),
  );
  const edges = new Set<string>();
  for (const { value, children } of lines)
    for (const { locator } of children.Dependencies ?? [])
      edges.add(arrow(idOf.get(value) ?? '?', idOf.get(plain(locator)) ?? `?${plain(locator)}`));
  return { nodes: new Set(idOf.values()), edges };
}

/** `bun pm ls --all`: folders, without edges. */
export function readBunList(text: string): Listing {
  const lines = text.split('\n').flatMap((line) => /── (.+)$/.exec(line)?.[1] ?? []);
  return { nodes: new Set(lines), edges: new Set() };
}

type CargoMetadata = {
  readonly resolve: {
    readonly nodes: readonly { readonly id: string; readonly deps: readonly { readonly pkg: string }[] }[];
  };
};

/** `cargo metadata --all-features`: an id is `source#name@version`, or `path#version` where the folder has the name. */
export function readCargoMetadata(text: string): Listing {
  const idOf = (id: string) => {
    const [source = '', rest = ''] = id.split('#');
    return rest.includes('@') ? rest : `${source.slice(source.lastIndexOf('/') + 1)}@${rest}`;
  };
  const { nodes } = (JSON.parse(text) as CargoMetadata).resolve;
  return {
    nodes: new Set(nodes.map(({ id }) => idOf(id))),
    edges: new Set(nodes.flatMap(({ id, deps }) => deps.map(({ pkg }) => arrow(idOf(id), idOf(pkg))))),
  };
}

/** `go mod graph`, without the lines about the go tool itself. */
export function readGoModGraph(text: string): Listing {
  const pairs = text
    .trim()
    .split('\n')
    .map((line) => line.split(' ') as [string, string])
    .filter((pair) => !pair.some((name) => /^(?:go|toolchain)@/.test(name)));
  return { nodes: new Set(pairs.flat()), edges: new Set(pairs.map(([from, to]) => arrow(from, to))) };
}

/** Trees drawn with lines: `uv tree` names versions, `poetry show --tree` names them at the top and ranges below. */
export function readDrawnTree(text: string, readLine: (text: string) => string): Listing {
  const nodes = new Set<string>();
  const edges = new Set<string>();
  const above: string[] = [];
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const [, indent = '', rest = ''] = /^((?:│ {3}| {4}|├── |└── )*)(.*)$/.exec(line) ?? [];
    const id = readLine(rest);
    const depth = indent.length / 4;
    above.length = depth;
    above.push(id);
    nodes.add(id);
    const parent = above[depth - 1];
    if (parent !== undefined) edges.add(arrow(parent, id));
  }
  return { nodes, edges };
}
