/** The run of the ci probe: read, summarise, judge. */

import type { Confidence, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { findSecretKey } from '../../gather/run/validate-output.ts';
import { canonicalJson, compareCodeUnits, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { member, textAt, textsOf } from '../../kernel/base/json-access.ts';
import { limits } from '../../kernel/base/limits.ts';
import { shortLine } from '../../kernel/base/text.ts';
import { parseText } from '../../kernel/formats/parse-outcome.ts';
import { parseYaml } from '../../kernel/formats/yaml.ts';
import { deedOfCommand } from '../shared/command-deeds.ts';
import {
  createFindings,
  evidenceOf,
  type ManifestContext,
  type ManifestRead,
  readManifest,
  readParsed,
} from '../shared/probe-reading.ts';
import {
  type CommandPurpose,
  expandScripts,
  findSmokeFile,
  listCommandLines,
  type ScriptLookup,
  servesPurpose,
  smokeFileGlobs,
  smokePathIn,
} from '../shared/shell-commands.ts';
import {
  type CiJob,
  type CiReader,
  type CiReading,
  type CiStep,
  isCompositeAction,
  listCombinations,
  listExpressionTexts,
  listSecretNames,
  type MatrixAxis,
  readAppveyor,
  readAzurePipelines,
  readBitbucket,
  readBuildkite,
  readCircleci,
  readCirrus,
  readGithubSteps,
  readGithubWorkflow,
  readGitlabCi,
  readJenkinsfile,
  readTravis,
  readWoodpecker,
} from './ci-providers.ts';
import {
  type CiJobRow,
  type CiMatrix,
  type CiProvider,
  type CiSummary,
  ciFileGlobs,
  ciProviders,
  listCheckers,
  localActionGlobs,
} from './ci-section.ts';

export async function gatherCi(repo: ProbeRepo, ctx: ManifestContext): Promise<ProbeOutput> {
  const ci = await readCiFiles(repo);
  const smokeFile = findSmokeFile(repo.inputs.list(smokeFileGlobs));
  const { summary, unresolvedActions } = summarizeCi(
    ci,
    await loadScripts(repo, ctx, ci),
    smokeFile,
    (path) => path === '.' || repo.scope.exists(path),
  );
  const hasWorkflows = summary.workflow_files.some((path) => path.startsWith('.github/workflows/'));
  const scanned = ci.files.some((file) => file.provider === 'jenkins');
  const findings = createFindings();
  if (summary.additional_providers.length > 0) findings.warn('ci.multi_provider');
  for (const { path, kind } of ci.failures) findings.warn('ci.workflow_parse_error', { path, detail: kind });
  if (!hasWorkflows && repo.inputs.list(['.github/workflows/**']).length > 0) findings.warn('ci.empty_workflows_dir');
  if (scanned) findings.warn('ci.jenkinsfile_regex_only');
  for (const path of unresolvedActions) findings.warn('ci.local_action_unparsed', { path });
  const confidence: Confidence = scanned ? 'low' : ci.failures.length > 0 ? 'medium' : 'high';
  return {
    kind: 'ran',
    slice: { ci: summary },
    rawArtifacts: [{ name: 'ci.json', kind: 'json', from: new TextEncoder().encode(canonicalJson(describeFiles(ci))) }],
    confidence,
    ...findings.report(),
    evidence: evidenceOf(repo, summary.workflow_files),
  };
}

/** A longer script is no alias of a test. */
const maxScript = 4_000;
/** Steps that the raw artifact spells out. */
const maxSteps = 5_000;

/** `package.json` of the directory a step works in answers first, then the one at the root. */
async function loadScripts(repo: ProbeRepo, ctx: ManifestContext, ci: CiFiles): Promise<ScriptsOf> {
  const steps = ci.files.flatMap((file) => file.reading.jobs.flatMap((job) => job.steps));
  const directories = new Set(['', ...steps.map((step) => step.directory)]);
  const manifests = new Map<string, ManifestRead>();
  for (const directory of directories) {
    manifests.set(
      directory,
      await readManifest(repo, ctx, directory === '' ? 'package.json' : `${directory}/package.json`),
    );
  }
  const scriptIn = (directory: string, name: string): string | undefined => {
    const manifest = manifests.get(directory);
    return manifest?.kind === 'read' ? textAt(manifest.value, 'scripts', name)?.slice(0, maxScript) : undefined;
  };
  return (directory) => (name) => scriptIn(directory, name) ?? scriptIn('', name);
}

/** The raw artifact: the steps as they are written, one line each. */
function describeFiles(ci: CiFiles) {
  let left = maxSteps;
  const take = <T>(steps: readonly T[]): readonly T[] => {
    const taken = steps.slice(0, left);
    left -= taken.length;
    return taken;
  };
  return {
    files: ci.files.map(({ path, provider, reading }) => ({
      path,
      provider,
      jobs: reading.jobs.map(({ id, runsOn, steps }) => ({
        id: shortLine(id, 200),
        runs_on: runsOn.map((label) => shortLine(label, 200)),
        steps: take(steps).map(({ run, uses, directory }) => ({
          run: run === null ? null : shortLine(run, 1_000),
          uses: uses === null ? null : shortLine(uses, 300),
          directory: shortLine(directory, 300),
        })),
      })),
    })),
  };
}

// Every CI file of the repository, read and parsed once, in order of provider precedence and path.

type CiFile = {
  readonly path: string;
  readonly provider: CiProvider;
  readonly reading: CiReading;
  readonly secretNames: readonly string[];
  /** As written, for the lines of commands. */
  readonly lines: readonly string[];
};

type LocalAction = { readonly path: string; readonly steps: readonly CiStep[]; readonly lines: readonly string[] };

type CiFiles = {
  readonly files: readonly CiFile[];
  /** Steps by action directory, for actions of this repository that could be read. */
  readonly localActions: ReadonlyMap<string, LocalAction>;
  readonly failures: readonly { readonly path: string; readonly provider: CiProvider; readonly kind: string }[];
};

const readers: Readonly<Record<Exclude<CiProvider, 'jenkins'>, CiReader>> = {
  github_actions: readGithubWorkflow,
  gitlab_ci: readGitlabCi,
  circleci: readCircleci,
  azure_pipelines: readAzurePipelines,
  bitbucket: readBitbucket,
  buildkite: readBuildkite,
  woodpecker: readWoodpecker,
  drone: readWoodpecker,
  forgejo: readGithubWorkflow,
  gitea: readGithubWorkflow,
  cirrus: readCirrus,
  appveyor: readAppveyor,
  travis: readTravis,
};

async function readCiFiles(repo: ProbeRepo): Promise<CiFiles> {
  const files: CiFile[] = [];
  const failures: CiFiles['failures'][number][] = [];
  for (const provider of ciProviders) {
    for (const path of repo.inputs.list(ciFileGlobs[provider])) {
      const outcome = provider === 'jenkins' ? await readScript(repo, path) : await readDocument(repo, path, provider);
      if (typeof outcome === 'string') failures.push({ path, provider, kind: outcome });
      else if (outcome !== null && (provider !== 'azure_pipelines' || isPipeline(path, outcome.reading)))
        files.push({ path, provider, ...outcome });
    }
  }
  return { files, failures, localActions: await readLocalActions(repo) };
}

/** Many things are called `build.yml`; a pipeline has jobs. */
function isPipeline(path: string, { jobs }: CiReading): boolean {
  return (
    path.startsWith('azure-pipelines') ||
    jobs.some(({ steps }) => steps.some(({ run, uses }) => run !== null || uses !== null))
  );
}

type Read = Pick<CiFile, 'reading' | 'secretNames' | 'lines'>;

/** A reading, the kind of failure, or null when the file has gone. */
async function readDocument(
  repo: ProbeRepo,
  path: string,
  provider: Exclude<CiProvider, 'jenkins'>,
): Promise<Read | string | null> {
  const outcome = await readYaml(repo, path);
  if ('absent' in outcome) return null;
  if (!outcome.ok) return outcome.failure.kind;
  // A workflow is a map; only Buildkite also accepts a bare list of steps.
  const { value } = outcome;
  if (value === null || typeof value !== 'object' || (Array.isArray(value) && provider !== 'buildkite'))
    return 'malformed';
  const secretNames = provider === 'github_actions' ? listSecretNames(listExpressionTexts(value)) : [];
  return { reading: readers[provider](value), secretNames, lines: await linesOf(repo, path) };
}

async function readScript(repo: ProbeRepo, path: string): Promise<Read | string | null> {
  const outcome = await readParsed(repo, path, limits.textBytes, (bytes) =>
    parseText(bytes, { maxBytes: limits.textBytes }),
  );
  if ('absent' in outcome) return null;
  if (!outcome.ok) return outcome.failure.kind;
  return { reading: readJenkinsfile(outcome.value), secretNames: [], lines: outcome.value.split('\n') };
}

async function linesOf(repo: ProbeRepo, path: string): Promise<readonly string[]> {
  const outcome = await readParsed(repo, path, limits.yamlBytes, (bytes) =>
    parseText(bytes, { maxBytes: limits.yamlBytes }),
  );
  return outcome.ok ? outcome.value.split('\n') : [];
}

/** Actions that are not composite are programs: known, and without steps. One that cannot be parsed stays unknown. */
async function readLocalActions(repo: ProbeRepo): Promise<ReadonlyMap<string, LocalAction>> {
  const actions = new Map<string, LocalAction>();
  for (const path of repo.inputs.list(localActionGlobs)) {
    const outcome = await readYaml(repo, path);
    if ('absent' in outcome || !outcome.ok) continue;
    const directory = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    const runs = isCompositeAction(outcome.value) ? ((outcome.value as JsonObject)['runs'] as JsonObject) : {};
    actions.set(directory, { path, steps: readGithubSteps(runs, ''), lines: await linesOf(repo, path) });
  }
  return actions;
}

function readYaml(repo: ProbeRepo, path: string): ReturnType<typeof readParsed<Json>> {
  return readParsed(repo, path, limits.yamlBytes, (bytes) =>
    parseYaml(bytes, { maxBytes: limits.yamlBytes, maxDepth: limits.parseDepth }),
  );
}

// From readings to the `ci` section: what the pipelines build and test, in the order a reader would find it.

/** Package scripts as seen from a directory of the repository. */
type ScriptsOf = (directory: string) => ScriptLookup;

/** Is there a file or a directory? Root-relative, `.` for the root. */
type IsPath = (path: string) => boolean;

const maxActionNesting = 3;

function summarizeCi(ci: CiFiles, scriptsOf: ScriptsOf, smokeFile: string | null, isPath: IsPath) {
  const { files, failures } = ci;
  const paths = [...files.map((file) => file.path), ...failures.map((failure) => failure.path)].sort(compareCodeUnits);
  const jobs = listJobs(ci, scriptsOf, isPath);
  const checks = listCheckers(jobs);
  const present = ciProviders
    .filter((provider) => [...files, ...failures].some((file) => file.provider === provider))
    .sort((a, b) => Number(checks.includes(b)) - Number(checks.includes(a)));
  const unresolvedActions = new Set<string>();
  const steps = distinct(
    files.flatMap((file) =>
      file.reading.jobs.flatMap((job) => openActions(job.steps, ci, paths, unresolvedActions, 0)),
    ),
  );

  const image = findCommand(steps, 'image_build', scriptsOf, isImageAction);
  const smoke = findCommand(steps, 'smoke_test', scriptsOf);
  const smokeTestPath = (smoke && pathOf(smoke, scriptsOf)) ?? smokeFile;
  const summary: CiSummary = {
    provider: present[0] ?? null,
    additional_providers: present.slice(1),
    workflow_files: paths,
    jobs,
    builds_image: image !== null,
    image_build_command: image?.command ?? null,
    unit_test_command: findCommand(steps, 'unit_test', scriptsOf)?.command ?? null,
    smoke_test_command: smoke?.command ?? null,
    smoke_test_present: smoke !== null || smokeTestPath !== null,
    smoke_test_path: smokeTestPath,
    build_matrix: mergeAxes(files.flatMap((file) => file.reading.matrix)),
    references_secrets: [...new Set(files.flatMap((file) => file.secretNames))].sort(compareCodeUnits),
    unpinned_actions: listUnpinned(files, steps),
    parse_errors: failures.map(({ path, kind }) => ({ path, kind })).sort((a, b) => compareCodeUnits(a.path, b.path)),
  };
  return { summary, unresolvedActions: [...unresolvedActions].sort(compareCodeUnits) };
}

/** Steps of composite actions stand where they are called. An action of this repository that was not read is remembered. */
function openActions(
  steps: readonly CiStep[],
  ci: CiFiles,
  known: readonly string[],
  unresolved: Set<string>,
  depth: number,
): CiStep[] {
  return steps.flatMap((step) => {
    if (!step.uses?.startsWith('./')) return [step];
    const target = step.uses.slice(2).replace(/\/+$/, '');
    const inner = ci.localActions.get(target)?.steps;
    if (inner !== undefined)
      return depth < maxActionNesting ? openActions(inner, ci, known, unresolved, depth + 1) : [];
    if (!known.includes(target)) unresolved.add(shortLine(target, 200));
    return [];
  });
}

/** The first of equal steps: what one shows, the others show as well. */
function distinct(steps: readonly CiStep[]): CiStep[] {
  const seen = new Map<string, Set<string | null>>();
  return steps.filter(({ run, uses, directory }) => {
    if (uses !== null) return true;
    const runs = seen.get(directory) ?? new Set();
    if (runs.has(run)) return false;
    seen.set(directory, runs.add(run));
    return true;
  });
}

type Found = { readonly command: string; readonly line: string; readonly directory: string };

function findCommand(
  steps: readonly CiStep[],
  purpose: CommandPurpose,
  scriptsOf: ScriptsOf,
  isAction: (uses: string) => boolean = () => false,
): Found | null {
  for (const { run, uses, directory } of steps) {
    if (uses !== null && isAction(uses)) return { command: shortLine(uses), line: uses, directory };
    for (const line of run === null ? [] : listCommandLines(run)) {
      if (servesPurpose(line, purpose, scriptsOf(directory))) return { command: shortLine(line), line, directory };
    }
  }
  return null;
}

function pathOf({ line, directory }: Found, scriptsOf: ScriptsOf): string | null {
  for (const text of expandScripts(line, scriptsOf(directory))) {
    const path = smokePathIn(text, directory);
    if (path !== null) return shortLine(path);
  }
  return null;
}

/** `docker/build-push-action`, and Azure's Docker task where it builds. */
function isImageAction(uses: string): boolean {
  return uses.startsWith('docker/build-push-action@') || /^Docker@\d+ build/i.test(uses);
}

function listJobs(ci: CiFiles, scriptsOf: ScriptsOf, isPath: IsPath): CiSummary['jobs'] {
  return [...ci.files]
    .sort((a, b) => compareCodeUnits(a.path, b.path))
    .flatMap((file) => {
      // Jobs stand in the file in the order in which they are read: each looks for its lines below those of the one before.
      const cursor = createCursor(file.lines);
      return file.reading.jobs.map((job): CiJobRow => {
        const { id, runsOn, steps } = job;
        cursor.find(file.provider === 'github_actions' ? `${id}:` : id);
        const matrix = matrixOf(job, cursor);
        return {
          file: file.path,
          id: shortLine(id, 200),
          runs_on: runsOn.map((label) => shortLine(label, 200)),
          steps: steps.length,
          triggers: (file.reading.triggers ?? []).map((trigger) => shortLine(trigger, 100)),
          matrix,
          commands: listJobCommands(steps, {
            ci,
            scriptsOf,
            isPath,
            path: file.path,
            cursor,
            depth: 0,
            jobs: (job.matrix && listCombinations(job.matrix)) ?? [],
          }).slice(0, maxJobCommands),
        };
      });
    });
}

const maxJobCommands = 500;

type Cursor = {
  /** The line from here on that holds the text, else any that does; null where none does. It is the new place. */
  readonly find: (text: string) => number | null;
  /** As `find`, without moving. */
  readonly peek: (text: string) => number | null;
};

const isTitle = (line: string): boolean => /^\s*(?:-\s+)?(?:name|displayName|label):\s/.test(line);

function createCursor(lines: readonly string[]): Cursor {
  let at = 0;
  const look = (text: string): number | null => {
    // A step may be called like what it runs.
    const below = lines.findIndex((line, index) => index >= at && line.includes(text) && !isTitle(line));
    const found = below >= 0 ? below : lines.findIndex((line) => line.includes(text));
    return found < 0 ? null : found + 1;
  };
  const find = (text: string) => {
    const line = look(text);
    if (line !== null) at = line - 1;
    return line;
  };
  return { find, peek: look };
}

function matrixOf({ matrix }: CiJob, cursor: Cursor): CiMatrix | null {
  if (matrix === null || matrix === undefined) return null;
  const expanded = listCombinations(matrix)?.length ?? null;
  return {
    axes: withoutSecretNames(matrix.axes ?? {}),
    include: matrix.include.map(withoutSecretNames),
    exclude: matrix.exclude.map(withoutSecretNames),
    expanded,
    line: cursor.peek('matrix:') ?? cursor.peek('matrix'),
  } as CiMatrix;
}

/** No key of the document is named like a secret: a `db_password` of a matrix is left out, and the rest of it is told. */
function withoutSecretNames<T extends Readonly<Record<string, Json | readonly Json[]>>>(values: T): JsonObject {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => findSecretKey({ [name]: value as Json }) === undefined),
  ) as JsonObject;
}

