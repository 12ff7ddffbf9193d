/**
 * Compose files: `depends_on`, `links`, and environment variables whose value addresses a sibling. Files of one directory are one
 * project (`docker-compose.yml` and its overrides). Only the name of a variable is evidence, never its value.
 */

import { isJsonObject, type Json, type JsonObject } from '../../../kernel/base/json.ts';
import { listAt, member, objectAt, shortLine, textAt, textsOf } from '../json-access.ts';
import type { DeclaredEdge, DeclaredService, Topology, TopologyDocument } from './topology.ts';

type ComposeService = { readonly name: string; readonly path: string; readonly body: JsonObject };

export function isCompose(document: Json): boolean {
  return isJsonObject(member(document, 'services'));
}

/** All compose documents of one directory. */
export function readComposeProject(documents: readonly TopologyDocument[]): Topology {
  const all = documents.flatMap(({ path, document }) =>
    Object.entries(objectAt(document, 'services')).map(
      ([name, body]): ComposeService => ({ name: shortLine(name, 200), path, body: isJsonObject(body) ? body : {} }),
    ),
  );
  const services = new Map<string, DeclaredService>();
  for (const { name, path } of all)
    if (!services.has(name)) services.set(name, { name, source: path, kind: 'compose_service' });
  const byHost = listHosts(all);
  // One text can stand in many places through YAML aliases; it is read once.
  const read = new Map<string, ReadonlySet<string>>();
  const hostsOf = (value: string): ReadonlySet<string> => {
    const hosts = read.get(value) ?? hostsIn(value);
    read.set(value, hosts);
    return hosts;
  };
  return { services: [...services.values()], edges: all.flatMap((service) => edgesOf(service, byHost, hostsOf)) };
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
  hostsOf: (value: string) => ReadonlySet<string>,
): DeclaredEdge[] {
  const at = (place: string) => shortLine(`${path}#services.${name}.${place}`, 400);
  const edges: DeclaredEdge[] = [];
  const dependsOn = body['depends_on'];
  for (const to of isJsonObject(dependsOn) ? Object.keys(dependsOn) : textsOf(dependsOn))
    edges.push({ from: name, to: shortLine(to, 200), via: 'dependsOn', evidence: at('depends_on') });
  for (const link of [...listAt(body, 'links'), ...listAt(body, 'external_links')].flatMap(textsOf)) {
    const [to = ''] = link.slice(0, 300).split(':');
    edges.push({ from: name, to: shortLine(to, 200), via: 'compose_link', evidence: at('links') });
  }
  for (const [variable, value] of environmentOf(body['environment'])) {
    for (const host of hostsOf(value)) {
      const to = byHost.get(host);
      if (to !== undefined && to !== name)
        edges.push({ from: name, to, via: 'env_url', evidence: at(`environment.${variable}`) });
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
const inUrl = new RegExp(`[a-z][a-z0-9+.-]{0,20}://(?:[^\\s/@]{0,500}@)?(${host})`, 'gi');
const withPort = new RegExp(`^(?:[^\\s/@:]{0,200}@)?(${host}):\\d{1,5}(?:/|$)`);

/** Hosts of URLs in a value, and of `host:port` lists such as `kafka:9092,kafka2:9092`. */
function hostsIn(value: string): Set<string> {
  const hosts = new Set<string>();
  for (const [, found] of value.matchAll(inUrl)) if (found !== undefined) hosts.add(found.toLowerCase());
  for (const part of value.split(/[,;\s]+/)) {
    const found = withPort.exec(part.slice(0, 600))?.[1];
    if (found !== undefined) hosts.add(found.toLowerCase());
  }
  return hosts;
}
