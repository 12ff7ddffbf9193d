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
] as const;
const edgeKinds = ['dependsOn', 'compose_link', 'virtual_service', 'env_url'] as const;

export const composeFileGlobs: readonly string[] = ['**/{docker-compose,compose}*.{yml,yaml}'];
export const catalogFileGlobs: readonly string[] = ['**/catalog-info.{yaml,yml}'];
/** Mesh manifests are looked for where manifests live, not in every YAML file. */
export const manifestFileGlobs: readonly string[] = [
  '**/{deploy,deployment,deployments,k8s,kubernetes,manifests,istio,linkerd,mesh,charts,helm,base,overlays}/**/*.{yaml,yml}',
  '**/*{virtual-service,virtualservice,service-profile,serviceprofile}*.{yaml,yml}',
];

export const topologyFileGlobs: readonly string[] = [...composeFileGlobs, ...catalogFileGlobs, ...manifestFileGlobs];

const service = z.strictObject({ name: z.string(), source: z.string(), kind: z.enum(serviceKinds) });
export type DeclaredService = Readonly<z.output<typeof service>>;

const edge = z.strictObject({
  from: z.string(),
  to: z.string(),
  via: z.enum(edgeKinds),
  /** File and place in it: `docker-compose.yml#services.web.depends_on`. */
  evidence: namedOnly(z.string()),
});
export type DeclaredEdge = Readonly<z.output<typeof edge>>;

export const topologySection = z.strictObject({ services: z.array(service), edges: z.array(edge) });