type Following = {
  readonly ci: CiFiles;
  readonly scriptsOf: ScriptsOf;
  /** The file in which the steps stand. */
  readonly path: string;
  readonly cursor: Cursor;
  readonly depth: number;
  readonly isPath: IsPath;
  /** What the job is multiplied by. */
  readonly jobs: readonly JsonObject[];
};

/** Every shell line of the steps; actions and workflows of the repository are opened where they are called. */
function listJobCommands(steps: readonly CiStep[], at: Following): CiJobRow['commands'] {
  const { ci, path, cursor, depth } = at;
  return steps.flatMap((step): CiJobRow['commands'] => {
    if (step.uses?.startsWith('./') === true) {
      if (depth >= maxActionNesting) return [];
      const target = step.uses.slice(2).replace(/\/+$/, '');
      const action = ci.localActions.get(target);
      const opened = action ?? ci.files.find((file) => file.path === target);
      if (opened === undefined) return [];
      const inner = action?.steps ?? (opened as CiFile).reading.jobs.flatMap((job) => job.steps);
      return listJobCommands(inner, { ...at, path: opened.path, cursor: createCursor(opened.lines), depth: depth + 1 });
    }
    const meant = step.uses === null ? null : commandOfAction(step.uses, step.with ?? {});
    if (step.uses !== null) {
      if (meant === null) return [];
      const line = cursor.find(step.uses);
      const { roles } = deedOfCommand(meant, () => undefined);
      const directory = textAt(step.with, 'working-directory') ?? step.directory;
      return [
        {
          run: meant,
          resolved: meant,
          directory: directoryOrNull(directory),
          directories: directoriesOf(directory),
          file: path,
          line,
          action: shortLine(step.uses),
          roles: [...roles],
        },
      ];
    }
    const run = step.run;
    if (run === null) return [];
    const rows = listVariants(step.directory, run, at).flatMap((values) => listShellLines(step, run, values, at));
    return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
  });
}

