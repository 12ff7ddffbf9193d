/** `azure-pipelines.yml`: stages, jobs and steps at whichever level the file begins. Templates of other files are not followed. */

import { isJsonObject, type Json, type JsonObject } from '../../../kernel/base/json.ts';
import { listAt, objectAt, textAt, textsOf } from '../json-access.ts';
import type { CiJob, CiReading, CiStep, MatrixAxis } from './ci-reading.ts';

const shells = ['script', 'bash', 'pwsh', 'powershell'];

export function readAzurePipelines(document: Json): CiReading {
  const jobs: CiJob[] = [];
  const matrix: MatrixAxis[] = [];
  const rootPool = isJsonObject(document) ? document['pool'] : undefined;
  const readJobs = (holder: JsonObject, pool: Json | undefined) => {
    for (const job of entries(listAt(holder, 'jobs'))) addJob(job, job['pool'] ?? pool);
  };
  const addJob = (job: JsonObject, pool: Json | undefined) => {
    const id = textAt(job, 'job') ?? textAt(job, 'deployment') ?? `job_${jobs.length + 1}`;
    const lists = [job, ...deploymentHooks(job)].map((holder) => entries(listAt(holder, 'steps')));
    jobs.push({ id, runsOn: readPool(pool), steps: lists.flat().map(readStep) });
    for (const combination of Object.values(objectAt(job, 'strategy', 'matrix'))) {
      if (!isJsonObject(combination)) continue;
      for (const [name, value] of Object.entries(combination)) matrix.push({ name, values: textsOf(value) });
    }
  };
  if (!isJsonObject(document)) return { jobs, matrix };
  for (const stage of entries(listAt(document, 'stages'))) readJobs(stage, stage['pool'] ?? rootPool);
  readJobs(document, rootPool);
  if (listAt(document, 'steps').length > 0) addJob(document, rootPool);
  return { jobs, matrix };
}

function readStep(step: JsonObject): CiStep {
  const run = shells.map((shell) => textAt(step, shell)).find((text) => text !== null) ?? null;
  const task = textAt(step, 'task');
  const command = textAt(step, 'inputs', 'command');
  return { run, uses: task === null ? null : [task, command].filter((part) => part !== null).join(' '), directory: '' };
}

/** `strategy.runOnce.deploy.steps` and its like: one hook per phase. */
function deploymentHooks(job: JsonObject): JsonObject[] {
  return Object.values(objectAt(job, 'strategy')).flatMap((strategy) =>
    isJsonObject(strategy) ? Object.values(strategy).filter(isJsonObject) : [],
  );
}

/** `${{ if … }}:` stands in a list as a map whose value is the list that is inserted. */
function entries(list: readonly Json[], depth = 0): JsonObject[] {
  return list.filter(isJsonObject).flatMap((entry) => {
    const [first] = Object.entries(entry);
    const inserted =
      first?.[0].startsWith('${{') && Array.isArray(first[1]) ? (first[1] as readonly Json[]) : undefined;
    return inserted !== undefined && depth < 8 ? entries(inserted, depth + 1) : [entry];
  });
}

function readPool(pool: Json | undefined): string[] {
  return isJsonObject(pool) ? [...textsOf(pool['vmImage']), ...textsOf(pool['name'])] : textsOf(pool);
}
