/** Compose files: every service is a workload. A suffix of the file name (`docker-compose.prod.yml`) is an environment. */

import type { ProbeRepo } from '../../../gather/contract.ts';
import { isJsonObject, type Json } from '../../../kernel/base/json.ts';
import { limits } from '../../../kernel/base/limits.ts';
import { parseYamlObject } from '../../../kernel/formats/yaml.ts';
import { listAt, member, objectAt, shortLine, textAt, textsOf } from '../json-access.ts';
import { readParsed } from '../read.ts';
import { append, type DeploymentFacts, noFacts } from './deployment-facts.ts';
import { baseName, composeGlobs } from './deployment-inputs.ts';
import { portNumber, quantity } from './kubernetes.ts';

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
    const environment = /^(?:docker-)?compose[-._](.{1,100})\.ya?ml$/.exec(baseName(path))?.[1];
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
