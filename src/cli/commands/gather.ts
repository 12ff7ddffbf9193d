/** `codegenie gather`: run the probes, write the context. */

import type { AnnotationFormat } from '../../gather/report/annotations.ts';
import { defineCommand, type Invocation, printJson, repoArgument } from '../command.ts';
import type { Ending } from '../exit-codes.ts';

const annotationFormats = ['sarif', 'github', 'junit'] satisfies readonly AnnotationFormat[];

export default defineCommand({
  name: 'gather',
  says: 'Run the probes and write .codegenie/context/',
  args: [repoArgument],
  flags: [
    { flags: '--task <type>', says: 'task type the context is for', kind: 'text' },
    {
      flags: '--only <probes>',
      says: 'only these probes and what they require, comma-separated',
      kind: 'list',
      words: 'probes',
    },
    { flags: '--skip <probes>', says: 'all but these probes, comma-separated', kind: 'list', words: 'probes' },
    {
      flags: '--component <dir>',
      says: 'only this directory of the tree, and what governs it from above',
      kind: 'text',
    },
    { flags: '--no-cache', says: 'neither read nor write the cache', kind: 'boolean' },
    { flags: '--cache-only', says: 'replay cached results, run nothing that is cacheable', kind: 'boolean' },
    { flags: '--strict', says: 'exit 4 when a probe failed or the task lacks what it requires', kind: 'boolean' },
    {
      flags: '--format <form>',
      says: 'the risk flags for continuous integration on stdout, in place of the screen: sarif, github or junit',
      kind: 'text',
      words: annotationFormats,
    },
    {
      flags: '--fail-on <severity>',
      says: 'exit 13 when a risk is high, or high or medium: high, medium',
      kind: 'text',
      words: ['high', 'medium'],
    },
    { flags: '--max-concurrency <n>', says: 'probes that run at once', kind: 'count' },
  ],
  async run(invocation): Promise<Ending> {
    const { globals, terminal, flags } = invocation;
    const { endWith: fail, openForCommand, showConfigProblems } = await import('../ask.ts');
    const opened = await openForCommand(invocation, invocation.args[0]);
    if (opened.kind === 'ended') return opened.ending;
    if (flags['cache'] === false && flags['cacheOnly'] === true) {
      return fail(invocation, 'usage', '--no-cache and --cache-only exclude each other');
    }
    const wrong = wrongForm(invocation);
    if (wrong !== null) return fail(invocation, 'usage', wrong);
    const { createProgress } = await import('../progress.ts');
    const progress = createProgress(terminal, globals);
    /** What the screen said when the first publication was there; on a terminal alone, because a program wants one answer. */
    let shown: Promise<readonly string[]> | undefined;
    const outcome = await opened.workspace
      .gather({
        task: (flags['task'] as string | undefined) ?? null,
        only: (flags['only'] as readonly string[] | undefined) ?? null,
        skip: (flags['skip'] as readonly string[] | undefined) ?? [],
        component: flags['component'] as string | undefined,
        mode: flags['cache'] === false ? 'no_cache' : flags['cacheOnly'] === true ? 'cache_only' : 'default',
        maxConcurrency: (flags['maxConcurrency'] as number | undefined) ?? null,
        onProgress: (step) => {
          if (step.kind !== 'first') return progress.show(step);
          if (globals.json || globals.quiet || flags['format'] !== undefined || terminal.stdout.isTTY !== true) return;
          shown = screenOf(invocation, step.outcome).then((lines) => {
            progress.show(step);
            terminal.stdout.write(`${lines.join('\n')}\n`);
            return lines;
          });
        },
      })
      .finally(() => progress.end());
    switch (outcome.kind) {
      case 'published':
        return showPublished(
          invocation,
          opened.workspace,
          outcome,
          { strict: flags['strict'] === true, format: flags['format'], failOn: flags['failOn'] },
          (await shown) ?? [],
        );
      case 'nothing_produced':
        return fail(
          invocation,
          refusedSecretField(outcome.executions) ? 'secret_field' : 'incomplete',
          `no probe produced anything; the previous context, if any, is untouched${whyNothing(outcome.executions)}`,
        );
      case 'config_invalid':
        return showConfigProblems(invocation, outcome.problems);
      case 'task_invalid':
        return fail(invocation, 'usage', `task class ${outcome.detail}`);
      case 'unknown_probe': {
        const hint = outcome.nearest === undefined ? '' : `; did you mean ${outcome.nearest}?`;
        return fail(
          invocation,
          'usage',
          `unknown probe '${outcome.name}'${hint} (\`codegenie probes list\` shows all)${outcome.refused.map((why) => `\n  not taken: ${why}`).join('')}`,
        );
      }
      case 'unknown_component': {
        const hint = outcome.nearest === undefined ? '' : `; did you mean ${outcome.nearest}?`;
        return fail(invocation, 'usage', `there is no directory '${outcome.given}' in the tree${hint}`);
      }
      case 'refused': {
        const { adviceOn } = await import('../../serve/operations/answer-words.ts');
        return fail(
          invocation,
          'output_refused',
          `cannot write ${outcome.path}: it ${outcome.why}${adviceOn(outcome)}`,
        );
      }
      case 'schema_invalid':
        return fail(
          invocation,
          'schema_invalid',
          `the context does not fit its schema; written as ${outcome.file}\n  ${outcome.problems.slice(0, 10).join('\n  ')}`,
        );
      case 'busy':
        return fail(
          invocation,
          refusedSecretField(outcome.executions) ? 'secret_field' : 'busy',
          `another gather is publishing (${outcome.owner}); try again, or raise publish_wait_s`,
        );
      case 'cancelled': {
        const { afterInterrupt } = await import('../../serve/operations/answer-words.ts');
        return fail(invocation, 'interrupted', afterInterrupt(outcome));
      }
    }
  },
});