/** `src/${{ matrix.package }}`, whose values an expression computes: the directories in `src`. */
function directoriesOf(directory: string): string | null {
  const before = /^((?:[\w.-]+\/)+)\$\{\{\s{0,4}matrix\.[\w.-]{1,100}\s{0,4}\}\}$/.exec(directory)?.[1];
  return before === undefined ? null : `${before}*`;
}

function listShellLines(step: CiStep, run: string, values: Values, at: Following): CiJobRow['commands'] {
  const { scriptsOf, path, cursor } = at;
  const filled = directoryOrNull(values.fill(step.directory));
  let directory = filled === null || filled === step.directory || at.isPath(filled) ? filled : null;
  const before: (string | null)[] = [];
  return listCommandLines(run).flatMap((line): CiJobRow['commands'] => {
    const moved = /^(cd|pushd)\s+(\S+)$/.exec(values.fill(line));
    if (moved !== null) {
      if (moved[1] === 'pushd') before.push(directory);
      directory = enter(directory, moved[2] ?? '');
      return [];
    }
    if (/^popd\b/.test(line)) {
      directory = before.pop() ?? directory;
      return [];
    }
    const resolved = fillIn(fillWords(line, directory, values, at.isPath), step.env ?? {});
    const scripts = scriptsOf(directory === '.' ? '' : (directory ?? ''));
    const { roles } = deedOfCommand(resolved, scripts);
    // A continued line stands in the file as its first part.
    const place = cursor.find(line) ?? cursor.find(line.slice(0, 30)) ?? cursor.peek(line.split(' ')[0] ?? line);
    return [
      {
        run: shortLine(line, 1_000),
        resolved: shortLine(resolved, 1_000),
        directory,
        directories: directory === null ? directoriesOf(step.directory) : null,
        file: path,
        line: place,
        action: null,
        roles: [...roles],
      },
    ];
  });
}

