/** Which part of OSV speaks of a package, under which name, and in which order its versions stand. */

import semver from 'semver';
import type { ImageOs, ImagePackage } from '../sbom/package-types.ts';
import { compareAlpineVersions } from './alpine-version.ts';
import { compareDebianVersions } from './debian-version.ts';

export type VersionOrder = {
  /** Null: this text is no version that can be placed. */
  compare(a: string, b: string): number | null;
};

/** What an advisory about this package would name. */
export type OsvIdentity = { readonly ecosystem: string; readonly name: string; readonly version: string };

/** Null where OSV has nothing of that kind. Distributions keep their advisories by source package. */
export function osvIdentity(each: ImagePackage, os: ImageOs | null): OsvIdentity | null {
  const { name, version } = each;
  switch (each.type) {
    case 'npm':
      return { ecosystem: 'npm', name, version };
    case 'python':
      return { ecosystem: 'PyPI', name: normalisePython(name), version };
    case 'rust':
      return { ecosystem: 'crates.io', name, version };
    case 'go':
      return { ecosystem: 'Go', name, version: version.replace(/^v/, '') };
    case 'ruby':
      return { ecosystem: 'RubyGems', name, version };
    case 'deb':
    case 'apk': {
      const ecosystem = os === null ? null : distribution(os, each.type);
      return ecosystem === null ? null : { ecosystem, ...(each.source ?? { name, version }) };
    }
    default:
      return null;
  }
}

/** As OSV spells the release: `Debian:12`, `Alpine:v3.18`, `Ubuntu:22.04`. Null for a package that the distribution does not make. */
function distribution({ id, version }: ImageOs, type: 'deb' | 'apk'): string | null {
  const [major, minor] = version.split('.');
  if (type === 'apk') return id !== 'alpine' ? null : major && minor ? `Alpine:v${major}.${minor}` : 'Alpine';
  if (id === 'debian') return major ? `Debian:${major}` : 'Debian';
  return id === 'ubuntu' ? `Ubuntu:${version}` : null;
}

/** Does an advisory for `stated` speak of packages of `ours`? One without a release speaks of all; Ubuntu's add `:LTS`. */
export function sameEcosystem(stated: string, ours: string): boolean {
  if (stated === ours || stated === ours.split(':')[0]) return true;
  const parts = stated.split(':').filter((part) => part !== 'LTS');
  return parts.join(':') === ours;
}

export function normaliseName(ecosystem: string, name: string): string {
  return ecosystem.startsWith('PyPI') ? normalisePython(name) : name;
}

const normalisePython = (name: string) => name.toLowerCase().replace(/[-_.]+/g, '-');

/** Null: ranges of that type cannot be judged there, and only the versions that an advisory lists can. */
export function orderFor(ecosystem: string, rangeType: string): VersionOrder | null {
  if (rangeType === 'SEMVER') return semverOrder;
  if (rangeType !== 'ECOSYSTEM') return null;
  const family = ecosystem.split(':')[0];
  if (family === 'Debian' || family === 'Ubuntu') return { compare: compareDebianVersions };
  if (family === 'Alpine') return { compare: compareAlpineVersions };
  return family === 'npm' || family === 'crates.io' || family === 'Go' ? semverOrder : null;
}

const semverOrder: VersionOrder = {
  compare(a, b) {
    const [first, second] = [semver.parse(padded(a), { loose: true }), semver.parse(padded(b), { loose: true })];
    return first === null || second === null ? null : semver.compare(first, second);
  },
};

/** Advisories write `0` and `1.2` where they mean `0.0.0` and `1.2.0`. */
function padded(version: string): string {
  const [, numbers = '', rest = ''] = /^v?(\d+(?:\.\d+){0,2})(?![.\d])(.*)$/s.exec(version) ?? [];
  if (numbers === '') return version;
  const missing = 3 - numbers.split('.').length;
  return `${numbers}${'.0'.repeat(missing)}${rest}`;
}
