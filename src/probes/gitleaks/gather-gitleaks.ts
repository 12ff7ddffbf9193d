/**
 * The run of gitleaks, the probe: by the tool where it is there, by the redactor's patterns where it is not. Which of the two
 * looked is said; no cleartext leaves memory on either way.
 */

import type { Confidence, ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { createFindings, jsonBytes } from '../shared/probe-reading.ts';
import { inputOf, listScanTargets, listUnreadTexts } from '../shared/scan-files.ts';
import { failedWith, findingsShown, ran, type ScannerOutcome } from '../shared/scanners.ts';
import {
  builtinRulesVersion,
  gitleaksRulesVersion,
  type Leak,
  maxTargetMegabytes,
  runGitleaks,
  userConfigId,
  writeGitleaksConfig,
} from './gitleaks-run.ts';
import type { SecretPlace } from './gitleaks-section.ts';
import {
  type IsSuppressed,
  isUnmistakable,
  placeKey,
  placeLeaks,
  readSuppressions,
  scanBuiltin,
} from './secret-findings.ts';

const gitleaksArtifact = 'gitleaks-findings.json';
const maxTargetBytes = maxTargetMegabytes * 1_000_000;

type Context = ProbeContext<'gitleaks.history' | 'gitleaks.config'>;

type Looked = {
  readonly scanner: 'gitleaks' | 'builtin';
  readonly outcome: ScannerOutcome;
  readonly historyScanned: boolean;
  readonly findings: readonly SecretPlace[];
  readonly suppressed: number;
  readonly files: number;
  readonly rulePackVersion: string;
};

export async function gatherGitleaks(repo: ProbeRepo, ctx: Context, leftS: () => number): Promise<ProbeOutput> {
  const said = createFindings();
  const { version } = await ctx.exec.toolVersion('gitleaks');
  const { paths, tooLarge } = listScanTargets(repo, maxTargetBytes);
  if (paths.length + tooLarge.length === 0 && !ctx.config['gitleaks.history'])
    return { kind: 'skipped', reason: 'not_applicable', detail: 'there is no file to look into' };
  const isSuppressed = await readSuppressions(repo);
  const withTool =
    version === 'absent' ? undefined : await lookWithTool(repo, ctx, paths, isSuppressed, version, leftS);
  if (version === 'absent') said.warn('gitleaks.tool_missing');
  if (ctx.config['gitleaks.config'] !== null && !repo.inputs.has(userConfigId)) {
    said.warn('gitleaks.not_configured', { detail: 'gitleaks.config names no file that can be read' });
  }
  const looked = withTool ?? (await lookWithPatterns(repo, paths, isSuppressed));
  if (ctx.config['gitleaks.history'] && !looked.historyScanned) said.warn('gitleaks.history_not_scanned');
  if (looked.outcome.kind === 'failed') said.fail('gitleaks.scan_failed');
  const unread = await listUnreadTexts(repo, tooLarge);
  for (const path of unread) said.warn('gitleaks.files_left_out', { path, detail: 'too large' });
  const findings = [...looked.findings].sort(byPlace);
  const alarms = findings.filter(isAlarm).length;
  if (alarms > 0) said.warn('gitleaks.findings_present');
  const slice = {
    scanner: looked.scanner,
    outcome: looked.outcome,
    history_scanned: looked.historyScanned,
    findings_count: findings.length,
    alarms_count: alarms,
    findings: findings.slice(0, findingsShown),
    suppressed_by_repo: looked.suppressed,
    files_scanned: looked.files,
    rule_pack_version: looked.rulePackVersion,
    scanned_at: ctx.startedAt,
    scanned_commit: repo.gitCommit,
    indexed_inputs: ctx.inputsDigest,
  };
  const artifact = { scanner: looked.scanner, findings, files_too_large: tooLarge };
  return {
    kind: 'ran',
    slice: { gitleaks_findings: slice },
    rawArtifacts:
      looked.outcome.kind === 'ran' ? [{ name: gitleaksArtifact, kind: 'json', from: jsonBytes(artifact) }] : [],
    confidence: judge(looked, ctx.config['gitleaks.history'], unread.length > 0),
    ...said.report(),
  };
}

/** Undefined where the tool cannot be run as it must be. */
async function lookWithTool(
  repo: ProbeRepo,
  ctx: Context,
  paths: readonly string[],
  isSuppressed: IsSuppressed,
  version: string,
  leftS: () => number,
): Promise<Looked | undefined> {
  const config = await writeGitleaksConfig(repo, ctx, 'dir');
  const tree = await runGitleaks(repo, ctx, 'dir', config, leftS());
  if (tree.outcome.kind === 'skipped') return undefined;
  // Binaries alone: the tool passes over them all, and that is no failure of it.
  const readNothing = tree.outcome.kind === 'failed' && tree.outcome.reason === 'nothing_scanned';
  if (readNothing && (await scanBuiltin(repo, paths, maxTargetBytes, isSuppressed)).texts === 0) return undefined;
  const leaks: Leak[] = tree.leaks.filter(({ path }) => repo.inputs.has(inputOf(path)));
  let historyScanned = false;
  if (tree.outcome.kind === 'ran' && ctx.config['gitleaks.history'] && repo.gitCommit !== null) {
    // What git ignores today may have been committed once.
    const history = await runGitleaks(repo, ctx, 'git', await writeGitleaksConfig(repo, ctx, 'git'), leftS());
    historyScanned = history.outcome.kind === 'ran';
    leaks.push(...history.leaks.filter(({ commit }) => commit !== null));
  }
  const placed = await placeLeaks(repo, ctx, leaks, isSuppressed, maxTargetBytes);
  const rulePackVersion = gitleaksRulesVersion(repo, version);
  const looked = { scanner: 'gitleaks', outcome: tree.outcome, historyScanned, rulePackVersion } as const;
  if (tree.outcome.kind !== 'ran') return { ...looked, ...placed, files: 0 };
  // What the user's own rules leave out is left out on purpose.
  if (repo.inputs.has(userConfigId)) return { ...looked, ...placed, files: paths.length };
  // Its rules leave out files by their names (`jquery.js`, lockfiles, drawings) and by their first two bytes, and it does not say which.
  const further = await scanBuiltin(repo, paths, maxTargetBytes, isSuppressed, {
    known: new Set(placed.findings.map(placeKey)),
    isTold: isUnmistakable,
  });
  return {
    ...looked,
    findings: [...placed.findings, ...further.findings],
    suppressed: placed.suppressed + further.suppressed,
    files: further.files,
  };
}

async function lookWithPatterns(
  repo: ProbeRepo,
  paths: readonly string[],
  isSuppressed: IsSuppressed,
): Promise<Looked> {
  const { bytes, texts: _, ...found } = await scanBuiltin(repo, paths, maxTargetBytes, isSuppressed);
  const outcome = bytes === 0 ? failedWith(0, '', 'nothing_scanned') : ran;
  return { scanner: 'builtin', outcome, historyScanned: false, ...found, rulePackVersion: builtinRulesVersion() };
}

function judge({ scanner, outcome, historyScanned }: Looked, wantsHistory: boolean, hasUnread: boolean): Confidence {
  if (outcome.kind !== 'ran') return 'low';
  return scanner === 'builtin' || hasUnread || (wantsHistory && !historyScanned) ? 'medium' : 'high';
}

const isAlarm = ({ standing }: SecretPlace): boolean => standing === 'probable';

/** Alarms first: the list is cut at its end. */
function byPlace(a: SecretPlace, b: SecretPlace): number {
  return (
    Number(isAlarm(b)) - Number(isAlarm(a)) ||
    compareCodeUnits(a.path, b.path) ||
    a.line - b.line ||
    compareCodeUnits(a.rule_id, b.rule_id) ||
    compareCodeUnits(a.commit ?? '', b.commit ?? '') ||
    compareCodeUnits(a.match_fingerprint, b.match_fingerprint)
  );
}
