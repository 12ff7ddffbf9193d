/**
 * Runs gitleaks over the work tree or the history, with its own default rules or the user's. The report goes to a file of the workspace
 * with every secret blotted out; nothing that the repository configures is heeded. It is believed when it says that it scanned more than
 * nothing. Default rules come with the binary, so that their version is its version.
 */

import { join } from 'node:path';
import type { ProbeContext, ProbeRepo } from '../../gather/contract.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { isJsonObject, type Json } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { decodeLenient, singleLine } from '../../kernel/base/text.ts';
import { parseJson } from '../../kernel/formats/parse-json.ts';
import * as patterns from '../../kernel/secrets/patterns.ts';
import { createDirectoryGuard, readRegular } from '../../kernel/tree/safe-read.ts';
import { cutText } from '../shared/probe-reading.ts';
import { reportedPath, writeScratch } from '../shared/scan-files.ts';
import {
  expectedRulePackVersion,
  failedWith,
  outcomeOfProcess,
  type RuleFile,
  ran,
  rulePackVersion,
  type ScannerOutcome,
} from '../shared/scanners.ts';

export type Leak = {
  readonly rule: string;
  readonly description: string;
  readonly path: string;
  readonly line: number;
  readonly commit: string | null;
};

type GitleaksRun = { readonly outcome: ScannerOutcome; readonly leaks: readonly Leak[] };

export const ignoreFile = '.gitleaksignore';

export const userConfigId = 'config:gitleaks.config:0';

export const maxTargetMegabytes = 5;

/** Raised when the same binary is asked for something else. */
const gitleaksConfigVersion = '1';

/** Raised when the same patterns are looked for in another way. */
const builtinVersion = 'builtin-1';

const reportNames = { dir: 'gl.json', git: 'gl-git.json' } as const;
const reportBytes = 64 * 1024 * 1024;
const ignoredListed = 2_000;

/** Its own defaults, and that no program which the repository's settings name is run to show a change. */
const historyOptions =
  '--full-history --all --diff-filter=tuxdb --no-textconv --no-ext-diff --no-show-signature --no-color';

/** Writes the configuration; the path of it. */
export async function writeGitleaksConfig(
  repo: ProbeRepo,
  ctx: ProbeContext<never>,
  what: 'dir' | 'git',
): Promise<string> {
  const own = repo.inputs.has(userConfigId) ? await repo.inputs.read(userConfigId, limits.textBytes) : undefined;
  const text =
    own?.kind === 'read' ? own.bytes : renderGitleaksConfig(what === 'dir' ? await listIgnored(repo, ctx) : []);
  return writeScratch(ctx.workspace, `gitleaks-${what}.toml`, text);
}

export async function runGitleaks(
  repo: ProbeRepo,
  ctx: ProbeContext<never>,
  what: 'dir' | 'git',
  config: string,
  timeoutS: number,
): Promise<GitleaksRun> {
  const report = join(ctx.workspace, reportNames[what]);
  const ended = await ctx.exec.runExternalCli(
    [
      ...['gitleaks', what, '--no-banner', '--redact=100', '--report-format', 'json', '--report-path', report],
      ...['--exit-code', '0', '--config', config, '--max-target-megabytes', String(maxTargetMegabytes)],
      ...['--ignore-gitleaks-allow', '--gitleaks-ignore-path', join(ctx.workspace, 'none')],
      ...(what === 'git' ? [`--log-opts=${historyOptions}`] : []),
      // Relative, so that where the checkout lies decides nothing: the default rules leave out paths by the names in them.
      ...['--', '.'],
    ],
    {
      cwd: repo.root,
      timeoutS,
      writable: [ctx.workspace],
      masked: ['.gitleaks.toml', ignoreFile],
      // What is to be masked can only be masked in a sandbox; and the history is read by git, with the repository's settings.
      mustBeSandboxed: what === 'git' || repo.inputs.has(ignoreFile) || repo.scope.exists(ignoreFile),
    },
  );
  ctx.signal.throwIfAborted();
  const end = (outcome: ScannerOutcome): GitleaksRun => ({ outcome, leaks: [] });
  const otherwise = outcomeOfProcess(ended);
  if (otherwise !== null) return end(otherwise);
  if (ended.kind !== 'exited') return end(failedWith(-1, ''));
  if (ended.code !== 0) return end(failedWith(ended.code, ended.stderr));
  const read = readRegular(ctx.workspace, reportNames[what], reportBytes, createDirectoryGuard(ctx.workspace));
  if (read.kind === 'failed' && read.failure.kind === 'size_cap_exceeded') {
    return end(failedWith(ended.code, ended.stderr, 'truncated'));
  }
  const leaks = read.kind === 'read' ? parseGitleaksReport(read.bytes) : undefined;
  if (leaks === undefined) return end(failedWith(ended.code, ended.stderr, 'invalid_json'));
  const bytes = scannedBytes(decodeLenient(ended.stderr)) ?? 0;
  if (bytes === 0) return end(failedWith(ended.code, ended.stderr, 'nothing_scanned'));
  return { outcome: ran, leaks };
}

