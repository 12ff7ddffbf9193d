/**
 * What is in the built image: packages of the distribution, of npm, Python and Go, and which of them the running program has been seen to
 * use. Made by syft where it is installed, else by reading the layers ourselves; the whole list is `sbom.json`, CycloneDX 1.6.
 */

import { defineProbe, type Slice } from '../../gather/contract.ts';
import { sbomFreshness } from '../../gather/freshness/index-checks.ts';
import type { Json } from '../../kernel/base/json.ts';
import { member } from '../../kernel/base/json-access.ts';
import { imageExpected } from '../image-build/image-build-section.ts';
import { sbomSection } from './sbom-section.ts';

const timeoutSeconds = 180;

export default defineProbe({
  name: 'sbom',
  version: '0.1.0',
  layer: 'C',
  says: 'The packages in the built image, by kind, and which of them the running program needs.',
  heaviness: 'medium',
  sections: { sbom: sbomSection },
  requires: [
    {
      probe: 'image_build',
      select: (slice) => pick(slice, 'image_build', ['built_image_digest', 'image_ref', 'engine']),
    },
    {
      probe: 'runtime_trace',
      select: (slice) => pick(slice, 'runtime_trace', ['shared_libs_loaded', 'binaries_executed']),
      optional: true,
    },
    {
      probe: 'node_manifest',
      select: (slice) => member(slice['manifests'], 'primary', 'native_modules', 'packages') ?? [],
      optional: true,
    },
  ],
  declaredInputs: ['image-digest:<resolved>'],
  catalogs: ['native-modules', 'os-package-roles'],
  configKeys: ['containers.engine', 'sbom.generator'],
  tools: ['docker', 'podman', 'syft'],
  timeoutSeconds,
  budget: { rssMb: 500, rawArtifactMb: 128, truncateMb: 128 },
  artifacts: ['sbom.json', 'syft-sbom.json'],
  warningIds: [
    'sbom.tool_missing',
    'sbom.rpm_unsupported',
    'sbom.image_save_failed',
    'sbom.syft_failed',
    'sbom.file_unread',
  ],
  confidenceRule: 'high when syft made it, medium when the layers were read by ourselves, low when neither could',
  index: {
    name: 'sbom',
    check: sbomFreshness,
    async imageDigest(repo, ctx) {
      const { currentImageDigest } = await import('../image-build/built-image.ts');
      return currentImageDigest(repo, ctx);
    },
    detail: (slice) => ({ package_count: slice['package_count'] ?? 0, generator: slice['generator'] ?? null }),
  },
  applies: imageExpected,
  /** A bill that could not be made is tried again: the image may have come back, and disks empty. */
  revalidate: async (output) => member(output['sbom'], 'outcome', 'kind') === 'ran',
  async run(repo, ctx) {
    const { gatherSbom } = await import('./gather-sbom.ts');
    return gatherSbom(repo, ctx, repo.config['probes.timeouts']['sbom'] ?? timeoutSeconds);
  },
  examples: [
    {
      shows: 'an image with a Debian package database, two npm packages and a Python one (needs an engine to build it)',
      needs: ['podman'],
      files: {
        '.codegenie/config.yaml': 'sbom.generator: builtin\n',
        Dockerfile: 'FROM scratch\nCOPY rootfs /\nCMD ["/none"]\n',
        'rootfs/etc/os-release': 'ID=debian\nVERSION_ID="12"\n',
        'rootfs/var/lib/dpkg/status': [
          'Package: libc6\nStatus: install ok installed\nArchitecture: amd64\nSource: glibc\nVersion: 2.36-9+deb12u4\n',
          'Package: gcc-12\nStatus: install ok installed\nArchitecture: amd64\nVersion: 12.2.0-14\n',
          'Package: curl\nStatus: install ok installed\nArchitecture: amd64\nVersion: 7.88.1-10+deb12u5\n',
        ].join('\n'),
        'rootfs/app/node_modules/bcrypt/package.json': '{"name":"bcrypt","version":"5.1.0"}',
        'rootfs/app/node_modules/@acme/core/package.json': '{"name":"@acme/core","version":"1.0.0"}',
        'rootfs/usr/lib/python3/dist-packages/six-1.16.0.dist-info/METADATA': 'Name: six\nVersion: 1.16.0\n',
      },
      gives: {
        sbom: {
          artifact_uri: '.codegenie/context/raw/sbom.json',
          generator: 'builtin',
          package_count: 6,
          packages_by_source: { deb: 3, npm: 2, python: 1 },
          os: { id: 'debian', version: '12' },
          os_packages_classification: { runtime_required: 0, build_only: 1, convenience: 1, unknown: 1 },
          npm_packages_native_module_count: 1,
          outcome: { kind: 'ran' },
        },
      },
      warnings: [],
      confidence: 'medium',
    },
    {
      shows: 'what a later layer replaces counts once, and an rpm database is not read (needs an engine to build it)',
      needs: ['podman'],
      files: {
        '.codegenie/config.yaml': 'sbom.generator: builtin\n',
        Dockerfile: 'FROM scratch\nCOPY first /\nCOPY second /\nCMD ["/none"]\n',
        'first/app/node_modules/a/package.json': '{"name":"a","version":"1.0.0"}',
        'first/app/node_modules/b/package.json': '{"name":"b","version":"1.0.0"}',
        'second/app/node_modules/a/package.json': '{"name":"a","version":"2.0.0"}',
        'second/var/lib/rpm/Packages': 'x',
      },
      gives: { sbom: { package_count: 2, packages_by_source: { npm: 2 }, os: null } },
      warnings: ['sbom.rpm_unsupported'],
      confidence: 'medium',
    },
    {
      shows: 'without a Dockerfile there is no image',
      files: { 'a.txt': 'x' },
      gives: {},
      skipped: 'not_applicable',
    },
  ],
});

/** All that this probe sees of another: what follows from the image alone. */
function pick(slice: Slice, section: string, keys: readonly string[]): Json {
  return Object.fromEntries(keys.map((key) => [key, member(slice[section], key) ?? null]));
}
