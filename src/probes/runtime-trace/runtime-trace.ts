/**
 * What the image really does when it runs: programs, libraries, files, certificates, shells and the network, seen by strace from
 * outside the container while it starts, is asked, is stopped and fails. Promise: what is said was seen; a scenario that could not
 * be shown is named with its reason; nothing of the engine's own is taken for the workload's; no container outlives the probe.
 */

import { defineProbe, type Slice } from '../../gather/contract.ts';
import { runtimeTraceFreshness } from '../../gather/freshness/index-checks.ts';
import { isJsonObject } from '../../kernel/base/json.ts';
import { normaliseDockerfile } from '../image-build/image-build-section.ts';
import {
  describeCoverage,
  selectBuild,
  selectFinalStages,
  traceConfigKeys,
  traceSection,
} from './runtime-trace-section.ts';

/** Failures that may be the machine's rather than the program's: not believed when they are replayed. */
const machineFailures = new Set(['container_start_failed', 'docker_build_failed', 'trace_incomplete']);

export default defineProbe({
  name: 'runtime_trace',
  version: '0.1.3',
  layer: 'C',
  says: 'What the built image does when it runs: programs, libraries, files, certificates, shells and endpoints, traced in hardened containers.',
  heaviness: 'heavy',
  sections: { runtime_trace: traceSection },
  requires: [
    { probe: 'image_build', select: selectBuild, optional: true },
    { probe: 'dockerfile', select: selectFinalStages },
  ],
  declaredInputs: ['Dockerfile', '.codegenie/scenarios.yaml', 'image-digest:<resolved>'],
  configKeys: traceConfigKeys,
  tools: ['docker', 'podman', 'strace'],
  platformSensitive: true,
  deterministic: false,
  timeoutSeconds: 900,
  budget: { rssMb: 500, rawArtifactMb: 64 },
  artifacts: ['runtime_trace.json', 'runtime-trace-*.strace', 'runtime-files-read.txt'],
  warningIds: [
    'runtime_trace.image_digest_unresolved',
    'runtime_trace.platform_not_linux',
    'runtime_trace.docker_build_failed_all',
    'runtime_trace.scenarios_yaml_malformed',
    'runtime_trace.strace_missing',
    'runtime_trace.log_tamperable',
    'runtime_trace.scenario_failed',
    'runtime_trace.not_configured',
  ],
  confidenceRule:
    'high when at least five scenarios completed and none failed; medium when two completed, or the smoke test alone; else low; never high where the workload could reach its own trace',
  index: {
    name: 'runtime_trace',
    check: runtimeTraceFreshness,
    detail: describeCoverage,
    async imageDigest(repo, ctx) {
      const { currentImageDigest } = await import('../image-build/built-image.ts');
      return currentImageDigest(repo, ctx);
    },
  },
  applies: (repo) => {
    const dockerfile = normaliseDockerfile(repo.config['image_build.dockerfile']);
    return (dockerfile !== null && repo.scope.exists(dockerfile)) || 'not_applicable';
  },
  revalidate: async (slice) => !failureKinds(slice).some((kind) => machineFailures.has(kind)),
  async run(repo, ctx) {
    const { gatherRuntimeTrace } = await import('./gather-runtime-trace.ts');
    return gatherRuntimeTrace(repo, ctx, { platform: process.platform });
  },
  examples: [
    {
      shows: 'without an image nothing is traced, and every scenario says so',
      needs: ['strace'],
      files: {
        Dockerfile: 'FROM scratch\n',
        '.codegenie/scenarios.yaml': 'scenarios: [{name: startup}, {name: migrate, command: [x]}]\n',
      },
      gives: {
        runtime_trace: {
          per_scenario_artifacts: { startup: null, migrate: null },
          scenarios_run: [],
          scenarios_failed: [],
          scenario_results: [
            { kind: 'skipped', scenario_name: 'startup', reason: { kind: 'image_build_unavailable' } },
            { kind: 'skipped', scenario_name: 'migrate', reason: { kind: 'image_build_unavailable' } },
          ],
          trace_coverage_confidence: 'unavailable',
        },
      },
      warnings: [],
      confidence: 'low',
    },
    {
      shows: 'a scenarios file that cannot be used is never replaced by the defaults',
      files: {
        Dockerfile: 'FROM scratch\n',
        '.codegenie/scenarios.yaml': 'scenarios: [{name: startup, network: host}]\n',
      },
      gives: {
        runtime_trace: {
          scenarios_run: [],
          scenarios_failed: ['startup', 'smoke_test', 'healthcheck', 'shutdown', 'error_path'],
          per_scenario_artifacts: { startup: null, error_path: null },
          trace_method: null,
          built_image_digest: null,
          last_traced_at: null,
          trace_coverage_confidence: 'unavailable',
        },
      },
      warnings: ['runtime_trace.scenario_failed', 'runtime_trace.scenarios_yaml_malformed'],
      confidence: 'low',
    },
    { shows: 'no Dockerfile', files: { 'a.txt': 'a' }, gives: {}, skipped: 'not_applicable' },
  ],
});

function failureKinds(slice: Slice): string[] {
  const trace = slice['runtime_trace'];
  const results = trace !== undefined && isJsonObject(trace) ? trace['scenario_results'] : [];
  return (Array.isArray(results) ? results : []).flatMap((result) => {
    const reason = isJsonObject(result) ? result['reason'] : undefined;
    return reason !== undefined && isJsonObject(reason) && typeof reason['kind'] === 'string' ? [reason['kind']] : [];
  });
}
