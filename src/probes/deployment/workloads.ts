/** What Kubernetes manifests and compose files say about workloads. Every kind of deployment contributes facts of this shape; the section is their sum. */

import type { ProbeRepo } from '../../gather/contract.ts';
import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { listAt, member, objectAt, textAt, textsOf } from '../../kernel/base/json-access.ts';
import { limits } from '../../kernel/base/limits.ts';
import { shortLine } from '../../kernel/base/text.ts';
import { parseYamlObject } from '../../kernel/formats/yaml.ts';
import { TEMPLATED } from '../shared/helm-template.ts';
import { placeOf } from '../shared/place-of.ts';
import { readParsed } from '../shared/probe-reading.ts';
import {
  baseName,
  composeGlobs,
  type Environment,
  type HealthProbe,
  type ResourceLimit,
  type TagStrategy,
  type Workload,
} from './deployment-section.ts';

export type ImageSite = { readonly file: string; readonly path: string; readonly value: string };

export type DeploymentFacts = {
  readonly images: ImageSite[];
  readonly environments: Environment[];
  readonly workloads: Workload[];
  /** Services of compose files that run the work tree, not a product. */
  readonly ofDevelopment: { readonly file: string; readonly name: string }[];
  readonly healthProbes: HealthProbe[];
  readonly resourceLimits: ResourceLimit[];
  readonly securityContexts: JsonObject[];
  readonly ports: number[];
  readonly envVars: string[];
  readonly warnings: { readonly id: string; readonly path?: string; readonly detail?: string }[];
};

export function noFacts(): DeploymentFacts {
  return {
    images: [],
    environments: [],
    workloads: [],
    ofDevelopment: [],
    healthProbes: [],
    resourceLimits: [],
    securityContexts: [],
    ports: [],
    envVars: [],
    warnings: [],
  };
}

export function addFacts(to: DeploymentFacts, from: DeploymentFacts): void {
  append(to.images, from.images);
  append(to.ofDevelopment, from.ofDevelopment);
  append(to.environments, from.environments);
  append(to.workloads, from.workloads);
  append(to.healthProbes, from.healthProbes);
  append(to.resourceLimits, from.resourceLimits);
  append(to.securityContexts, from.securityContexts);
  append(to.ports, from.ports);
  append(to.envVars, from.envVars);
  append(to.warnings, from.warnings);
}

/** Not `push(...items)`: a manifest may hold more items than a call can have arguments. */
export function append<T>(to: T[], items: readonly T[]): void {
  for (const item of items) to.push(item);
}

// Workloads and services in Kubernetes manifests, rendered or with `templated` in the place of what a template would fill in.

