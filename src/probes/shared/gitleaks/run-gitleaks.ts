/**
 * Runs gitleaks over the work tree or the history. The report goes to a file of the workspace with every secret blotted out;
 * nothing that the repository configures is heeded. It is believed when it says that it scanned more than nothing.
 */

import { join } from 'node:path';
import type { ProbeContext, ProbeRepo } from '../../../gather/contract.ts';
import { limits } from '../../../kernel/base/limits.ts';
import { decodeLenient } from '../../../kernel/base/text.ts';
import { createDirectoryGuard, readRegular } from '../../../kernel/repo/safe-read.ts';
import { writeScratch } from '../scan/write-scratch.ts';
import { failedWith, outcomeOfProcess, ran, type ScannerOutcome } from '../scanner.ts';
import { renderGitleaksConfig } from './gitleaks-config.ts';
import { userConfigId } from './gitleaks-version.ts';
import { type Leak, parseGitleaksReport, scannedBytes } from './parse-gitleaks.ts';
import { ignoreFile } from './suppressions.ts';

export const maxTargetMegabytes = 5;
const reportNames = { dir: 'gl.json', git: 'gl-git.json' } as const;
const reportBytes = 64 * 1024 * 1024;
const ignoredListed = 2_000;

export type GitleaksRun = { readonly outcome: ScannerOutcome; readonly leaks: readonly Leak[] };

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

/** Its own defaults, and that no program which the repository's settings name is run to show a change. */
const historyOptions =
  '--full-history --all --diff-filter=tuxdb --no-textconv --no-ext-diff --no-show-signature --no-color';

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
