/** Which files CI providers read, and the section about them. */

import { namedOnly } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';

/** In order of precedence: the first one present is the provider, the others are additional. */
export const ciProviders = [
  'github_actions',
  'gitlab_ci',
  'circleci',
  'jenkins',
  'azure_pipelines',
  'bitbucket',
  'buildkite',
] as const;
export type CiProvider = (typeof ciProviders)[number];

export const ciFileGlobs: Readonly<Record<CiProvider, readonly string[]>> = {
  github_actions: ['.github/workflows/*.{yml,yaml}'],
  gitlab_ci: ['.gitlab-ci.yml'],
  circleci: ['.circleci/config.yml'],
  jenkins: ['Jenkinsfile'],
  azure_pipelines: ['azure-pipelines.yml'],
  bitbucket: ['bitbucket-pipelines.yml'],
  buildkite: ['.buildkite/pipeline.yml'],
};

export const localActionGlobs: readonly string[] = ['.github/actions/*/action.{yml,yaml}'];

const provider = z.enum(ciProviders);
const command = namedOnly(z.string()).nullable();

export const ciSection = z.strictObject({
  provider: provider.nullable(),
  additional_providers: z.array(provider),
  workflow_files: z.array(z.string()),
  jobs: z.array(z.strictObject({ file: z.string(), id: z.string(), runs_on: z.array(z.string()), steps: z.int() })),
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
