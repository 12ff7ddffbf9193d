/** The run of shell_usage: every place where the final stage of a Dockerfile needs a shell once it is built. */

import type { Confidence, ProbeContext, ProbeOutput, ProbeRepo } from '../../../gather/contract.ts';
import type { Json } from '../../../kernel/base/json.ts';
import { describeStart, effectiveCommand, isShell } from '../dockerfile/effective-command.ts';
import { readInvokedScripts } from '../dockerfile/invoked-scripts.ts';
import type { Command, Stage } from '../dockerfile/types.ts';
import { type DockerfileRow, finalStageOf, upstreamDockerfiles } from '../dockerfile/upstream-dockerfiles.ts';
import { readJsonForm, splitWords } from '../dockerfile/words.ts';
import { createFindings, evidenceOf, type Findings } from '../findings.ts';
import { member, textsOf } from '../json-access.ts';
import { scriptNameOf } from '../npm-scripts.ts';
import { listInvocations } from '../shell-commands.ts';
import { classifyTouchpoint, summarise, type Touchpoint } from './classify-touchpoint.ts';
import { packageStartTouchpoints, readPackageScripts } from './package-start.ts';
import { scriptTouchpoints } from './script-touchpoints.ts';
import { type ShellFeatures, shellFeaturesOf } from './shell-features.ts';
import { findSpawnedShells } from './spawned-shells.ts';

type Context = Pick<ProbeContext<never>, 'upstream' | 'parsedManifest'>;

export async function gatherShellUsage(repo: ProbeRepo, ctx: Context): Promise<ProbeOutput> {
  const findings = createFindings();
  const rows = upstreamDockerfiles(ctx).flatMap((row) => {
    const stage = finalStageOf(row);
    return stage === undefined ? [] : [{ row, stage }];
  });
  const touchpoints: Touchpoint[] = [];
  const analyses: Json[] = [];
  const features: ShellFeatures[] = [];
  for (const { row, stage } of rows) {
    const found = await examine(repo, ctx, row, stage, findings);
    touchpoints.push(...found.touchpoints);
    analyses.push(found.analysis);
    features.push(...found.features);
  }
  for (const { where } of touchpoints.filter(({ classification }) => classification === 'unknown')) {
    findings.warn('shell_usage.unknown_touchpoint', { detail: where });
  }
  const trace = traceOf(ctx);
  if (trace !== null)
    touchpoints.push(...findSpawnedShells(ctx.upstream['runtime_trace']?.value, trace.total, touchpoints));
  if (trace === null) findings.warn('shell_usage.upstream_runtime_trace_unavailable');
  const confidence: Confidence = trace === null ? 'medium' : 'high';
  return {
    kind: 'ran',
    slice: {
      shell_usage: {
        static_analysis: analyses,
        runtime_trace: trace,
        shell_dependent_features: {
          env_var_interpolation_in_entrypoint: features.some(({ variables }) => variables),
          glob_expansion_in_entrypoint: features.some(({ globs }) => globs),
          chained_commands_in_entrypoint: features.some(({ chains }) => chains),
        },
        touchpoints,
        classification_summary: summarise(touchpoints),
      },
    },
    confidence,
    evidence: evidenceOf(
      repo,
      rows.map(({ row }) => row.path),
    ),
    ...findings.report(),
  };
}

