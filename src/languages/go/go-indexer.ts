/**
 * scip-go 0.2 (measured; the module moved to github.com/scip-code/scip-go):
 * - it asks `git` for a remote and a tag before it reads its flags: PATH holds `go` alone, so no configuration of the repository's git
 *   is ever looked at, and version and remote are given;
 * - `go list` type-checks with export data, so the first build of the standard library costs some 20 s; nothing is downloaded;
 * - ranges are only in the typed fields of newer SCIP, in bytes; a package with tests also gives a document below the build cache,
 *   outside the root, which the import drops;
 * - without a vendor directory or a filled module cache, packages of other modules stay unresolved: that is `config_error` only when
 *   nothing could be loaded.
 */

import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path/posix';
import {
  classifyExit,
  type IndexerAdapter,
  type IndexerContext,
  type Invocation,
  objectsIn,
  type PlanWorld,
  textIn,
  textsIn,
} from '../indexers/indexer-adapter.ts';
import { belowHome, type Found, findOnPath, joinIf, type Machine, readText } from '../indexers/machine.ts';

const memoryMb = 6144;

/** Reads of `config`: `module` (path of a lone module); `modules` `[{dir, path}]` or `[dir]`, root-relative, of a workspace. */
export const scipGo: IndexerAdapter = {
  id: 'scip-go',
  family: 'go',
  tool: 'scip-go',
  granularity: 'project',
  executesRepoCode: false,
  minVersion: '0.1.0',
  timeoutMs: 30 * 60_000,
  memoryMb,
  positionEncoding: 1,
  gaps: ['cgo_files', 'other_build_constraints'],
  passes: ['GOOS', 'GOARCH', 'GOEXPERIMENT'],
  argumentsKey: 'index --module-root --module-version v0 --go-version; CGO_ENABLED=0 GOPROXY=off',
  findEnvironment(place) {
    const environment = findGo(place);
    return environment === undefined
      ? { environment: {}, missing: 'go is not on PATH. Install Go (https://go.dev/dl).' }
      : { environment };
  },
  plan: planRun,
  classifyExit: (outcome) => classifyExit(outcome, projectIsWrong),
};

/** What `go` itself refuses, scip-go passes on like this: a toolchain that is too old, a go.mod that cannot be read. */
const projectIsWrong = /\bstderr: go: |failed to parse go\.(?:mod|work)/;

function planRun(context: IndexerContext, world: PlanWorld): Invocation {
  const { jobDir, environment } = world;
  const moduleRoot = join(world.repoRoot, context.root);
  const output = join(jobDir, 'out.scip');
  const modules = listModules(context);
  const modulePath = textIn(context.config, 'module') ?? (modules.length === 0 ? undefined : modules[0]?.path);
  const { GOROOT = '', GOMODCACHE = '', GOVERSION = '' } = environment;
  return {
    args: [
      ...['index', '--quiet', '--module-root', moduleRoot, '--module-version', 'v0'],
      ...['--go-version', GOVERSION, '--output', output],
      ...(modulePath === undefined ? [] : ['--module-path', modulePath]),
      ...['--', ...(modules.length === 0 ? ['./...'] : modules.map(({ pattern }) => pattern))],
    ],
    cwd: moduleRoot,
    env: {
      PATH: join(jobDir, 'bin'),
      GOROOT,
      GOMODCACHE,
      GOCACHE: join(jobDir, 'go-build'),
      GOPATH: join(jobDir, 'go'),
      // The flags and the settings file of the user could make `go` write into the tree (`-mod=mod`).
      GOFLAGS: '-buildvcs=false',
      GOENV: 'off',
      GOPROXY: 'off',
      GOSUMDB: 'off',
      GOTOOLCHAIN: 'local',
      GOPACKAGESDRIVER: 'off',
      GO111MODULE: 'on',
      GOVCS: '*:off',
      // A C compiler would be handed flags from the sources.
      CGO_ENABLED: '0',
      GOMEMLIMIT: `${memoryMb}MiB`,
      ...passOn(environment),
    },
    output,
    files: {},
    links: { 'bin/go': join(GOROOT, 'bin/go') },
    readable: [GOROOT, GOMODCACHE].filter((path) => path !== ''),
    documentBase: context.root,
  };
}

function passOn(environment: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(scipGo.passes.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])));
}

type WorkspaceModule = { readonly pattern: string; readonly path: string | undefined };

/** The modules of a workspace as patterns below its directory; a lone module is `./...`. */
function listModules(context: IndexerContext): readonly WorkspaceModule[] {
  const named = [
    ...textsIn(context.config, 'modules').map((directory) => ({ directory, path: undefined })),
    ...objectsIn(context.config, 'modules').map((module) => ({
      directory: textIn(module, 'dir') ?? '',
      path: textIn(module, 'path'),
    })),
  ];
  return named.map(({ directory, path }) => {
    const below = relative(context.root, directory);
    return { pattern: below === '' ? './...' : `./${below}/...`, path };
  });
}

/** `VERSION` of a Go root begins with `go1.26.8`. */
export function findGo(machine: Machine): Found | undefined {
  const go = findOnPath('go', machine);
  if (go === undefined) return undefined;
  const root = dirname(dirname(realpathSync(go)));
  const version = /^go[0-9][A-Za-z0-9.]*/.exec(readText(join(root, 'VERSION')))?.[0];
  if (version === undefined) return undefined;
  const settings = readGoSettings(machine);
  const path = machine.environment['GOPATH'] ?? settings.get('GOPATH') ?? belowHome(machine, 'go');
  const cache =
    machine.environment['GOMODCACHE'] ?? settings.get('GOMODCACHE') ?? joinIf(path?.split(':')[0], 'pkg/mod');
  return { GOROOT: root, GOVERSION: version, GOMODCACHE: cache !== undefined && existsSync(cache) ? cache : '' };
}

/** What `go env -w` has written. */
function readGoSettings(machine: Machine): ReadonlyMap<string, string> {
  const file = machine.environment['GOENV'] ?? belowHome(machine, '.config/go/env');
  const lines = file === undefined ? [] : readText(file).split('\n');
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const [, key, value] = /^([A-Z0-9_]+)=(.*)$/.exec(line) ?? [];
      return key === undefined || value === undefined ? [] : [[key, value.trim()]];
    }),
  );
}
