/** How the version of an image is chosen, as far as its reference shows. */

export const tagStrategies = ['digest', 'git_sha', 'semver', 'latest', 'templated', 'unknown'] as const;
export type TagStrategy = (typeof tagStrategies)[number];

export const TEMPLATED = 'templated';

export function tagStrategyOf(reference: string): TagStrategy {
  if (reference.includes(TEMPLATED) || /\{\{|\$\{|\$\(|\$[A-Za-z_]/.test(reference)) return 'templated';
  if (/@sha256:[0-9a-f]{64}$/.test(reference)) return 'digest';
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  const colon = name.indexOf(':');
  // Without a tag an engine takes `latest`.
  const tag = colon < 0 ? 'latest' : name.slice(colon + 1);
  if (tag === 'latest') return 'latest';
  if (/^v?\d{1,9}\.\d{1,9}(?:\.\d{1,9})?(?:[-+][\w.+-]{1,100})?$/.test(tag)) return 'semver';
  const hash = /^(?:sha-|git-)?([0-9a-f]{7,40})$/.exec(tag)?.[1];
  return hash !== undefined && /[a-f]/.test(hash) ? 'git_sha' : 'unknown';
}
