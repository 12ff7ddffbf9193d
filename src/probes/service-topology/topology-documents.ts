/** Services and edges in one document: a Backstage entity, a plain list of services, a compose project, a mesh manifest. */

import { dirname, normalize } from 'node:path/posix';
import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { listAt, member, objectAt, textAt, textsOf } from '../../kernel/base/json-access.ts';
import { shortLine } from '../../kernel/base/text.ts';
import { placeOf } from '../shared/place-of.ts';
import { protocolOfImage, protocolOfPort, protocolOfScheme } from './protocols.ts';
import type { DeclaredEdge, DeclaredService } from './service-topology-section.ts';

/** What documents declare. */
export type Topology = { readonly services: readonly DeclaredService[]; readonly edges: readonly DeclaredEdge[] };

/** A compose project, with the variables that each declaration sets, by `file#service`. */
type ComposeProject = Topology & { readonly setBy: ReadonlyMap<string, ReadonlySet<string>> };

/** One document and the file it stands in. */
export type TopologyDocument = { readonly path: string; readonly document: Json };

const kinds: Readonly<Record<string, DeclaredService['kind']>> = {
  Component: 'component',
  API: 'api',
  Resource: 'resource',
  System: 'system',
};

// Backstage entities: what depends on what, by the names their references carry (`resource:default/orders-db` → `orders-db`).

export function isCatalogEntity(document: Json): boolean {
  return textAt(document, 'apiVersion')?.startsWith('backstage.io/') === true;
}

export function readCatalogEntity({ path, document }: TopologyDocument): Topology {
  const kind = textAt(document, 'kind') ?? '';
  const name = textAt(document, 'metadata', 'name');
  if (name === null || !Object.hasOwn(kinds, kind)) return { services: [], edges: [] };
  const from = shortLine(name, 200);
  const spec = objectAt(document, 'spec');
  const edge = (field: string, reference: string, reversed = false): DeclaredEdge => {
    const other = entityName(reference);
    const evidence = shortLine(`${path}#${from}.spec.${field}`, 400);
    return { from: reversed ? other : from, to: reversed ? from : other, via: 'dependsOn', evidence };
  };
  return {
    services: [{ name: from, source: path, kind: kinds[kind] ?? 'component' }],
    edges: [
      ...textsOf(spec['dependsOn']).map((reference) => edge('dependsOn', reference)),
      ...textsOf(spec['consumesApis']).map((reference) => edge('consumesApis', reference)),
      ...textsOf(spec['dependencyOf']).map((reference) => edge('dependencyOf', reference, true)),
    ],
  };
}

function entityName(reference: string): string {
  const text = reference.slice(0, 600);
  const afterKind = text.slice(text.indexOf(':') + 1);
  return shortLine(afterKind.slice(afterKind.lastIndexOf('/') + 1), 200);
}

/** `services: [{name, depends_on: […]}]`: a plain list that configuration points at. */
export function isServiceList(document: Json): boolean {
  return Array.isArray(member(document, 'services'));
}

export function readServiceList({ path, document }: TopologyDocument): Topology {
  const services: DeclaredService[] = [];
  const edges: DeclaredEdge[] = [];
  const list = member(document, 'services');
  for (const item of Array.isArray(list) ? (list as readonly Json[]) : []) {
    const name = typeof item === 'string' ? item : textAt(item, 'name');
    if (name === null) continue;
    const from = shortLine(name, 200);
    services.push({ name: from, source: path, kind: 'declared' });
    if (!isJsonObject(item)) continue;
    for (const field of ['dependsOn', 'depends_on']) {
      for (const to of textsOf(item[field]))
        edges.push({
          from,
          to: shortLine(to, 200),
          via: 'dependsOn',
          evidence: shortLine(`${path}#${from}.${field}`, 400),
        });
    }
  }
  return { services, edges };
}

// Compose files: `depends_on`, `links`, and environment variables whose value addresses a sibling. Files of one directory are one
// project (`docker-compose.yml` and its overrides). Only the name of a variable is evidence, never its value.

type ComposeService = { readonly name: string; readonly path: string; readonly body: JsonObject };

export function isCompose(document: Json): boolean {
  return isJsonObject(member(document, 'services'));
}

/** What lies around a compose project: variables of its `.env`, names of services that a contract gives methods to. */
export type ComposeWorld = { readonly variables: ReadonlyMap<string, string>; readonly overGrpc: ReadonlySet<string> };

