/** `.buildkite/pipeline.yml`: every command step is a job; groups are opened, waits and triggers are not jobs. */

import { isJsonObject, type Json } from '../../../kernel/base/json.ts';
import { listAt, textAt, textsOf } from '../json-access.ts';
import { type CiJob, type CiReading, type MatrixAxis, runStep } from './ci-reading.ts';

export function readBuildkite(document: Json): CiReading {
  const jobs: CiJob[] = [];
  const matrix: MatrixAxis[] = [];
  const addSteps = (steps: readonly Json[], depth: number): void => {
    for (const step of steps) {
      if (!isJsonObject(step)) continue;
      if (depth < 4) addSteps(listAt(step, 'steps'), depth + 1);
      const commands = [...textsOf(step['command']), ...textsOf(step['commands'])];
      if (commands.length === 0) continue;
      const id = textAt(step, 'key') ?? textAt(step, 'label') ?? `step_${jobs.length + 1}`;
      jobs.push({ id, runsOn: readAgents(step['agents']), steps: commands.map((run) => runStep(run)) });
      matrix.push(...readMatrix(step['matrix']));
    }
  };
  addSteps(Array.isArray(document) ? (document as readonly Json[]) : listAt(document, 'steps'), 0);
  return { jobs, matrix };
}

/** `queue: x` as a map or as `queue=x` in a list. */
function readAgents(agents: Json | undefined): string[] {
  if (!isJsonObject(agents)) return textsOf(agents);
  return Object.entries(agents).map(([name, value]) => `${name}=${textsOf(value).join(',')}`);
}

function readMatrix(matrix: Json | undefined): MatrixAxis[] {
  if (Array.isArray(matrix)) return [{ name: 'matrix', values: textsOf(matrix) }];
  if (!isJsonObject(matrix)) return [];
  const setup = matrix['setup'];
  if (!isJsonObject(setup)) return [{ name: 'matrix', values: textsOf(setup) }];
  return Object.entries(setup).map(([name, values]) => ({ name, values: textsOf(values) }));
}
