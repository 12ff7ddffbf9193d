/**
 * What the Dockerfiles say: stages, base images, commands, users, ports, what is copied and what is run. The text is read as the
 * builder reads it (`dockerfile-stages.ts`) and nothing is built; a value that hangs on a build argument or on the base image stays
 * as written. What a stage is for and what a RUN is for follow the rules in `dockerfile-purposes.ts`.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how Dockerfiles write variables

import { defineProbe } from '../../gather/contract.ts';
import { familyIds } from '../shared/probe-reading.ts';
import { dockerfileFacts } from './dockerfile-facts.ts';
import { dockerfileGlobs, dockerfileSection, isDockerfile } from './dockerfile-section.ts';

export default defineProbe({
  name: 'dockerfile',
  version: '0.4.0',
  layer: 'C',
  says: 'Stages, base images, commands, users, ports and copies of every Dockerfile, with variables and inheritance resolved.',
  heaviness: 'light',
  sections: { containerization: dockerfileSection },
  facts: dockerfileFacts,
  declaredInputs: [...dockerfileGlobs, '.dockerignore'],
  timeoutSeconds: 60,
  artifacts: ['dockerfile.json'],
  warningIds: ['dockerfile.arg_unresolved', 'dockerfile.parse_problem', 'dockerfile.stage_reference_unresolved'],
  errorIds: familyIds('dockerfile'),
  confidenceRule:
    'high; medium when something could not be parsed or names a stage that is not there; low when a file could not be read',
  applies: (repo) => repo.scope.match(dockerfileGlobs).some(({ path }) => isDockerfile(path)) || 'not_applicable',
  async run(repo) {
    const { gatherDockerfiles } = await import('./gather-dockerfiles.ts');
    return gatherDockerfiles(repo);
  },
  examples: [
    {
      shows: 'a home directory of the image is written as any other',
      files: { Dockerfile: 'FROM debian\nENTRYPOINT ["/home/app/serve"]\n' },
      gives: {},
      facts: [
        {
          id: 'docker.entrypoint',
          scope: 'Dockerfile',
          value: { entrypoint: ['~/serve'], cmd: null },
          how: 'declared: ENTRYPOINT and CMD, a home directory written as ~',
        },
      ],
    },
    {
      shows: 'the image that is shipped is that of the stage called so, where what is built by default starts nothing',
      files: {
        Dockerfile:
          'FROM node:22 AS build\nUSER node\nRUN npm ci\nFROM node:22-slim AS release\nEXPOSE 3001\nCMD ["node", "server.js"]\nFROM alpine:3.22 AS upload\nCOPY --from=build /app/dist /\n',
      },
      gives: {},
      facts: [
        {
          id: 'docker.entrypoint',
          scope: 'Dockerfile',
          value: { entrypoint: null, cmd: ['node', 'server.js'] },
          confidence: 'medium',
          how: 'follows: ENTRYPOINT and CMD; of the stage release, for the last one starts nothing',
        },
        { id: 'docker.final_base', scope: 'Dockerfile', value: 'node:22-slim', evidence: ['Dockerfile:4'] },
        { id: 'docker.images', scope: '.', evidence: ['Dockerfile:4'] },
        { id: 'docker.ports', scope: 'Dockerfile#upload', state: 'none', confidence: 'high' },
      ],
    },
    {
      shows: 'two stages with a global argument, a here-document and a user; the final stage is what runs',
      files: {
        Dockerfile: [
          '# syntax=docker/dockerfile:1.7',
          'ARG NODE_VERSION=24',
          'FROM --platform=$BUILDPLATFORM node:${NODE_VERSION}-alpine AS build',
          'WORKDIR /app',
          'COPY package*.json ./',
          'RUN npm ci',
          'RUN <<EOF',
          'npm run build',
          'rm -rf /tmp/x',
          'EOF',
          'FROM gcr.io/distroless/nodejs24-debian12:nonroot',
          'WORKDIR /app',
          'COPY --from=build --chown=65532:65532 /app/dist ./dist',
          'ENV NODE_ENV=production PORT=3000',
          'EXPOSE $PORT',
          'USER 65532',
          'CMD ["dist/index.js"]',
          '',
        ].join('\n'),
      },
      gives: {
        containerization: {
          dockerfiles: [
            {
              path: 'Dockerfile',
              syntax_directive: 'docker/dockerfile:1.7',
              escape: '\\',
              global_args: [{ name: 'NODE_VERSION', default: '24' }],
              stages: [
                {
                  index: 0,
                  name: 'build',
                  platform: '$BUILDPLATFORM',
                  base_image: 'node:${NODE_VERSION}-alpine',
                  base_image_resolved: 'node:24-alpine',
                  base_image_registry: 'docker.io',
                  base_digest: null,
                  distroless: false,
                  inherits_from: null,
                  purpose: 'build',
                  user: null,
                  workdir: '/app',
                  env: [],
                  labels: [],
                  args: [],
                  expose: [],
                  stop_signal: null,
                  shell: null,
                  healthcheck: null,
                  entrypoint: { form: 'absent', argv: [], command: null },
                  cmd: { form: 'absent', argv: [], command: null },
                  package_manager_present: 'apk',
                },
                {
                  index: 1,
                  name: null,
                  base_image_resolved: 'gcr.io/distroless/nodejs24-debian12:nonroot',
                  base_image_registry: 'gcr.io',
                  distroless: true,
                  purpose: 'runtime',
                  user: '65532',
                  env: [
                    { name: 'NODE_ENV', value: 'production' },
                    { name: 'PORT', value: '3000' },
                  ],
                  expose: ['3000'],
                  cmd: { form: 'exec', argv: ['dist/index.js'], command: 'dist/index.js' },
                  package_manager_present: null,
                },
              ],
              final_stage: 1,
              run_commands: [
                { stage_index: 0, form: 'shell', command: 'npm ci', line: 6, purpose: 'dependency_install' },
                {
                  stage_index: 0,
                  form: 'shell',
                  command: 'npm run build\nrm -rf /tmp/x',
                  line: 7,
                  purpose: 'build',
                },
              ],
              copy_directives: [
                {
                  stage_index: 0,
                  from: null,
                  from_stage_resolved: null,
                  sources: ['package*.json'],
                  destination: '/app/',
                  chown: null,
                  line: 5,
                },
                {
                  stage_index: 1,
                  from: 'build',
                  from_stage_resolved: 0,
                  sources: ['/app/dist'],
                  destination: '/app/dist',
                  chown: '65532:65532',
                  line: 13,
                },
              ],
              parse_problems: [],
            },
          ],
        },
      },
      warnings: [],
      confidence: 'high',
    },
    {
      shows: 'a stage takes over what the stage below it set; an argument is seen only where it is declared',
      files: {
        'docker/Containerfile': [
          'ARG TAG=3.20',
          'FROM alpine:${TAG:-latest} AS base',
          'ARG TAG',
          'ARG WHO',
          'ENV HOME=/srv/$TAG OWNER=${WHO:-nobody} EXTRA=${HOME:+set}',
          'USER app',
          'STOPSIGNAL SIGQUIT',
          'ENTRYPOINT ["/sbin/tini", "--"]',
          'CMD ["serve"]',
          'FROM base',
          'WORKDIR logs',
          'ENV TAG=4 NEXT=$TAG',
          'ENTRYPOINT exec /app/run "$@"',
          'HEALTHCHECK --interval=30s --retries=3 CMD curl -f http://localhost/ || exit 1',
        ].join('\n'),
      },
      gives: {
        containerization: {
          dockerfiles: [
            {
              path: 'docker/Containerfile',
              final_stage: 1,
              stages: [
                {
                  purpose: 'runtime',
                  base_image_resolved: 'alpine:3.20',
                  entrypoint: { form: 'exec', argv: ['/sbin/tini', '--'], command: '/sbin/tini --' },
                  cmd: { form: 'exec', argv: ['serve'], command: 'serve' },
                },
                {
                  inherits_from: 0,
                  base_image: 'base',
                  base_image_resolved: 'alpine:3.20',
                  user: 'app',
                  stop_signal: 'SIGQUIT',
                  env: [
                    { name: 'EXTRA', value: '' },
                    { name: 'HOME', value: '/srv/3.20' },
                    { name: 'NEXT', value: '3.20' },
                    { name: 'OWNER', value: 'nobody' },
                    { name: 'TAG', value: '4' },
                  ],
                  args: [
                    { name: 'TAG', value: '3.20' },
                    { name: 'WHO', value: null },
                  ],
                  entrypoint: {
                    form: 'shell',
                    argv: ['/bin/sh', '-c', 'exec /app/run "$@"'],
                    command: 'exec /app/run "$@"',
                  },
                  cmd: { form: 'absent', argv: [], command: null },
                  healthcheck: {
                    kind: 'cmd',
                    form: 'shell',
                    command: 'curl -f http://localhost/ || exit 1',
                    options: [
                      { name: 'interval', value: '30s' },
                      { name: 'retries', value: '3' },
                    ],
                  },
                },
              ],
            },
          ],
        },
      },
      warnings: [],
      confidence: 'high',
    },
    {
      shows: 'what cannot be known or parsed is said, with its line',
      files: {
        Dockerfile:
          "ARG BASE\nFROM ghcr.io/acme/${BASE} AS app\nCOPY --from=biuld /a /b\nCOPY --from=nginx:1.27 /etc/nginx /etc/nginx\nCMD ['node', 'a.js']\nFETCH x\n",
      },
      gives: {
        containerization: {
          dockerfiles: [
            {
              stages: [
                {
                  base_image: 'ghcr.io/acme/${BASE}',
                  base_image_resolved: null,
                  base_image_registry: 'ghcr.io',
                  cmd: { form: 'malformed', argv: ['/bin/sh', '-c', "['node', 'a.js']"], command: "['node', 'a.js']" },
                },
              ],
              copy_directives: [
                { from: 'biuld', from_stage_resolved: null },
                { from: 'nginx:1.27', from_stage_resolved: null },
              ],
              parse_problems: [
                { line: 5, message: 'not a JSON array: the builder runs it as shell text' },
                { line: 6, message: 'unknown instruction FETCH' },
              ],
            },
          ],
        },
      },
      warnings: ['dockerfile.arg_unresolved', 'dockerfile.parse_problem', 'dockerfile.stage_reference_unresolved'],
      confidence: 'medium',
    },
    {
      shows: 'stages for tests and for `--target` are told apart from those the image is made of',
      files: {
        Dockerfile:
          'FROM golang:1.24 AS build\nRUN go build -o /x .\nFROM build AS test\nRUN go test ./...\nFROM build AS debug\nCMD ["dlv"]\nFROM scratch\nCOPY --from=0 /x /x\nENTRYPOINT ["/x"]\n',
      },
      gives: {
        containerization: {
          dockerfiles: [
            {
              stages: [
                { name: 'build', purpose: 'build' },
                { name: 'test', purpose: 'test' },
                { name: 'debug', purpose: 'unused' },
                { name: null, purpose: 'runtime', distroless: true, base_image_registry: null },
              ],
              copy_directives: [{ from: '0', from_stage_resolved: 0 }],
            },
          ],
        },
      },
      warnings: [],
      confidence: 'high',
    },
    {
      shows: 'Windows: the escape directive, a shell of its own, CR LF',
      files: {
        'win.Dockerfile':
          '# escape=`\r\nFROM mcr.microsoft.com/windows/servercore:ltsc2022\r\nSHELL ["powershell", "-Command"]\r\nRUN Write-Host a `\r\n  # why\r\n  b\r\nWORKDIR C:\\app\r\nCMD run.ps1\r\n',
      },
      gives: {
        containerization: {
          dockerfiles: [
            {
              escape: '`',
              stages: [
                {
                  shell: ['powershell', '-Command'],
                  workdir: 'C:\\app',
                  cmd: { form: 'shell', argv: ['powershell', '-Command', 'run.ps1'], command: 'run.ps1' },
                  package_manager_present: null,
                },
              ],
              run_commands: [{ command: 'Write-Host a b', line: 4, purpose: 'other' }],
            },
          ],
        },
      },
      warnings: [],
    },
    {
      shows: 'whatever it is called, it is one; images for development and tests are not the product’s',
      files: {
        'docker/dockerfile':
          'ARG BASE=acme/base:2\nFROM ${BASE} AS release\nEXPOSE 3001\nFROM release AS rootless\nUSER node\n',
        'docker/base.dockerfile': 'FROM node:24-slim\n',
        'Dockerfile.dev': 'FROM ruby:4.0\nEXPOSE 3000\n',
        'box/Dockerfile': 'FROM node:24 AS dev\nCMD ["sh", "./start"]\n',
        'web/Dockerfile.playwright': 'FROM node:24\n',
        'test/radius.dockerfile': 'FROM alpine:3\n',
        '.devcontainer/Dockerfile': 'FROM debian:12\n',
        'src/dockerfile.ts': "from 'x'\n",
        'src/usage-docs/Dockerfile': 'FROM nginx:1\nCMD ["nginx"]\n',
        'src/docs/Dockerfile': 'FROM nginx:1\n',
        'src/cart/genproto/Dockerfile': 'FROM golang:1.26\nRUN go install tool\n',
        'src/gen/Dockerfile': 'FROM alpine:3\nENTRYPOINT ["/gen"]\n',
      },
      gives: {
        containerization: {
          dockerfiles: [
            { path: '.devcontainer/Dockerfile', place: 'development' },
            { path: 'Dockerfile.dev', place: 'development' },
            { path: 'box/Dockerfile', place: 'development' },
            { path: 'docker/base.dockerfile', place: 'product' },
            { path: 'docker/dockerfile', place: 'product' },
            { path: 'src/cart/genproto/Dockerfile', place: 'development' },
            { path: 'src/docs/Dockerfile', place: 'documentation' },
            { path: 'src/gen/Dockerfile', place: 'product' },
            { path: 'src/usage-docs/Dockerfile', place: 'product' },
            { path: 'test/radius.dockerfile', place: 'test' },
            { path: 'web/Dockerfile.playwright', place: 'test' },
          ],
        },
      },
      facts: [
        {
          id: 'docker.images',
          scope: '.',
          value: ['docker/base.dockerfile', 'docker/dockerfile', 'src/gen/Dockerfile', 'src/usage-docs/Dockerfile'],
        },
        { id: 'docker.final_base', scope: 'docker/dockerfile#release', value: 'acme/base:2' },
        { id: 'docker.user', scope: 'docker/dockerfile#release', state: 'none', value: null },
        { id: 'docker.user', scope: 'docker/dockerfile#rootless', value: 'node' },
        { id: 'docker.ports', scope: 'Dockerfile.dev', value: [3000] },
      ],
    },
    {
      shows: 'the evidence of a value is its own instruction, of another stage where that one says it, and no comment',
      files: {
        Dockerfile: [
          '# From the old image: user, expose and cmd as there',
          'FROM golang:1.26 AS build',
          'USER builder',
          'EXPOSE 1',
          'CMD ["make"]',
          'FROM alpine:3.22 AS base',
          'USER app',
          'EXPOSE 80',
          'CMD ["serve"]',
          'FROM base',
          'EXPOSE 443 444',
          'ENTRYPOINT ["/run"]',
        ].join('\n'),
      },
      gives: {
        containerization: {
          dockerfiles: [
            {
              stages: [
                { lines: { from: 2, user: 3, expose: [4], entrypoint: null, cmd: 5 } },
                { lines: { from: 6, user: 7, expose: [8], entrypoint: null, cmd: 9 } },
                { lines: { from: 6, user: 7, expose: [8, 11], entrypoint: 12, cmd: null } },
              ],
            },
          ],
        },
      },
      facts: [
        { id: 'docker.final_base', scope: 'Dockerfile', value: 'alpine:3.22', evidence: ['Dockerfile:6'] },
        { id: 'docker.user', scope: 'Dockerfile', value: 'app', evidence: ['Dockerfile:7'] },
        { id: 'docker.ports', scope: 'Dockerfile', value: [443, 444, 80], evidence: ['Dockerfile:8', 'Dockerfile:11'] },
        {
          id: 'docker.entrypoint',
          scope: 'Dockerfile',
          value: { entrypoint: ['/run'], cmd: null },
          evidence: ['Dockerfile:12'],
        },
        { id: 'docker.user', scope: 'Dockerfile#build', value: 'builder', evidence: ['Dockerfile:3'] },
      ],
    },
    {
      shows: 'a Dockerfile without FROM does not hide the other images',
      files: {
        Dockerfile: '{{ base }}\nCMD ["x"]\n',
        'app.dockerfile': '# built from parts\nFROM scratch\n',
      },
      gives: {
        containerization: { dockerfiles: [{ path: 'Dockerfile', stages: [] }, { path: 'app.dockerfile' }] },
      },
      warnings: ['dockerfile.parse_problem'],
      facts: [
        {
          id: 'docker.images',
          scope: '.',
          value: ['Dockerfile', 'app.dockerfile'],
          evidence: ['Dockerfile:1', 'app.dockerfile:2'],
        },
      ],
    },
    { shows: 'no Dockerfile', files: { 'Dockerfile.md': '# about' }, gives: {}, skipped: 'not_applicable' },
  ],
});
