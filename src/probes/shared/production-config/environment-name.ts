/** Which environment a configuration file is for, by its name: `.env.production`, `values-prod.yaml`, `config/staging.json`. */

const generic = new Set([
  '',
  'env',
  'config',
  'configuration',
  'values',
  'settings',
  'application',
  'appsettings',
  'default',
]);

export function environmentOf(path: string): string {
  const names = path.split('/');
  const base = (names.at(-1) ?? '').replace(/^\.+/, '');
  const stem = base.replace(/\.(?:ya?ml|json|env|properties|conf)$/i, '');
  const own = stem.replace(/^(?:env|config|configuration|values|settings|application|appsettings)[-_.]/i, '');
  if (!generic.has(own.toLowerCase())) return own;
  return names.at(-2) ?? 'default';
}

/** Two files for one environment keep their paths as names: otherwise nobody could tell them apart. */
export function nameEnvironments(paths: readonly string[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(environmentOf(path), (counts.get(environmentOf(path)) ?? 0) + 1);
  return new Map(paths.map((path) => [path, counts.get(environmentOf(path)) === 1 ? environmentOf(path) : path]));
}
