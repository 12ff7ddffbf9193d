/**
 * The version a tool has now, asked once per binary and process, never throwing (gather.md §5, rule 8).
 * A tool that answers without a version (`gitleaks` built by `go install` does) is named by the hash of its binary; one that
 * fails to answer is `unknown`, which keeps its results out of the cache.
 */

import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { blake3Hex } from '../base/hash.ts';
import { isJsonObject, type Json } from '../base/json.ts';
import { decodeLenient } from '../base/text.ts';
import { readCompilerVersion } from '../compiler/compiler-packages.ts';
import type { FoundTool, ToolResolution } from './resolve-tool.ts';
import { parseVersion, type Tool } from './tools.ts';
import type { ExecOutcome, ToolVersion } from './types.ts';

/** Starts the tool with its version arguments, outside any repository. */
export type AskVersion = (tool: FoundTool, args: readonly string[]) => Promise<ExecOutcome>;

const memo = new Map<string, Promise<string>>();

export async function readToolVersion(
  name: string,
  tool: Tool,
  at: ToolResolution,
  ask: AskVersion,
): Promise<ToolVersion> {
  if (at.kind === 'missing') {
    return { name, version: 'absent', path: null, ...(at.detail === null ? {} : { detail: at.detail }) };
  }
  const { path } = at.tool;
  try {
    const key = [path, fileIdentity(path), ...tool.versionArgs].join('\0');
    let version = memo.get(key);
    if (version === undefined) {
      version = readVersion(tool, at.tool, ask);
      memo.set(key, version);
      // A failure may be of the moment (a busy machine, a cancelled gather): the next one who asks tries again.
      const known = await version.catch(() => 'unknown');
      if (known === 'unknown') memo.delete(key);
    }
    return { name, version: await version, path };
  } catch {
    return { name, version: 'unknown', path };
  }
}

async function readVersion(tool: Tool, found: FoundTool, ask: AskVersion): Promise<string> {
  if (tool.own !== undefined) return readCompilerVersion() ?? 'unknown';
  const packaged = tool.npmPackage === undefined ? undefined : readPackagedVersion(found.path, tool.npmPackage);
  if (packaged !== undefined) return packaged;
  const installed = tool.pypiPackage === undefined ? undefined : readInstalledVersion(found.path, tool.pypiPackage);
  if (installed !== undefined) return installed;
  const outcome = await ask(found, tool.versionArgs);
  if (outcome.kind !== 'exited' || outcome.code !== 0) return 'unknown';
  const said = parseVersion(decodeLenient(outcome.stdout)) ?? parseVersion(decodeLenient(outcome.stderr));
  return said ?? `blake3:${blake3Hex(readFileSync(found.path)).slice(0, 8)}`;
}

/** A tool that lives in its npm package has its package's version; reading it saves loading a whole compiler to be told so. */
function readPackagedVersion(path: string, packageName: string): string | undefined {
  for (let directory = dirname(realpathSync(path)); dirname(directory) !== directory; directory = dirname(directory)) {
    try {
      const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Json;
      if (isJsonObject(manifest) && manifest['name'] === packageName && typeof manifest['version'] === 'string') {
        return parseVersion(manifest['version']);
      }
    } catch {
      // No manifest here; one further up may name the package.
    }
  }
  return undefined;
}

/** `<prefix>/lib/python3.11/site-packages/semgrep-1.2.3.dist-info` beside `<prefix>/bin/semgrep`; of two nobody knows which runs. */
function readInstalledVersion(path: string, packageName: string): string | undefined {
  const libraries = join(dirname(dirname(realpathSync(path))), 'lib');
  const found = listNames(libraries)
    .filter((name) => name.startsWith('python3'))
    .flatMap((python) => ['site-packages', 'dist-packages'].map((folder) => join(libraries, python, folder)))
    .flatMap(listNames)
    .filter((name) => name.startsWith(`${packageName}-`) && name.endsWith('.dist-info'));
  return found.length === 1 ? parseVersion((found[0] as string).slice(packageName.length + 1)) : undefined;
}

function listNames(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** An upgraded tool is another binary, also for a process that has been up since before. */
function fileIdentity(path: string): string {
  const { ino, size, mtimeMs } = statSync(path);
  return `${ino}:${size}:${mtimeMs}`;
}
