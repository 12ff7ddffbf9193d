/** Routing that a service mesh is told: Istio's VirtualService, Linkerd's ServiceProfile and HTTPRoute, SMI's TrafficSplit. */

import type { Json } from '../../../kernel/base/json.ts';
import { listAt, member, objectAt, shortLine, textAt, textsOf } from '../json-access.ts';
import type { DeclaredEdge, DeclaredService, Topology, TopologyDocument } from './topology.ts';

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
