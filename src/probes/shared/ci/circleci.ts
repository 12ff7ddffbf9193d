/** `.circleci/config.yml`: jobs, commands of the file itself, executors, and the matrices of its workflows. Orbs are not followed. */

import { isJsonObject, type Json, type JsonObject } from '../../../kernel/base/json.ts';
import { listAt, objectAt, textAt, textsOf } from '../json-access.ts';
import type { CiReading, CiStep, MatrixAxis } from './ci-reading.ts';

const maxNesting = 5;

export function readCircleci(document: Json): CiReading {
  const commands = objectAt(document, 'commands');
  const executors = objectAt(document, 'executors');
  const jobs = Object.entries(objectAt(document, 'jobs')).flatMap(([id, job]) =>
    isJsonObject(job)
      ? [{ id, runsOn: readExecutor(job, executors), steps: readSteps(listAt(job, 'steps'), commands, 0) }]
      : [],
  );
  return { jobs, matrix: readMatrix(objectAt(document, 'workflows')) };
}

function readSteps(steps: readonly Json[], commands: JsonObject, depth: number): CiStep[] {
  return steps.flatMap((step): CiStep[] => {
    const [name, value] =
      typeof step === 'string' ? [step, null] : (Object.entries(isJsonObject(step) ? step : {})[0] ?? ['', null]);
    if (name === 'run') {
      const command = textAt(value, 'command') ?? (typeof value === 'string' ? value : null);
      return [{ run: command, uses: null, directory: textAt(value, 'working_directory') ?? '' }];
    }
    if (name === 'when' || name === 'unless') return readSteps(listAt(value, 'steps'), commands, depth);
    if (Object.hasOwn(commands, name) && depth < maxNesting)
      return readSteps(listAt(commands[name], 'steps'), commands, depth + 1);
    return name === '' ? [] : [{ run: null, uses: null, directory: '' }];
  });
}

function readExecutor(job: JsonObject, executors: JsonObject): string[] {
  const named = textAt(job, 'executor') ?? textAt(job, 'executor', 'name');
  const where = named !== null && isJsonObject(executors[named]) ? (executors[named] as JsonObject) : job;
  const images = listAt(where, 'docker').flatMap((image) => textAt(image, 'image') ?? []);
  if (images.length > 0) return images.slice(0, 1);
  if (isJsonObject(where['machine'])) return textsOf(where['machine']['image']);
  if (where['machine'] === true) return ['machine'];
  if (isJsonObject(where['macos'])) return ['macos'];
  return named === null ? [] : [named];
}

function readMatrix(workflows: JsonObject): MatrixAxis[] {
  return Object.values(workflows).flatMap((workflow) =>
    listAt(workflow, 'jobs').flatMap((entry) =>
      Object.values(isJsonObject(entry) ? entry : {}).flatMap((job) =>
        Object.entries(objectAt(job, 'matrix', 'parameters')).map(([name, values]) => ({
          name,
          values: textsOf(values),
        })),
      ),
    ),
  );
}
