/** `.gitlab-ci.yml`. Includes point to other files or projects and are not followed; `extends` within the file is. */

import { isJsonObject, type Json, type JsonObject } from '../../../kernel/base/json.ts';
import { listAt, textAt, textsOf } from '../json-access.ts';
import { type CiJob, type CiReading, type MatrixAxis, runStep } from './ci-reading.ts';

const keywords = new Set(
  'default include stages variables workflow image services cache before_script after_script spec types'.split(' '),
);
const maxExtends = 10;

export function readGitlabCi(document: Json): CiReading {
  if (!isJsonObject(document)) return { jobs: [], matrix: [] };
  const jobs: CiJob[] = [];
  const matrix: MatrixAxis[] = [];
  for (const [id, job] of Object.entries(document)) {
    if (!isJsonObject(job) || keywords.has(id) || id.startsWith('.')) continue;
    const inherited = (key: string) => findInherited(document, job, key);
    const script = inherited('script');
    if (script === undefined && inherited('trigger') === undefined) continue;
    const commands = [...textsOf(inherited('before_script')), ...textsOf(script)];
    const tags = textsOf(inherited('tags'));
    jobs.push({
      id,
      runsOn: tags.length > 0 ? tags : imageNames(inherited('image')),
      steps: commands.map((run) => runStep(run)),
    });
    for (const combination of listAt(job, 'parallel', 'matrix')) {
      if (!isJsonObject(combination)) continue;
      for (const [name, values] of Object.entries(combination)) matrix.push({ name, values: textsOf(values) });
    }
  }
  return { jobs, matrix };
}

/** The job's own value, that of what it extends (the last named wins), then `default` and the top level. */
function findInherited(document: JsonObject, job: JsonObject, key: string): Json | undefined {
  let current: JsonObject | undefined = job;
  for (let step = 0; step < maxExtends && current !== undefined; step += 1) {
    if (Object.hasOwn(current, key)) return current[key];
    const parent: string | undefined = textsOf(current['extends']).at(-1);
    const next: Json | undefined =
      parent !== undefined && Object.hasOwn(document, parent) ? document[parent] : undefined;
    current = isJsonObject(next) ? next : undefined;
  }
  if (key === 'script' || key === 'trigger') return undefined;
  const defaults = document['default'];
  if (isJsonObject(defaults) && Object.hasOwn(defaults, key)) return defaults[key];
  return Object.hasOwn(document, key) ? document[key] : undefined;
}

function imageNames(image: Json | undefined): string[] {
  const name = textAt(image, 'name');
  return name === null ? textsOf(image) : [name];
}
