/**
 * Scenarios traced in real containers, below the probe: one engine and one storage per test file, images made of a few files.
 *   const rig = openTraceRig();                    // skip by name where `rig.usable` is false
 *   const image = rig.image({ files, changes });   // from the busybox or the Node base
 *   const runs = await rig.trace(image, [{ name: 'startup' }], { scenarioTimeoutMs: 3000 });
 */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { recordingLogger } from '../../src/kernel/base/log.ts';
import { makeRunId } from '../../src/kernel/containers/cli-engine.ts';
import type { Engine, EngineKind } from '../../src/kernel/containers/engine.ts';
import type { ExecHost } from '../../src/kernel/exec/exec.ts';
import { createExecHost } from '../../src/kernel/exec/exec-host.ts';
import {
  fixedLimits,
  runScenarios,
  type ScenarioLimits,
  type ScenarioRuns,
} from '../../src/probes/runtime-trace/run-scenarios.ts';
import { planScenario, type Scenario, type ScenarioSettings } from '../../src/probes/runtime-trace/scenarios.ts';
import { openEngine } from '../../src/probes/shared/open-engine.ts';
import { type Containers, openContainers } from './container-images.ts';
import { hasTool } from './tools.ts';

type ImageFiles = {
  readonly base: 'node' | 'busybox' | 'scratch';
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Lines of the Dockerfile after `FROM` and `COPY`. */
  readonly lines: readonly string[];
};

export type TraceRig = {
  readonly usable: boolean;
  readonly containers: Containers;
  readonly engine: () => Promise<Engine>;
  image(of: ImageFiles): string;
  trace(
    image: string,
    scenarios: readonly Scenario[],
    more?: Partial<
      ScenarioLimits & ScenarioSettings & { readonly memoryMb: number; readonly pids: number; readonly strace: string }
    >,
  ): Promise<ScenarioRuns>;
  /** Ends what an aborted gather would end. */
  abort(): void;
  dispose(): Promise<void>;
};

export function openTraceRig(kind: EngineKind = 'podman'): TraceRig {
  const containers = openContainers();
  const { DOCKER_HOST } = process.env;
  const environment = { ...containers.environment, ...(DOCKER_HOST === undefined ? {} : { DOCKER_HOST }) };
  const place = mkdtempSync(join(containers.home, 'rig-'));
  const root = join(place, 'repo');
  mkdirSync(root);
  const host: ExecHost = createExecHost({
    root,
    environment,
    toolPaths: {},
    logger: recordingLogger(),
  });
  const aborter = new AbortController();
  const made: string[] = [];
  let runs = 0;
  const execIn = (workspace: string) => host.bind({ name: 'test', signal: aborter.signal, workspace });
  const makeWorkspace = (): string => {
    runs += 1;
    const workspace = join(place, `ws${runs}`);
    mkdirSync(workspace);
    return workspace;
  };
  const open = async (workspace = makeWorkspace()): Promise<Engine> => {
    const engine = await openEngine(
      { exec: execIn(workspace), config: { 'containers.engine': kind } },
      containers.home,
    );
    if (engine.kind === 'none') throw new Error(engine.detail);
    return engine;
  };
  return {
    usable: hasTool('strace') && (kind === 'podman' ? containers.usable : dockerAnswers()),
    containers,
    engine: () => open(),
    image({ base, files = {}, lines }) {
      const context = join(place, `context${made.length}`);
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(context, 'root', path)), { recursive: true });
        writeFileSync(join(context, 'root', path), content, { mode: 0o755 });
      }
      const from = { node: containers.nodeBase, busybox: containers.busyboxBase, scratch: () => 'scratch' }[base]();
      const copy = Object.keys(files).length === 0 ? [] : ['COPY root/ /'];
      mkdirSync(context, { recursive: true });
      writeFileSync(join(context, 'Dockerfile'), [`FROM ${from}`, ...copy, ...lines, ''].join('\n'));
      const ref = `localhost/rig:${made.length}`;
      made.push(ref);
      const built =
        kind === 'docker'
          ? runDocker('build', '--network=none', '-t', ref, context)
          : containers.podman('build', '--network=none', '--pull=never', '--format', 'docker', '-t', ref, context);
      if (built.code !== 0) throw new Error(`${kind} build: ${built.stderr}`);
      return ref;
    },
    async trace(image, scenarios, more = {}) {
      const workspace = makeWorkspace();
      const engine = await open(workspace);
      const facts = await engine.inspectImage(image);
      if (facts === null) throw new Error(`no image ${image}`);
      const settings = { smokeTestCommand: more.smokeTestCommand ?? null, readyAfterS: more.readyAfterS ?? 30 };
      return runScenarios(
        {
          engine,
          // A strace to bind in makes any engine one that cannot park a container.
          method: more.strace === undefined ? 'host_attach' : 'in_container',
          exec: execIn(workspace),
          workspace,
          storage: containers.home,
          aborted: aborter.signal,
          staticStrace: more.strace ?? null,
          image: facts.config,
          container: { image, runId: makeRunId(), memoryMb: more.memoryMb ?? 256, pids: more.pids ?? 64, cpus: 2 },
        },
        scenarios.map((one) => ({ name: one.name, planned: planScenario(one, facts.config, settings) })),
        {
          scenarioTimeoutMs: 60_000,
          aggregateTimeoutMs: 300_000,
          ...fixedLimits,
          ...more,
        },
        { logger: recordingLogger(), uriOf: (artifact) => `raw/${artifact}` },
      );
    },
    abort: () => aborter.abort(new Error('aborted by the test')),
    async dispose() {
      await host.killAll();
      if (kind === 'docker') for (const ref of made) runDocker('rmi', '-f', ref);
      rmSync(place, { recursive: true, force: true });
      containers.dispose();
    },
  };
}

function dockerAnswers(): boolean {
  return hasTool('docker') && runDocker('info', '--format', '{{.ServerVersion}}').code === 0;
}

function runDocker(...args: string[]): { readonly code: number; readonly stderr: string } {
  const { status, stderr } = spawnSync('docker', args, {
    encoding: 'utf8',
    timeout: 60_000,
    env: { ...process.env, DOCKER_BUILDKIT: '0' },
  });
  return { code: status ?? -1, stderr };
}
