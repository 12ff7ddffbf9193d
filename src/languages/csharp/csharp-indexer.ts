/**
 * scip-dotnet evaluates the project with MSBuild, which runs whatever targets the repository declares: only in the sandbox. Packages are
 * those that an earlier `dotnet restore` of the user's left; none is fetched.
 */

import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import {
  classifyExit,
  type IndexerAdapter,
  type IndexerContext,
  type Invocation,
  type PlanWorld,
} from '../indexers/indexer-adapter.ts';
import { belowHome, existing, type Found, findOnPath, type Machine, safePath } from '../indexers/machine.ts';

const memoryMb = 6144;

export const scipDotnet: IndexerAdapter = {
  id: 'scip-dotnet',
  family: 'csharp',
  tool: 'scip-dotnet',
  granularity: 'project',
  executesRepoCode: true,
  minVersion: null,
  timeoutMs: 60 * 60_000,
  memoryMb,
  positionEncoding: 2,
  gaps: ['build_writes_into_tree', 'source_generators'],
  passes: [],
  argumentsKey: 'index --output --working-directory --skip-dotnet-restore',
  findEnvironment(place) {
    const environment = findDotnet(place);
    return environment === undefined
      ? { environment: {}, missing: 'dotnet is not on PATH. Install the .NET SDK.' }
      : { environment };
  },
  plan: planRun,
  classifyExit: (outcome) => classifyExit(outcome, /\berror (?:MSB|NETSDK|NU)\d+\b/),
};

function planRun(context: IndexerContext, world: PlanWorld): Invocation {
  const { jobDir, environment } = world;
  const { DOTNET_ROOT = '', NUGET_PACKAGES = '', PATH = '' } = environment;
  const output = join(jobDir, 'out.scip');
  return {
    args: [
      ...['index', '--output', output, '--working-directory', world.repoRoot, '--skip-dotnet-restore'],
      ...(context.configPath === null ? [] : ['--', join(world.repoRoot, context.configPath)]),
    ],
    cwd: join(world.repoRoot, context.root),
    env: {
      PATH: DOTNET_ROOT === '' ? PATH : `${DOTNET_ROOT}:${PATH}`,
      DOTNET_ROOT,
      DOTNET_CLI_HOME: join(jobDir, 'home'),
      DOTNET_CLI_TELEMETRY_OPTOUT: '1',
      DOTNET_NOLOGO: '1',
      DOTNET_GCHeapHardLimit: `0x${(memoryMb * 1024 ** 2).toString(16)}`,
      MSBUILDDISABLENODEREUSE: '1',
      ...(NUGET_PACKAGES === '' ? {} : { NUGET_PACKAGES }),
    },
    output,
    files: {},
    readable: [DOTNET_ROOT, NUGET_PACKAGES].filter((path) => path !== ''),
    documentBase: '',
  };
}

function findDotnet(machine: Machine): Found | undefined {
  const dotnet = findOnPath('dotnet', machine);
  if (dotnet === undefined) return undefined;
  return {
    DOTNET_ROOT: dirname(realpathSync(dotnet)),
    NUGET_PACKAGES: existing(machine.environment['NUGET_PACKAGES'] ?? belowHome(machine, '.nuget/packages')),
    PATH: safePath(machine),
  };
}
