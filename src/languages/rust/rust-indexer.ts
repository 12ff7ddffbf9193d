/**
 * `rust-analyzer scip` (measured with 1.95). `cargo.buildScripts.enable: false` is ignored by this command: it compiles and runs
 * build scripts whatever its configuration says. What it does respect is the command that builds them, so outside the sandbox that is
 * `/bin/true`: nothing is built, no macro library is loaded, and both are gaps. A `rustc-wrapper` in the repository's own cargo
 * configuration would be run too, even by `cargo metadata`; the empty variables below take precedence over it.
 * It would also have rustup add a component to the user's toolchain; where cargo's home is, and rustup's, neither is found. No lockfile
 * is written where there is none.
 */

import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { findDefaultToolchain, isRustup } from '../../kernel/exec/resolve-tool.ts';
import {
  classifyExit,
  type IndexerAdapter,
  type IndexerContext,
  type Invocation,
  type PlanWorld,
} from '../indexers/indexer-adapter.ts';
import {
  belowHome,
  existing,
  type Found,
  findOnPath,
  joinIf,
  type Machine,
  readText,
  safePath,
} from '../indexers/machine.ts';

/** Said by the probe: `bwrap` or `none`. */
const sandboxVariable = 'CODEGENIE_SANDBOX';

export const rustAnalyzer: IndexerAdapter = {
  id: 'rust-analyzer',
  family: 'rust',
  tool: 'rust-analyzer',
  granularity: 'project',
  // It would; outside the sandbox it is kept from it instead of being refused.
  executesRepoCode: false,
  minVersion: null,
  timeoutMs: 45 * 60_000,
  memoryMb: 8192,
  positionEncoding: 1,
  gaps: ['build_scripts_without_sandbox', 'proc_macros_without_sandbox', 'duplicate_symbols_of_examples'],
  passes: ['RUSTFLAGS'],
  argumentsKey: 'scip --output --config-path; offline',
  findEnvironment(place) {
    const environment = findRust(place);
    if (environment === undefined)
      return { environment: {}, missing: 'cargo is not on PATH. Install Rust (https://rustup.rs).' };
    // What is indexed without a sandbox differs from what is indexed in one.
    return { environment: { ...environment, [sandboxVariable]: place.sandbox } };
  },
  plan: planRun,
  classifyExit: (outcome) =>
    classifyExit(
      outcome,
      /failed to (?:parse|read) manifest|Failed to (?:load|read) (?:the )?(?:project|workspace)|no projects/i,
    ),
};

const configName = 'rust-analyzer.json';

function planRun(context: IndexerContext, world: PlanWorld): Invocation {
  const { jobDir, environment } = world;
  const { RUST_TOOLCHAIN = '', RUSTFLAGS = '', PATH = '' } = environment;
  const caches = listCaches(environment);
  const sandboxed = environment[sandboxVariable] === 'bwrap';
  const output = join(jobDir, 'out.scip');
  const binaries = join(RUST_TOOLCHAIN, 'bin');
  return {
    args: ['scip', join(world.repoRoot, context.root), '--output', output, '--config-path', join(jobDir, configName)],
    cwd: jobDir,
    env: {
      // A build script wants a linker; without one nothing but the toolchain is needed.
      PATH: sandboxed && PATH !== '' ? `${binaries}:${PATH}` : binaries,
      CARGO: join(binaries, 'cargo'),
      RUSTC: join(binaries, 'rustc'),
      RUSTC_WRAPPER: '',
      RUSTC_WORKSPACE_WRAPPER: '',
      CARGO_NET_OFFLINE: 'true',
      CARGO_TARGET_DIR: join(jobDir, 'target'),
      CARGO_HOME: join(jobDir, 'cargo'),
      RUSTUP_HOME: join(jobDir, 'rustup'),
      RUSTUP_AUTO_INSTALL: '0',
      ...(RUSTFLAGS === '' ? {} : { RUSTFLAGS }),
    },
    output,
    files: { [configName]: JSON.stringify(sandboxed ? openConfig : closedConfig) },
    links: Object.fromEntries(caches),
    readable: [RUST_TOOLCHAIN, ...caches.map(([, directory]) => directory)],
    documentBase: context.root,
    mustBeSandboxed: sandboxed,
  };
}

/** What was downloaded before; not all of cargo's home, which may hold credentials. */
function listCaches(environment: Readonly<Record<string, string>>): [string, string][] {
  return ['registry', 'git'].flatMap((name): [string, string][] => {
    const directory = environment[`CARGO_${name.toUpperCase()}`] ?? '';
    return directory === '' ? [] : [[`cargo/${name}`, directory]];
  });
}

const closedConfig = {
  cargo: { buildScripts: { enable: false, overrideCommand: ['/bin/true'] } },
  procMacro: { enable: false },
  checkOnSave: false,
};
const openConfig = { cargo: { buildScripts: { enable: true } }, procMacro: { enable: true }, checkOnSave: false };

/** The toolchain itself, never rustup's proxies: they choose by directory, and download. */
export function findRust(machine: Machine): Found | undefined {
  const cargo = findOnPath('cargo', machine);
  if (cargo === undefined) return undefined;
  const toolchain = isRustup(cargo) ? findDefaultToolchain(cargo) : dirname(dirname(realpathSync(cargo)));
  if (toolchain === undefined || !existsSync(join(toolchain, 'bin/rustc'))) return undefined;
  const home = machine.environment['CARGO_HOME'] ?? belowHome(machine, '.cargo');
  return {
    RUST_TOOLCHAIN: toolchain,
    RUST_VERSION: readRustVersion(toolchain),
    CARGO_REGISTRY: existing(joinIf(home, 'registry')),
    CARGO_GIT: existing(joinIf(home, 'git')),
    PATH: safePath(machine),
  };
}

/** The library that the compiler is has its build in its name. */
function readRustVersion(toolchain: string): string {
  const manifest = readText(join(toolchain, 'lib/rustlib/multirust-channel-manifest.toml')).slice(0, 65_536);
  const version =
    /\[pkg\.rustc\]\s*version = "([^"]+)"/.exec(manifest)?.[1] ?? /^date = "([^"]+)"/m.exec(manifest)?.[1];
  return version ?? 'unknown';
}
