/** The section `image_build`, what a build selects of the `dockerfile` probe, and whether there can be an image at all. */

import { namedOnly, type RepoSnapshot, type SkipReason, type Slice } from '../../gather/contract.ts';
import type { Json } from '../../kernel/base/json.ts';
import { listAt, member } from '../../kernel/base/json-access.ts';
import { z } from '../../kernel/base/schema.ts';

const text = namedOnly(z.string());

export const imageBuildSection = z.strictObject({
  engine: z.enum(['podman', 'docker']),
  engine_version: text,
  dockerfile: text,
  /** The stage that was asked for; null: the last. */
  target: text.nullable(),
  /** Null, as all of the image, where none was built. */
  image_ref: text.nullable(),
  /** `sha256:<64 hex>` of the image's configuration. */
  built_image_digest: text.nullable(),
  size_bytes: z.int().nullable(),
  /** Images outside the Dockerfile that it is built upon or copies from, as they were; null: not here, or the text does not tell which. */
  bases: z.array(z.strictObject({ ref: text, digest: text.nullable() })).optional(),
  config: z
    .strictObject({
      entrypoint: z.array(text),
      cmd: z.array(text),
      env_names: z.array(text),
      user: text.nullable(),
      workdir: text.nullable(),
      exposed_ports: z.array(text),
      /** `["CMD", …]`, `["CMD-SHELL", text]` or `["NONE"]`; from the Dockerfile where the image has no place for it. */
      healthcheck: z.array(text).nullable(),
      stop_signal: text.nullable(),
    })
    .nullable(),
  outcome: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('built') }),
    z.strictObject({
      kind: z.literal('failed'),
      stderr_tail: z.string().max(4096),
      /** The step that was begun last, as the engine prints it. */
      step: text.nullable(),
    }),
  ]),
});

/** Of the `dockerfile` probe: what stages stand on, what is copied, what is called healthy. */
export function selectDockerfiles(slice: Slice): Json {
  return listAt(slice['containerization'], 'dockerfiles').map((file) => ({
    path: member(file, 'path') ?? '',
    final_stage: member(file, 'final_stage') ?? null,
    stages: listAt(file, 'stages').map((stage) => ({
      index: member(stage, 'index') ?? 0,
      name: member(stage, 'name') ?? null,
      inherits_from: member(stage, 'inherits_from') ?? null,
      base_image: member(stage, 'base_image') ?? '',
      base_image_resolved: member(stage, 'base_image_resolved') ?? null,
      healthcheck: member(stage, 'healthcheck') ?? null,
    })),
    from: listAt(file, 'copy_directives').flatMap((copy) => member(copy, 'from') ?? []),
    sources: listAt(file, 'copy_directives').flatMap((copy) =>
      member(copy, 'from') === null ? listAt(copy, 'sources') : [],
    ),
  }));
}

/** The configured path as inputs are named; null for one that is not inside the repository. */
export function normaliseDockerfile(path: string): string | null {
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  return path.startsWith('/') || names.length === 0 || names.includes('..') ? null : names.join('/');
}

/** Whether there can be an image of this repository at all: where none was ever meant to be, its scanners have nothing to say. */
export function imageExpected({ config, scope }: RepoSnapshot): true | SkipReason {
  if (config['containers.build'] === 'never' || config['containers.engine'] === 'none') return 'not_configured';
  const dockerfile = normaliseDockerfile(config['image_build.dockerfile']);
  return (dockerfile !== null && scope.exists(dockerfile)) || 'not_applicable';
}
