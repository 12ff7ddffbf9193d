/** Helm's default values, where charts by convention keep image, probes, limits and ports. */

import { isJsonObject, type Json, type JsonObject } from '../../../kernel/base/json.ts';
import { member, objectAt, shortLine, textAt, textsOf } from '../json-access.ts';
import { append, type DeploymentFacts, type ImageSite, noFacts } from './deployment-facts.ts';
import { TEMPLATED } from './image-tag.ts';
import { envNames, portNumber, quantity, readHealthProbes } from './kubernetes.ts';
import { mergeSecurityContexts } from './security-context.ts';

const maxDepth = 5;

/** The first `image` in the document, breadth first: `image: {repository, tag}` or `image: name:tag`. */
export function findValuesImage(file: string, values: JsonObject): ImageSite | null {
  let level: (readonly [path: string, value: JsonObject])[] = [['', values]];
  for (let depth = 0; depth < maxDepth && level.length > 0; depth += 1) {
    for (const [path, holder] of level) {
      const reference = imageReference(member(holder, 'image'));
      if (reference !== null) return { file, path: path === '' ? 'image' : `${path}.image`, value: reference };
    }
    level = level.flatMap(([path, holder]) =>
      Object.entries(holder).flatMap(([key, value]) =>
        isJsonObject(value)
          ? [[path === '' ? shortLine(key, 100) : `${path}.${shortLine(key, 100)}`, value] as const]
          : [],
      ),
    );
  }
  return null;
}

function imageReference(image: Json | undefined): string | null {
  if (typeof image === 'string') return image === '' ? null : shortLine(image);
  const repository = textAt(image, 'repository') ?? textAt(image, 'name');
  if (repository === null) return null;
  const registry = textAt(image, 'registry');
  const digest = textAt(image, 'digest');
  const [tag] = textsOf(member(image, 'tag'));
  const suffix = digest !== null && digest !== '' ? `@${digest}` : tag === undefined || tag === '' ? '' : `:${tag}`;
  return shortLine(`${registry === null || registry === '' ? '' : `${registry}/`}${repository}${suffix}`);
}

export function readValues(workload: string, values: JsonObject): DeploymentFacts {
  const facts = noFacts();
  // Values switch a probe off with `null` or `{}`.
  append(
    facts.healthProbes,
    readHealthProbes(workload, values).filter(({ path, port }) => port !== TEMPLATED && (path ?? port) !== null),
  );
  const limits = objectAt(values, 'resources', 'limits');
  if (Object.keys(limits).length > 0) {
    facts.resourceLimits.push({ workload, memory: quantity(limits['memory']), cpu: quantity(limits['cpu']) });
  }
  const context = mergeSecurityContexts(objectAt(values, 'podSecurityContext'), objectAt(values, 'securityContext'));
  if (context !== null) facts.securityContexts.push(context);
  const container = portNumber(member(values, 'containerPort'));
  const service = [member(values, 'service', 'targetPort'), member(values, 'service', 'port')].flatMap(portNumber);
  append(facts.ports, container.length > 0 ? container : service.slice(0, 1));
  append(facts.envVars, envNames(member(values, 'env')));
  return facts;
}
