/** From readings to the `ci` section: what the pipelines build and test, in the order a reader would find it. */

import { compareCodeUnits } from '../../../kernel/base/json.ts';
import { type CommandPurpose, servesPurpose } from '../classify-command.ts';
import { shortLine } from '../json-access.ts';
import { expandScripts, type ScriptLookup } from '../npm-scripts.ts';
import { listCommandLines } from '../shell-commands.ts';
import { smokePathIn } from '../smoke-path.ts';
import { type CiProvider, type CiStep, ciProviders, type MatrixAxis } from './ci-reading.ts';
import type { CiFile, CiFiles } from './read-ci-files.ts';

export type CiSummary = {
  readonly provider: CiProvider | null;
  readonly additional_providers: CiProvider[];
  readonly workflow_files: string[];
  readonly jobs: { file: string; id: string; runs_on: string[]; steps: number }[];
  readonly builds_image: boolean;
  readonly image_build_command: string | null;
  readonly unit_test_command: string | null;
  readonly smoke_test_command: string | null;
  readonly smoke_test_present: boolean;
  readonly smoke_test_path: string | null;
  readonly build_matrix: { name: string; values: string[] }[];
  readonly references_secrets: string[];
  readonly unpinned_actions: string[];
  readonly parse_errors: { path: string; kind: string }[];
};

/** Package scripts as seen from a directory of the repository. */
export type ScriptsOf = (directory: string) => ScriptLookup;

const maxActionNesting = 3;

export function summarizeCi(ci: CiFiles, scriptsOf: ScriptsOf, smokeFile: string | null) {
  const { files, failures } = ci;
  const paths = [...files.map((file) => file.path), ...failures.map((failure) => failure.path)].sort(compareCodeUnits);
  const present = ciProviders.filter((provider) => [...files, ...failures].some((file) => file.provider === provider));
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
    jobs: listJobs(files),
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
    const inner = ci.localActions.get(target);
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

function listJobs(files: readonly CiFile[]): CiSummary['jobs'] {
  return [...files]
    .sort((a, b) => compareCodeUnits(a.path, b.path))
    .flatMap(({ path, reading }) =>
      reading.jobs.map(({ id, runsOn, steps }) => ({
        file: path,
        id: shortLine(id, 200),
        runs_on: runsOn.map((label) => shortLine(label, 200)),
        steps: steps.length,
      })),
    );
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
