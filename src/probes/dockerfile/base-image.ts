/** What the name of a base image tells: its registry, its digest, whether it is distroless, which package manager it brings. */

import { listInvocations } from '../shared/shell-commands.ts';

/** `ghcr.io/a/b:1` → ghcr.io, `node:24` → docker.io. A variable after the registry does not matter; one in it does. */
export function registryOf(reference: string): string | null {
  const name = reference.trim();
  if (name === '' || name === 'scratch') return null;
  const slash = name.indexOf('/');
  const first = slash < 0 ? '' : name.slice(0, slash);
  if (first.includes('$')) return null;
  if (first.includes('.') || first.includes(':') || first === 'localhost') return first;
  return slash < 0 && name.startsWith('$') ? null : 'docker.io';
}

export function digestOf(reference: string): string | null {
  return /@(sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/.exec(reference.slice(-200))?.[1] ?? null;
}

/** By name: images without shell and package manager. Chainguard's `-dev` variants have both. */
export function isDistroless(reference: string): boolean {
  if (reference === 'scratch' || reference.startsWith('gcr.io/distroless/')) return true;
  if (!reference.startsWith('cgr.dev/chainguard/')) return false;
  return !/-dev$/.test(withoutDigest(reference)) && !/\/wolfi-base(?::|$)/.test(withoutDigest(reference));
}

/** The programs by which a RUN shows that its image has a package manager. */
const managerPrograms = new Map([
  ['apt-get', 'apt'],
  ['apt', 'apt'],
  ['apk', 'apk'],
  ['dnf', 'dnf'],
  ['yum', 'yum'],
  ['microdnf', 'microdnf'],
  ['tdnf', 'tdnf'],
  ['zypper', 'zypper'],
  ['pacman', 'pacman'],
]);

export function packageManagerUsed(command: string): string | null {
  for (const [program = ''] of listInvocations(command)) {
    const manager = managerPrograms.get(program);
    if (manager !== undefined) return manager;
  }
  return null;
}

/** In order: the variant named by the tag is surer than the name of the image. */
const managersByName: readonly (readonly [RegExp, string])[] = [
  [/alpine/, 'apk'],
  [/(?:^|\/)wolfi-base|chainguard\/.*-dev/, 'apk'],
  [/bookworm|bullseye|buster|trixie|stretch|jammy|noble|focal|debian|ubuntu|-slim|:slim/, 'apt'],
  [/ubi\d*[-/]?minimal|ubi-minimal/, 'microdnf'],
  [/ubi\d*[-/]?micro/, ''],
  [/(?:^|\/)(?:fedora|rockylinux|almalinux|oraclelinux|ubi\d*)(?:[:@/-]|$)/, 'dnf'],
  [/amazonlinux:2(?:$|[^0-9])/, 'yum'],
  [/amazonlinux/, 'dnf'],
  [/(?:^|\/)centos(?:[:@/]|$)/, 'yum'],
  [/opensuse|suse\//, 'zypper'],
  [/archlinux/, 'pacman'],
  [/azurelinux|cbl-mariner|(?:^|\/)photon(?:[:@]|$)/, 'tdnf'],
  [/nanoserver|servercore|windows/, ''],
  // Official images whose plain tags are built on Debian or Ubuntu.
  [
    /^(?:docker\.io\/)?(?:library\/)?(?:node|python|golang|ruby|rust|php|perl|gcc|buildpack-deps|nginx|httpd|postgres|redis|mysql|mariadb|mongo|eclipse-temurin|openjdk|maven|gradle|tomcat|haproxy|elixir|erlang|haskell|julia|r-base|pypy|cassandra|rabbitmq|neo4j|traefik)(?:[:@]|$)/,
    'apt',
  ],
  [/^mcr\.microsoft\.com\/(?:dotnet\/|playwright)/, 'apt'],
];

export function packageManagerOf(reference: string | null): string | null {
  if (reference === null || isDistroless(reference)) return null;
  const name = withoutDigest(reference).slice(0, 300).toLowerCase();
  return managersByName.find(([pattern]) => pattern.test(name))?.[1] || null;
}

function withoutDigest(reference: string): string {
  const at = reference.indexOf('@');
  return at < 0 ? reference : reference.slice(0, at);
}
