/** What one kind of deployment contributes; the section is the sum over all kinds. */

import type { JsonObject } from '../../../kernel/base/json.ts';

export const deploymentTypes = ['helm', 'kustomize', 'raw', 'terraform', 'compose'] as const;
/** In order of precedence. */
export type DeploymentType = (typeof deploymentTypes)[number];

export type ImageSite = { readonly file: string; readonly path: string; readonly value: string };
export type Workload = {
  readonly kind: string;
  readonly name: string;
  readonly file: string;
  readonly containers: number;
};
export type HealthProbe = {
  readonly workload: string;
  readonly kind: string;
  readonly path: string | null;
  readonly port: number | string | null;
};
export type ResourceLimit = { readonly workload: string; readonly memory: string | null; readonly cpu: string | null };
export type Environment = { readonly name: string; readonly file: string; readonly image_reference: string | null };

export type DeploymentFacts = {
  readonly images: ImageSite[];
  readonly environments: Environment[];
  readonly workloads: Workload[];
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