/** Kind → where its pod is. */
const podPaths: Readonly<Record<string, readonly string[]>> = {
  Deployment: ['spec', 'template', 'spec'],
  StatefulSet: ['spec', 'template', 'spec'],
  DaemonSet: ['spec', 'template', 'spec'],
  Job: ['spec', 'template', 'spec'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
  Pod: ['spec'],
};
const probeKinds = { livenessProbe: 'liveness', readinessProbe: 'readiness', startupProbe: 'startup' } as const;

export function isManifest(document: Json): document is JsonObject {
  return textAt(document, 'apiVersion') !== null && textAt(document, 'kind') !== null;
}

export function readManifests(file: string, documents: readonly Json[]): DeploymentFacts {
  const facts = noFacts();
  for (const document of documents) {
    const items = textAt(document, 'kind') === 'List' ? listAt(document, 'items') : [document];
    for (const item of items) {
      const kind = textAt(item, 'kind') ?? '';
      if (Object.hasOwn(podPaths, kind)) addWorkload(facts, file, kind, item, podPaths[kind] ?? []);
      else if (kind === 'Service') addServicePorts(facts, item);
    }
  }
  return facts;
}

function addWorkload(facts: DeploymentFacts, file: string, kind: string, item: Json, podPath: readonly string[]): void {
  const name = shown(textAt(item, 'metadata', 'name') ?? textAt(item, 'metadata', 'generateName') ?? '');
  const pod = objectAt(item, ...podPath);
  const containers = listAt(pod, 'containers');
  facts.workloads.push({ kind, name, file, containers: containers.length });
  for (const [index, container] of containers.entries()) {
    const image = textAt(container, 'image');
    if (image !== null) {
      facts.images.push({ file, path: `${podPath.join('.')}.containers[${index}].image`, value: shortLine(image) });
    }
    append(facts.healthProbes, readHealthProbes(name, container));
    facts.resourceLimits.push({ workload: name, ...readLimits(container) });
    append(
      facts.ports,
      listAt(container, 'ports').flatMap((port) => portNumber(member(port, 'containerPort'))),
    );
    append(facts.envVars, envNames(member(container, 'env')));
    const context = mergeSecurityContexts(objectAt(pod, 'securityContext'), objectAt(container, 'securityContext'));
    if (context !== null) facts.securityContexts.push(context);
  }
}

/** A key without a value is what a template leaves where it would insert lines. */
function isComputed(value: Json | undefined): boolean {
  return value === null || value === TEMPLATED;
}

function readLimits(container: Json) {
  const resources = member(container, 'resources');
  if (isComputed(resources) || isComputed(member(resources, 'limits'))) return { memory: TEMPLATED, cpu: TEMPLATED };
  const limits = objectAt(resources, 'limits');
  return { memory: quantity(limits['memory']), cpu: quantity(limits['cpu']) };
}

/** Probes of a container, or of helm values that use the same names. */
export function readHealthProbes(workload: string, holder: Json): HealthProbe[] {
  return Object.entries(probeKinds).flatMap(([key, kind]): HealthProbe[] => {
    const probe = member(holder, key);
    if (isComputed(probe)) return [{ workload, kind, path: TEMPLATED, port: TEMPLATED }];
    if (!isJsonObject(probe)) return [];
    const action = ['httpGet', 'tcpSocket', 'grpc']
      .map((name) => objectAt(probe, name))
      .find((value) => 'port' in value);
    const path = textAt(probe, 'httpGet', 'path');
    return [{ workload, kind, path: path === null ? null : shown(path), port: portOf(action?.['port']) }];
  });
}

/** `[{name, value}]`, or the map form that helm values often have. */
export function envNames(env: Json | undefined): string[] {
  if (isJsonObject(env)) return Object.keys(env).map((name) => shortLine(name, 200));
  return Array.isArray(env) ? (env as readonly Json[]).flatMap((entry) => shownName(textAt(entry, 'name'))) : [];
}

export function quantity(value: Json | undefined): string | null {
  const [text] = textsOf(value);
  return text === undefined ? null : shown(text);
}

/** Whole ports only: names and templated ports are not numbers. */
export function portNumber(value: Json | undefined): number[] {
  const port = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value;
  return typeof port === 'number' && Number.isInteger(port) && port > 0 && port < 65_536 ? [port] : [];
}

function addServicePorts(facts: DeploymentFacts, service: Json): void {
  for (const port of listAt(service, 'spec', 'ports')) {
    const target = portNumber(member(port, 'targetPort'));
    append(facts.ports, target.length > 0 ? target : portNumber(member(port, 'port')));
  }
}

function portOf(value: Json | undefined): number | string | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? shown(value) : null;
}

function shownName(name: string | null): string[] {
  const text = shown(name ?? TEMPLATED);
  return text === TEMPLATED ? [] : [text];
}

/** A text with a computed part is not known. */
function shown(text: string): string {
  const line = shortLine(text, 300);
  return line.includes(TEMPLATED) ? TEMPLATED : line;
}

// The security settings a container ends up with. Only fields Kubernetes knows: other keys are the repository's words, not ours.

/** Field → names below it, where it is an object. */
const fields: Readonly<Record<string, readonly string[] | 'plain'>> = {
  runAsUser: 'plain',
  runAsGroup: 'plain',
  runAsNonRoot: 'plain',
  fsGroup: 'plain',
  fsGroupChangePolicy: 'plain',
  supplementalGroups: 'plain',
  allowPrivilegeEscalation: 'plain',
  privileged: 'plain',
  readOnlyRootFilesystem: 'plain',
  procMount: 'plain',
  capabilities: ['add', 'drop'],
  seccompProfile: ['type', 'localhostProfile'],
  appArmorProfile: ['type', 'localhostProfile'],
  seLinuxOptions: ['level', 'role', 'type', 'user'],
};

/** The container's own settings win over the pod's; null when neither says anything. */
export function mergeSecurityContexts(pod: JsonObject, container: JsonObject): JsonObject | null {
  const merged: Record<string, Json> = {};
  for (const [name, below] of Object.entries(fields)) {
    const value = Object.hasOwn(container, name) ? container[name] : Object.hasOwn(pod, name) ? pod[name] : undefined;
    const kept = below === 'plain' ? plain(value) : keepFields(value, below);
    if (kept !== undefined) merged[name] = kept;
  }
  return Object.keys(merged).length === 0 ? null : merged;
}

function keepFields(value: Json | undefined, names: readonly string[]): Json | undefined {
  if (!isJsonObject(value)) return plain(value);
  const kept: Record<string, Json> = {};
  for (const name of names) {
    const inner = Object.hasOwn(value, name) ? plain(value[name]) : undefined;
    if (inner !== undefined) kept[name] = inner;
  }
  return kept;
}

