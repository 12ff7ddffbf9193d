/**
 * One run of ast-grep over the files in scope. Exit 0 and 1 mean that it ran, 1 that it found something; it is only believed
 * when it also says how many files it read. It knows no way to overrule comments that switch a rule off in place: such files are
 * scanned as copies in which the comments say nothing.
 */

import type { ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { isJsonObject, type Json } from '../../kernel/base/json.ts';
import { decodeLenient, singleLine } from '../../kernel/base/text.ts';
import type { ExecOutcome } from '../../kernel/exec/exec.ts';
import { createFindings, cutText } from '../shared/probe-reading.ts';
import { openRuleScan } from '../shared/rule-scan.ts';
import {
  batchArguments,
  dropMinified,
  inputOf,
  listLeftOut,
  listScanTargets,
  reportedPath,
  separatePlainCopies,
} from '../shared/scan-files.ts';
import {
  type Finding,
  failedWith,
  isSource,
  outcomeOfProcess,
  ran,
  rulePackVersion,
  type ScannerOutcome,
  type Severity,
} from '../shared/scanners.ts';
import { isForBuiltin, listAstGrepRules, writeAstGrepProject } from './ast-grep-rules.ts';

type ScanSummary = {
  readonly files: number;
  /** Of the files, those that it could not read. */
  readonly unread: number;
  readonly rules: number;
};

/** Every finding is told with its whole line, and a line of output may hold a mebibyte: larger files are generated ones. */
const maxTargetBytes = 500_000;
/** Findings arrive line by line; what is kept besides is only there to be looked at. */
const keptStdoutBytes = 1024 * 1024;

const messageChars = 500;

const severities: Readonly<Record<string, Severity>> = { error: 'high', warning: 'medium', info: 'info', hint: 'info' };

export async function gatherAstGrep(
  repo: ProbeRepo,
  ctx: ProbeContext<'ast_grep.config'>,
  leftS: () => number,
): Promise<ProbeOutput> {
  const { version } = await ctx.exec.toolVersion('ast-grep');
  const frame = openRuleScan(repo, ctx, {
    tool: 'ast-grep',
    probe: 'ast_grep',
    section: 'ast_grep_findings',
    artifact: 'ast-grep-findings.json',
    rulePackVersion: rulePackVersion(version, listAstGrepRules(repo)),
  });
  if (version === 'absent') return frame.skip('tool_missing');

  const said = createFindings();
  const project = await writeAstGrepProject(repo, ctx.workspace);
  if (project.withoutRules) {
    said.warn('ast_grep.not_configured', { detail: 'no rule file beside the configuration can be seen' });
  }
  for (const name of project.unreadable) said.warn('ast_grep.not_configured', { detail: `${name}: cannot be read` });
  const listed = await dropMinified(repo, listScanTargets(repo, maxTargetBytes));
  const isTarget = (path: string): boolean => !project.isBuiltinOnly || isForBuiltin(path);
  const targets = { ...listed, paths: listed.paths.filter(isTarget) };
  if (targets.paths.length + targets.minified.length + targets.tooLarge.filter(isForBuiltin).length === 0) {
    return { kind: 'skipped', reason: 'not_applicable', detail: 'no file in a language that the rules are for' };
  }
  const found: Finding[] = [];
  let files = 0;
  let unread = 0;
  let effectiveRules = 0;
  let outcome: ScannerOutcome = ran;
  const endsAt = performance.now() + leftS() * 1000;
  const places = await separatePlainCopies(repo, ctx.workspace, targets.paths, {
    maxBytes: maxTargetBytes,
    mend: silenceSuppressions,
  });
  const batches = places.flatMap(({ cwd, names }) => batchArguments(names).map((targets) => ({ cwd, targets })));
  for (const batch of batches) {
    const left = Math.max(0.5, (endsAt - performance.now()) / 1000);
    const ended = await runAstGrep(ctx, project.config, batch, left);
    ctx.signal.throwIfAborted();
    const read = readEnding(ended.outcome, ended.broken);
    if (read.kind === 'skipped') return frame.skip(read.reason);
    outcome = read.kind === 'ran' ? ran : read;
    if (read.kind !== 'ran') break;
    found.push(...ended.findings);
    files += read.files;
    unread += read.unread;
    effectiveRules = read.rules;
  }
  if (outcome.kind === 'ran' && files === 0) outcome = failedWith(0, '', 'nothing_scanned');
  const findings = outcome.kind === 'ran' ? found.filter(({ path }) => repo.inputs.has(inputOf(path))) : [];
  const tooLarge = targets.tooLarge.filter((path) => isSource(path) && isTarget(path));
  const leftOut = await listLeftOut(repo, tooLarge, targets.minified);
  for (const place of leftOut) said.warn('ast_grep.files_left_out', place);
  if (unread > 0) said.warn('ast_grep.files_left_out', { detail: `${unread} could not be read` });
  const rulesRun = Math.max(0, effectiveRules - project.builtin.expanded) + project.builtin.rules;
  return frame.finish({ outcome, rulesRun, filesScanned: files, findings }, said, {
    beside: { files_scanned: files, files_too_large: targets.tooLarge, files_minified: targets.minified },
    isPartial: leftOut.length + unread > 0,
  });
}

/** Undefined for a line that is no finding. */
export function parseAstGrepLine(line: string): Finding | undefined {
  let match: Json;
  try {
    match = JSON.parse(line) as Json;
  } catch {
    return undefined;
  }
  if (!isJsonObject(match)) return undefined;
  const { file, ruleId, severity, message, range } = match;
  const start = isJsonObject(range) && isJsonObject(range['start']) ? range['start']['line'] : undefined;
  if (typeof file !== 'string' || typeof ruleId !== 'string' || typeof severity !== 'string') return undefined;
  if (typeof message !== 'string' || !Number.isInteger(start)) return undefined;
  return {
    // Our own rules are written once and expanded to one per grammar.
    rule_id: singleLine(ruleId).replace(/^((?:script|python|go)-[a-z-]+)\.[A-Z][A-Za-z]*$/, '$1'),
    severity: severities[severity] ?? 'medium',
    path: reportedPath(file),
    line: (start as number) + 1,
    message: cutText(singleLine(message), messageChars),
  };
}

/** Undefined where it wrote no summary: then it did not get as far as scanning. */
export function parseSummary(stderr: string): ScanSummary | undefined {
  const [, files, unread] =
    /^sg: summary\|file: scannedFileCount=(\d{1,9})(?:,skippedFileCount=(\d{1,9}))?/m.exec(stderr) ?? [];
  const rules = /^sg: summary\|rule: effectiveRuleCount=(\d{1,9})/m.exec(stderr)?.[1];
  return files === undefined
    ? undefined
    : {
        files: Math.max(0, Number(files) - Number(unread ?? 0)),
        unread: Number(unread ?? 0),
        rules: Number(rules ?? 0),
      };
}

/** Of the same length, so that nothing moves. */
function silenceSuppressions(text: string): string {
  return text.replaceAll('ast-grep-ignore', 'ast-grep-ignor_');
}

async function runAstGrep(
  ctx: ProbeContext<never>,
  config: string,
  { cwd, targets }: { readonly cwd: string; readonly targets: readonly string[] },
  timeoutS: number,
): Promise<{ readonly outcome: ExecOutcome; readonly findings: readonly Finding[]; readonly broken: boolean }> {
  const findings: Finding[] = [];
  let broken = false;
  const outcome = await ctx.exec.runExternalCli(
    [
      ...['ast-grep', 'scan', '--config', config, '--json=stream', '--inspect', 'summary'],
      ...['--no-ignore', 'hidden', '--no-ignore', 'dot', '--threads', '0', '--', ...targets],
    ],
    {
      cwd,
      timeoutS,
      maxStdoutBytes: keptStdoutBytes,
      readable: [ctx.workspace],
      onLine: (line, stream) => {
        if (stream !== 'stdout' || line === '') return;
        const finding = parseAstGrepLine(line);
        if (finding === undefined) broken = true;
        else findings.push(finding);
      },
    },
  );
  return { outcome, findings, broken };
}

type Ending = ({ readonly kind: 'ran' } & ScanSummary) | Exclude<ScannerOutcome, { kind: 'ran' }>;

function readEnding(ended: ExecOutcome, broken: boolean): Ending {
  // The stream was read as it came: how much of it is kept says nothing.
  const seen = ended.kind === 'exited' ? { ...ended, truncated: { ...ended.truncated, stdout: false } } : ended;
  const otherwise = outcomeOfProcess(seen);
  if (otherwise !== null && otherwise.kind !== 'ran') return otherwise;
  if (ended.kind !== 'exited') return failedWith(-1, '');
  if (ended.code > 1) return failedWith(ended.code, ended.stderr);
  if (broken) return failedWith(ended.code, ended.stderr, 'invalid_json');
  const summary = parseSummary(decodeLenient(ended.stderr));
  return summary === undefined ? failedWith(ended.code, ended.stderr, 'nothing_scanned') : { kind: 'ran', ...summary };
}