async function examine(repo: ProbeRepo, ctx: Context, row: DockerfileRow, stage: Stage, findings: Findings) {
  const effective = effectiveCommand(stage.entrypoint, stage.cmd);
  const started = describeStart(effective.argv);
  const manifest = await readPackageScripts(repo, ctx, row);
  const scripts = await readInvokedScripts(repo, row);
  const touchpoints: Touchpoint[] = [];
  const features: ShellFeatures[] = [];
  const addText = (where: string, text: string): void => {
    const startsPackage = listInvocations(text).some((words) => scriptNameOf(words) !== null);
    touchpoints.push(
      ...(startsPackage ? packageStartTouchpoints(where, text, manifest) : [classifyTouchpoint(where, text)]),
    );
  };
  for (const [instruction, command] of commandsOf(stage)) {
    const where = `${row.path} ${instruction}`;
    const own = describeStart(command.argv);
    if (own.shellText !== null) {
      addText(where, own.shellText);
      if (instruction !== 'HEALTHCHECK') features.push(shellFeaturesOf(own.shellText));
    } else if (isPackageStart(own.words) || isBareShell(own.words)) addText(where, own.words.join(' '));
  }
  for (const script of scripts) {
    if (script.source === null) findings.warn('shell_usage.script_unresolved', { path: row.path, detail: script.path });
    // A script that is not at hand is the command that names it, and nothing more is known of it.
    const isKnown = script.source === null && touchpoints.some(({ text }) => text.includes(script.path));
    if (!isKnown) touchpoints.push(...scriptTouchpoints(script));
  }
  const script =
    started.script === null ? scripts[0] : (scripts.find(({ path }) => path === started.script) ?? scripts[0]);
  return {
    touchpoints,
    features,
    analysis: {
      dockerfile: row.path,
      entrypoint_form: stage.entrypoint.form,
      cmd_form: stage.cmd.form,
      final_stage_run_commands: row.run_commands
        .filter(({ stage_index: index }) => index === stage.index)
        .map(({ command }) => ({ command, runs_at: 'build_time' as const })),
      startup_script_invoked: script?.source ?? script?.path ?? started.script,
      healthcheck_uses_shell: healthcheckUsesShell(stage),
    },
  };
}

/** What is executed, with the instruction that says it. CMD beside a shell-form ENTRYPOINT is not. */
function commandsOf(stage: Stage): readonly (readonly [string, Command])[] {
  const commands: (readonly [string, Command])[] = [];
  const hasEntrypoint = stage.entrypoint.argv.length > 0;
  // `ENTRYPOINT ["sh", "-c"]`: the text is in CMD.
  const isHalf = hasEntrypoint && stage.cmd.argv.length > 0 && isBareShell(describeStart(stage.entrypoint.argv).words);
  if (isHalf) commands.push(['ENTRYPOINT + CMD', effectiveCommand(stage.entrypoint, stage.cmd)]);
  else if (hasEntrypoint) commands.push(['ENTRYPOINT', stage.entrypoint]);
  if (!isHalf && (!hasEntrypoint || stage.entrypoint.form === 'exec')) commands.push(['CMD', stage.cmd]);
  const { healthcheck } = stage;
  if (healthcheck?.kind === 'cmd') {
    const shell = stage.shell ?? ['/bin/sh', '-c'];
    const argv = healthcheck.form === 'exec' ? execWords(healthcheck.command) : [...shell, healthcheck.command];
    commands.push(['HEALTHCHECK', { form: healthcheck.form, argv, command: healthcheck.command }]);
  }
  return commands;
}

/** The section shows the exec form of a health check as one line; its words are had back from there. */
function execWords(command: string): readonly string[] {
  const form = readJsonForm(command);
  if (form.kind === 'array') return form.words;
  return splitWords(command, '\\').map((word) => word.replace(/^'([\s\S]*)'$/, '$1').replaceAll("'\\''", "'"));
}

function healthcheckUsesShell(stage: Stage): boolean {
  const { healthcheck } = stage;
  if (healthcheck?.kind !== 'cmd') return false;
  return healthcheck.form !== 'exec' || isShell(execWords(healthcheck.command)[0] ?? '');
}

/** npm and its like hand their scripts to a shell, whoever starts them. */
function isPackageStart([program = '', ...rest]: readonly string[]): boolean {
  const name = program.slice(program.lastIndexOf('/') + 1);
  return /^(?:npx|pnpx|bunx)$/.test(name) || scriptNameOf([name, ...rest]) !== null;
}

function isBareShell([program = '', ...rest]: readonly string[]): boolean {
  return isShell(program) && rest.every((word) => word.startsWith('-'));
}

/** Executions while tracing. The trace counts shells together, and of bash says only that it ran: of two kinds bash counts at least once. */
function traceOf(ctx: Context): { sh_executions: number; bash_executions: number; total: number } | null {
  const trace = ctx.upstream['runtime_trace']?.value;
  const coverage = member(trace, 'trace_coverage_confidence');
  const total = member(trace, 'shell_invocations');
  if (typeof total !== 'number' || coverage === 'unavailable') return null;
  const shells = textsOf(member(trace, 'binaries_executed')).filter(isShell);
  const bashes = shells.filter((path) => path.endsWith('/bash')).length;
  const bash = bashes === shells.length ? total : bashes;
  return {
    sh_executions: shells.length === 0 ? total : total - bash,
    bash_executions: shells.length === 0 ? 0 : bash,
    total,
  };
}
