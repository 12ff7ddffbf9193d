/**
 * What each image starts: ENTRYPOINT and CMD by Docker's rules, the program that is process 1, and whether a signal to it is heard.
 * The configuration of the built image wins over the text, because it also knows what the base image declares.
 */

import { defineProbe } from '../../gather/contract.ts';
import { member } from '../../kernel/base/json-access.ts';
import {
  dockerfileGlobs,
  dockerfileRequirement,
  isDockerfile,
  upstreamDockerfiles,
} from '../dockerfile/dockerfile-section.ts';
import { entrypointSection, signalSourceGlobs } from './entrypoint-section.ts';

export default defineProbe({
  name: 'entrypoint',
  version: '0.1.1',
  layer: 'C',
  says: 'What each image starts, which program is process 1, and whether and how a stop signal is handled.',
  heaviness: 'light',
  sections: { entrypoint: entrypointSection },
  requires: [
    dockerfileRequirement,
    {
      probe: 'image_build',
      optional: true,
      select: (slice) => {
        const build = slice['image_build'];
        const { dockerfile, config, outcome } = {
          dockerfile: member(build, 'dockerfile') ?? null,
          config: member(build, 'config') ?? null,
          outcome: member(build, 'outcome', 'kind') ?? null,
        };
        return { dockerfile, config, outcome };
      },
    },
    {
      probe: 'runtime_trace',
      optional: true,
      select: (slice) => ({
        scenario_results: member(slice['runtime_trace'], 'scenario_results') ?? [],
        binaries_executed: member(slice['runtime_trace'], 'binaries_executed') ?? [],
      }),
    },
  ],
  declaredInputs: [...dockerfileGlobs, ...signalSourceGlobs],
  async deriveInputs(repo, ctx) {
    const { listScriptCandidates } = await import('../dockerfile/dockerfile-commands.ts');
    return (await Promise.all(upstreamDockerfiles(ctx).map((row) => listScriptCandidates(repo, row)))).flat();
  },
  timeoutSeconds: 30,
  warningIds: ['entrypoint.none_declared'],
  confidenceRule:
    'high; low when a final stage declares neither ENTRYPOINT nor CMD and no built image tells what its base declares',
  applies: (repo) => repo.scope.match(dockerfileGlobs).some(({ path }) => isDockerfile(path)) || 'not_applicable',
  async run(repo, ctx) {
    const { gatherEntrypoints } = await import('./gather-entrypoints.ts');
    return gatherEntrypoints(repo, ctx);
  },
  examples: [
    {
      shows: 'tini as process 1, a handler in the source',
      files: {
        Dockerfile: 'FROM node:24-alpine\nENTRYPOINT ["/sbin/tini", "--"]\nCMD ["node", "server.js"]\n',
        'server.js': "const server = start();\nprocess.once('SIGTERM', () => server.close());\n",
      },
      gives: {
        entrypoint: {
          entrypoints: [
            {
              dockerfile: 'Dockerfile',
              form: 'exec',
              argv: ['/sbin/tini', '--', 'node', 'server.js'],
              command: '/sbin/tini -- node server.js',
              pid_1_program: '/sbin/tini',
              init: 'tini',
              invokes_script_file: null,
              signal_handler_present: true,
              signal_handler_method: "process.on('SIGTERM')",
              effective_from: 'dockerfile',
            },
          ],
          graceful_shutdown_observed: null,
          graceful_shutdown_method: null,
        },
      },
      warnings: [],
      confidence: 'high',
    },
    {
      shows: 'a shell is process 1 unless it is replaced; nothing listens for the signal',
      files: {
        Dockerfile: 'FROM node:24\nCMD npm start\n',
        'api/Dockerfile': 'FROM node:24\nENTRYPOINT exec node $OPTS server.js\nCMD ["ignored"]\n',
        'server.js': '// process.on("SIGTERM") is to be done\n',
      },
      gives: {
        entrypoint: {
          entrypoints: [
            {
              dockerfile: 'Dockerfile',
              form: 'shell',
              argv: ['/bin/sh', '-c', 'npm start'],
              command: 'npm start',
              pid_1_program: '/bin/sh',
              init: 'none',
              invokes_script_file: null,
              signal_handler_present: false,
              signal_handler_method: null,
              effective_from: 'dockerfile',
            },
            {
              dockerfile: 'api/Dockerfile',
              form: 'shell',
              argv: ['/bin/sh', '-c', 'exec node $OPTS server.js'],
              command: 'exec node $OPTS server.js',
              pid_1_program: 'node',
              init: 'none',
              invokes_script_file: null,
              signal_handler_present: false,
              signal_handler_method: null,
              effective_from: 'dockerfile',
            },
          ],
        },
      },
      confidence: 'high',
    },
    {
      shows: 'a script that was copied from the repository, and traps the signal',
      files: {
        Dockerfile:
          'FROM golang:1.24 AS build\nCOPY . /src/\nFROM debian:12\nCOPY --from=build /src/docker/run.sh /usr/local/bin/\nENTRYPOINT ["run.sh"]\nCMD ["serve"]\n',
        'docker/run.sh': '#!/bin/sh\ntrap \'kill "$pid"\' TERM INT\n/serve & pid=$!\nwait\n',
      },
      gives: {
        entrypoint: {
          entrypoints: [
            {
              argv: ['run.sh', 'serve'],
              pid_1_program: 'run.sh',
              invokes_script_file: 'docker/run.sh',
              signal_handler_present: true,
              signal_handler_method: 'trap',
            },
          ],
        },
      },
      warnings: [],
    },
    {
      shows: 'a static binary without sources to look at: not known is not no',
      files: { Dockerfile: 'FROM scratch\nCOPY app /app\nENTRYPOINT ["/app"]\n', app: 'ELF' },
      gives: {
        entrypoint: {
          entrypoints: [{ pid_1_program: '/app', signal_handler_present: null, signal_handler_method: null }],
        },
      },
      confidence: 'high',
    },
    {
      shows: 'nothing declared: the base image decides, and was not built',
      files: { Dockerfile: 'FROM nginx:1.27\nCOPY html /usr/share/nginx/html\n' },
      gives: {
        entrypoint: {
          entrypoints: [{ form: 'absent', argv: [], command: null, pid_1_program: null, init: 'none' }],
        },
      },
      warnings: ['entrypoint.none_declared'],
      confidence: 'low',
    },
    { shows: 'no Dockerfile', files: { 'a.txt': 'x' }, gives: {}, skipped: 'not_applicable' },
  ],
});
