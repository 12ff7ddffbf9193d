/** CI files of many providers, read into one shape: jobs, their steps, matrices, names of secrets. Readers are total: what has an unexpected shape is left out. */

import { compareCodeUnits, isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { listAt, member, objectAt, textAt, textsOf } from '../../kernel/base/json-access.ts';
import { shortLine } from '../../kernel/base/text.ts';

export type CiStep = {
  /** Shell text as written, possibly many lines. */
  readonly run: string | null;
  /** Reference to a published or local action. */
  readonly uses: string | null;
  /** Root-relative, `''` for the root. */
  readonly directory: string;
  /** Variables that the file gives a value. */
  readonly env?: Readonly<Record<string, string>>;
  /** What an action is given. */
  readonly with?: JsonObject;
};

export type CiJob = {
  readonly id: string;
  readonly runsOn: readonly string[];
  readonly steps: readonly CiStep[];
  /** As written; null where there is none. */
  readonly matrix?: WrittenMatrix | null;
};
/** `axes` is null where an expression computes them. */
export type WrittenMatrix = {
  readonly axes: Readonly<Record<string, readonly Json[]>> | null;
  readonly include: readonly JsonObject[];
  readonly exclude: readonly JsonObject[];
};
export type MatrixAxis = { readonly name: string; readonly values: readonly string[] };
export type CiReading = {
  readonly jobs: readonly CiJob[];
  readonly matrix: readonly MatrixAxis[];
  readonly triggers?: readonly string[];
};

/** Parsed document → reading. Total: parts of an unexpected shape are left out. */
export type CiReader = (document: Json) => CiReading;

function runStep(run: string, directory = ''): CiStep {
  return { run, uses: null, directory };
}

// GitHub workflows and the composite actions they call.

export function readGithubWorkflow(document: Json): CiReading {
  const jobs: CiJob[] = [];
  const matrix: MatrixAxis[] = [];
  const workflowDirectory = textAt(document, 'defaults', 'run', 'working-directory') ?? '';
  const workflowEnv = envOf(document);
  for (const [id, job] of Object.entries(objectAt(document, 'jobs'))) {
    if (!isJsonObject(job)) continue;
    const directory = textAt(job, 'defaults', 'run', 'working-directory') ?? workflowDirectory;
    const reusable = textAt(job, 'uses');
    const env = { ...workflowEnv, ...envOf(job) };
    const steps =
      reusable === null ? readGithubSteps(job, directory, env) : [{ run: null, uses: reusable, directory: '' }];
    const written = readWrittenMatrix(member(job, 'strategy', 'matrix'));
    jobs.push({ id, runsOn: readRunsOn(job['runs-on']), steps, matrix: written });
    matrix.push(...readGithubMatrix(objectAt(job, 'strategy', 'matrix')));
  }
  return { jobs, matrix, triggers: readTriggers(member(document, 'on')) };
}

/** `on`: an event, a list of them, or a map. A push of tags alone is no push of a change. */
function readTriggers(on: Json | undefined): string[] {
  if (!isJsonObject(on)) return textsOf(on);
  return Object.entries(on).map(([event, how]) =>
    event === 'push' && isJsonObject(how) && Object.hasOwn(how, 'tags') && !Object.hasOwn(how, 'branches')
      ? 'tag'
      : event,
  );
}

function envOf(holder: Json): Record<string, string> {
  return Object.fromEntries(
    Object.entries(objectAt(holder, 'env')).map(([name, value]) => [name, textsOf(value)[0] ?? '']),
  );
}

function readWrittenMatrix(matrix: Json | undefined): WrittenMatrix | null {
  if (matrix === undefined || matrix === null) return null;
  const include = listAt(matrix, 'include').filter(isJsonObject);
  const exclude = listAt(matrix, 'exclude').filter(isJsonObject);
  if (!isJsonObject(matrix)) return { axes: null, include, exclude };
  const axes: Record<string, readonly Json[]> = {};
  for (const [name, values] of Object.entries(matrix)) {
    if (name === 'include' || name === 'exclude') {
      if (!Array.isArray(values)) return { axes: null, include, exclude };
    } else if (Array.isArray(values)) axes[name] = values as readonly Json[];
    else return { axes: null, include, exclude };
  }
  return { axes, include, exclude };
}

const maxCombinations = 10_000;

/**
 * The jobs that come out, each with its values: an entry of `include` that changes no axis of a combination joins it, any other is a job of
 * its own. Null where an expression computes them, or they are too many to tell.
 */
export function listCombinations({ axes, include, exclude }: WrittenMatrix): readonly JsonObject[] | null {
  if (axes === null) return null;
  const names = Object.keys(axes);
  let combinations: JsonObject[] = names.length === 0 ? [] : [{}];
  for (const name of names) {
    combinations = combinations.flatMap((one) => (axes[name] ?? []).map((value) => ({ ...one, [name]: value })));
    if (combinations.length > maxCombinations) return null;
  }
  const same = (a: Json | undefined, b: Json | undefined) => JSON.stringify(a) === JSON.stringify(b);
  const left = combinations.filter(
    (one) => !exclude.some((entry) => Object.entries(entry).every(([name, value]) => same(one[name], value))),
  );
  const joined = left.map((one) => ({ ...one }) as Record<string, Json>);
  const added = include.filter((entry) => {
    const named = names.filter((name) => Object.hasOwn(entry, name));
    const fitting = left.flatMap((one, at) => (named.every((name) => same(one[name], entry[name])) ? [at] : []));
    for (const at of fitting) Object.assign(joined[at] ?? {}, entry);
    return fitting.length === 0;
  });
  return [...joined, ...added];
}

/** Steps of a job, or of a composite action (`runs.steps`). */
export function readGithubSteps(
  holder: JsonObject,
  directory: string,
  env: Readonly<Record<string, string>> = {},
): CiStep[] {
  const steps = listAt(holder, 'steps').filter(isJsonObject);
  // What runs in the work tree of another repository is a command of that one.
  const foreign = steps.flatMap((step) => {
    const [repository, path] = [textAt(step, 'with', 'repository'), textAt(step, 'with', 'path')];
    const isOther = repository !== null && !/\bgithub\.repository\b/.test(repository);
    return isOther && path !== null && /^actions\/checkout@/.test(textAt(step, 'uses') ?? '')
      ? [cleanDirectory(path)]
      : [];
  });
  const isForeign = (dir: string) => foreign.some((one) => dir === one || dir.startsWith(`${one}/`));
  return steps.map((step) => {
    const place = cleanDirectory(textAt(step, 'working-directory') ?? directory);
    return {
      run: isForeign(place) ? null : textAt(step, 'run'),
      uses: textAt(step, 'uses'),
      directory: place,
      env: { ...env, ...envOf(step) },
      with: objectAt(step, 'with'),
    };
  });
}

/** `runs-on`: a label, a list of them, or a group with labels. */
function readRunsOn(value: Json | undefined): string[] {
  if (isJsonObject(value)) return [...textsOf(value['group']), ...textsOf(value['labels'])];
  return textsOf(value);
}

function readGithubMatrix(matrix: JsonObject): MatrixAxis[] {
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

/** An expression stays as it is written: its directory is unknown. */
function cleanDirectory(given: string): string {
  return given.slice(0, 1_000).replace(/^\.\//, '').replace(/\/+$/, '').replace(/^\.$/, '');
}

// `.gitlab-ci.yml`. Includes point to other files or projects and are not followed; `extends` within the file is.

const gitlabKeywords = new Set(
  'default include stages variables workflow image services cache before_script after_script spec types'.split(' '),
);
const maxExtends = 10;

export function readGitlabCi(document: Json): CiReading {
  if (!isJsonObject(document)) return { jobs: [], matrix: [] };
  const jobs: CiJob[] = [];
  const matrix: MatrixAxis[] = [];
  for (const [id, job] of Object.entries(document)) {
    if (!isJsonObject(job) || gitlabKeywords.has(id) || id.startsWith('.')) continue;
    const inherited = (key: string) => findInherited(document, job, key);
    const script = inherited('script');
    if (script === undefined && inherited('trigger') === undefined) continue;
    const commands = [...textsOf(inherited('before_script')), ...textsOf(script)];
    const tags = textsOf(inherited('tags'));
    jobs.push({
      id,
      runsOn: tags.length > 0 ? tags : imageNames(inherited('image')),
      steps: commands.map((run) => runStep(run)),
      matrix: combinationsMatrix(listAt(job, 'parallel', 'matrix').filter(isJsonObject)),
    });
    for (const combination of listAt(job, 'parallel', 'matrix')) {
      if (!isJsonObject(combination)) continue;
      for (const [name, values] of Object.entries(combination)) matrix.push({ name, values: textsOf(values) });
    }
  }
  return { jobs, matrix };
}

/** GitLab lists products of its own, one after the other: a single one is plain axes, several are spelled out. */
function combinationsMatrix(products: readonly JsonObject[]): WrittenMatrix | null {
  const [first, second] = products;
  if (first === undefined) return null;
  const axesOf = (product: JsonObject) =>
    Object.fromEntries(Object.entries(product).map(([name, values]) => [name, textsOf(values)]));
  if (second === undefined) return { axes: axesOf(first), include: [], exclude: [] };
  const include = products.flatMap((product) =>
    Object.entries(axesOf(product)).reduce<Record<string, string>[]>(
      (rows, [name, values]) =>
        rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value }))).slice(0, 1_000),
      [{}],
    ),
  );
  return { axes: {}, include, exclude: [] };
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

