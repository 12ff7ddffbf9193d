/**
 * Real containers in tests, without a network (containers.md §3).
 *
 *   const containers = openContainers();            // one storage per test file; skip by name where `containers.usable` is false
 *   const base = containers.nodeBase();             // 'localhost/fixture-node:1' (node, its libraries, busybox as /bin/sh)
 *   const base = containers.busyboxBase();          // 'localhost/fixture-busybox:1' (static busybox, /bin/sh)
 *   const repo = createFixtureRepo({ Dockerfile: `FROM ${base}\n…` });
 *   await repo.publish({ only: [...] }, { environment: containers.environment });   // HOME decides which storage the engine uses
 *   containers.listContainers()                     // every container, also those of builds
 *   containers.listProcesses('sleep 98765')         // on the host, by a mark in the command line
 *   containers.dispose()                            // in afterAll
 *
 * Base images are made once per storage, when first asked for. Nothing of the machine's own podman is touched.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { skipMount, storagePlaces } from '../../src/kernel/containers/podman-settings.ts';
import { openPrivateStorage, type PrivateStorage } from '../../src/kernel/containers/private-storage.ts';
import { hasTool } from './tools.ts';

export type Containers = {
  /** Podman is there and can start a container. */
  readonly usable: boolean;
  /** For `FixtureSettings.environment`: every gather with it uses the same storage. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  podman(...args: string[]): { readonly code: number; readonly stdout: string; readonly stderr: string };
  nodeBase(): string;
  busyboxBase(): string;
  /** Ids; working containers of builds too. */
  listContainers(): readonly string[];
  /** Pids of processes on the host whose command line holds the text; zombies are none. */
  listProcesses(mark: string): readonly number[];
  dispose(): void;
};

const busybox = '/bin/busybox';

export function openContainers(): Containers {
  // On a disk: what is written to memory counts as the memory of the container that writes it.
  const home = realpathSync(mkdtempSync('/var/tmp/codegenie-containers-'));
  const environment = { PATH: process.env['PATH'], HOME: home };
  const storage = openPrivateStorage(home);
  const podman = (...args: string[]) => runPodman(storage, environment, args);
  const made = new Map<string, string>();
  const once = (name: string, make: (rootFs: string) => void, changes: readonly string[]): string => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const rootFs = mkdtempSync(join(home, 'rootfs-'));
    make(rootFs);
    const archive = `${rootFs}.tar`;
    execFileSync('tar', ['-C', rootFs, '--sort=name', '--mtime=@0', '--owner=0', '--group=0', '-cf', archive, '.']);
    const ref = `localhost/fixture-${name}:1`;
    const outcome = podman('import', ...changes.flatMap((change) => ['--change', change]), archive, ref);
    rmSync(rootFs, { recursive: true });
    rmSync(archive);
    if (outcome.code !== 0) throw new Error(`podman import: ${outcome.stderr}`);
    made.set(name, ref);
    return ref;
  };
  return {
    usable: hasTool('podman') && existsSync(busybox) && canStart(podman, storage),
    environment,
    home,
    podman,
    nodeBase: () => once('node', makeNodeRoot, ['WORKDIR /app', 'CMD ["/usr/bin/node","index.js"]']),
    busyboxBase: () => once('busybox', makeBusyboxRoot, ['CMD ["/bin/sh"]']),
    listContainers: () =>
      podman('ps', '-a', '-q', '--external', '--no-trunc')
        .stdout.split('\n')
        .filter((line) => line !== ''),
    listProcesses,
    dispose() {
      podman('rm', '-f', '-a', '-t', '0');
      // Layers may belong to other users where containers are rootless: podman itself can remove them.
      podman('rmi', '-f', '-a');
      rmSync(home, { recursive: true, force: true });
      rmSync(dirname(storage.runRoot), { recursive: true, force: true });
    },
  };
}

function runPodman(storage: PrivateStorage, environment: Containers['environment'], args: readonly string[]) {
  const places = [...storagePlaces(storage), '--storage-opt', skipMount];
  const { status, stdout, stderr } = spawnSync('podman', [...places, ...args], {
    encoding: 'utf8',
    env: environment as Record<string, string>,
    maxBuffer: 64 * 1024 * 1024,
  });
  return { code: status ?? -1, stdout, stderr };
}

function canStart(podman: Containers['podman'], storage: PrivateStorage): boolean {
  const limits = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=4096:4096'];
  return podman('run', '--rm', '--network=none', ...limits, '--rootfs', storage.emptyRoot, '/nothing').code === 127;
}

function makeBusyboxRoot(rootFs: string): void {
  for (const directory of ['bin', 'tmp', 'etc', 'app']) mkdirSync(join(rootFs, directory), { recursive: true });
  copyFileSync(busybox, join(rootFs, 'bin/busybox'));
  chmodSync(join(rootFs, 'bin/busybox'), 0o755);
  for (const name of ['sh', 'cat', 'echo', 'sleep', 'true', 'false', 'ls', 'env', 'id'])
    symlinkSync('busybox', join(rootFs, 'bin', name));
  writeFileSync(join(rootFs, 'etc/passwd'), 'root:x:0:0:root:/:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n');
}

/** The pinned Node of this package and the libraries it is linked with. */
function makeNodeRoot(rootFs: string): void {
  makeBusyboxRoot(rootFs);
  const node = realpathSync(process.execPath);
  mkdirSync(join(rootFs, 'usr/bin'), { recursive: true });
  copyFileSync(node, join(rootFs, 'usr/bin/node'));
  chmodSync(join(rootFs, 'usr/bin/node'), 0o755);
  for (const line of execFileSync('ldd', [node], { encoding: 'utf8' }).split('\n')) {
    const library = /(?:=> )?(\/\S+) \(0x/.exec(line)?.[1];
    if (library === undefined) continue;
    mkdirSync(join(rootFs, dirname(library)), { recursive: true });
    copyFileSync(library, join(rootFs, library));
  }
}

function listProcesses(mark: string): readonly number[] {
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry) || Number(entry) === process.pid) return [];
    try {
      const line = readFileSync(`/proc/${entry}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return line.includes(mark) ? [Number(entry)] : [];
    } catch {
      return [];
    }
  });
}
