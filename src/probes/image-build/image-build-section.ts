/** The section `image_build`, what a build selects of the `dockerfile` probe, and whether there can be an image at all. */

import { namedOnly, type RepoSnapshot, type SkipReason, type Slice } from '../../gather/contract.ts';
import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { z } from '../../kernel/base/schema.ts';

export function selectDockerfiles(slice: Slice): Json {
  return arrayAt(objectOf(slice['containerization']), 'dockerfiles').map((file) => ({
    path: file['path'] ?? '',
    final_stage: file['final_stage'] ?? null,
    stages: arrayAt(file, 'stages').map((stage) => ({
      index: stage['index'] ?? 0,
      name: stage['name'] ?? null,
      inherits_from: stage['inherits_from'] ?? null,
      base_image_resolved: stage['base_image_resolved'] ?? null,
      healthcheck: stage['healthcheck'] ?? null,
    })),
    sources: arrayAt(file, 'copy_directives').flatMap((copy) =>
      copy['from'] === null && Array.isArray(copy['sources']) ? (copy['sources'] as Json[]) : [],
    ),
  }));
}

/** The configured path as inputs are named; null for one that is not inside the repository. */
export function normaliseDockerfile(path: string): string | null {
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  return path.startsWith('/') || names.length === 0 || names.includes('..') ? null : names.join('/');
}

function objectOf(value: Json | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {};
}

function arrayAt(of: JsonObject, key: string): readonly JsonObject[] {
  const found = of[key];
  return Array.isArray(found) ? (found as readonly Json[]).filter(isJsonObject) : [];
}

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

// Whether there can be an image of this repository at all: where none was ever meant to be, its scanners have nothing to say.

export function imageExpected({ config, scope }: RepoSnapshot): true | SkipReason {
  if (config['containers.build'] === 'never' || config['containers.engine'] === 'none') return 'not_configured';
  const dockerfile = normaliseDockerfile(config['image_build.dockerfile']);
  return (dockerfile !== null && scope.exists(dockerfile)) || 'not_applicable';
}
