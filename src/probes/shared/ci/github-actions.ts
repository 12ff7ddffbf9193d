/** GitHub workflows and the composite actions they call. */

import { isJsonObject, type Json, type JsonObject } from '../../../kernel/base/json.ts';
import { listAt, member, objectAt, shortLine, textAt, textsOf } from '../json-access.ts';
import type { CiJob, CiReading, CiStep, MatrixAxis } from './ci-reading.ts';

export function readGithubWorkflow(document: Json): CiReading {
  const jobs: CiJob[] = [];
  const matrix: MatrixAxis[] = [];
  const workflowDirectory = textAt(document, 'defaults', 'run', 'working-directory') ?? '';
  for (const [id, job] of Object.entries(objectAt(document, 'jobs'))) {
    if (!isJsonObject(job)) continue;
    const directory = textAt(job, 'defaults', 'run', 'working-directory') ?? workflowDirectory;
    const reusable = textAt(job, 'uses');
    const steps = reusable === null ? readGithubSteps(job, directory) : [{ run: null, uses: reusable, directory: '' }];
    jobs.push({ id, runsOn: readRunsOn(job['runs-on']), steps });
    matrix.push(...readMatrix(objectAt(job, 'strategy', 'matrix')));
  }
  return { jobs, matrix };
}

/** Steps of a job, or of a composite action (`runs.steps`). */
export function readGithubSteps(holder: JsonObject, directory: string): CiStep[] {
  return listAt(holder, 'steps')
    .filter(isJsonObject)
    .map((step) => ({
      run: textAt(step, 'run'),
      uses: textAt(step, 'uses'),
      directory: cleanDirectory(textAt(step, 'working-directory') ?? directory),
    }));
}

/** `runs-on`: a label, a list of them, or a group with labels. */
function readRunsOn(value: Json | undefined): string[] {
  if (isJsonObject(value)) return [...textsOf(value['group']), ...textsOf(value['labels'])];
  return textsOf(value);
}

function readMatrix(matrix: JsonObject): MatrixAxis[] {
  const axes = Object.entries(matrix).flatMap(([name, values]): MatrixAxis[] =>
    name === 'include' || name === 'exclude' ? [] : [{ name, values: axisValues(values) }],
  );
  // `include` adds combinations: its values belong to the axes they name.
  for (const combination of listAt(matrix, 'include')) {
    if (!isJsonObject(combination)) continue;
    for (const [name, value] of Object.entries(combination)) axes.push({ name, values: axisValues(value) });
  }
  return axes;
}

function axisValues(values: Json): string[] {
  const items = Array.isArray(values) ? (values as readonly Json[]) : [values];
  return items.map((item) => (isJsonObject(item) ? describeCombination(item) : textsOf(item).join(' ').slice(0, 200)));
}

/** An axis whose values are maps: their plain members, as far as they fit. */
function describeCombination(value: JsonObject): string {
  const members = Object.entries(value).slice(0, 10);
  return members
    .map(([name, inner]) => `${shortLine(name, 40)}: ${shortLine(textsOf(inner)[0] ?? '…', 40)}`)
    .join(', ');
}

export function isCompositeAction(document: Json): boolean {
  return member(document, 'runs', 'using') === 'composite';
}

function cleanDirectory(given: string): string {
  const directory = given.slice(0, 1_000);
  return directory.includes('${{') ? '' : directory.replace(/^\.\//, '').replace(/\/+$/, '').replace(/^\.$/, '');
}
