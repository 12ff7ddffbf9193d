/** The run of shell_usage: every place where the final stage of a Dockerfile needs a shell once it is built. */

import type { Confidence, ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import type { Json } from '../../kernel/base/json.ts';
import { listAt, member, textsOf } from '../../kernel/base/json-access.ts';
import { plainWords } from '../../kernel/formats/shell-words.ts';
import { describeStart, effectiveCommand, isShell, readInvokedScripts } from '../dockerfile/dockerfile-commands.ts';
import {
  type Command,
  type DockerfileRow,
  finalStageOf,
  type Stage,
  upstreamDockerfiles,
} from '../dockerfile/dockerfile-section.ts';
import { findDefaultScenario } from '../runtime-trace/runtime-trace-section.ts';
import { createFindings, evidenceOf, type Findings } from '../shared/probe-reading.ts';
import { listInvocations, scriptNameOf } from '../shared/shell-commands.ts';
import {
  classifyTouchpoint,
  packageStartTouchpoints,
  readPackageScripts,
  type ShellFeatures,
  scriptTouchpoints,
  shellFeaturesOf,
  summarise,
} from './shell-touchpoints.ts';
import type { Touchpoint } from './shell-usage-section.ts';

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
    // The section shows the exec form as one line; its words are had back from there.
    const argv = healthcheck.form === 'exec' ? plainWords(healthcheck.command) : [...shell, healthcheck.command];
    commands.push(['HEALTHCHECK', { form: healthcheck.form, argv, command: healthcheck.command }]);
  }
  return commands;
}

function healthcheckUsesShell(stage: Stage): boolean {
  const { healthcheck } = stage;
  if (healthcheck?.kind !== 'cmd') return false;
  return healthcheck.form !== 'exec' || isShell(plainWords(healthcheck.command)[0] ?? '');
}

/** npm and its like hand their scripts to a shell. */
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

/**
 * Shells that the trace saw and the image's own commands do not explain: the program starts them itself (`execSync`, `system()`), and no
 * change to the Dockerfile makes them go away. Said only where every shell of the image's commands can be counted: each start of a shell
 * form is one. Package managers and scripts start as many as they like.
 */
const uncountable: ReadonlySet<string> = new Set(['package_manager_at_runtime', 'script_entrypoint', 'unknown']);

export function findSpawnedShells(
  trace: Json | undefined,
  total: number,
  touchpoints: readonly Touchpoint[],
): readonly Touchpoint[] {
  if (touchpoints.some(({ classification }) => uncountable.has(classification))) return [];
  const started = listAt(trace, 'scenario_results').filter((result) => member(result, 'kind') === 'completed');
  let explained = 0;
  for (const result of started) {
    const name = member(result, 'scenario_name');
    const program = typeof name === 'string' ? findDefaultScenario(name)?.runs : undefined;
    // A scenario of the user's own may start anything.
    if (program === undefined || program === 'smoke_test_command') return [];
    const isHealth = program === 'healthcheck';
    explained += touchpoints.filter(({ where }) => where.endsWith(' HEALTHCHECK') === isHealth).length;
  }
  const own = total - explained;
  if (started.length === 0 || own <= 0) return [];
  return [
    {
      where: 'runtime trace',
      text: `${total} shells in ${started.length} scenarios, ${explained} of them by the image's own commands`,
      classification: 'spawned_by_program',
      replacement_known: 'depends',
      replacement:
        'start programs without a shell (execFile or spawn with a list of arguments), or keep one in the image',
    },
  ];
}
