/**
 * podman, with storage of its own (containers.md §2 to §5). The user's images can be used as bases, read-only; nothing of the user's
 * is written. Which settings containers can be started with here is asked once per version of podman and kept beside the storage.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Exec } from '../exec/types.ts';
import { createBuildLog } from './build-log.ts';
import { readBuildOutcome } from './build-outcome.ts';
import { createCliEngine, shortTimeoutS } from './cli-engine.ts';
import { ulimitFlags } from './limit-flags.ts';
import { complaintOf, textOf } from './outcome-text.ts';
import { type BuildRecord, isBuilding, recordBuild, sweepBuilds } from './podman-builds.ts';
import { podmanCall } from './podman-call.ts';
import { noteUse, trimImages, trimUnfinished } from './podman-images.ts';
import type { PodmanSettings } from './podman-settings.ts';
import type { PrivateStorage } from './private-storage.ts';
import { makeRunId } from './run-id.ts';
import type { BuildOutcome, BuildRequest, Engine, EngineCall } from './types.ts';

/** What programs in a build may do beyond nothing: owners, modes and users of files. */
const buildCapabilities = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETUID', 'SETGID'];

/** The network of RUN lines is not that of the builder, which fetches what ADD names: its way out leads nowhere. */
const noWayOut = {
  HTTP_PROXY: 'http://127.0.0.1:9',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  NO_PROXY: '',
  GIT_ALLOW_PROTOCOL: 'none',
};

export function createPodman(exec: Exec, storage: PrivateStorage, settings: PodmanSettings): Engine {
  const callWith = (by: Pick<Exec, 'runAllowlisted'>) => podmanCall(by, storage, settings);
  const call = callWith(exec);
  const { sweepOnce, ...shared } = createCliEngine({
    kind: 'podman',
    exec,
    callWith,
    refusedControllers: settings.refusedControllers,
    labelTemplate: '{{index .Labels "codegenie.run"}}',
    removeFlags: ['-f', '-v', '-t', '0', '--ignore'],
    startFlags: ['-a', '--sig-proxy=false'],
    // A volume of the image would be a directory on the disk, as large as the program likes.
    createFlags: (_request, maxSeconds) => ['--image-volume=tmpfs', '--timeout', String(maxSeconds)],
    entrypointFlags: (entrypoint) => ({ flags: ['--entrypoint', JSON.stringify(entrypoint)], before: [] }),
    ownsForeign: true,
    sweepBuilds: (by) => sweepBuilds(storage, by),
  });
  return {
    kind: 'podman',
    version: settings.version,
    configuration: settings.configuration,
    unenforced: settings.unenforced,
    ...shared,
    async tagImage(digest, ref) {
      noteUse(storage, digest);
      return shared.tagImage(digest, ref);
    },
    async build(request) {
      await sweepOnce();
      if (!isBuilding(storage)) await trimUnfinished(call);
      const { promise: ended, resolve: settle } = Promise.withResolvers<void>();
      const record = recordBuild(storage, makeRunId());
      const undo = exec.guard(async (undoer) => {
        await ended;
        await record.end(callWith(undoer));
        await sweepBuilds(storage, callWith(undoer));
      });
      try {
        const outcome = await build(call, storage, request, settings, record).finally(settle);
        if (outcome.kind === 'built') await trimImages(storage, call, outcome.digest);
        return outcome;
      } finally {
        await undo();
      }
    },
    async init(id) {
      const outcome = await call(['init', id], { timeoutS: shortTimeoutS });
      if (textOf(outcome) === null) return { kind: 'failed', stderrTail: complaintOf(outcome) };
      const inspected = await call(['container', 'inspect', '--format', '{{.State.Pid}}', id], {
        timeoutS: shortTimeoutS,
      });
      const pid = Number(textOf(inspected) ?? '');
      return Number.isInteger(pid) && pid > 0
        ? { kind: 'parked', pid }
        : { kind: 'failed', stderrTail: complaintOf(inspected) };
    },
  };
}

async function build(
  call: EngineCall,
  storage: PrivateStorage,
  request: BuildRequest,
  settings: PodmanSettings,
  record: Pick<BuildRecord, 'started' | 'tmp'>,
): Promise<BuildOutcome> {
  const { workspace } = request;
  const log = createBuildLog();
  const idFile = join(workspace, 'iid');
  const ignoreFile = join(workspace, 'ignore');
  writeFileSync(ignoreFile, request.ignore);
  // The text that was read, by a name of ours: what is called `*.in` goes through the machine's C preprocessor, which includes any file.
  const dockerfile = join(workspace, 'Dockerfile');
  writeFileSync(dockerfile, request.text);
  const outcome = await call(
    [
      'build',
      ...(request.network === 'none' ? ['--network=none', '--http-proxy=false'] : []),
      `--pull=${request.pull}`,
      '--timestamp',
      '0',
      '--cap-drop=ALL',
      ...buildCapabilities.map((capability) => `--cap-add=${capability}`),
      '--label',
      'codegenie.image=1',
      '--iidfile',
      idFile,
      // Its own limits are files there, which a program that is root could write.
      '--volume',
      `${storage.emptyRoot}:/sys/fs/cgroup:ro`,
      ...ulimitFlags,
      ...(settings.refusedControllers.includes('memory') ? [] : ['--memory', `${request.memoryMb}m`]),
      '--ignorefile',
      ignoreFile,
      '-f',
      dockerfile,
      ...(request.target === null ? [] : ['--target', request.target]),
      ...request.args.flatMap((argument) => ['--build-arg', argument]),
      request.root,
    ],
    {
      timeoutS: request.timeoutS,
      // Cache mounts lie in it: what one repository put there is not found by another, and does not stay.
      envExtra: { TMPDIR: record.tmp, ...(request.network === 'none' && request.pull === 'never' ? noWayOut : {}) },
      onStart: record.started,
      onLine: (line, stream) => {
        log.add(line);
        request.onLine?.(line, stream);
      },
    },
  );
  return readBuildOutcome(outcome, log, idFile);
}
