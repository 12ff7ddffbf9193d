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
import type { IndexerAdapter } from '../../../languages/indexers/indexer-adapter.ts';
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
  const { repoRoot, contextRoot } = options;
  const place = { repoRoot, environment: options.environment, contextRoot, sandbox: sandbox.kind };
  const found = adapter.findEnvironment?.(place) ?? { environment: {} };
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
  // The version of a part of this package has it already.
  const toolId = tool?.own === undefined ? `${adapter.tool}@${version}+${identity}` : `${adapter.tool}@${version}`;
  if (found.missing !== undefined) return { ...lacking('missing_tool', found.missing), toolId };
  if (adapter.executesRepoCode && sandbox.kind === 'none') {
    return { ...lacking('sandbox_missing', describeMissingSandbox(adapter.tool, sandbox.reason)), toolId };
  }
  return { ...about, state: 'ok', detail: null, toolId };
}

function npmPackageOf(tool: Tool | undefined): string | undefined {
  return tool?.npmPackage;
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
