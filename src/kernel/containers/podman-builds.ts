/**
 * What a podman build leaves behind when it is killed: working containers with their mounts, and the program of a RUN line, which has
 * a session of its own and outlives everybody who started it. Both are found through the storage, and removed once no build is going
 * on that they could belong to.
 *
 * Every build is on record, in a file, for as long as it runs. The containers are listed before the records are read: a build that
 * began after the listing has none in it, one that began before and still runs is on record.
 */

import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type Json } from '../base/json.ts';
import { processStart } from '../base/process-start.ts';
import { writeAtomically } from '../base/write-file.ts';
import { linesOf } from './outcome-text.ts';
import type { PrivateStorage } from './private-storage.ts';
import { stateOfRun } from './run-id.ts';
import type { EngineCall } from './types.ts';

type Group = { readonly id: number; readonly start: string };

export type BuildRecord = {
  /** A directory for this build alone. */
  readonly tmp: string;
  readonly started: (group: Group) => void;
  /** Takes the build off the record, and its directory away. */
  readonly end: (call: EngineCall) => Promise<void>;
};

export function recordBuild(storage: PrivateStorage, runId: string): BuildRecord {
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
export async function sweepBuilds(storage: PrivateStorage, call: EngineCall): Promise<number> {
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

export function isBuilding(storage: PrivateStorage): boolean {
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
    if (group !== undefined && processStart(group.id) === group.start) kill(-group.id);
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
    kill(Number(entry));
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

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone meanwhile.
  }
}
