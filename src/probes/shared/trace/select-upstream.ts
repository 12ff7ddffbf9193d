/** What a trace sees of the probes it rests on: the image that was built, and the stage that runs. */

import type { Slice } from '../../../gather/contract.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../kernel/base/json.ts';

export function selectBuild(slice: Slice): Json {
  const build = objectOf(slice['image_build']);
  return {
    built_image_digest: build['built_image_digest'] ?? null,
    image_ref: build['image_ref'] ?? null,
    config: build['config'] ?? null,
    outcome: objectOf(build['outcome'])['kind'] ?? null,
  };
}

/** The final stage of every Dockerfile, by path. */
export function selectFinalStages(slice: Slice): Json {
  return listOf(objectOf(slice['containerization'])['dockerfiles']).map((file) => ({
    path: file['path'] ?? '',
    final_stage: listOf(file['stages']).find((stage) => stage['index'] === file['final_stage']) ?? null,
  }));
}

export type BuiltImage = {
  readonly kind: string;
  readonly digest: string | null;
  readonly ref: string | null;
  /** As the build knows it: an image has no place for it in every format. */
  readonly healthcheck: readonly string[] | null;
};

/** The projection of `selectBuild` as a value; null where there is none. */
export function readBuild(projected: Json | undefined): BuiltImage | null {
  if (projected === undefined || !isJsonObject(projected)) return null;
  const text = (key: string): string | null => (typeof projected[key] === 'string' ? projected[key] : null);
  const healthcheck = objectOf(projected['config'])['healthcheck'];
  return {
    kind: text('outcome') ?? 'failed',
    digest: text('built_image_digest'),
    ref: text('image_ref'),
    healthcheck: Array.isArray(healthcheck) ? healthcheck.filter((word) => typeof word === 'string') : null,
  };
}

function objectOf(value: Json | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {};
}

function listOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter(isJsonObject) : [];
}
