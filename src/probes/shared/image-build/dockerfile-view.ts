/** What image_build sees of the `dockerfile` probe: of each file, what its build stands on, copies, and calls healthy. */

import { isJsonObject, type Json, type JsonObject } from '../../../kernel/base/json.ts';
import { splitWords, unquoteWord } from '../dockerfile/words.ts';

export type StageView = {
  readonly index: number;
  readonly name: string | null;
  /** The image outside the file; null for none and for what the text does not tell. */
  readonly base: string | null;
  /** As an image holds it: `["CMD", …]`, `["CMD-SHELL", text]`, `["NONE"]`. */
  readonly healthcheck: readonly string[] | null;
};
export type DockerfileView = {
  readonly path: string;
  readonly stages: readonly StageView[];
  readonly finalStage: number | null;
  /** Sources of COPY and ADD that are taken from the build context. */
  readonly sources: readonly string[];
};

export function findDockerfile(projected: Json | undefined, path: string): DockerfileView | undefined {
  const files = Array.isArray(projected) ? (projected as readonly Json[]).filter(isJsonObject) : [];
  const file = files.find((candidate) => candidate['path'] === path);
  if (file === undefined) return undefined;
  return {
    path,
    finalStage: typeof file['final_stage'] === 'number' ? file['final_stage'] : null,
    stages: arrayAt(file, 'stages').map((stage, index) => ({
      index,
      name: textOf(stage['name']),
      base: stage['base_image_resolved'] === 'scratch' ? null : textOf(stage['base_image_resolved']),
      healthcheck: healthcheckOf(objectOf(stage['healthcheck'])),
    })),
    sources: (Array.isArray(file['sources']) ? (file['sources'] as readonly Json[]) : []).filter(
      (source) => typeof source === 'string',
    ),
  };
}

/** The stage that is built: by name, by number, or the last. */
export function findStage(view: DockerfileView | undefined, target: string | null): StageView | undefined {
  if (target === null) return view?.stages[view.finalStage ?? view.stages.length - 1];
  return view?.stages.find(
    ({ name, index }) => name?.toLowerCase() === target.toLowerCase() || String(index) === target,
  );
}

function healthcheckOf(check: JsonObject): readonly string[] | null {
  const command = textOf(check['command']);
  if (check['kind'] === 'none') return ['NONE'];
  if (check['kind'] !== 'cmd' || command === null) return null;
  return check['form'] === 'exec'
    ? ['CMD', ...splitWords(command, '\\').map((word) => unquoteWord(word))]
    : ['CMD-SHELL', command];
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function objectOf(value: Json | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {};
}

function arrayAt(of: JsonObject, key: string): readonly JsonObject[] {
  const found = of[key];
  return Array.isArray(found) ? (found as readonly Json[]).filter(isJsonObject) : [];
}
