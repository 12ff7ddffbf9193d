/**
 * The image of the repository, built with the engine that is there and without a network: what other probes trace and scan is this
 * image and no other. Equal content gives an equal digest, because builds carry no time and no name of the run; the digest is read
 * back from the engine and bound by the coordinator, so that what comes after keys on it alone.
 */

import { defineProbe, type ProbeContext, type Slice } from '../../gather/contract.ts';
import { isJsonObject } from '../../kernel/base/json.ts';
import { createToolClock } from '../shared/scanners.ts';
import { imageBuildSection, normaliseDockerfile, selectDockerfiles } from './image-build-section.ts';

const timeoutSeconds = 600;

export default defineProbe({
  name: 'image_build',
  version: '0.4.0',
  layer: 'C',
  says: 'The image built from the Dockerfile: its digest, size and configuration, or why it could not be built.',
  heaviness: 'heavy',
  sections: { image_build: imageBuildSection },
  sectionVersions: { image_build: '1.1.0' },
  requires: [{ probe: 'dockerfile', select: selectDockerfiles }],
  declaredInputs: ['config:image_build.dockerfile', '.dockerignore'],
  async deriveInputs(repo, ctx) {
    const { deriveContextInputs } = await import('./build-context.ts');
    return deriveContextInputs(repo, await sourcesOf(ctx));
  },
  configKeys: [
    'containers.engine',
    'containers.build',
    'containers.build_network',
    'containers.pull',
    'containers.memory_mb',
    'image_build.dockerfile',
    'image_build.target',
    'image_build.args',
  ],
  tools: ['docker', 'podman'],
  deterministic: false,
  timeoutSeconds,
  artifacts: ['image-build.log'],
  warningIds: ['image_build.network_disabled'],
  errorIds: ['image_build.failed', 'image_build.timeout'],
  confidenceRule: 'high when the image was built; else low',
  imageDigest: digestOf,
  applies: (repo) => {
    if (repo.config['containers.build'] === 'never') return 'not_configured';
    const dockerfile = normaliseDockerfile(repo.config['image_build.dockerfile']);
    return (dockerfile !== null && repo.scope.exists(dockerfile)) || 'not_applicable';
  },
  async movedOutside(slice, ctx) {
    const { findMovedBases } = await import('./built-image.ts');
    return findMovedBases(slice, ctx);
  },
  async revalidate(slice, ctx) {
    const { findAgain } = await import('./built-image.ts');
    return findAgain(digestOf(slice), ctx, await sourcesOf(ctx));
  },
  async run(repo, ctx) {
    const leftS = createToolClock(repo, 'image_build', timeoutSeconds);
    const { gatherImageBuild } = await import('./gather-image-build.ts');
    return gatherImageBuild(repo, ctx, leftS);
  },
  examples: [
    {
      shows: 'an image of files alone: its configuration is read back from the engine',
      needs: ['podman'],
      files: {
        Dockerfile: [
          'FROM scratch',
          'COPY hello.txt /srv/',
          'ENV GREETING=hello',
          'EXPOSE 8080',
          'USER 1000',
          'WORKDIR /srv',
          'HEALTHCHECK CMD ["/probe", "--quiet"]',
          'STOPSIGNAL SIGINT',
          'ENTRYPOINT ["/serve"]',
          'CMD ["--port", "8080"]',
          '',
        ].join('\n'),
        'hello.txt': 'hello\n',
      },
      gives: {
        image_build: {
          engine: 'podman',
          dockerfile: 'Dockerfile',
          target: null,
          config: {
            entrypoint: ['/serve'],
            cmd: ['--port', '8080'],
            env_names: ['GREETING', 'PATH'],
            user: '1000',
            workdir: '/srv',
            exposed_ports: ['8080/tcp'],
            healthcheck: ['CMD', '/probe', '--quiet'],
            stop_signal: 'SIGINT',
          },
          outcome: { kind: 'built' },
        },
      },
      warnings: [],
      confidence: 'high',
    },
    {
      shows: 'a base image that is not on this machine: nothing is pulled, so nothing is built',
      needs: ['podman'],
      files: { Dockerfile: 'FROM registry.example.com/acme/base:1\nCMD ["/serve"]\n' },
      gives: {},
      skipped: 'upstream_unavailable',
    },
    { shows: 'no Dockerfile', files: { 'a.txt': 'a' }, gives: {}, skipped: 'not_applicable' },
  ],
});

function digestOf(slice: Slice): string | null {
  const image = slice['image_build'];
  const digest = isJsonObject(image ?? null) ? (image as { built_image_digest?: unknown }).built_image_digest : null;
  return typeof digest === 'string' ? digest : null;
}

/** What COPY and ADD take from the repository. */
async function sourcesOf(
  ctx: Pick<ProbeContext, 'upstream'> & { readonly config: { readonly 'image_build.dockerfile': string } },
): Promise<readonly string[]> {
  const { findDockerfile } = await import('./build-context.ts');
  const dockerfile = normaliseDockerfile(ctx.config['image_build.dockerfile']) ?? '';
  return findDockerfile(ctx.upstream['dockerfile']?.value, dockerfile)?.sources ?? [];
}