/** Undefined where it is not a report. Author, message and the rest that it tells of a commit is left behind. */
export function parseGitleaksReport(bytes: Uint8Array): readonly Leak[] | undefined {
  const parsed = parseJson(bytes, { maxBytes: limits.toolOutputBytes, maxDepth: limits.parseDepthSmall });
  // It writes `null` for no findings in some versions.
  if (parsed.ok && parsed.value === null) return [];
  if (!parsed.ok || !Array.isArray(parsed.value)) return undefined;
  const leaks = (parsed.value as readonly Json[]).map(readLeak);
  return leaks.every((leak) => leak !== undefined) ? leaks : undefined;
}

/** `scanned ~284 bytes (284 bytes) in 10.3ms`; undefined where it does not say. */
export function scannedBytes(stderr: string): number | undefined {
  const bytes = /scanned ~(\d{1,18}) bytes/.exec(stderr)?.[1];
  return bytes === undefined ? undefined : Number(bytes);
}

/** `ignored`: directories that git ignores, root-relative. gitleaks would walk through them, and none of them is in scope. */
export function renderGitleaksConfig(ignored: readonly string[]): string {
  const head = 'title = "codegenie"\n[extend]\nuseDefault = true\n';
  if (ignored.length === 0) return head;
  const names = ignored.map((path) => path.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
  return `${head}[[allowlists]]\ndescription = "not in scope"\npaths = [${JSON.stringify(`^(?:${names})(?:/|$)`)}]\n`;
}

/** `toolVersion` is that of gitleaks, `absent` where there is none. Null where it is there and does not say which one it is. */
export function expectedGitleaksVersion(repo: ProbeRepo, toolVersion: string): string | null {
  return toolVersion === 'absent'
    ? builtinRulesVersion()
    : expectedRulePackVersion(toolVersion, listGitleaksRules(repo));
}

export function gitleaksRulesVersion(repo: ProbeRepo, toolVersion: string): string {
  return rulePackVersion(toolVersion, listGitleaksRules(repo));
}

export function builtinRulesVersion(): string {
  return rulePackVersion(builtinVersion, [{ name: 'patterns', hash: patternsHash() }]);
}

/** Directories that git ignores: gitleaks knows no `.gitignore` and would spend its time in them. */
async function listIgnored(repo: ProbeRepo, ctx: ProbeContext<never>): Promise<string[]> {
  if (repo.gitCommit === null) return [];
  const listed = await ctx.exec.git(['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z']);
  if (listed.kind !== 'exited' || listed.code !== 0 || listed.truncated.stdout) return [];
  return decodeLenient(listed.stdout)
    .split('\0')
    .filter((path) => path.endsWith('/') && !path.includes('\uFFFD'))
    .map((path) => path.slice(0, -1))
    .slice(0, ignoredListed);
}

function readLeak(row: Json): Leak | undefined {
  if (!isJsonObject(row)) return undefined;
  const { RuleID: rule, Description: description, File: path, StartLine: line, Commit: commit } = row;
  if (typeof rule !== 'string' || typeof description !== 'string' || typeof path !== 'string') return undefined;
  if (!Number.isInteger(line) || typeof commit !== 'string') return undefined;
  return {
    rule: singleLine(rule),
    description: cutText(singleLine(description), 200),
    path: reportedPath(path),
    line: line as number,
    commit: /^[0-9a-f]{40,64}$/.test(commit) ? commit : null,
  };
}

function patternsHash(): string {
  return blake3Hex(JSON.stringify(patterns, (_, value: unknown) => (value instanceof RegExp ? String(value) : value)));
}

function listGitleaksRules(repo: ProbeRepo): RuleFile[] {
  const own = repo.inputs.fingerprint(userConfigId);
  return [
    own?.kind === 'file'
      ? { name: 'user.toml', hash: own.contentHash }
      : { name: 'default', hash: gitleaksConfigVersion },
    { name: 'patterns', hash: patternsHash() },
  ];
}
