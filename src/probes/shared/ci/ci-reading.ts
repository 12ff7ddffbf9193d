/** One shape for what a CI file of any provider says, as far as anybody asks. */

import type { Json } from '../../../kernel/base/json.ts';

export const ciProviders = [
  'github_actions',
  'gitlab_ci',
  'circleci',
  'jenkins',
  'azure_pipelines',
  'bitbucket',
  'buildkite',
] as const;
/** In order of precedence: the first one present is the provider, the others are additional. */
export type CiProvider = (typeof ciProviders)[number];

export type CiStep = {
  /** Shell text as written, possibly many lines. */
  readonly run: string | null;
  /** Reference to a published or local action. */
  readonly uses: string | null;
  /** Root-relative, `''` for the root. */
  readonly directory: string;
};

export type CiJob = { readonly id: string; readonly runsOn: readonly string[]; readonly steps: readonly CiStep[] };
export type MatrixAxis = { readonly name: string; readonly values: readonly string[] };
export type CiReading = { readonly jobs: readonly CiJob[]; readonly matrix: readonly MatrixAxis[] };

/** Parsed document → reading. Total: parts of an unexpected shape are left out. */
export type CiReader = (document: Json) => CiReading;

export function runStep(run: string, directory = ''): CiStep {
  return { run, uses: null, directory };
}
