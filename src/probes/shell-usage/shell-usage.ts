/**
 * Where a container needs a shell once it is built, and what could stand in its place: the question behind every move to an image
 * without one. RUN needs a shell at build time only and is listed for that reason alone. A use that the catalog does not know is
 * `unknown`; none is left out.
 */

import { defineProbe } from '../../gather/contract.ts';
import { listAt, member } from '../../kernel/base/json-access.ts';
import {
  dockerfileGlobs,
  dockerfileRequirement,
  isDockerfile,
  upstreamDockerfiles,
} from '../dockerfile/dockerfile-section.ts';
import { shellUsageSection } from './shell-usage-section.ts';

const untraced = 'shell_usage.upstream_runtime_trace_unavailable';

export default defineProbe({
  name: 'shell_usage',
  version: '0.1.1',
  layer: 'C',
  says: 'Where the running container needs a shell: shell forms, scripts, package managers; and what can replace each use.',
  heaviness: 'light',
  sections: { shell_usage: shellUsageSection },
  requires: [
    dockerfileRequirement,
    {
      probe: 'runtime_trace',
      optional: true,
      select: (slice) => {
        const trace = slice['runtime_trace'];
        return {
          shell_invocations: member(trace, 'shell_invocations') ?? null,
          binaries_executed: member(trace, 'binaries_executed') ?? [],
          trace_coverage_confidence: member(trace, 'trace_coverage_confidence') ?? null,
          scenario_results: listAt(trace, 'scenario_results').map((result) => ({
            kind: member(result, 'kind') ?? null,
            scenario_name: member(result, 'scenario_name') ?? null,
          })),
        };
      },
    },
  ],
  declaredInputs: [...dockerfileGlobs, '**/package.json'],
  async deriveInputs(repo, ctx) {
    const { listScriptCandidates } = await import('../dockerfile/dockerfile-commands.ts');
    return (await Promise.all(upstreamDockerfiles(ctx).map((row) => listScriptCandidates(repo, row)))).flat();
  },
  catalogs: ['shell-replacements'],
  timeoutSeconds: 30,
  warningIds: [untraced, 'shell_usage.script_unresolved', 'shell_usage.unknown_touchpoint'],
  confidenceRule: 'high; medium without a trace of the running container',
  applies: (repo) => repo.scope.match(dockerfileGlobs).some(({ path }) => isDockerfile(path)) || 'not_applicable',
  async run(repo, ctx) {
    const { gatherShellUsage } = await import('./gather-shell-usage.ts');
    return gatherShellUsage(repo, ctx);
  },
  examples: [
    {
      shows: 'the shell form with npm start, resolved to the script it stands for',
      files: {
        Dockerfile: 'FROM node:24\nWORKDIR /app\nCOPY . .\nRUN npm ci\nCMD npm start\n',
        'package.json': '{"scripts":{"start":"node dist/server.js --port 3000"}}',
      },
      gives: {
        shell_usage: {
          static_analysis: [
            {
              dockerfile: 'Dockerfile',
              entrypoint_form: 'absent',
              cmd_form: 'shell',
              final_stage_run_commands: [{ command: 'npm ci', runs_at: 'build_time' }],
              startup_script_invoked: null,
              healthcheck_uses_shell: false,
            },
          ],
          runtime_trace: null,
          shell_dependent_features: {
            env_var_interpolation_in_entrypoint: false,
            glob_expansion_in_entrypoint: false,
            chained_commands_in_entrypoint: false,
          },
          touchpoints: [
            {
              where: 'Dockerfile CMD',
              text: 'npm start → node dist/server.js --port 3000',
              classification: 'package_manager_at_runtime',
              replacement_known: 'yes',
              replacement: '["node","dist/server.js","--port","3000"] in the exec form',
            },
          ],
          classification_summary: { fully_replaceable: 1, partial_or_uncertain: 0, blocking: 0, unknown: 0 },
        },
      },
      warnings: [untraced],
      confidence: 'medium',
    },
    {
      shows: 'a copied script behind tini, its commands one by one, and a health check that needs a shell',
      files: {
        Dockerfile:
          'FROM node:24-slim\nCOPY docker/ /usr/local/bin/\nHEALTHCHECK CMD curl -f http://localhost:$PORT/ || exit 1\nENTRYPOINT ["tini", "--", "run.sh"]\nCMD ["node", "a.js"]\n',
        'docker/run.sh':
          '#!/bin/bash\nset -e\n# why\nif [ -n "$DEBUG" ]; then echo debug; fi\n./wait-for-it.sh db:5432\ntr a-z A-Z < a.tpl > a.conf\nexec "$@"\n',
      },
      gives: {
        shell_usage: {
          static_analysis: [
            { entrypoint_form: 'exec', startup_script_invoked: 'docker/run.sh', healthcheck_uses_shell: true },
          ],
          touchpoints: [
            {
              where: 'Dockerfile HEALTHCHECK',
              text: 'curl -f http://localhost:$PORT/ || exit 1',
              classification: 'chained_commands',
            },
            { where: 'docker/run.sh', text: 'run.sh (#!/bin/bash)', classification: 'script_entrypoint' },
            {
              where: 'docker/run.sh:5',
              text: './wait-for-it.sh db:5432',
              classification: 'startup_orchestration',
              replacement_known: 'depends',
            },
            {
              where: 'docker/run.sh:6',
              text: 'tr a-z A-Z < a.tpl > a.conf',
              classification: 'unknown',
              replacement_known: 'unknown',
              replacement: null,
            },
            { where: 'docker/run.sh:7', text: 'exec "$@"', classification: 'exec_wrapper', replacement_known: 'yes' },
          ],
        },
      },
      warnings: ['shell_usage.script_unresolved', 'shell_usage.unknown_touchpoint', untraced],
      confidence: 'medium',
    },
    {
      shows: 'sh -c in the exec form, variables, names and chains; a package script with a hook of its own',
      files: {
        Dockerfile: 'FROM node:24\nENTRYPOINT ["sh", "-c", "cat /etc/x && java -cp lib/* -Xmx$MEM Main"]\n',
        'web/Dockerfile': 'FROM node:24\nCMD ["npm", "run", "serve"]\n',
        'web/package.json': '{"scripts":{"preserve":"node check.js && echo ok","serve":"vite preview"}}',
      },
      gives: {
        shell_usage: {
          shell_dependent_features: {
            env_var_interpolation_in_entrypoint: true,
            glob_expansion_in_entrypoint: true,
            chained_commands_in_entrypoint: true,
          },
          touchpoints: [
            { where: 'Dockerfile ENTRYPOINT', classification: 'chained_commands', replacement_known: 'depends' },
            {
              where: 'web/Dockerfile CMD',
              text: 'npm run serve → vite preview',
              classification: 'package_manager_at_runtime',
              replacement_known: 'depends',
              replacement: '["node","node_modules/.bin/vite","preview"] in the exec form; preserve must run elsewhere',
            },
            {
              where: 'web/package.json scripts.preserve',
              text: 'node check.js && echo ok',
              classification: 'chained_commands',
            },
          ],
        },
      },
    },
    {
      shows: 'exec forms all the way: nothing needs a shell, as far as the text tells',
      files: { Dockerfile: 'FROM gcr.io/distroless/nodejs24\nCMD ["server.js"]\n' },
      gives: {
        shell_usage: {
          touchpoints: [],
          classification_summary: { fully_replaceable: 0, partial_or_uncertain: 0, blocking: 0, unknown: 0 },
        },
      },
      warnings: [untraced],
      confidence: 'medium',
    },
    { shows: 'no Dockerfile', files: { 'a.txt': 'x' }, gives: {}, skipped: 'not_applicable' },
  ],
});