/** `${X}`, `$X` and `${X:-default}`; what has no value stays as it is written. */
export function fillVariables(text: string, variables: ReadonlyMap<string, string>): string {
  if (!text.includes('$')) return text;
  return text
    .slice(0, judgedChars)
    .replace(
      /\$(?:\{([A-Za-z_]\w{0,100})(?::?[-?]([^{}]{0,400}))?\}|([A-Za-z_]\w{0,100}))/g,
      (written, braced?: string, otherwise?: string, bare?: string) =>
        variables.get(braced ?? bare ?? '') ?? otherwise ?? written,
    )
    .slice(0, judgedChars);
}

/** `CartService`, `cart-service` and `cart` are one. */
export function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/(?<=.)service$/, '');
}

const alone: ComposeWorld = { variables: new Map(), overGrpc: new Set() };

/** All compose documents of one directory. */
export function readComposeProject(
  documents: readonly TopologyDocument[],
  world: ComposeWorld = alone,
): ComposeProject {
  const all = documents.flatMap(({ path, document }) =>
    Object.entries(objectAt(document, 'services')).map(
      ([name, body]): ComposeService => ({ name: shortLine(name, 200), path, body: isJsonObject(body) ? body : {} }),
    ),
  );
  const services = all.map(
    ({ name, path, body }): DeclaredService => ({
      name,
      source: path,
      kind: 'compose_service',
      dir: builtFrom(path, body['build'] ?? null, world),
    }),
  );
  const byHost = listHosts(all);
  // One text can stand in many places through YAML aliases; it is read once.
  const read = new Map<string, Addresses>();
  const hostsOf = (value: string): Addresses => {
    const hosts = read.get(value) ?? hostsIn(value);
    read.set(value, hosts);
    return hosts;
  };
  const images = new Map(
    all.flatMap(({ name, body }) => textsOf(body['image']).map((image) => [name, image] as const)),
  );
  return {
    services,
    edges: all.flatMap((service) => edgesOf(service, byHost, hostsOf, images, world)),
    setBy: new Map(
      all.map(({ name, path, body }) => [
        `${path}#${name}`,
        new Set(environmentOf(body['environment']).map(([variable]) => variable)),
      ]),
    ),
  };
}

/** Where the Dockerfile lies, else the build's directory; null for what is outside, or filled in later. */
function builtFrom(path: string, build: Json, { variables }: ComposeWorld): string | null {
  if (build === null) return null;
  const context = typeof build === 'string' ? build : (textAt(build, 'context') ?? '.');
  const dockerfile = typeof build === 'string' ? null : textAt(build, 'dockerfile');
  // What `Dockerfile.dev` makes is a place to work in.
  if (dockerfile !== null && placeOf(dockerfile.replace(/^(?:\.{1,2}\/)+/, '')) === 'development') return null;
  return below(path, fillVariables(dockerfile === null ? context : `${context}/${dockerfile}/..`, variables));
}