// What a matrix stands for in a command: a directory, a file, a package, a script. Versions and shards stay as they are written.

type Values = {
  /** With every value of the matrix filled in. */
  readonly fill: (text: string) => string;
};

const ofMatrix = /\$\{\{\s{0,4}matrix\.([\w.-]{1,100})\s{0,4}\}\}/g;
const maxVariants = 12;

/** The different ways in which the jobs of a matrix fill in a step; as it is written where there is no matrix, or too many ways. */
function listVariants(directory: string, run: string, { jobs }: Following): readonly Values[] {
  const names = new Set([...`${directory}\n${run}`.matchAll(ofMatrix)].map(([, name = '']) => name));
  const asWritten: Values = { fill: (text) => text };
  if (names.size === 0) return [asWritten];
  const rows = new Map<string, ReadonlyMap<string, string>>();
  for (const job of jobs) {
    const row = new Map(
      [...names].flatMap((name) =>
        [...textsOf(member(job, ...name.split('.')))].map((value) => [name, value] as const),
      ),
    );
    rows.set(JSON.stringify([...row]), row);
    if (rows.size > maxVariants) return [asWritten];
  }
  if (rows.size === 0) return [asWritten];
  return [...rows.values()].map((row) => ({
    fill: (text) => text.replace(ofMatrix, (written, name: string) => row.get(name) ?? written),
  }));
}

