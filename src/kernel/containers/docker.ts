/**
 * docker, by the user's own daemon: it has no storage apart, so what we make carries our tags and labels, and nothing else is looked at.
 * What podman takes as flags and docker does not have is done another way: the list of ignored paths lies beside a copy of the
 * Dockerfile, where the newer builder looks first; the copy has no `# syntax=` line, which would fetch a program that reads it.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Exec } from '../exec/exec.ts';
import { createCliEngine } from './cli-engine.ts';
import {
  type BuildOutcome,
  type BuildRequest,
  type Engine,
  type EngineCall,
  type NoEngine,
  ulimitFlags,
} from './engine.ts';
import { complaintOf, createBuildLog, runBuild, textOf } from './engine-output.ts';

const infoTimeoutS = 20;

export async function openDocker(exec: Exec, version: string): Promise<Engine | NoEngine> {
  const callWith =
    (by: Pick<Exec, 'runAllowlisted'>): EngineCall =>
    (args, options) =>
      by.runAllowlisted(['docker', ...args], { ...options, cwd: '/' });
  const call = callWith(exec);
  const info = await call(['info', '--format', '{{.ServerVersion}}'], { timeoutS: infoTimeoutS });
  if (!textOf(info))
    return { kind: 'none', reason: 'tool_unhealthy', detail: `docker does not answer: ${complaintOf(info).trim()}` };

  const { sweepOnce, ...shared } = createCliEngine({
    kind: 'docker',
    exec,
    callWith,
    refusedControllers: [],
    labelTemplate: '{{.Label "codegenie.run"}}',
    removeFlags: ['-f', '-v'],
    startFlags: ['-a'],
    createFlags: () => [],
    // One word only; the others come before the command.
    entrypointFlags: ([program = '', ...before]) => ({ flags: ['--entrypoint', program], before }),
    // The daemon may serve other machines and containers, whose processes cannot be seen from here.
    ownsForeign: false,
    sweepBuilds: async () => 0,
  });
  return {
    kind: 'docker',
    version,
    configuration: 'plain',
    unenforced: [],
    ...shared,
    async build(request) {
      await sweepOnce();
      return build(call, request, await hasNewBuilder(call, version));
    },
    init: async () => ({ kind: 'failed', stderrTail: 'docker cannot park a container before its program' }),
  };
}

/** Since 23 the newer builder is a plugin; before, it was part of the client. */
async function hasNewBuilder(call: EngineCall, version: string): Promise<boolean> {
  if (textOf(await call(['buildx', 'version'], { timeoutS: infoTimeoutS })) !== null) return true;
  const major = Number(version.split('.', 1)[0]);
  return major >= 19 && major < 23;
}

async function build(call: EngineCall, request: BuildRequest, isNew: boolean): Promise<BuildOutcome> {
  const log = createBuildLog();
  if (!isNew)
    log.add('The old builder of docker leaves out of the image only what .dockerignore of the repository names.');
  const idFile = join(request.workspace, 'iid');
  const dockerfile = join(request.workspace, 'Dockerfile');
  writeFileSync(dockerfile, withoutSyntaxLine(request.text));
  writeFileSync(`${dockerfile}.dockerignore`, request.ignore);
  return runBuild(
    call,
    { request, log, idFile },
    [
      'build',
      ...(request.network === 'none' ? ['--network=none'] : []),
      ...(isNew ? ['--progress=plain', '--build-arg', 'SOURCE_DATE_EPOCH=0'] : ['--force-rm']),
      '--label',
      'codegenie.image=1',
      '--iidfile',
      idFile,
      ...(isNew ? [] : [...ulimitFlags, '--memory', `${request.memoryMb}m`]),
      '-f',
      dockerfile,
    ],
    {
      envExtra: { DOCKER_BUILDKIT: isNew ? '1' : '0' },
    },
  );
}

/** Directives stand before everything else, comments too; the lines after them keep their numbers. */
export function withoutSyntaxLine(dockerfile: string): string {
  const lines = dockerfile.split('\n');
  const end = lines.findIndex((line) => !/^\s*#\s*[a-zA-Z]+\s*=/.test(line.slice(0, 200)));
  const directives = lines.slice(0, end < 0 ? lines.length : end);
  const kept = directives.filter((line) => !/^\s*#\s*syntax\s*=/i.test(line.slice(0, 200)));
  const removed = directives.slice(kept.length).map(() => '#');
  return [...kept, ...removed, ...lines.slice(directives.length)].join('\n');
}