/** What cannot be asked for together. */
function wrongForm({ flags, globals }: Invocation): string | null {
  return flags['format'] !== undefined && globals.json ? '--format and --json exclude each other' : null;
}

type Executions = readonly import('../../gather/run/execution.ts').Execution[];

function refusedSecretField(executions: Executions): boolean {
  return executions.some((execution) => execution.errors.includes('output.secret_field_name'));
}

/** One line per probe that tried: with nothing published there is no report to look it up in. */
function whyNothing(executions: Executions): string {
  const tried = executions.filter((execution) => execution.status !== 'skipped');
  return tried.map(({ probe, status, errors }) => `\n  ${status} ${probe.name} · ${errors.join(', ')}`).join('');
}

type Published = Extract<import('../../gather/gather.ts').GatherOutcome, { kind: 'published' }>;
type Workspace = import('../../serve/workspace/workspace.ts').Workspace;

async function showPublished(
  invocation: Invocation,
  workspace: Workspace,
  outcome: Published,
  asked: { readonly strict: boolean; readonly format: unknown; readonly failOn: unknown },
  before: readonly string[],
): Promise<Ending> {
  const { globals, terminal } = invocation;
  const { strict, format, failOn } = asked;
  const { envelope, executions } = outcome;
  const { accountLines } = await import('../../gather/report/summary-lines.ts');
  const { judgeOverall } = await import('../../gather/report/build-confidence.ts');
  const { listLacking } = await import('../../gather/report/build-organisation.ts');
  const { viewEnvelope } = await import('../../gather/report/envelope-view.ts');
  const probes = executions.map((execution) => execution.probe);
  const view = viewEnvelope(envelope, probes);
  const overall = judgeOverall(view, outcome.taskClass);
  const lacking = listLacking(view, outcome.taskClass);
  const secretField = refusedSecretField(executions);
  const cacheMiss = executions.some((execution) => execution.skip?.reason === 'cache_only_miss');
  const weakness = cacheMiss
    ? 'not everything was in the cache'
    : !strict
      ? null
      : overall.belowFloor
        ? 'confidence is below the floor of the task'
        : lacking.length > 0
          ? `the task requires skills that are not here: ${lacking.join(', ')}`
          : envelope.gather_status === 'partial'
            ? 'the gather is partial'
            : null;
  const unsealed = executions.filter(({ cache }) => cache.state === 'unsealed').map(({ probe }) => probe.name);
  if (unsealed.length > 0 && !globals.quiet)
    terminal.stderr.write(
      `${unsealed.length} kept answers are not sealed with this key and were not used: ${unsealed.join(', ')}\n`,
    );
  const { judgeRisks } = await import('../../gather/report/risks.ts');
  const risks = judgeRisks(view);
  const severities = failOn === 'high' ? ['high'] : failOn === 'medium' ? ['high', 'medium'] : [];
  const risky = risks.raised.filter(({ severity }) => severities.includes(severity));
  const ending: Ending = secretField
    ? 'secret_field'
    : weakness !== null
      ? 'incomplete'
      : risky.length > 0
        ? 'risky'
        : 'ok';
  if (globals.json) {
    const answer = {
      outcome: ending,
      repo: { ...workspace.repo(), head: envelope.repo.git_commit },
      gather_status: envelope.gather_status,
      confidence: overall.confidence,
      probe_failures: envelope.probe_failures,
      not_looked: envelope.not_looked,
      redaction: envelope.redaction,
      warnings: envelope.warnings,
      report_problem: outcome.reportProblem,
      duration_ms: envelope.gather_duration_ms,
      files: outcome.files,
    };
    printJson(terminal, answer);
    return ending;
  }
  if (format !== undefined) {
    const { renderAnnotations } = await import('../../gather/report/annotations.ts');
    const { packageVersion } = await import('../../kernel/base/package-files.ts');
    const text = renderAnnotations(risks, format as AnnotationFormat, packageVersion());
    if (text !== '') terminal.stdout.write(`${text}\n`);
  }
  if (!globals.quiet) {
    for (const warning of envelope.warnings) terminal.stderr.write(`warning ${warning.id}: ${warning.detail}\n`);
    if (outcome.reportProblem !== null) {
      terminal.stderr.write(`warning report.render_failed: ${outcome.reportProblem}\n`);
    }
    // Of a screen that was shown before, what is told otherwise now.
    const screen = format === undefined ? await screenOf(invocation, outcome) : [];
    const lines = screen.filter((line) => !before.includes(line));
    const account = globals.verbose ? ['', ...accountLines(envelope, probes)] : [];
    const out = format === undefined ? terminal.stdout : terminal.stderr;
    if (lines.length + account.length > 0) out.write(`${[...lines, ...account].join('\n')}\n`);
  }
  if (weakness !== null && !secretField) terminal.stderr.write(`exit 4: ${weakness}\n`);
  if (ending === 'risky') terminal.stderr.write(`exit 13: ${risky.map(({ title }) => title).join(', ')}\n`);
  return ending;
}

async function screenOf({ terminal }: Invocation, outcome: Published): Promise<readonly string[]> {
  const { summaryLines } = await import('../../gather/report/summary-lines.ts');
  const { relative } = await import('node:path');
  const below = relative(terminal.cwd, outcome.files.markdown);
  const reportPath = outcome.reportProblem !== null ? null : below.startsWith('..') ? outcome.files.markdown : below;
  const width = terminal.stdout.isTTY === true ? (terminal.stderr.columns ?? 100) : 100;
  const probes = outcome.executions.map((execution) => execution.probe);
  return summaryLines({ envelope: outcome.envelope, probes, reportPath, task: outcome.taskClass, width });
}