/** A directory that a file names, from the root of the repository. */
function below(path: string, directory: string): string | null {
  if (/[$~]|:\/\/|^\//.test(directory) || directory.length > 400) return null;
  const joined = normalize(`${dirname(path)}/${directory}`).replace(/\/$/, '');
  return joined.startsWith('..') ? null : joined;
}

/** skaffold: images that are built, and from where. */
export function isSkaffold(document: Json): boolean {
  return textAt(document, 'apiVersion')?.startsWith('skaffold/') === true;
}

export function readSkaffold({ path, document }: TopologyDocument): Topology {
  const services = listAt(document, 'build', 'artifacts').flatMap((artifact): DeclaredService[] => {
    const image = textAt(artifact, 'image');
    // Jib builds a module of the context; Gradle's name of one (`:cart`) is no path.
    const module = textAt(artifact, 'jib', 'project') ?? '';
    const context = textAt(artifact, 'context') ?? '.';
    const dir = below(path, module === '' || module.includes(':') ? context : `${context}/${module}`);
    if (image === null || dir === null || /[{}]/.test(image)) return [];
    const name = shortLine((image.split('/').at(-1) ?? '').split(/[:@]/)[0] ?? '', 200);
    return name === '' ? [] : [{ name, source: path, kind: 'built', dir }];
  });
  return { services, edges: [] };
}

/** `web: bundle exec puma`: processes that run beside each other. */
export function readProcfile(path: string, text: string): Topology {
  const services = [...text.matchAll(/^([A-Za-z0-9_-]{1,80}):[ \t]*\S/gm)].map(
    ([, name = '']): DeclaredService => ({ name, source: path, kind: 'process' }),
  );
  return { services, edges: [] };
}

/** Under which names a service can be reached on the project's networks. */
function listHosts(services: readonly ComposeService[]): ReadonlyMap<string, string> {
  const byHost = new Map<string, string>();
  for (const { name, body } of services) {
    const aliases = Object.values(objectAt(body, 'networks')).flatMap((network) => textsOf(member(network, 'aliases')));
    for (const host of [...textsOf(body['container_name']), ...textsOf(body['hostname']), ...aliases])
      byHost.set(host.toLowerCase(), name);
  }
  for (const { name } of services) byHost.set(name.toLowerCase(), name);
  return byHost;
}

function edgesOf(
  { name, path, body }: ComposeService,
  byHost: ReadonlyMap<string, string>,
  hostsOf: (value: string) => Addresses,
  images: ReadonlyMap<string, string>,
  { variables, overGrpc }: ComposeWorld,
): DeclaredEdge[] {
  const at = (place: string) => shortLine(`${path}#services.${name}.${place}`, 400);
  const edges: DeclaredEdge[] = [];
  const dependsOn = body['depends_on'];
  for (const to of isJsonObject(dependsOn) ? Object.keys(dependsOn) : textsOf(dependsOn))
    edges.push({
      ...{ from: name, to: shortLine(to, 200), via: 'dependsOn', evidence: at('depends_on') },
      protocol: protocolOfImage(images.get(to) ?? ''),
    });
  for (const link of [...listAt(body, 'links'), ...listAt(body, 'external_links')].flatMap(textsOf)) {
    const [to = ''] = link.slice(0, 300).split(':');
    edges.push({
      ...{ from: name, to: shortLine(to, 200), via: 'compose_link', evidence: at('links') },
      protocol: protocolOfImage(images.get(to) ?? ''),
    });
  }
  for (const [variable, written] of environmentOf(body['environment'])) {
    // A name without a value is passed on.
    const value = written === '' ? (variables.get(variable) ?? '') : fillVariables(written, variables);
    const addresses = /(?:HOST|HOSTNAME|SERVER|ADDR|ADDRESS)$/i.test(variable)
      ? new Map([[value.toLowerCase(), { scheme: null, port: null }], ...hostsOf(value)])
      : hostsOf(value);
    for (const [host, { scheme, port }] of addresses) {
      const to = byHost.get(host);
      if (to === undefined || to === name) continue;
      const protocol =
        (scheme === null ? null : protocolOfScheme(scheme)) ??
        protocolOfImage(images.get(to) ?? '') ??
        (scheme === null && overGrpc.has(plainName(to)) ? 'grpc' : null) ??
        protocolOfPort(port);
      edges.push({ from: name, to, via: 'env_url', evidence: at(`environment.${variable}`), protocol });
    }
  }
  return edges;
}

function environmentOf(environment: Json | undefined): [name: string, value: string][] {
  if (isJsonObject(environment)) {
    return Object.keys(environment).map((name) => [name, textAt(environment, name)?.slice(0, judgedChars) ?? '']);
  }
  return textsOf(environment).map((entry) => {
    const text = entry.slice(0, judgedChars);
    const equals = text.indexOf('=');
    return equals < 0 ? [text, ''] : [text.slice(0, equals), text.slice(equals + 1)];
  });
}

const judgedChars = 4_000;
const host = '[A-Za-z0-9][A-Za-z0-9_.-]{0,252}';
const inUrl = new RegExp(`([a-z][a-z0-9+.-]{0,20})://(?:[^/@]{0,500}@)?(${host})(?::(\\d{1,5}))?`, 'gi');
const withPort = new RegExp(`^(?:[^\\s/@:]{0,200}@)?(${host}):(\\d{1,5})(?:/|$)`);

/** Hosts by how they are addressed. */
type Addresses = ReadonlyMap<string, { readonly scheme: string | null; readonly port: number | null }>;

/** Hosts of URLs in a value, and of `host:port` lists such as `kafka:9092,kafka2:9092`. */
function hostsIn(value: string): Addresses {
  const hosts = new Map<string, { readonly scheme: string | null; readonly port: number | null }>();
  for (const part of value.split(/[,;\s]+/)) {
    const [, found, port] = withPort.exec(part.slice(0, 600)) ?? [];
    if (found !== undefined) hosts.set(found.toLowerCase(), { scheme: null, port: Number(port) });
  }
  for (const [, scheme = '', found = '', port] of value.matchAll(inUrl))
    hosts.set(found.toLowerCase(), { scheme, port: port === undefined ? null : Number(port) });
  return hosts;
}

// Routing that a service mesh is told: Istio's VirtualService, Linkerd's ServiceProfile and HTTPRoute, SMI's TrafficSplit.

/** A file without one of these has nothing for us. */
export const meshHint = /istio\.io\/|linkerd\.io\/|smi-spec\.io\//;

const hostsMax = 200;

type Routing = { readonly from: readonly string[]; readonly to: readonly string[]; readonly place: string };

const readers: readonly {
  readonly api: string;
  readonly kind: string;
  readonly serviceKind: DeclaredService['kind'];
  readonly read: (spec: Json, name: string) => Routing;
}[] = [
  { api: 'networking.istio.io/', kind: 'VirtualService', serviceKind: 'virtual_service', read: readVirtualService },
  { api: 'linkerd.io/', kind: 'ServiceProfile', serviceKind: 'service_profile', read: readServiceProfile },
  { api: 'policy.linkerd.io/', kind: 'HTTPRoute', serviceKind: 'virtual_service', read: readHttpRoute },
  { api: 'split.smi-spec.io/', kind: 'TrafficSplit', serviceKind: 'virtual_service', read: readTrafficSplit },
];

/** Undefined for a manifest of another kind. */
export function readMeshManifest({ path, document }: TopologyDocument): Topology | undefined {
  const api = textAt(document, 'apiVersion') ?? '';
  const reader = readers.find((known) => api.startsWith(known.api) && known.kind === textAt(document, 'kind'));
  if (reader === undefined) return undefined;
  const name = textAt(document, 'metadata', 'name') ?? 'unnamed';
  const { from, to, place } = reader.read(objectAt(document, 'spec'), name);
  const evidence = shortLine(`${path}#${reader.kind}/${name}.${place}`, 400);
  // Every host with every destination: without a bound a hostile manifest would be millions of edges.
  const sources = [...new Set(from.slice(0, hostsMax).map(serviceName))];
  const targets = [...new Set(to.slice(0, hostsMax).map(serviceName))];
  const edges = sources.flatMap((source) =>
    targets
      .filter((target) => target !== source)
      .map((target): DeclaredEdge => ({ from: source, to: target, via: 'virtual_service', evidence })),
  );
  return { services: [{ name: serviceName(name), source: path, kind: reader.serviceKind }], edges };
}

function readVirtualService(spec: Json): Routing {
  const routes = ['http', 'tcp', 'tls'].flatMap((protocol) => listAt(spec, protocol));
  const destinations = routes.flatMap((route) => [
    ...listAt(route, 'route').map((entry) => member(entry, 'destination', 'host')),
    member(route, 'mirror', 'host'),
    ...listAt(route, 'mirrors').map((entry) => member(entry, 'destination', 'host')),
  ]);
  return { from: textsOf(member(spec, 'hosts')), to: destinations.flatMap((host) => textsOf(host)), place: 'route' };
}

function readServiceProfile(spec: Json, name: string): Routing {
  const to = listAt(spec, 'dstOverrides').flatMap((override) => textsOf(member(override, 'authority')));
  return { from: [name], to: to.map((authority) => authority.split(':')[0] ?? ''), place: 'dstOverrides' };
}

function readHttpRoute(spec: Json): Routing {
  const from = listAt(spec, 'parentRefs').flatMap((parent) => textsOf(member(parent, 'name')));
  const backends = listAt(spec, 'rules').flatMap((rule) => listAt(rule, 'backendRefs'));
  return { from, to: backends.flatMap((backend) => textsOf(member(backend, 'name'))), place: 'backendRefs' };
}

function readTrafficSplit(spec: Json): Routing {
  const to = listAt(spec, 'backends').flatMap((backend) => textsOf(member(backend, 'service')));
  return { from: textsOf(member(spec, 'service')), to, place: 'backends' };
}

/** `reviews.shop.svc.cluster.local` → `reviews`: the name the service has everywhere else. */
function serviceName(host: string): string {
  const text = host.slice(0, 300);
  const inCluster = /^([^.]+)\.[^.]+\.svc(?:\.|$)/.exec(text)?.[1];
  return shortLine(inCluster ?? text, 200);
}
