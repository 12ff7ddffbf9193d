/** Where services and their dependencies are declared. Mesh manifests are looked for where manifests live, not in every YAML file. */

export const composeFileGlobs: readonly string[] = ['**/{docker-compose,compose}*.{yml,yaml}'];
export const catalogFileGlobs: readonly string[] = ['**/catalog-info.{yaml,yml}'];
export const manifestFileGlobs: readonly string[] = [
  '**/{deploy,deployment,deployments,k8s,kubernetes,manifests,istio,linkerd,mesh,charts,helm,base,overlays}/**/*.{yaml,yml}',
  '**/*{virtual-service,virtualservice,service-profile,serviceprofile}*.{yaml,yml}',
];

export const topologyFileGlobs: readonly string[] = [...composeFileGlobs, ...catalogFileGlobs, ...manifestFileGlobs];
