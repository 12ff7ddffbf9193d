/**
 * Can an indexer run here, and which one is it (code-plane.md §5)? Answers with what a person has to install; starts at most the tool
 * itself, for its version, outside any repository. Cheap when asked again: versions and identities are remembered by file signature.
 */

import { sha256Hex } from '../../../kernel/base/hash.ts';
import { canonicalJson } from '../../../kernel/base/json.ts';
import type { Environment } from '../../../kernel/exec/environment.ts';
import type { Exec, ExecHost } from '../../../kernel/exec/exec.ts';
import { readToolIdentity } from '../../../kernel/exec/tool-version.ts';
import { findTool, type Tool } from '../../../kernel/exec/tools.ts';
import { findDotnet } from '../../../languages/csharp/csharp-indexer.ts';
import { findGo } from '../../../languages/go/go-indexer.ts';
import type { IndexerAdapter } from '../../../languages/indexers/indexer-adapter.ts';
import { type Machine, safePath } from '../../../languages/indexers/machine.ts';
import { findJava } from '../../../languages/java/java-indexer.ts';
import type { Family } from '../../../languages/projects/context-spec.ts';
import { findPython } from '../../../languages/python/python-indexer.ts';
import { findRust, sandboxVariable } from '../../../languages/rust/rust-indexer.ts';
import { findInstalledPackages } from '../../../languages/typescript/typescript-indexers.ts';
import { describeMissingSandbox, type IndexerProbe } from './run-indexer.ts';

type ProbeOptions = {
  readonly host: ExecHost;
  readonly exec: Exec;
  /** Realpath of the analysed repository. */
  readonly repoRoot: string;
  /** The user's own. */
  readonly environment: Environment;
  /** Absolute directory of the context: what is installed beside it is looked for. */
  readonly contextRoot?: string;
};

export async function probeIndexer(adapter: IndexerAdapter, options: ProbeOptions): Promise<IndexerProbe> {
  const { host, exec } = options;
  const tool = findTool(adapter.tool);
  const { version, path, detail } = await exec.toolVersion(adapter.tool);
  const sandbox = await host.sandbox();
  const found = findEnvironment(adapter, options, sandbox.kind);
  const environment = { ...found.environment, ...listPassed(adapter, options.environment) };
  const envHash = sha256Hex(canonicalJson(environment));
  const about = { toolPath: path, toolId: null, envHash, environment };
  const install = tool?.install ?? '';
  const lacking = (state: IndexerProbe['state'], said: string): IndexerProbe => ({ ...about, state, detail: said });

  if (path === null) return lacking('missing_tool', [detail, install].filter(Boolean).join(' '));
  if (version === 'unknown') {
    return lacking('missing_tool', `${adapter.tool} is at ${path} but does not say its version. ${install}`);
  }
  if (adapter.minVersion !== null && isBelow(version, adapter.minVersion)) {
    return lacking('bad_version', `${adapter.tool} ${version} is older than ${adapter.minVersion}. ${install}`);
  }
  const identity = readToolIdentity(path, npmPackageOf(tool), tool?.own !== undefined);
  if (identity === undefined) return lacking('missing_tool', `${path} cannot be read. ${install}`);
  const toolId = `${adapter.tool}@${version}+${identity}`;
  if (found.missing !== null) return { ...lacking('missing_tool', found.missing), toolId };
  if (adapter.executesRepoCode && sandbox.kind === 'none') {
    return { ...lacking('sandbox_missing', describeMissingSandbox(adapter.tool, sandbox.reason)), toolId };
  }
  return { ...about, state: 'ok', detail: null, toolId };
}

function npmPackageOf(tool: Tool | undefined): string | undefined {
  return tool?.npmPackage;
}

type FoundEnvironment = { readonly environment: Readonly<Record<string, string>>; readonly missing: string | null };

const sdks: Partial<
  Record<
    Family,
    { readonly find: (machine: Machine) => Readonly<Record<string, string>> | undefined; readonly needs: string }
  >
> = {
  go: { find: findGo, needs: 'go is not on PATH. Install Go (https://go.dev/dl).' },
  rust: { find: findRust, needs: 'cargo is not on PATH. Install Rust (https://rustup.rs).' },
  java: { find: findJava, needs: 'java is not on PATH. Install a JDK.' },
  csharp: { find: findDotnet, needs: 'dotnet is not on PATH. Install the .NET SDK.' },
  c: { find: (machine) => ({ PATH: safePath(machine) }), needs: '' },
};

function findEnvironment(adapter: IndexerAdapter, options: ProbeOptions, sandbox: string): FoundEnvironment {
  const machine: Machine = { repoRoot: options.repoRoot, environment: options.environment };
  if (adapter.family === 'python') {
    const directories = options.contextRoot === undefined ? [] : [options.contextRoot];
    return { environment: findPython(machine, [...directories, options.repoRoot]), missing: null };
  }
  if (adapter.family === 'typescript') {
    const directory = options.contextRoot?.slice(options.repoRoot.length + 1) ?? '';
    return { environment: findInstalledPackages(options.repoRoot, [directory]), missing: null };
  }
  const sdk = sdks[adapter.family];
  if (sdk === undefined) return { environment: {}, missing: null };
  const environment = sdk.find(machine);
  if (environment === undefined) return { environment: {}, missing: sdk.needs };
  // What is indexed without a sandbox differs from what is indexed in one.
  return {
    environment: adapter.family === 'rust' ? { ...environment, [sandboxVariable]: sandbox } : environment,
    missing: null,
  };
}

function listPassed(adapter: IndexerAdapter, environment: Environment): Record<string, string> {
  return Object.fromEntries(
    adapter.passes.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
  );
}

/** By number, part by part; what is no version (`blake3:…`) is below every floor. */
export function isBelow(version: string, floor: string): boolean {
  const [have, want] = [version, floor].map((text) => (/^\d+(?:\.\d+)*/.exec(text)?.[0] ?? '').split('.').map(Number));
  for (const [index, wanted] of (want ?? []).entries()) {
    const had = have?.[index] ?? 0;
    if (Number.isNaN(had)) return true;
    if (had !== wanted) return had < wanted;
  }
  return false;
}
