/** Which files CI providers read, and the section about them. */

import { namedOnly } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';
import { compileGlobs } from '../../kernel/tree/path-patterns.ts';
import { commandRoles } from '../shared/command-deeds.ts';

/** In order of precedence: the first one present that checks changes is the provider, the others are additional. */
export const ciProviders = [
  'github_actions',
  'gitlab_ci',
  'circleci',
  'jenkins',
  'azure_pipelines',
  'bitbucket',
  'buildkite',
  'woodpecker',
  'drone',
  'forgejo',
  'gitea',
  'cirrus',
  'appveyor',
  'travis',
] as const;
export type CiProvider = (typeof ciProviders)[number];

export const ciFileGlobs: Readonly<Record<CiProvider, readonly string[]>> = {
  github_actions: ['.github/workflows/*.{yml,yaml}'],
  gitlab_ci: ['.gitlab-ci.yml'],
  circleci: ['.circleci/config.yml'],
  jenkins: ['Jenkinsfile'],
  // Any file can be one of Azure's; these names are usual, and those of the last line are looked into.
  azure_pipelines: [
    'azure-pipelines*.{yml,yaml}',
    '{.azure-pipelines,.azuredevops,.azure/pipelines,.pipelines,eng/pipelines}/*.{yml,yaml}',
    '{ci,build,pipeline,pipelines}.{yml,yaml}',
  ],
  bitbucket: ['bitbucket-pipelines.yml'],
  buildkite: ['.buildkite/pipeline.yml'],
  woodpecker: ['.woodpecker.{yml,yaml}', '.woodpecker/**/*.{yml,yaml}'],
  drone: ['.drone.yml'],
  forgejo: ['.forgejo/workflows/*.{yml,yaml}'],
  gitea: ['.gitea/workflows/*.{yml,yaml}'],
  cirrus: ['.cirrus.yml'],
  appveyor: ['{,.}appveyor.yml'],
  travis: ['.travis.yml'],
};

const filesOf = ciProviders.map((provider) => ({ provider, reads: compileGlobs(ciFileGlobs[provider]) }));

export function providerOf(path: string): CiProvider | undefined {
  return filesOf.find(({ reads }) => reads(path))?.provider;
}

/**
 * Providers whose jobs build, test or lint, in order of precedence. Files of Travis stay behind where a repository has moved on: beside
 * another that checks they count for nothing.
 */
export function listCheckers(
  jobs: readonly { readonly file: string; readonly commands: readonly { readonly roles: readonly string[] }[] }[],
): readonly CiProvider[] {
  const checked = jobs
    .filter(({ commands }) =>
      commands.some(({ roles }) => roles.some((role) => role !== 'install' && role !== 'start')),
    )
    .map(({ file }) => file);
  const found = filesOf.filter(({ reads }) => checked.some(reads)).map(({ provider }) => provider);
  return found.length > 1 ? found.filter((provider) => provider !== 'travis') : found;
}

export const localActionGlobs: readonly string[] = ['.github/**/action.{yml,yaml}', 'action.{yml,yaml}'];

const provider = z.enum(ciProviders);
const command = namedOnly(z.string()).nullable();

const matrixEntry = z.record(z.string(), z.json());
/** What a job is multiplied by. */
const matrix = z.strictObject({
  axes: z.record(z.string(), z.array(z.json())),
  include: z.array(matrixEntry),
  exclude: z.array(matrixEntry),
  /** Jobs that come out of it; null where an expression computes it. */
  expanded: z.int().nullable(),
  line: z.int().nullable(),
});
export type CiMatrix = Readonly<z.output<typeof matrix>>;

/** One line of shell that a job runs; actions and workflows of the repository are followed. */
const jobCommand = z.strictObject({
  run: namedOnly(z.string()),
  /** With the variables filled in that the file gives a value. */
  resolved: namedOnly(z.string()),
  /** Root-relative, `.` for the root; null where an expression computes it. */
  directory: z.string().nullable(),
  /** Where a computed value stands for a directory: `src/*`. */
  directories: z.string().nullable(),
  file: z.string(),
  line: z.int().nullable(),
  /** The published action that stands for it; null for a shell line. */
  action: namedOnly(z.string()).nullable(),
  roles: z.array(z.enum(commandRoles)),
});

const job = z.strictObject({
  file: z.string(),
  id: z.string(),
  runs_on: z.array(z.string()),
  steps: z.int(),
  /** What starts the pipeline: `push`, `pull_request`, `release` …; empty where the provider does not say. */
  triggers: z.array(z.string()),
  matrix: matrix.nullable(),
  commands: z.array(jobCommand),
});
export type CiJobRow = Readonly<z.output<typeof job>>;

export const ciSection = z.strictObject({
  provider: provider.nullable(),
  additional_providers: z.array(provider),
  workflow_files: z.array(z.string()),
  jobs: z.array(job),
  builds_image: z.boolean(),
  image_build_command: command,
  unit_test_command: command,
  smoke_test_command: command,
  smoke_test_present: z.boolean(),
  smoke_test_path: z.string().nullable(),
  build_matrix: z.array(z.strictObject({ name: z.string(), values: z.array(z.string()) })),
  references_secrets: z.array(namedOnly(z.string())),
  unpinned_actions: z.array(namedOnly(z.string())),
  parse_errors: z.array(z.strictObject({ path: z.string(), kind: z.string() })),
});
export type CiSummary = z.output<typeof ciSection>;
