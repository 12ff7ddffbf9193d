/** Which files CI providers read. */

import type { CiProvider } from './ci-providers.ts';

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
