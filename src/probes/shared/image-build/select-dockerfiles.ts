/** The projection of the `dockerfile` probe that a build selects: what its stages stand on, what is copied, what is called healthy. */

import type { Slice } from '../../../gather/contract.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../kernel/base/json.ts';

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
