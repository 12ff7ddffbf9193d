/** Services and the edges between them, as files declare them. */

import type { Json } from '../../kernel/base/json.ts';

export const serviceKinds = [
  'compose_service',
  'component',
  'api',
  'resource',
  'system',
  'virtual_service',
  'service_profile',
  'declared',
] as const;
export const edgeKinds = ['dependsOn', 'compose_link', 'virtual_service', 'env_url'] as const;

export type DeclaredService = {
  readonly name: string;
  readonly source: string;
  readonly kind: (typeof serviceKinds)[number];
};
export type DeclaredEdge = {
  readonly from: string;
  readonly to: string;
  readonly via: (typeof edgeKinds)[number];
  /** File and place in it: `docker-compose.yml#services.web.depends_on`. */
  readonly evidence: string;
};
export type Topology = { readonly services: readonly DeclaredService[]; readonly edges: readonly DeclaredEdge[] };

/** One document and the file it stands in. */
export type TopologyDocument = { readonly path: string; readonly document: Json };

// Where services and their dependencies are declared. Mesh manifests are looked for where manifests live, not in every YAML file.

export const composeFileGlobs: readonly string[] = ['**/{docker-compose,compose}*.{yml,yaml}'];
export const catalogFileGlobs: readonly string[] = ['**/catalog-info.{yaml,yml}'];
export const manifestFileGlobs: readonly string[] = [
  '**/{deploy,deployment,deployments,k8s,kubernetes,manifests,istio,linkerd,mesh,charts,helm,base,overlays}/**/*.{yaml,yml}',
  '**/*{virtual-service,virtualservice,service-profile,serviceprofile}*.{yaml,yml}',
];

export const topologyFileGlobs: readonly string[] = [...composeFileGlobs, ...catalogFileGlobs, ...manifestFileGlobs];
