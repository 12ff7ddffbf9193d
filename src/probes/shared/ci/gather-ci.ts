/** The run of the ci probe: read, summarise, judge. */

import type { Confidence, ProbeOutput, ProbeRepo } from '../../../gather/contract.ts';
import { canonicalJson } from '../../../kernel/base/json.ts';
import { createFindings, evidenceOf } from '../findings.ts';
import { shortLine, textAt } from '../json-access.ts';
import { type ManifestContext, type ManifestRead, readManifest } from '../manifests.ts';
import { findSmokeFile, smokeFileGlobs } from '../smoke-path.ts';
import { type CiFiles, readCiFiles } from './read-ci-files.ts';
import { type ScriptsOf, summarizeCi } from './summarize-ci.ts';

export async function gatherCi(repo: ProbeRepo, ctx: ManifestContext): Promise<ProbeOutput> {
  const ci = await readCiFiles(repo);
  const smokeFile = findSmokeFile(repo.inputs.list(smokeFileGlobs));
  const { summary, unresolvedActions } = summarizeCi(ci, await loadScripts(repo, ctx, ci), smokeFile);
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
