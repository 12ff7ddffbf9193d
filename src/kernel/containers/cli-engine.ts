/**
 * The commands that podman and docker have in common. Every container that is created here is removed, whatever happens: the guard
 * is set before the container is made, and removes it by the name it was to get even when the call that makes it was killed half-way.
 */

import { createHash, randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { processStart } from '../base/processes.ts';
import type { Exec, ExecOutcome } from '../exec/exec.ts';
import { type ContainerRequest, type Controller, type Engine, type EngineCall, limitFlags } from './engine.ts';
import { complaintOf, linesOf, normaliseDigest, objectOf, readImageFacts, textOf } from './engine-output.ts';

export const shortTimeoutS = 60;
const defaultMaxSeconds = 3600;
const signalName = /^(?:SIG)?[A-Z0-9+]{2,12}$|^\d{1,2}$/;

type CliEngine = {
  readonly kind: Engine['kind'];
  readonly exec: Exec;
  /** A call that the given `exec` makes: the probe's own, or one that no signal ends. */
  readonly callWith: (exec: Pick<Exec, 'runAllowlisted'>) => EngineCall;
  readonly refusedControllers: readonly Controller[];
  /** Prints the label of a container in a `ps` template. */
  readonly labelTemplate: string;
  readonly removeFlags: readonly string[];
  readonly startFlags: readonly string[];
  readonly createFlags: (request: ContainerRequest, maxSeconds: number) => readonly string[];
  readonly entrypointFlags: (entrypoint: readonly string[]) => {
    readonly flags: readonly string[];
    readonly before: readonly string[];
  };
  /** Are containers of a run on another host, or in another namespace, certainly left over? */
  readonly ownsForeign: boolean;
  readonly sweepBuilds: (call: EngineCall) => Promise<number>;
};

type Shared = Omit<Engine, 'kind' | 'version' | 'configuration' | 'unenforced' | 'build' | 'init'>;

export function createCliEngine(of: CliEngine): Shared & { readonly sweepOnce: () => Promise<void> } {
  const call = of.callWith(of.exec);
  const guards = new Map<string, () => Promise<void>>();
  let swept: Promise<void> | undefined;

  const removeWith = async (calling: EngineCall, id: string): Promise<ExecOutcome> =>
    calling(['rm', ...of.removeFlags, id], { timeoutS: shortTimeoutS });

  const inspectContainer = async (id: string, template: string): Promise<string | null> =>
    textOf(await call(['container', 'inspect', '--format', template, id], { timeoutS: shortTimeoutS }));

  const sweep = async (): Promise<number> => {
    const format = `{{.ID}} ${of.labelTemplate}`;
    const listed = await call(['ps', '-a', '--no-trunc', '--filter', `label=${runLabel}`, '--format', format], {
      timeoutS: shortTimeoutS,
    });
    let removed = 0;
    for (const line of linesOf(listed)) {
      const [id = '', runId = ''] = line.split(' ');
      const state = stateOfRun(runId);
      if (state === 'alive' || (state === 'foreign' && !of.ownsForeign)) continue;
      if (textOf(await removeWith(call, id)) !== null) removed += 1;
    }
    return removed + (await of.sweepBuilds(call));
  };
  const sweepOnce = (): Promise<void> => {
    swept ??= sweep().then(() => {});
    return swept;
  };

  return {
    sweep,
    sweepOnce,
    async inspectImage(ref) {
      const inspected = objectOf(await call(['image', 'inspect', ref], { timeoutS: shortTimeoutS }));
      return inspected === null ? null : readImageFacts(inspected);
    },
    async tagImage(digest, ref) {
      return textOf(await call(['tag', digest, ref], { timeoutS: shortTimeoutS })) !== null;
    },
    saveImage: (digest, file, timeoutS) => {
      const format = of.kind === 'podman' ? ['--quiet', '--format', 'oci-archive'] : [];
      return call(['save', ...format, '-o', file, digest], { timeoutS });
    },
    async create(request) {
      await sweepOnce();
      const { flags, before } =
        request.entrypoint === null ? { flags: [], before: [] } : of.entrypointFlags(request.entrypoint);
      const { promise: made, resolve: settle } = Promise.withResolvers<void>();
      const undo = of.exec.guard(async (undoer) => {
        await made;
        await removeWith(of.callWith(undoer), request.name);
      });
      const outcome = await call(
        [
          'create',
          ...limitFlags(request, of.refusedControllers),
          '--label',
          `${runLabel}=${request.runId}`,
          '--name',
          request.name,
          '--pull=never',
          '--log-driver=none',
          '--no-healthcheck',
          ...of.createFlags(request, request.maxSeconds ?? defaultMaxSeconds),
          ...request.environment.map(({ name, value }) => `--env=${name}=${value}`),
          ...(request.volumes ?? []).map((volume) => `--volume=${volume}`),
          ...flags,
          request.image,
          ...before,
          ...request.command,
        ],
        { timeoutS: shortTimeoutS },
      ).finally(settle);
      const id = textOf(outcome)?.split('\n').at(-1);
      if (id === undefined || !/^[0-9a-f]{64}$/.test(id)) {
        await undo();
        return { kind: 'failed', stderrTail: complaintOf(outcome) };
      }
      guards.set(id, undo);
      return { kind: 'created', id };
    },
    async startAndWait(id, { timeoutS, onLine }) {
      const outcome = await call(['start', ...of.startFlags, id], {
        timeoutS,
        ...(onLine === undefined ? {} : { onLine }),
      });
      // The client is gone; the container is not.
      if (outcome.kind === 'timed_out') await call(['kill', '-s', 'KILL', id], { timeoutS: shortTimeoutS });
      return outcome;
    },
    async imageOfContainer(id) {
      return normaliseDigest((await inspectContainer(id, '{{.Image}}')) ?? '');
    },
    async exitCode(id) {
      const text = await inspectContainer(id, '{{.State.Status}} {{.State.ExitCode}}');
      const code = /^(?:exited|stopped|dead) (-?\d+)$/.exec(text ?? '')?.[1];
      return code === undefined ? null : Number(code);
    },
    async signal(id, signal) {
      if (!signalName.test(signal)) return false;
      return textOf(await call(['kill', '-s', signal, id], { timeoutS: shortTimeoutS })) !== null;
    },
    async remove(id) {
      const undo = guards.get(id) ?? of.exec.guard(async (undoer) => void (await removeWith(of.callWith(undoer), id)));
      guards.delete(id);
      await undo();
    },
    async listContainers(runId) {
      const label = runId === undefined ? runLabel : `${runLabel}=${runId}`;
      return linesOf(
        await call(['ps', '-a', '-q', '--no-trunc', '--filter', `label=${label}`], { timeoutS: shortTimeoutS }),
      );
    },
  };
}

/** `codegenie.run=<run id>` is the label of every container. */
const runLabel = 'codegenie.run';

/**
 * Names a run so that a later process that finds what it left behind can tell whether it still goes on: `<host>-<pid>.<start>-<random>`,
 * fit for a container's name.
 */
export function makeRunId(): string {
  return `${hostTag()}-${process.pid}.${processStart(process.pid)}-${randomBytes(3).toString('hex')}`;
}

/** `foreign`: made where process numbers mean something else, or not by us. */
export function stateOfRun(runId: string): 'alive' | 'dead' | 'foreign' {
  const parts = /^([0-9a-f]{8})-(\d{1,10})\.([a-z0-9]+)-[0-9a-f]{6}$/.exec(runId);
  if (parts === null || parts[1] !== hostTag()) return 'foreign';
  return processStart(Number(parts[2])) === parts[3] ? 'alive' : 'dead';
}

let knownTag: string | undefined;

/** Numbers of processes are those of a host and, on Linux, of a namespace on it. */
function hostTag(): string {
  knownTag ??= createHash('sha256').update(`${hostname()}\0${pidNamespace()}`).digest('hex').slice(0, 8);
  return knownTag;
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
