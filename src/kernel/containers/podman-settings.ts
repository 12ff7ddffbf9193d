/**
 * How podman has to be called on this machine (containers.md §2): plainly, with its own defaults and no configuration file, or with our
 * settings, because the defaults may ask for what the kernel or the runtime refuses. Tried for real, by starting a container that has
 * nothing in it: the runtime then says that the program was not found, and only a container that got that far says so. The answer is kept
 * by version of podman.
 */

import { existsSync, readFileSync } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import { writeAtomically } from '../base/write-file.ts';
import type { Exec } from '../exec/exec.ts';
import { type Controller, type EngineCall, limitFlags, type NoEngine } from './engine.ts';
import { complaintOf, objectOf } from './engine-output.ts';
import type { PrivateStorage } from './private-storage.ts';

export type PodmanSettings = {
  readonly version: string;
  readonly configuration: 'plain' | 'fallback';
  readonly storageOptions: readonly string[];
  readonly refusedControllers: readonly Controller[];
  readonly unenforced: readonly string[];
};

const plainConfiguration = `# Written by codegenie: what your containers.conf gives to every container is not given to those it starts.
`;
const fallbackConfiguration = `# Written by codegenie, for the containers it starts. Your own containers.conf is not touched.
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
[engine]
runtime = "runc"
events_logger = "file"
`;
/** Otherwise every command that fails leaves a mount behind on the storage, which then cannot be removed. */
export const skipMount = 'overlay.skip_mount_home=true';
const notFound = 127;
const timeoutS = 60;
/** Raised when the questions asked here change. */
const stateFormat = 3;

export async function findPodmanSettings(
  exec: Exec,
  storage: PrivateStorage,
  version: string,
  imageStore: string | null = findUserStore(exec.home),
): Promise<PodmanSettings | NoEngine> {
  const key = [stateFormat, version, release(), process.getuid?.() ?? 0, imageStore ?? ''].join(' ');
  const known = readState(storage, key);
  if (known !== undefined) return known;

  for (const [file, content] of [
    [storage.plainConfiguration, plainConfiguration],
    [storage.noMounts, ''],
    [storage.fallbackConfiguration, fallbackConfiguration],
  ] as const)
    writeAtomically(file, content, { durable: false });
  let complaint = '';
  // With the user's own images, where they can be read; other storage drivers know neither option.
  const withStore = imageStore === null ? [] : [[skipMount, `additionalimagestore=${imageStore}`]];
  for (const storageOptions of [...withStore, [skipMount], []]) {
    for (const configuration of ['plain', 'fallback'] as const) {
      const call = podmanCall(exec, storage, { configuration, storageOptions });
      const info = await readInfo(call);
      if ('complaint' in info) {
        complaint ||= info.complaint;
        continue;
      }
      const started = await startNothing(call, storage, info.refusedControllers);
      if (started === null) {
        const settings: PodmanSettings = { version, configuration, storageOptions, ...info };
        writeAtomically(storage.stateFile, JSON.stringify({ key, settings }), { durable: false });
        return settings;
      }
      complaint ||= started;
    }
  }
  return { kind: 'none', reason: 'tool_unhealthy', detail: `podman cannot start a container here: ${complaint}` };
}

async function readInfo(
  call: EngineCall,
): Promise<Pick<PodmanSettings, 'refusedControllers' | 'unenforced'> | { readonly complaint: string }> {
  const outcome = await call(['info', '--format', 'json'], { timeoutS });
  const host = objectOf(outcome)?.['host'];
  if (host === undefined || !isJsonObject(host)) return { complaint: complaintOf(outcome) };
  return judgeLimits(host);
}

/** Rootless podman ignores limits under cgroup v1, and refuses those whose controller was not delegated to the user under v2. */
export function judgeLimits(host: JsonObject): Pick<PodmanSettings, 'refusedControllers' | 'unenforced'> {
  const security = host['security'];
  const rootless = security !== undefined && isJsonObject(security) && security['rootless'] === true;
  if (!rootless) return { refusedControllers: [], unenforced: [] };
  const says = { memory: 'memory', pids: 'number of processes', cpu: 'processors' } as const;
  const controllers: readonly Controller[] = ['memory', 'pids', 'cpu'];
  if (host['cgroupVersion'] === 'v1') {
    const unenforced = controllers.map((name) => `${says[name]}: rootless podman ignores this limit under cgroup v1`);
    return { refusedControllers: [], unenforced };
  }
  const delegated = (Array.isArray(host['cgroupControllers']) ? host['cgroupControllers'] : []) as readonly Json[];
  const refusedControllers = controllers.filter((name) => !delegated.includes(name));
  const unenforced = refusedControllers.map(
    (name) => `${says[name]}: the cgroup controller ${name} is not delegated to this user`,
  );
  return { refusedControllers, unenforced };
}

/** Null when a container got as far as its program; else what the engine complained of. */
async function startNothing(
  call: EngineCall,
  storage: PrivateStorage,
  refused: readonly Controller[],
): Promise<string | null> {
  const flags = limitFlags({ readOnly: true, memoryMb: 64, pids: 16, cpus: 1 }, refused);
  const outcome = await call(['run', '--rm', ...flags, '--rootfs', storage.emptyRoot, '/codegenie'], { timeoutS });
  return outcome.kind === 'exited' && outcome.code === notFound ? null : complaintOf(outcome);
}

/** Where podman keeps the user's images unless told otherwise; asking it would make the place. */
function findUserStore(home: string | null): string | null {
  const rootful = process.getuid?.() === 0;
  if (!rootful && home === null) return null;
  const store = rootful
    ? '/var/lib/containers/storage'
    : join(home as string, '.local', 'share', 'containers', 'storage');
  return existsSync(join(store, 'overlay-images', 'images.json')) ? store : null;
}

function readState(storage: PrivateStorage, key: string): PodmanSettings | undefined {
  try {
    const state = JSON.parse(readFileSync(storage.stateFile, 'utf8')) as { key: string; settings: PodmanSettings };
    const { plainConfiguration, fallbackConfiguration, noMounts } = storage;
    const isThere = [plainConfiguration, fallbackConfiguration, noMounts].every((file) => existsSync(file));
    return state.key === key && isThere ? state.settings : undefined;
  } catch {
    return undefined;
  }
}

export function storagePlaces({ root, runRoot, runTmp }: PrivateStorage): readonly string[] {
  return ['--root', root, '--runroot', runRoot, '--tmpdir', runTmp];
}

/**
 * One command of podman, in our private storage and with the settings that work here. Never with the machine's or the user's
 * `containers.conf` and `mounts.conf`: what they mount into every container, or let it do, is meant for containers the user trusts.
 */
export function podmanCall(
  exec: Pick<Exec, 'runAllowlisted'>,
  storage: PrivateStorage,
  settings: Pick<PodmanSettings, 'configuration' | 'storageOptions'>,
): EngineCall {
  const { configuration, storageOptions } = settings;
  const places = [...storagePlaces(storage), '--default-mounts-file', storage.noMounts];
  const store = storageOptions.flatMap((option) => ['--storage-opt', option]);
  const CONTAINERS_CONF = configuration === 'fallback' ? storage.fallbackConfiguration : storage.plainConfiguration;
  return (args, { envExtra, ...options }) =>
    exec.runAllowlisted(['podman', ...places, ...store, ...args], {
      ...options,
      cwd: storage.base,
      envExtra: { TMPDIR: storage.tmp, CONTAINERS_CONF, ...envExtra },
    });
}
