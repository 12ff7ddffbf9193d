/**
 * Workloads of Kubernetes manifests and whom they call: an address in a container's environment, command or arguments whose host is a
 * Service of the manifests (also by a key of a configuration map), or a mounted service binding. A copy of the manifests (a release, an overlay) says the same once more.
 */

import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { listAt, member, objectAt, textAt } from '../../kernel/base/json-access.ts';
import { shortLine } from '../../kernel/base/text.ts';
import type { GivenAddress } from './code-calls.ts';
import { protocolOfImage, protocolOfPort, protocolOfScheme } from './protocols.ts';
import type { DeclaredEdge, DeclaredService } from './service-topology-section.ts';
import type { Topology, TopologyDocument } from './topology-documents.ts';

const workloadKinds: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Rollout']);
const workloadsMax = 2_000;

/** A file without one of these has nothing for us. */
export const workloadHint =
  /^kind:[ \t]{0,8}["']?(?:Deployment|StatefulSet|DaemonSet|Rollout|Service|Secret|ConfigMap)\b/m;

export function isKubernetes(document: Json): boolean {
  return textAt(document, 'apiVersion') !== null && textAt(document, 'kind') !== null;
}

type Port = { readonly number: number | null; readonly protocol: string | null };

/** What is known of a host: the ports of its Service, the images of the workload behind it. */
type Host = { readonly name: string; readonly ports: Port[]; readonly images: string[] };

/** Workloads, their calls, and addresses that they are given whether they use them or not. */
type Cluster = Topology & { readonly given: readonly GivenAddress[]; readonly setBy: ReadonlyMap<string, Set<string>> };

export function readKubernetes(documents: readonly TopologyDocument[]): Cluster {
  const hosts = new Map<string, Host>();
  const bindings = new Map<string, string>();
  const maps = new Map<string, { readonly path: string; readonly data: JsonObject }>();
  const workloads: { readonly path: string; readonly name: string; readonly kind: string; readonly pod: Json }[] = [];
  for (const { path, document } of documents) {
    const kind = textAt(document, 'kind') ?? '';
    const name = shortLine(textAt(document, 'metadata', 'name') ?? '', 200);
    // An overlay that takes the thing away.
    if (textAt(document, '$patch') === 'delete') continue;
    // What a template fills in has no name yet (`stripTemplate`).
    if (name === '' || /[{}]|\btemplated\b/.test(name)) continue;
    // Of overlays the map that lies nearest the root: the others say the same of another place.
    if (kind === 'ConfigMap' && !maps.has(name)) maps.set(name, { path, data: objectAt(document, 'data') });
    if (kind === 'Service') hostOf(hosts, name).ports.push(...listAt(document, 'spec', 'ports').map(readPort));
    const binding = /^servicebinding\.io\/([a-z0-9-]{1,40})$/.exec(textAt(document, 'type') ?? '')?.[1];
    if (kind === 'Secret' && binding !== undefined) bindings.set(name, binding);
    if (!workloadKinds.has(kind) || workloads.length >= workloadsMax) continue;
    const pod = member(document, 'spec', 'template', 'spec') ?? null;
    // A patch of an overlay has the name and a part of the rest: it is the workload that it changes.
    workloads.push({ path, name, kind, pod });
    hostOf(hosts, name).images.push(...containersOf(pod).flatMap((container) => textAt(container, 'image') ?? []));
  }
  const services: DeclaredService[] = [];
  const edges: DeclaredEdge[] = [];
  const given: GivenAddress[] = [];
  const setBy = new Map<string, Set<string>>();
  for (const { path, name, kind, pod } of workloads) {
    const own = setBy.get(`${path}#${name}`) ?? new Set();
    setBy.set(`${path}#${name}`, own);
    services.push({ name, source: path, kind: 'workload', dir: null });
    const edge = (to: string, protocol: string | null, place: string): void => {
      if (to === name) return;
      const evidence = shortLine(`${path}#${kind}/${name}.${place}`, 400);
      edges.push({ from: name, to, via: 'env_url', evidence, protocol });
    };
    for (const container of containersOf(pod)) {
      for (const variable of listAt(container, 'env')) {
        const key = textAt(variable, 'valueFrom', 'configMapKeyRef', 'key') ?? '';
        const map = maps.get(textAt(variable, 'valueFrom', 'configMapKeyRef', 'name') ?? '');
        const value = textAt(variable, 'value') ?? (map === undefined ? '' : (textAt(map.data, key) ?? ''));
        own.add(textAt(variable, 'name') ?? '');
        for (const { host, protocol } of addressesIn(value, hosts))
          edge(host, protocol, `env.${textAt(variable, 'name')}`);
      }
      for (const source of listAt(container, 'envFrom')) {
        const map = maps.get(textAt(source, 'configMapRef', 'name') ?? '');
        for (const key of Object.keys(map?.data ?? {})) {
          own.add(key);
          for (const { host, protocol } of addressesIn(textAt(map?.data ?? {}, key) ?? '', hosts)) {
            const evidence = shortLine(`${path}#${kind}/${name}.envFrom.${key}`, 400);
            given.push({ from: name, to: host, variable: key, protocol, evidence });
          }
        }
      }
      for (const field of ['command', 'args']) {
        for (const argument of listAt(container, field)) {
          if (typeof argument !== 'string') continue;
          const flag = /^-{1,2}([A-Za-z0-9_-]{1,80})=/.exec(argument)?.[1];
          for (const { host, protocol } of addressesIn(argument.replace(/^-{1,2}[A-Za-z0-9_-]{1,80}=/, ''), hosts))
            edge(host, protocol, `${field}.${flag ?? host}`);
        }
      }
    }
    for (const secret of mountedSecrets(pod)) {
      const bound = bindings.get(secret);
      if (bound !== undefined && hosts.has(secret)) edge(secret, protocolOfScheme(bound) ?? bound, `volumes.${secret}`);
    }
  }
  return { services, edges, given, setBy };
}

function hostOf(hosts: Map<string, Host>, name: string): Host {
  const host = hosts.get(name) ?? { name, ports: [], images: [] };
  hosts.set(name, host);
  return host;
}

function readPort(port: Json): Port {
  const number = member(port, 'port');
  // `grpc`, `http-web`: Istio's rule for names of ports; `appProtocol` is Kubernetes' own.
  const said = textAt(port, 'appProtocol') ?? textAt(port, 'name') ?? '';
  return {
    number: typeof number === 'number' ? number : null,
    protocol: protocolOfScheme(said.split('/').at(-1) ?? ''),
  };
}

function containersOf(pod: Json): readonly Json[] {
  return [...listAt(pod, 'initContainers'), ...listAt(pod, 'containers')].filter(isJsonObject);
}

function mountedSecrets(pod: Json): readonly string[] {
  return listAt(pod, 'volumes').flatMap((volume) => [
    ...(textAt(volume, 'secret', 'secretName') ?? '').split(' '),
    ...listAt(volume, 'projected', 'sources').flatMap((source) => textAt(source, 'secret', 'name') ?? []),
  ]);
}

const judgedChars = 4_000;
const address =
  /(?:([a-z][a-z0-9+.-]{0,20}):\/\/)?(?:[^\s/@,;]{1,200}@)?([A-Za-z0-9][A-Za-z0-9-]{0,62})(?:\.[A-Za-z0-9.-]{1,190})?(?::(\d{1,5}))?(?=[/?\s,;]|$)/y;

/** Hosts that are Services of the manifests: `http://api:80/x`, `api:7070`, `api.shop.svc.cluster.local:80`. A bare word is none. */
function addressesIn(
  value: string,
  hosts: ReadonlyMap<string, Host>,
): readonly { readonly host: string; readonly protocol: string | null }[] {
  return value
    .slice(0, judgedChars)
    .split(/[\s,;]+/)
    .flatMap((part) => {
      address.lastIndex = 0;
      const [, scheme, name, digits] = address.exec(part) ?? [];
      const host = name === undefined ? undefined : hosts.get(name);
      if (host === undefined || (scheme === undefined && digits === undefined)) return [];
      const port = digits === undefined ? null : Number(digits);
      const ofPort = host.ports.find(({ number }) => number === port) ?? (port === null ? host.ports[0] : undefined);
      const ofImages = host.images.map(protocolOfImage).find((known) => known !== null);
      const protocol =
        (scheme === undefined ? null : protocolOfScheme(scheme)) ??
        ofPort?.protocol ??
        ofImages ??
        protocolOfPort(port);
      return [{ host: host.name, protocol: protocol ?? null }];
    });
}
