/** Which files say how a repository is deployed. */

export const chartGlobs: readonly string[] = ['**/Chart.yaml'];
export const valuesGlobs: readonly string[] = ['**/values*.yaml'];
export const templateGlobs: readonly string[] = ['**/templates/*.{yaml,tpl}'];
export const kustomizationGlobs: readonly string[] = ['**/kustomization.{yaml,yml}'];
export const rawGlobs: readonly string[] = ['{deploy,k8s,kubernetes,manifests}/**/*.{yaml,yml}'];
export const terraformGlobs: readonly string[] = ['**/*.tf'];
export const composeGlobs: readonly string[] = ['{docker-compose,compose}*.{yml,yaml}'];

export const deploymentGlobs: readonly string[] = [
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
];

/** kustomize reads files only at or below the directory of a kustomization: that makes these globs complete for its resources. */
export function kustomizeResourceGlobs(kustomizations: readonly string[]): string[] {
  return kustomizations.map((path) => {
    const directory = directoryOf(path).replace(/[*?[\]{}\\]/g, '\\$&');
    return directory === '' ? '**/*.{yaml,yml}' : `${directory}/**/*.{yaml,yml}`;
  });
}

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
