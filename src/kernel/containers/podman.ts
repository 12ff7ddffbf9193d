/**
 * podman, with storage of its own (containers.md §2 to §5). The user's images can be used as bases, read-only; nothing of the user's
 * is written. Which settings containers can be started with here is asked once per version of podman and kept beside the storage.
 */

import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareCodeUnits, isJsonObject, type Json } from '../base/json.ts';
import { killProcess, processStart } from '../base/processes.ts';
import { writeAtomically } from '../base/write-file.ts';
import type { Exec } from '../exec/exec.ts';
import { createCliEngine, makeRunId, shortTimeoutS, stateOfRun } from './cli-engine.ts';
import {
  type BuildOutcome,
  type BuildRequest,
  type Engine,
  type EngineCall,
  imageRefForDigest,
  ulimitFlags,
} from './engine.ts';
import { complaintOf, createBuildLog, linesOf, runBuild, textOf } from './engine-output.ts';
import { type PodmanSettings, podmanCall } from './podman-settings.ts';
import type { PrivateStorage } from './private-storage.ts';

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
  // The text that was read, by a name that we chose: what is called `*.in` goes through the machine's C preprocessor, which includes any
  // file.
  const dockerfile = join(workspace, 'Dockerfile');
  writeFileSync(dockerfile, request.text);
  return runBuild(
    call,
    { request, log, idFile },
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
    ],
    {
      // Cache mounts lie in it: what one repository put there is not found by another, and does not stay.
      envExtra: { TMPDIR: record.tmp, ...(request.network === 'none' && request.pull === 'never' ? noWayOut : {}) },
      onStart: record.started,
    },
  );
}

// Builds. A podman build that is killed leaves working containers with their mounts, and the program of a RUN line, which has a session
// of its own and outlives the processes that started it. Both are found through the storage, and removed once no build is going
// on that they could belong to.
//
// Every build is on record, in a file, for as long as it runs. The containers are listed before the records are read: a build that
// began after the listing has none in it, one that began before and still runs is on record.

type Group = { readonly id: number; readonly start: string };

type BuildRecord = {
  /** A directory for this build alone. */
  readonly tmp: string;
  readonly started: (group: Group) => void;
  /** Takes the build off the record, and its directory away. */
  readonly end: (call: EngineCall) => Promise<void>;
};

function recordBuild(storage: PrivateStorage, runId: string): BuildRecord {
  const file = join(storage.builds, `${runId}.json`);
  const write = (group: Group | null) => writeAtomically(file, JSON.stringify({ group }), { durable: false });
  write(null);
  const tmp = join(storage.tmp, runId);
  mkdirSync(tmp, { mode: 0o700 });
  return {
    tmp,
    started: write,
    async end(call) {
      rmSync(file, { force: true });
      await removeTree(tmp, call);
    },
  };
}

/** Without root, files of other users in a container belong to numbers that only podman can speak for. */
async function removeTree(path: string, call: EngineCall): Promise<void> {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    await call(['unshare', 'rm', '-rf', '--', path], { timeoutS: 60 });
  }
}

/** How many working containers were removed. */
async function sweepBuilds(storage: PrivateStorage, call: EngineCall): Promise<number> {
  const listed = await call(['ps', '-a', '--external', '--no-trunc', '--format', '{{.ID}} {{.State}}'], {
    timeoutS: 60,
  });
  const working = linesOf(listed).flatMap((line) => {
    const [id = '', state] = line.split(' ');
    return state?.toLowerCase() === 'storage' ? [id] : [];
  });
  if (!(await endDeadBuilds(storage, call)) || working.length === 0) return 0;
  endProgramsIn(storage, listLayers(storage, new Set(working)));
  const removed = await call(['rm', '-f', '-t', '0', ...working], { timeoutS: 60 });
  return linesOf(removed).length;
}

function isBuilding(storage: PrivateStorage): boolean {
  return readdirSync(storage.builds).some((name) => stateOfRun(name.replace(/\.json$/, '')) === 'alive');
}

/** Ends the builds whose owner is gone; true when none is left. */
async function endDeadBuilds(storage: PrivateStorage, call: EngineCall): Promise<boolean> {
  let all = true;
  for (const name of readdirSync(storage.builds)) {
    if (!name.endsWith('.json')) continue;
    const runId = name.slice(0, -'.json'.length);
    if (stateOfRun(runId) === 'alive') {
      all = false;
      continue;
    }
    const group = readGroup(join(storage.builds, name));
    if (group !== undefined && processStart(group.id) === group.start) killProcess(-group.id);
    await removeTree(join(storage.tmp, runId), call);
    rmSync(join(storage.builds, name), { force: true });
  }
  return all;
}

