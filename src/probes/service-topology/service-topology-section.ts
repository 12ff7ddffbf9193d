/** Where services and the edges between them are declared, and the section about them. */

import { namedOnly } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';

const serviceKinds = [
  'compose_service',
  'component',
  'api',
  'resource',
  'system',
  'virtual_service',
  'service_profile',
  'declared',
  'workload',
  'process',
  'built',
] as const;
const edgeKinds = ['dependsOn', 'compose_link', 'virtual_service', 'env_url', 'code_default', 'config_map'] as const;

/** A stack of Swarm is written like a compose file. */
export const composeFileGlobs: readonly string[] = [
  '**/{docker-compose,podman-compose,compose}*.{yml,yaml}',
  '**/{docker-compose,compose}/*.{yml,yaml}',
  '**/{docker-stack,stack}*.{yml,yaml}',
];
/** Programs that may start others with .NET Aspire, and the projects that they name. */
export const aspireHostGlobs: readonly string[] = ['**/{Program,AppHost,apphost}.cs'];
export const projectFileGlobs: readonly string[] = ['**/*.{csproj,fsproj,vbproj}'];
export const catalogFileGlobs: readonly string[] = ['**/catalog-info.{yaml,yml}'];
/** Mesh manifests are looked for where manifests live, not in every YAML file. */
export const manifestFileGlobs: readonly string[] = [
  '**/{deploy,deployment,deployments,k8s,kubernetes,kustomize,manifests,istio,linkerd,mesh,charts,helm,base,overlays}/**/*.{yaml,yml}',
  '**/*{k8s,kubernetes,manifest}*/**/*.{yaml,yml}',
  '**/*{k8s,kubernetes,manifest,deployment}*.{yaml,yml}',
  '**/*{virtual-service,virtualservice,service-profile,serviceprofile}*.{yaml,yml}',
];

export const skaffoldFileGlobs: readonly string[] = ['**/skaffold.{yaml,yml}'];
/** Variables that compose fills in, and contracts that say what is spoken over gRPC. */
export const environmentGlobs: readonly string[] = ['**/.env'];
export const protoGlobs: readonly string[] = ['**/*.proto'];

export const procfileGlobs: readonly string[] = ['**/Procfile', '**/Procfile.*'];

export const topologyFileGlobs: readonly string[] = [
  ...composeFileGlobs,
  ...catalogFileGlobs,
  ...skaffoldFileGlobs,
  ...procfileGlobs,
  ...aspireHostGlobs,
  ...manifestFileGlobs,
];

const service = z.strictObject({
  name: z.string(),
  source: z.string(),
  kind: z.enum(serviceKinds),
  /** The directory that its image is built from; null where nothing says so. */
  dir: namedOnly(z.string()).nullable(),
});
type ServiceRow = Readonly<z.output<typeof service>>;
/** As a reader finds it, before it is put into the section. */
export type DeclaredService = Omit<ServiceRow, 'dir'> & Partial<Pick<ServiceRow, 'dir'>>;

const edge = z.strictObject({
  from: z.string(),
  to: z.string(),
  via: z.enum(edgeKinds),
  /** File and place in it: `docker-compose.yml#services.web.depends_on`. */
  evidence: namedOnly(z.string()),
  /** `http`, `grpc`, `postgresql` …; null where nothing says so. */
  protocol: z.string().nullable(),
  /** Where the code takes the address; null where the declaration says it all. */
  taken_at: z.strictObject({ path: namedOnly(z.string()), line: z.int() }).nullable(),
});
type EdgeRow = Readonly<z.output<typeof edge>>;
export type DeclaredEdge = Omit<EdgeRow, 'protocol' | 'taken_at'> & Partial<Pick<EdgeRow, 'protocol' | 'taken_at'>>;

export const topologySection = z.strictObject({ services: z.array(service), edges: z.array(edge) });