// `.circleci/config.yml`: jobs, commands of the file itself, executors, and the matrices of its workflows. Orbs are not followed.

const maxCommandNesting = 5;

export function readCircleci(document: Json): CiReading {
  const commands = objectAt(document, 'commands');
  const executors = objectAt(document, 'executors');
  const matrices = listCircleciMatrices(document);
  const jobs = Object.entries(objectAt(document, 'jobs')).flatMap(([id, job]): CiJob[] =>
    isJsonObject(job)
      ? [
          {
            id,
            runsOn: readExecutor(job, executors),
            steps: readCircleciSteps(listAt(job, 'steps'), commands, 0),
            matrix: matrices.find((one) => one.job === id)?.matrix ?? null,
          },
        ]
      : [],
  );
  const axes = matrices.flatMap(({ matrix }) =>
    Object.entries(matrix.axes ?? {}).map(([name, values]) => ({ name, values: textsOf(values as Json) })),
  );
  return { jobs, matrix: axes };
}

function readCircleciSteps(steps: readonly Json[], commands: JsonObject, depth: number): CiStep[] {
  return steps.flatMap((step): CiStep[] => {
    const [name, value] =
      typeof step === 'string' ? [step, null] : (Object.entries(isJsonObject(step) ? step : {})[0] ?? ['', null]);
    if (name === 'run') {
      const command = textAt(value, 'command') ?? (typeof value === 'string' ? value : null);
      return [{ run: command, uses: null, directory: textAt(value, 'working_directory') ?? '' }];
    }
    if (name === 'when' || name === 'unless') return readCircleciSteps(listAt(value, 'steps'), commands, depth);
    if (Object.hasOwn(commands, name) && depth < maxCommandNesting)
      return readCircleciSteps(listAt(commands[name], 'steps'), commands, depth + 1);
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

/** A workflow multiplies the jobs that it calls; parameters of the pipeline stand for their defaults. */
function listCircleciMatrices(document: Json): readonly { readonly job: string; readonly matrix: WrittenMatrix }[] {
  const parameters = objectAt(document, 'parameters');
  const fillIn = (value: Json): Json => {
    if (typeof value !== 'string') return value;
    const name = /^<<\s*pipeline\.parameters\.([\w-]{1,100})\s*>>$/.exec(value)?.[1];
    const meant = name === undefined ? undefined : member(parameters, name, 'default');
    return meant === undefined || isJsonObject(meant) ? value : meant;
  };
  return Object.values(objectAt(document, 'workflows')).flatMap((workflow) =>
    listAt(workflow, 'jobs').flatMap((entry) =>
      Object.entries(isJsonObject(entry) ? entry : {}).flatMap(([job, call]) => {
        const written = Object.entries(objectAt(call, 'matrix', 'parameters'));
        if (written.length === 0) return [];
        const axes = Object.fromEntries(
          written.map(([name, values]) => [
            name,
            (Array.isArray(values) ? (values as readonly Json[]) : [values]).map(fillIn),
          ]),
        );
        const exclude = listAt(call, 'matrix', 'exclude').filter(isJsonObject);
        return [{ job, matrix: { axes, include: [], exclude } }];
      }),
    ),
  );
}

// `azure-pipelines.yml`: stages, jobs and steps at whichever level the file begins. Templates of other files are not followed.

const azureShells = ['script', 'bash', 'pwsh', 'powershell'];

export function readAzurePipelines(document: Json): CiReading {
  const jobs: CiJob[] = [];
  const matrix: MatrixAxis[] = [];
  const rootPool = isJsonObject(document) ? document['pool'] : undefined;
  const readJobs = (holder: JsonObject, pool: Json | undefined) => {
    for (const job of listAzureEntries(listAt(holder, 'jobs'))) addJob(job, job['pool'] ?? pool);
  };
  const addJob = (job: JsonObject, pool: Json | undefined) => {
    const id = textAt(job, 'job') ?? textAt(job, 'deployment') ?? `job_${jobs.length + 1}`;
    const lists = [job, ...deploymentHooks(job)].map((holder) => listAzureEntries(listAt(holder, 'steps')));
    const rows = Object.values(objectAt(job, 'strategy', 'matrix')).filter(isJsonObject);
    const written: WrittenMatrix | null = rows.length === 0 ? null : { axes: {}, include: rows, exclude: [] };
    jobs.push({ id, runsOn: readPool(pool), steps: lists.flat().map(readAzureStep), matrix: written });
    for (const combination of Object.values(objectAt(job, 'strategy', 'matrix'))) {
      if (!isJsonObject(combination)) continue;
      for (const [name, value] of Object.entries(combination)) matrix.push({ name, values: textsOf(value) });
    }
  };
  if (!isJsonObject(document)) return { jobs, matrix };
  for (const stage of listAzureEntries(listAt(document, 'stages'))) readJobs(stage, stage['pool'] ?? rootPool);
  // A template is given the stages, the jobs or the steps that it wraps.
  const given = objectAt(document, 'extends', 'parameters');
  for (const stage of listAzureEntries(listAt(given, 'stages')))
    readJobs(stage, stage['pool'] ?? given['pool'] ?? rootPool);
  readJobs(given, given['pool'] ?? rootPool);
  if (listAt(given, 'steps').length > 0) addJob(given, rootPool);
  readJobs(document, rootPool);
  if (listAt(document, 'steps').length > 0) addJob(document, rootPool);
  return { jobs, matrix };
}

function readAzureStep(step: JsonObject): CiStep {
  const run = azureShells.map((shell) => textAt(step, shell)).find((text) => text !== null) ?? null;
  const task = textAt(step, 'task');
  const command = textAt(step, 'inputs', 'command');
  return {
    run,
    uses: task === null ? null : [task, command].filter((part) => part !== null).join(' '),
    directory: cleanDirectory(textAt(step, 'workingDirectory') ?? ''),
  };
}

/** `strategy.runOnce.deploy.steps` and its like: one hook per phase. */
function deploymentHooks(job: JsonObject): JsonObject[] {
  return Object.values(objectAt(job, 'strategy')).flatMap((strategy) =>
    isJsonObject(strategy) ? Object.values(strategy).filter(isJsonObject) : [],
  );
}

/** `${{ if … }}:` stands in a list as a map whose value is the list that is inserted. */
function listAzureEntries(list: readonly Json[], depth = 0): JsonObject[] {
  return list.filter(isJsonObject).flatMap((entry) => {
    const [first] = Object.entries(entry);
    const inserted =
      first?.[0].startsWith('${{') && Array.isArray(first[1]) ? (first[1] as readonly Json[]) : undefined;
    return inserted !== undefined && depth < 8 ? listAzureEntries(inserted, depth + 1) : [entry];
  });
}

function readPool(pool: Json | undefined): string[] {
  return isJsonObject(pool) ? [...textsOf(pool['vmImage']), ...textsOf(pool['name'])] : textsOf(pool);
}

// `bitbucket-pipelines.yml`: every step of every pipeline is a job.

export function readBitbucket(document: Json): CiReading {
  const globalImage = imageNames(isJsonObject(document) ? document['image'] : undefined);
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
      const image = imageNames(step['image']);
      jobs.push({
        id: textAt(step, 'name') ?? `${pipeline}/${jobs.length + 1}`,
        runsOn: labels.length > 0 ? labels : image.length > 0 ? image : globalImage,
        steps: listAt(step, 'script').map(readBitbucketCommand),
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

function readBitbucketCommand(command: Json): CiStep {
  return { run: typeof command === 'string' ? command : null, uses: textAt(command, 'pipe'), directory: '' };
}

// `.buildkite/pipeline.yml`: every command step is a job; groups are opened, waits and triggers are not jobs.

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
      jobs.push({ id, runsOn: readBuildkiteAgents(step['agents']), steps: commands.map((run) => runStep(run)) });
      matrix.push(...readBuildkiteMatrix(step['matrix']));
    }
  };
  addSteps(Array.isArray(document) ? (document as readonly Json[]) : listAt(document, 'steps'), 0);
  return { jobs, matrix };
}

/** `queue: x` as a map or as `queue=x` in a list. */
function readBuildkiteAgents(agents: Json | undefined): string[] {
  if (!isJsonObject(agents)) return textsOf(agents);
  return Object.entries(agents).map(([name, value]) => `${name}=${textsOf(value).join(',')}`);
}

function readBuildkiteMatrix(matrix: Json | undefined): MatrixAxis[] {
  if (Array.isArray(matrix)) return [{ name: 'matrix', values: textsOf(matrix) }];
  if (!isJsonObject(matrix)) return [];
  const setup = matrix['setup'];
  if (!isJsonObject(setup)) return [{ name: 'matrix', values: textsOf(setup) }];
  return Object.entries(setup).map(([name, values]) => ({ name, values: textsOf(values) }));
}

// `.woodpecker.yml`, `.drone.yml`: every step is a container and a job; its commands are one script.

export function readWoodpecker(document: Json): CiReading {
  const steps = member(document, 'steps') ?? member(document, 'pipeline');
  const named = Array.isArray(steps)
    ? (steps as readonly Json[]).map((step, at) => [textAt(step, 'name') ?? `step_${at + 1}`, step] as const)
    : Object.entries(
        objectAt(document, isJsonObject(steps) && member(document, 'steps') !== undefined ? 'steps' : 'pipeline'),
      );
  const jobs = named.flatMap(([id, step]): CiJob[] => {
    const commands = textsOf(member(step, 'commands'));
    const run =
      commands.length === 0
        ? []
        : [{ ...runStep(commands.join('\n'), cleanDirectory(textAt(step, 'directory') ?? '')) }];
    return [{ id, runsOn: textsOf(member(step, 'image')), steps: run }];
  });
  return { jobs, matrix: [] };
}

// `.cirrus.yml`: a task of that name, or a list of them; what ends in `script` is run.

export function readCirrus(document: Json): CiReading {
  const tasks = Object.entries(isJsonObject(document) ? document : {}).filter(([key]) => /(?:^|_)task$/.test(key));
  const jobs = tasks.map(([id, task]): CiJob => {
    const scripts = Object.entries(isJsonObject(task) ? task : {}).filter(([key]) => /(?:^|_)script$/.test(key));
    return {
      id: (id === 'task' ? textAt(task, 'name') : null) ?? id.replace(/_task$/, ''),
      runsOn: textsOf(member(task, 'container', 'image')),
      steps: scripts.map(([, script]) => runStep(textsOf(script).join('\n'))),
    };
  });
  return { jobs, matrix: [] };
}

// `appveyor.yml`: one job of phases whose entries may name their shell.

export function readAppveyor(document: Json): CiReading {
  const phases = ['install', 'before_build', 'build_script', 'before_test', 'test_script'];
  const shells = ['cmd', 'ps', 'pwsh', 'sh'];
  const textOf = (entry: Json) =>
    isJsonObject(entry) ? shells.flatMap((shell) => textsOf(entry[shell])) : textsOf(entry);
  const steps = phases.flatMap((phase) => {
    const entries = member(document, phase);
    return (Array.isArray(entries) ? (entries as readonly Json[]) : [entries ?? null]).flatMap(textOf);
  });
  return {
    jobs: [{ id: 'appveyor', runsOn: textsOf(member(document, 'image')), steps: steps.map((run) => runStep(run)) }],
    matrix: [],
  };
}

// `.travis.yml`: one job of its own phases, and those that `jobs.include` adds.

const travisPhases = ['install', 'before_script', 'script'];

export function readTravis(document: Json): CiReading {
  const stepsOf = (holder: Json) =>
    travisPhases.flatMap((phase) => textsOf(member(holder, phase)).map((run) => runStep(run)));
  const where = (holder: Json) => [...textsOf(member(holder, 'os')), ...textsOf(member(holder, 'dist'))];
  const included = [...listAt(document, 'jobs', 'include'), ...listAt(document, 'matrix', 'include')];
  const own: CiJob = { id: 'travis', runsOn: where(document), steps: stepsOf(document) };
  const others = included.filter(isJsonObject).map(
    (job, at): CiJob => ({
      id: textAt(job, 'name') ?? textAt(job, 'stage') ?? `job_${at + 1}`,
      runsOn: where(job),
      steps: stepsOf(job),
    }),
  );
  return { jobs: own.steps.length > 0 || others.length === 0 ? [own, ...others] : others, matrix: [] };
}

// Jenkinsfile by line scan: it is a Groovy program, and only stages, agents and literal shell steps are read from it.
// Every pattern is applied to one line of bounded length, so no input takes more than linear time.

const jenkinsLineChars = 1_000;
const jenkinsCommandChars = 500;
const jenkinsLines = 20_000;

export function readJenkinsfile(text: string): CiReading {
  const stages: { id: string; runsOn: string[]; steps: CiStep[] }[] = [];
  const outside: { id: string; runsOn: string[]; steps: CiStep[] } = { id: 'pipeline', runsOn: [], steps: [] };
  let block: { quote: string; lines: string[] } | undefined;
  for (const raw of text.split('\n', jenkinsLines)) {
    const line = raw.slice(0, jenkinsLineChars).trim();
    const current = stages.at(-1) ?? outside;
    if (block !== undefined) {
      const end = line.indexOf(block.quote);
      if (end < 0) block.lines.push(line);
      else {
        current.steps.push(
          runStep([...block.lines, line.slice(0, end)].join('\n').trim().slice(0, jenkinsCommandChars)),
        );
        block = undefined;
      }
      continue;
    }
    if (line.startsWith('//')) continue;
    const stage = /\bstage\s?\(\s?(['"])(.{1,200}?)\1/.exec(line)?.[2];
    if (stage !== undefined) stages.push({ id: stage, runsOn: [], steps: [] });
    const target = stages.at(-1) ?? outside;
    target.runsOn.push(...readJenkinsAgents(line));
    const opened = /\b(?:sh|bat)\b.{0,40}?('''|""")(.*)$/.exec(line);
    if (opened !== null) {
      const [, quote = '', rest = ''] = opened;
      const end = rest.indexOf(quote);
      if (end >= 0) target.steps.push(runStep(rest.slice(0, end).slice(0, jenkinsCommandChars)));
      else block = { quote, lines: [rest] };
      continue;
    }
    const command = /\b(?:sh|bat)\b\s?\(?\s?(?:script:\s?)?(['"])(.{1,500}?)\1/.exec(line)?.[2];
    if (command !== undefined) target.steps.push(runStep(command));
  }
  const jobs: CiJob[] = outside.steps.length > 0 || stages.length === 0 ? [outside, ...stages] : stages;
  return { jobs: jobs.map((job) => (job.runsOn.length > 0 ? job : { ...job, runsOn: outside.runsOn })), matrix: [] };
}

function readJenkinsAgents(line: string): string[] {
  const label =
    /\blabel\s?\(?\s?(['"])(.{1,100}?)\1/.exec(line)?.[2] ?? /\bnode\s?\(\s?(['"])(.{1,100}?)\1/.exec(line)?.[2];
  const image = /\bimage\s?(['"])(.{1,200}?)\1/.exec(line)?.[2];
  const any = /\bagent\s+any\b/.test(line) ? ['any'] : [];
  return [...(label === undefined ? [] : [label]), ...(image === undefined ? [] : [image]), ...any];
}

// Names in `${{ secrets.X }}`, in one pass: the expression below never looks back, and an opening without an end costs nothing more.
// Only closed expressions count.

const secretTokens =
  /\$\{\{|\}\}|\bsecrets\.([A-Za-z_][A-Za-z0-9_-]{0,199})|\bsecrets\[ ?['"]([A-Za-z_][A-Za-z0-9_-]{0,199})['"] ?\]/g;

export function listSecretNames(texts: Iterable<string>): string[] {
  const names = new Set<string>();
  // A set: an alias may have put the same text in many places.
  for (const text of new Set(texts)) {
    if (!text.includes('secrets')) continue;
    let pending: string[] | undefined;
    for (const [token, dotted, indexed] of text.matchAll(secretTokens)) {
      if (token === '${{') pending ??= [];
      else if (token === '}}') {
        for (const name of pending ?? []) names.add(name);
        pending = undefined;
      } else pending?.push(dotted ?? indexed ?? '');
    }
  }
  return [...names].sort(compareCodeUnits);
}

/** Every string value of a document; `if:` conditions are expressions without their brackets and are given some. */
export function* listExpressionTexts(document: Json): Generator<string> {
  const pending: (readonly [key: string, value: Json])[] = [['', document]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [key, value] = next;
    if (typeof value === 'string') yield key === 'if' && !value.includes('${{') ? `\${{ ${value} }}` : value;
    else if (Array.isArray(value)) for (const item of value as readonly Json[]) pending.push(['', item]);
    else if (value !== null && typeof value === 'object')
      for (const entry of Object.entries(value)) pending.push(entry);
  }
}