/** After these stands the name of a script, a task or a package. */
const beforeName =
  /^(?:run|run-script|make|just|task|composer|rake|mage|invoke|-e|-s|--session|-p|--package|--filter|-F|-w|--workspace)$/;

/** A word is filled in where it becomes a path of the repository, or a name of something in it. */
function fillWords(line: string, directory: string | null, { fill }: Values, isPath: IsPath): string {
  if (fill(line) === line) return line;
  const words = line.split(/((?:\$\{\{.*?\}\}|[^\s$]|\$(?!\{\{))+)/).filter((word) => word !== '');
  let previous = '';
  return words
    .map((word) => {
      if (word.trim() === '') return word;
      const before = previous;
      previous = word;
      const filled = fill(word);
      if (filled === word) return word;
      if (before === '' || beforeName.test(before)) return filled;
      const path = enter(directory, filled.replace(/^--?[\w-]+=/, ''));
      return path !== null && isPath(path) ? filled : word;
    })
    .join('');
}

function directoryOrNull(directory: string): string | null {
  return directory.includes('$') ? null : directory === '' ? '.' : directory;
}

function enter(from: string | null, to: string): string | null {
  const name = to.replace(/^["']|["']$/g, '');
  if (from === null || /[$~*]/.test(name) || name.startsWith('/')) return null;
  const parts = from === '.' ? [] : from.split('/');
  for (const part of name.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.length === 0 ? '.' : parts.join('/');
}

/** `${{ env.X }}` with what the file gives X; what is not known stays. */
function fillIn(line: string, env: Readonly<Record<string, string>>): string {
  return line
    .replace(/\$\{\{\s{0,4}env\.(\w{1,100})\s{0,4}\}\}/g, (written, name: string) =>
      Object.hasOwn(env, name) ? (env[name] ?? '') : written,
    )
    .replace(/\s+/g, ' ')
    .trim();
}

/** What published actions run, where that is one well-known command. */
function commandOfAction(uses: string, given: JsonObject): string | null {
  const [name = ''] = uses.split('@');
  const argument = (key: string) => textAt(given, key)?.replace(/\s+/g, ' ').trim() ?? '';
  const withArguments = (command: string, key: string) =>
    [command, argument(key)].filter((part) => part !== '').join(' ');
  switch (name.toLowerCase()) {
    case 'golangci/golangci-lint-action':
      return withArguments('golangci-lint run', 'args');
    case 'pre-commit/action':
      return `pre-commit run ${argument('extra_args') || '--all-files'}`;
    case 'j178/prek-action':
      return `prek run ${argument('extra-args') || '--all-files'}`;
    case 'jakebailey/pyright-action':
      return 'pyright';
    case 'isort/isort-action':
      return 'isort --check-only --diff .';
    case 'standardrb/standard-ruby-action':
      return 'standardrb';
    case 'dprint/check':
      return 'dprint check';
    case 'borales/actions-yarn':
      return argument('cmd') === '' ? null : `yarn ${argument('cmd')}`;
    case 'ramsey/composer-install':
      return 'composer install';
    case 'astral-sh/ruff-action':
    case 'chartboost/ruff-action':
      return `ruff ${argument('args') || 'check'}`;
    case 'psf/black':
      return `black ${argument('options') || '--check --diff'} ${argument('src') || '.'}`;
    case 'cypress-io/github-action':
      return 'npx cypress run';
    case 'nick-fields/retry':
    case 'nick-invision/retry':
      return argument('command') || null;
    case 'goreleaser/goreleaser-action':
      return withArguments('goreleaser', 'args');
    case 'actions-rs/cargo':
      return withArguments(`cargo ${argument('command')}`, 'args');
    case 'gradle/gradle-build-action':
      return argument('arguments') === '' ? null : `./gradlew ${argument('arguments')}`;
    default:
      return null;
  }
}

function mergeAxes(axes: readonly MatrixAxis[]): CiSummary['build_matrix'] {
  const merged = new Map<string, Set<string>>();
  for (const { name, values } of axes) {
    const key = shortLine(name, 200);
    const known = merged.get(key) ?? new Set();
    for (const value of values) known.add(shortLine(value, 200));
    merged.set(key, known);
  }
  return [...merged]
    .map(([name, values]) => ({ name, values: [...values] }))
    .sort((a, b) => compareCodeUnits(a.name, b.name));
}

/** A published action is pinned by a full commit id, a container action by a digest; tags and branches can move. */
function listUnpinned(files: readonly CiFile[], steps: readonly CiStep[]): string[] {
  if (!files.some((file) => file.provider === 'github_actions')) return [];
  const references = steps
    .flatMap(({ uses }) => uses ?? [])
    .filter((uses) => uses.includes('/') && !uses.startsWith('./'));
  const unpinned = references.filter((uses) => !/@(?:[0-9a-f]{40}|sha256:[0-9a-f]{64})$/.test(uses.trim()));
  return [...new Set(unpinned.map((uses) => shortLine(uses, 300)))].sort(compareCodeUnits);
}
