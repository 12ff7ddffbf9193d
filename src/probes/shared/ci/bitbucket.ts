/** `bitbucket-pipelines.yml`: every step of every pipeline is a job. */

import { isJsonObject, type Json } from '../../../kernel/base/json.ts';
import { listAt, objectAt, textAt, textsOf } from '../json-access.ts';
import type { CiJob, CiReading, CiStep } from './ci-reading.ts';

export function readBitbucket(document: Json): CiReading {
  const globalImage = imageName(isJsonObject(document) ? document['image'] : undefined);
  const jobs: CiJob[] = [];
  const addSteps = (pipeline: string, items: readonly Json[], depth: number): void => {
    for (const item of items) {
      const step = objectAt(item, 'step');
      const nested = [
        ...listAt(item, 'parallel'),
        ...listAt(item, 'parallel', 'steps'),
        ...listAt(item, 'stage', 'steps'),
      ];
      if (nested.length > 0 && depth < 4) addSteps(pipeline, nested, depth + 1);
      if (Object.keys(step).length === 0) continue;
      const labels = textsOf(step['runs-on']);
      const image = imageName(step['image']);
      jobs.push({
        id: textAt(step, 'name') ?? `${pipeline}/${jobs.length + 1}`,
        runsOn: labels.length > 0 ? labels : image.length > 0 ? image : globalImage,
        steps: listAt(step, 'script').map(readCommand),
      });
    }
  };
  for (const [kind, value] of Object.entries(objectAt(document, 'pipelines'))) {
    if (Array.isArray(value)) addSteps(kind, value as readonly Json[], 0);
    else if (isJsonObject(value)) {
      for (const [name, items] of Object.entries(value)) {
        if (Array.isArray(items)) addSteps(`${kind}/${name}`, items as readonly Json[], 0);
      }
    }
  }
  return { jobs, matrix: [] };
}

function readCommand(command: Json): CiStep {
  return { run: typeof command === 'string' ? command : null, uses: textAt(command, 'pipe'), directory: '' };
}

function imageName(image: Json | undefined): string[] {
  const name = textAt(image, 'name');
  return name === null ? textsOf(image) : [name];
}
