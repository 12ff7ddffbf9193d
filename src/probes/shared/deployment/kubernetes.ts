/** Workloads and services in Kubernetes manifests, rendered or with `templated` in the place of what a template would fill in. */

import { isJsonObject, type Json, type JsonObject } from '../../../kernel/base/json.ts';
import { listAt, member, objectAt, shortLine, textAt, textsOf } from '../json-access.ts';
import { append, type DeploymentFacts, type HealthProbe, noFacts } from './deployment-facts.ts';
import { TEMPLATED } from './image-tag.ts';
import { mergeSecurityContexts } from './security-context.ts';

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
