/**
 * Our own rules over the files in scope, in the threads that parse, and one run of the program `ast-grep` where the user has rules. Its exits
 * 0 and 1 mean that it ran, 1 that it found something; it is only believed when it also says how many files it read. It knows no way to
 * overrule comments that switch a rule off in place: such files are scanned as copies in which the comments say nothing.
 */

import type { ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { assert } from '../../kernel/base/assert.ts';
import { isJsonObject, type Json } from '../../kernel/base/json.ts';
import { decodeLenient, singleLine } from '../../kernel/base/text.ts';
import type { ExecOutcome } from '../../kernel/exec/exec.ts';
import { checkGrammars, findGrammar } from '../../languages/parsing/grammar-pins.ts';
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
import { grammarsOf, parseSources, type Source } from '../shared/sources.ts';
import { astGrepRulesCatalog } from './ast-grep-catalog.ts';
import { isForBuiltin, listAstGrepRules, writeUserRules } from './ast-grep-rules.ts';

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
  const { engine, rules } = await listAstGrepRules(repo, ctx.exec);
  const frame = openRuleScan(repo, ctx, {
    tool: 'ast-grep',
    probe: 'ast_grep',
    section: 'ast_grep_findings',
    artifact: 'ast-grep-findings.json',
    rulePackVersion: rulePackVersion(engine, rules),
  });

  const said = createFindings();
  const user = await writeUserRules(repo, ctx.workspace);
  if (user.withoutRules) {
    said.warn('ast_grep.not_configured', { detail: 'no rule file beside the configuration can be seen' });
  }
  for (const name of user.unreadable) said.warn('ast_grep.not_configured', { detail: `${name}: cannot be read` });
  const isUserLeftOut = user.config !== undefined && engine === 'absent';
  if (isUserLeftOut) said.warn('ast_grep.tool_missing');
  const config = isUserLeftOut ? undefined : user.config;

  const listed = await dropMinified(repo, listScanTargets(repo, maxTargetBytes));
  const isTarget = (path: string): boolean => config !== undefined || isForBuiltin(path);
  const targets = listed.paths.filter(isTarget);
  if (targets.length + listed.minified.length + listed.tooLarge.filter(isForBuiltin).length === 0) {
    return { kind: 'skipped', reason: 'not_applicable', detail: 'no file in a language that the rules are for' };
  }
  const ours = await runBuiltIn(repo, ctx, targets.filter(isForBuiltin));
  const theirs = config === undefined ? undefined : await runUserRules(repo, ctx, { config, targets, leftS });
  if (theirs?.outcome.kind === 'skipped') return frame.skip(theirs.outcome.reason);
  const filesScanned = theirs?.files ?? ours.files;
  const ended = theirs?.outcome ?? ran;
  const outcome = ended.kind === 'ran' && filesScanned === 0 ? failedWith(0, '', 'nothing_scanned') : ended;
  const found = outcome.kind === 'ran' ? [...ours.findings, ...(theirs?.findings ?? [])] : [];
  const findings = found.filter(({ path }) => repo.inputs.has(inputOf(path)));
  const tooLarge = listed.tooLarge.filter((path) => isSource(path) && isTarget(path));
  const leftOut = [...(await listLeftOut(repo, tooLarge, listed.minified)), ...ours.leftOut];
  for (const place of leftOut) said.warn('ast_grep.files_left_out', place);
  const unread = theirs?.unread ?? 0;
  if (unread > 0) said.warn('ast_grep.files_left_out', { detail: `${unread} could not be read` });
  const rulesRun = astGrepRulesCatalog.rules.length + (theirs?.rules ?? 0);
  return frame.finish({ outcome, rulesRun, filesScanned, findings }, said, {
    beside: { files_scanned: filesScanned, files_too_large: listed.tooLarge, files_minified: listed.minified },
    isPartial: leftOut.length + unread > 0 || isUserLeftOut,
  });
}

type BuiltInRun = {
  readonly files: number;
  readonly findings: readonly Finding[];
  readonly leftOut: readonly { readonly path: string; readonly detail: string }[];
};

const ruleOf = new Map(astGrepRulesCatalog.rules.map((rule) => [rule.id, rule]));

async function runBuiltIn(
  repo: ProbeRepo,
  ctx: Pick<ProbeContext<never>, 'signal'>,
  paths: readonly string[],
): Promise<BuiltInRun> {
  const sources = paths.flatMap((path): Source[] => {
    const grammar = findGrammar(path);
    return grammar === undefined ? [] : [{ path: inputOf(path), grammar }];
  });
  const grammars = checkGrammars(grammarsOf(sources));
  const files = await parseSources(repo, sources, 'ast-grep', { grammars, signal: ctx.signal });
  const findings: Finding[] = [];
  const leftOut: { path: string; detail: string }[] = [];
  for (const file of files) {
    const path = reportedPath(file.path);
    if (file.kind === 'failed') leftOut.push({ path, detail: file.reason });
    else
      for (const { rule, line } of file.facts) {
        const { severity, message } = getRule(rule);
        findings.push({ rule_id: rule, severity: severities[severity] ?? 'medium', path, line, message });
      }
  }
  return { files: files.length - leftOut.length, findings, leftOut };
}

function getRule(id: string): { readonly severity: string; readonly message: string } {
  const rule = ruleOf.get(id);
  assert(rule !== undefined, `${id} is a rule of the catalog`);
  return rule;
}

type UserRun = ScanSummary & { readonly outcome: ScannerOutcome; readonly findings: readonly Finding[] };

async function runUserRules(
  repo: ProbeRepo,
  ctx: ProbeContext<never>,
  of: { readonly config: string; readonly targets: readonly string[]; readonly leftS: () => number },
): Promise<UserRun> {
  const run = { files: 0, unread: 0, rules: 0, findings: [] as Finding[] };
  const endsAt = performance.now() + of.leftS() * 1000;
  const places = await separatePlainCopies(repo, ctx.workspace, of.targets, {
    maxBytes: maxTargetBytes,
    mend: silenceSuppressions,
  });
  const batches = places.flatMap(({ cwd, names }) => batchArguments(names).map((targets) => ({ cwd, targets })));
  for (const batch of batches) {
    const left = Math.max(0.5, (endsAt - performance.now()) / 1000);
    const ended = await runAstGrep(ctx, of.config, batch, left);
    ctx.signal.throwIfAborted();
    const read = readEnding(ended.outcome, ended.broken);
    if (read.kind !== 'ran') return { ...run, outcome: read };
    run.findings.push(...ended.findings);
    run.files += read.files;
    run.unread += read.unread;
    run.rules = read.rules;
  }
  return { ...run, outcome: ran };
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
    rule_id: singleLine(ruleId),
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