function readGroup(file: string): Group | undefined {
  try {
    const { group } = JSON.parse(readFileSync(file, 'utf8')) as { group: Group | null };
    return group !== null && Number.isInteger(group.id) && group.id > 1 ? group : undefined;
  } catch {
    return undefined;
  }
}

/** The writable layers of containers; newer versions keep those of builds beside the run-time state. */
function listLayers(storage: PrivateStorage, ids: ReadonlySet<string>): readonly string[] {
  const files = [
    join(storage.root, 'overlay-containers', 'containers.json'),
    join(storage.runRoot, 'overlay-containers', 'volatile-containers.json'),
  ];
  return files.flatMap((file) => {
    try {
      const entries = JSON.parse(readFileSync(file, 'utf8')) as readonly Json[];
      return entries.flatMap((entry) =>
        isJsonObject(entry) && ids.has(String(entry['id'])) && typeof entry['layer'] === 'string'
          ? [entry['layer']]
          : [],
      );
    } catch {
      return [];
    }
  });
}

/** What multiplies while it is being ended is looked for again, so often at most. */
const maxPasses = 20;

function endProgramsIn(storage: PrivateStorage, layers: readonly string[]): void {
  const marks = layers.map((layer) => `upperdir=${join(storage.root, 'overlay', layer)}/`);
  for (let pass = 0; pass < maxPasses && endProgramsOnce(marks); pass += 1);
}

/** A program whose root is one of the layers is one of a RUN line; nothing else on the host has such a root. True when there was one. */
function endProgramsOnce(marks: readonly string[]): boolean {
  let found = false;
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const start = processStart(Number(entry));
    const root = readRootMount(entry);
    if (root === undefined || !marks.some((mark) => root.includes(mark))) continue;
    if (processStart(Number(entry)) !== start) continue;
    killProcess(Number(entry));
    found = true;
  }
  return found;
}

function readRootMount(pid: string): string | undefined {
  try {
    const mounts = readFileSync(`/proc/${pid}/mountinfo`, 'utf8').split('\n');
    return mounts.find((line) => line.split(' ')[4] === '/');
  } catch {
    return undefined;
  }
}

// Images. Storage stays small: every edit of a repository may be an image, and no other program removes them. The images used last are
// kept, so that going back and forth between branches builds nothing, and so is the one that is the latest of a repository.

export const imagesKept = 20;
/** Of the builds that failed: the next attempt begins where they ended. */
export const unfinishedKept = 20;
const timeoutS = 120;

export function noteUse(storage: PrivateStorage, digest: string): void {
  const ref = imageRefForDigest(digest);
  if (ref.kind === 'ref') writeFileSync(join(storage.images, digest.replace('sha256:', '')), '', { mode: 0o600 });
}

/** `justBuilt` has no tag yet. An image that a container still uses is refused by the engine, and stays for another time. */
async function trimImages(storage: PrivateStorage, call: EngineCall, justBuilt: string): Promise<void> {
  for (const hex of listByUse(storage).slice(imagesKept)) {
    if (justBuilt.endsWith(hex)) continue;
    const tags = await call(['image', 'inspect', '--format', '{{range .RepoTags}}{{println .}}{{end}}', hex], {
      timeoutS,
    });
    if (linesOf(tags).some((tag) => tag.includes(':latest-'))) continue;
    const isGone = textOf(tags) === null;
    if (isGone || textOf(await call(['rmi', hex], { timeoutS })) !== null)
      rmSync(join(storage.images, hex), { force: true });
  }
}

/** A build that fails leaves the image of its last good step, which has no name. Asked for before a build, when no other goes on. */
async function trimUnfinished(call: EngineCall): Promise<void> {
  const filters = ['--filter', 'dangling=true', '--filter', 'readonly=false'];
  const unfinished = linesOf(await call(['images', '-q', ...filters], { timeoutS }));
  if (unfinished.length > unfinishedKept) await call(['image', 'prune', '-f'], { timeoutS });
}

/** Last used first. */
function listByUse(storage: PrivateStorage): readonly string[] {
  return readdirSync(storage.images)
    .filter((name) => /^[0-9a-f]{64}$/.test(name))
    .map((name) => ({ name, usedMs: statSync(join(storage.images, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.usedMs - a.usedMs || compareCodeUnits(a.name, b.name))
    .map(({ name }) => name);
}