/** Scalars and lists of scalars. */
function plain(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap((item) => plain(item) ?? []);
  if (typeof value === 'string') return shortLine(value, 200);
  return typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}

// Compose files: every service is a workload. A suffix of the file name (`docker-compose.prod.yml`) is an environment.

export async function readCompose(repo: ProbeRepo): Promise<DeploymentFacts> {
  const facts = noFacts();
  for (const path of repo.inputs.list(composeGlobs)) {
    const outcome = await readParsed(repo, path, limits.yamlBytes, (bytes) =>
      parseYamlObject(bytes, { maxBytes: limits.yamlBytes, maxDepth: limits.parseDepth }),
    );
    if ('absent' in outcome) continue;
    if (!outcome.ok) {
      facts.warnings.push({ id: 'deployment.manifest_parse_error', path, detail: outcome.failure.kind });
      continue;
    }
    const services = Object.entries(objectAt(outcome.value, 'services'));
    for (const [name, service] of services) addService(facts, path, shortLine(name, 200), service);
    const environment = /^(?:docker-|podman-)?compose[-._](.{1,100})\.ya?ml$/.exec(baseName(path))?.[1];
    if (environment !== undefined) {
      const image = services.map(([, service]) => textAt(service, 'image')).find((reference) => reference !== null);
      const reference = image === undefined || image === null ? null : shortLine(image);
      facts.environments.push({ name: shortLine(environment, 100), file: path, image_reference: reference });
    }
  }
  return facts;
}

function addService(facts: DeploymentFacts, file: string, name: string, service: Json): void {
  facts.workloads.push({ kind: 'service', name, file, containers: 1 });
  if (isOfDevelopment(service)) facts.ofDevelopment.push({ file, name });
  const image = textAt(service, 'image');
  if (image !== null) facts.images.push({ file, path: `services.${name}.image`, value: shortLine(image) });
  if (isJsonObject(member(service, 'healthcheck'))) {
    facts.healthProbes.push({ workload: name, kind: 'healthcheck', path: null, port: null });
  }
  const limited = objectAt(service, 'deploy', 'resources', 'limits');
  const memory = quantity(limited['memory'] ?? member(service, 'mem_limit'));
  const cpu = quantity(limited['cpus'] ?? member(service, 'cpus'));
  facts.resourceLimits.push({ workload: name, memory, cpu });
  for (const port of [...listAt(service, 'ports'), ...listAt(service, 'expose')])
    append(facts.ports, containerPort(port));
  append(facts.envVars, environmentNames(member(service, 'environment')));
}

/** It is built by a Dockerfile for developers, or an image that others made is given the work tree itself: its code is what is being written. */
function isOfDevelopment(service: Json): boolean {
  const build = member(service, 'build');
  const dockerfile = textAt(build, 'dockerfile');
  if (build !== undefined) return dockerfile !== null && placeOf(dockerfile.replace(/^\.\//, '')) === 'development';
  const sources = listAt(service, 'volumes').map((volume) =>
    typeof volume === 'string' ? volume.split(':')[0] : textAt(volume, 'source'),
  );
  return sources.some((source) => /^(?:\.\/?|\$\{?PWD\}?\/?)$/.test(source ?? ''));
}

/** `127.0.0.1:8080:80/tcp` → 80; the long form says `target`. */
function containerPort(port: Json): number[] {
  const [text] = isJsonObject(port) ? textsOf(port['target']) : textsOf(port);
  const inner = text?.slice(0, 100).split('/')[0]?.split(':').at(-1);
  return portNumber(inner);
}

/** A map, or a list of `NAME=value` and `NAME`. */
function environmentNames(environment: Json | undefined): string[] {
  const names = isJsonObject(environment)
    ? Object.keys(environment)
    : textsOf(environment).map((entry) => entry.slice(0, 300).split('=')[0] ?? '');
  return names.filter((name) => name !== '').map((name) => shortLine(name, 200));
}

export function tagStrategyOf(reference: string): TagStrategy {
  if (reference.includes(TEMPLATED) || /\{\{|\$\{|\$\(|\$[A-Za-z_]/.test(reference)) return 'templated';
  if (/@sha256:[0-9a-f]{64}$/.test(reference)) return 'digest';
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  const colon = name.indexOf(':');
  // Without a tag an engine takes `latest`.
  const tag = colon < 0 ? 'latest' : name.slice(colon + 1);
  if (tag === 'latest') return 'latest';
  if (/^v?\d{1,9}\.\d{1,9}(?:\.\d{1,9})?(?:[-+][\w.+-]{1,100})?$/.test(tag)) return 'semver';
  const hash = /^(?:sha-|git-)?([0-9a-f]{7,40})$/.exec(tag)?.[1];
  return hash !== undefined && /[a-f]/.test(hash) ? 'git_sha' : 'unknown';
}
