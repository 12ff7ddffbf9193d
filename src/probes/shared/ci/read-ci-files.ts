/** Every CI file of the repository, read and parsed once, in order of provider precedence and path. */

import type { ProbeRepo } from '../../../gather/contract.ts';
import type { Json, JsonObject } from '../../../kernel/base/json.ts';
import { limits } from '../../../kernel/base/limits.ts';
import { parseText } from '../../../kernel/formats/parse-outcome.ts';
import { parseYaml } from '../../../kernel/formats/yaml.ts';
import { readParsed } from '../read.ts';
import { readAzurePipelines } from './azure-pipelines.ts';
import { readBitbucket } from './bitbucket.ts';
import { readBuildkite } from './buildkite.ts';
import { ciFileGlobs, localActionGlobs } from './ci-inputs.ts';
import { type CiProvider, type CiReader, type CiReading, type CiStep, ciProviders } from './ci-reading.ts';
import { readCircleci } from './circleci.ts';
import { isCompositeAction, readGithubSteps, readGithubWorkflow } from './github-actions.ts';
import { readGitlabCi } from './gitlab-ci.ts';
import { readJenkinsfile } from './jenkinsfile.ts';
import { listExpressionTexts, listSecretNames } from './secret-references.ts';

export type CiFile = {
  readonly path: string;
  readonly provider: CiProvider;
  readonly reading: CiReading;
  readonly secretNames: readonly string[];
};

export type CiFiles = {
  readonly files: readonly CiFile[];
  /** Steps by action directory, for actions of this repository that could be read. */
  readonly localActions: ReadonlyMap<string, readonly CiStep[]>;
  readonly failures: readonly { readonly path: string; readonly provider: CiProvider; readonly kind: string }[];
};

const readers: Readonly<Record<Exclude<CiProvider, 'jenkins'>, CiReader>> = {
  github_actions: readGithubWorkflow,
  gitlab_ci: readGitlabCi,
  circleci: readCircleci,
  azure_pipelines: readAzurePipelines,
  bitbucket: readBitbucket,
  buildkite: readBuildkite,
};

export async function readCiFiles(repo: ProbeRepo): Promise<CiFiles> {
  const files: CiFile[] = [];
  const failures: CiFiles['failures'][number][] = [];
  for (const provider of ciProviders) {
    for (const path of repo.inputs.list(ciFileGlobs[provider])) {
      const outcome = provider === 'jenkins' ? await readScript(repo, path) : await readDocument(repo, path, provider);
      if (typeof outcome === 'string') failures.push({ path, provider, kind: outcome });
      else if (outcome !== null) files.push({ path, provider, ...outcome });
    }
  }
  return { files, failures, localActions: await readLocalActions(repo) };
}

type Read = Pick<CiFile, 'reading' | 'secretNames'>;

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
  return { reading: readers[provider](value), secretNames };
}

async function readScript(repo: ProbeRepo, path: string): Promise<Read | string | null> {
  const outcome = await readParsed(repo, path, limits.textBytes, (bytes) =>
    parseText(bytes, { maxBytes: limits.textBytes }),
  );
  if ('absent' in outcome) return null;
  return outcome.ok ? { reading: readJenkinsfile(outcome.value), secretNames: [] } : outcome.failure.kind;
}

/** Actions that are not composite are programs: known, and without steps. One that cannot be parsed stays unknown. */
async function readLocalActions(repo: ProbeRepo): Promise<ReadonlyMap<string, readonly CiStep[]>> {
  const actions = new Map<string, readonly CiStep[]>();
  for (const path of repo.inputs.list(localActionGlobs)) {
    const outcome = await readYaml(repo, path);
    if ('absent' in outcome || !outcome.ok) continue;
    const directory = path.slice(0, path.lastIndexOf('/'));
    const runs = isCompositeAction(outcome.value) ? ((outcome.value as JsonObject)['runs'] as JsonObject) : {};
    actions.set(directory, readGithubSteps(runs, ''));
  }
  return actions;
}

function readYaml(repo: ProbeRepo, path: string): ReturnType<typeof readParsed<Json>> {
  return readParsed(repo, path, limits.yamlBytes, (bytes) =>
    parseYaml(bytes, { maxBytes: limits.yamlBytes, maxDepth: limits.parseDepth }),
  );
}
