/** Which files say how a repository is deployed, and the section about it. */

import { namedOnly } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';

/** In order of precedence. */
export const deploymentTypes = ['helm', 'kustomize', 'raw', 'terraform', 'compose'] as const;
export type DeploymentType = (typeof deploymentTypes)[number];

/** How the version of an image is chosen, as far as its reference shows. */
const tagStrategies = ['digest', 'git_sha', 'semver', 'latest', 'templated', 'unknown'] as const;
export type TagStrategy = (typeof tagStrategies)[number];

export const chartGlobs: readonly string[] = ['**/Chart.yaml'];
export const valuesGlobs: readonly string[] = ['**/values*.yaml'];
export const templateGlobs: readonly string[] = ['**/templates/*.{yaml,tpl}'];
export const kustomizationGlobs: readonly string[] = ['**/kustomization.{yaml,yml}'];
export const rawGlobs: readonly string[] = [
  '{deploy,k8s,kubernetes,manifests}/**/*.{yaml,yml}',
  '{,*/,*/*/}*{k8s,kubernetes}*/**/*.{yaml,yml}',
];
export const terraformGlobs: readonly string[] = ['**/*.tf'];
export const composeGlobs: readonly string[] = [
  '{,*/,*/*/}{docker-compose,podman-compose,compose}*.{yml,yaml}',
  '{,*/}{docker-compose,compose}/*.{yml,yaml}',
];

/** Files that a tool or a platform reads to deploy, by their names, and what they are called as a kind. */
export const platformFiles: readonly { readonly kind: string; readonly glob: string; readonly shows: RegExp | null }[] =
  [
    { kind: 'skaffold', glob: '**/skaffold.{yaml,yml}', shows: /^(?:deploy|manifests):/m },
    { kind: 'serverless', glob: '{,*/,*/*/}serverless.{yml,yaml}', shows: /^(?:service|provider|functions):/m },
    { kind: 'kamal', glob: 'config/deploy.yml', shows: /^(?:service|image|servers):/m },
    { kind: 'fly', glob: '{,*/}fly.toml', shows: /^app\b|^\[/m },
    { kind: 'render', glob: 'render.yaml', shows: /^services:/m },
    { kind: 'pulumi', glob: '{,*/,*/*/}Pulumi.yaml', shows: /^runtime:/m },
    { kind: 'cdk', glob: '{,*/,*/*/}cdk.json', shows: /"app"/ },
    { kind: 'bicep', glob: '**/main.bicep', shows: null },
  ];
const platformGlobs: readonly string[] = platformFiles.map(({ glob }) => glob);

export const deploymentGlobs: readonly string[] = [
  ...platformGlobs,
  ...chartGlobs,
  ...valuesGlobs,
  ...templateGlobs,
  ...kustomizationGlobs,
  ...rawGlobs,
  ...terraformGlobs,
  ...composeGlobs,
];

/** Files without which nothing is deployed; `values*.yaml` and `templates/` alone say nothing. */
export const deploymentMarkers: readonly string[] = [
  ...chartGlobs,
  ...kustomizationGlobs,
  ...rawGlobs,
  ...terraformGlobs,
  ...composeGlobs,
  ...platformGlobs,
];

/** kustomize reads files only at or below the directory of a kustomization: that makes these globs complete for its resources. */
export function kustomizeResourceGlobs(kustomizations: readonly string[]): string[] {
  return kustomizations.map((path) => {
    const directory = directoryOf(path).replace(/[*?[\]{}\\]/g, '\\$&');
    return directory === '' ? '**/*.{yaml,yml}' : `${directory}/**/*.{yaml,yml}`;
  });
}

const text = z.string();
const image = namedOnly(z.string());

const environment = z.strictObject({ name: text, file: text, image_reference: image.nullable() });
export type Environment = Readonly<z.output<typeof environment>>;

const workload = z.strictObject({ kind: text, name: text, file: text, containers: z.int() });
export type Workload = Readonly<z.output<typeof workload>>;

const healthProbe = z.strictObject({
  workload: text,
  kind: text,
  path: text.nullable(),
  port: z.union([z.number(), z.string()]).nullable(),
});
export type HealthProbe = Readonly<z.output<typeof healthProbe>>;

const resourceLimit = z.strictObject({ workload: text, memory: text.nullable(), cpu: text.nullable() });
export type ResourceLimit = Readonly<z.output<typeof resourceLimit>>;

export const deploymentSection = z.strictObject({
  type: z.enum([...deploymentTypes, 'none']),
  types: z.array(z.enum(deploymentTypes)),
  charts: z.array(z.strictObject({ path: text, name: text, version: namedOnly(z.string()) })),
  chart_path: text.nullable(),
  image_reference: z
    .strictObject({ file: text, path: text, value: image, tag_strategy: z.enum(tagStrategies) })
    .nullable(),
  environments: z.array(environment),
  workloads: z.array(workload),
  terraform_files: z.array(text),
  /** What tools and platforms read to deploy: skaffold, serverless, kamal, fly … */
  platforms: z.array(z.strictObject({ kind: text, file: text })),
  /** Compose files that start more than databases and tools, and are not for development or tests. */
  compose_deploys: z.array(text),
  kustomization_resource_path_outside_repo: z.boolean(),
  health_probes: z.array(healthProbe),
  resource_limits: z.array(resourceLimit),
  /** Of the first container that has one: the pod's settings with the container's over them. */
  security_context: z.json().nullable(),
  exposed_ports: z.array(z.int()),
  /** Names of the variables that the manifests give to containers. */
  required_env_vars: z.array(namedOnly(z.string())),
});

export function directoryOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** `''` and `.` are the root. */
export function isBelow(path: string, directory: string): boolean {
  return directory === '' || directory === '.' || path.startsWith(`${directory}/`);
}
