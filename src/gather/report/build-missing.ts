/**
 * What this context does not contain and how each part could be had: every probe that delivered nothing, or made do without its tool,
 * with one thing to do. The advice is written from the probe's own declaration, so that a new probe needs no edit here.
 */

import { findTool } from '../../kernel/exec/tools.ts';
import { type ConfigKey, configKeys } from '../config.ts';
import type { SkipReason } from '../contract.ts';
import type { Envelope } from '../publish/envelope.ts';
import { redactText } from '../publish/redact.ts';
import { blindSkips } from '../run/execution.ts';
import { type EnvelopeView, type ReportProbe, recordOf, sectionOf, statusOf } from './envelope-view.ts';
import { listAt, textAt } from './loose-json.ts';

export type MissingPart = {
  readonly probe: string;
  readonly says: string | null;
  readonly reason: string;
  readonly detail: string | null;
  readonly enable: string;
  /** False when there is nothing in this repository for the probe, so no action is needed. */
  readonly actionable: boolean;
};

export function listMissing(view: EnvelopeView): readonly MissingPart[] {
  const parts = view.probeNames.flatMap((name): readonly MissingPart[] => {
    const status = statusOf(view, name);
    if (status === 'ok' || status === 'degraded') return madeDo(view, name);
    const record = recordOf(view, name);
    const reason = textAt(record, 'skip', 'reason') ?? status;
    return [
      {
        probe: name,
        says: view.probes.get(name)?.says ?? null,
        reason,
        detail: textAt(record, 'skip', 'detail'),
        enable: adviseOn(view, name, reason),
        actionable: reason !== 'not_applicable' && reason !== 'language_mismatch',
      },
    ];
  });
  return [...parts.filter((part) => part.actionable), ...parts.filter((part) => !part.actionable)];
}

/** What could not be looked at for want of something outside the repository: as published in `not_looked`. */
export function listNotLooked(view: EnvelopeView): Envelope['not_looked'] {
  return listMissing(view).flatMap(({ probe, reason, enable }) => {
    if (!isBlind(reason)) return [];
    const tools = reason === 'tool_missing' || reason === 'tool_unhealthy' ? [...recordedAbsent(view, probe)] : [];
    return [{ probe, reason, tools, delivered: statusOf(view, probe) !== 'skipped', enable: redactText(enable) }];
  });
}

export function isBlind(reason: string): reason is SkipReason {
  return (blindSkips as ReadonlySet<string>).has(reason);
}

/**
 * A probe that delivered, and warns that it would have more to say with its tool (`gitleaks.tool_missing`, `….strace_missing`). The tool may
 * be installed and still not be of use: a strace that no container can be given, another system than Linux.
 */
function madeDo(view: EnvelopeView, name: string): readonly MissingPart[] {
  const warnings = listAt(recordOf(view, name), 'warnings').filter((id) => typeof id === 'string');
  const absent = warnings.some((id) => id.endsWith('_missing')) ? recordedAbsent(view, name) : [];
  const blind = warnings.find((id) => /\.(?:strace_missing|platform_not_linux)$/.test(id));
  if (absent.length === 0 && blind === undefined) return [];
  const probe = view.probes.get(name);
  const said = listAt(recordOf(view, name), 'diagnostics').find((one) => textAt(one, 'id') === blind);
  const useless = blind?.endsWith('_missing') === true ? textAt(said, 'detail') : 'gather on Linux';
  return [
    {
      probe: name,
      // The part that it has delivered is not missing.
      says: probe === undefined ? null : `More than it has told without it. ${probe.says}`,
      reason: 'tool_missing',
      detail: `it made do without ${absent.join(' and ') || 'its tool'}`,
      enable: (absent.length > 0 ? null : useless) ?? advice.tool_missing(view, probe, name),
      actionable: true,
    },
  ];
}

type Advice = (view: EnvelopeView, probe: ReportProbe | undefined, name: string) => string;

const advice: Readonly<Record<SkipReason, Advice>> = {
  not_selected: (_view, _probe, name) => `run codegenie gather without --only or --skip, or with --only ${name}`,
  disabled: (_view, _probe, name) => `remove ${name} from probes.disabled`,
  task_mismatch: (_view, probe, name) => {
    const task = probe?.appliesToTasks.find((type) => type !== '*');
    return task === undefined ? `run codegenie gather --only ${name}` : `run codegenie gather --task ${task}`;
  },
  language_mismatch: (_view, probe) =>
    `nothing to do: it reads ${listed(probe?.appliesToLanguages ?? []) || 'other languages'}`,
  not_applicable: (_view, probe) => `nothing to do: it reads ${inputs(probe)}, and none is here`,
  not_configured: (_view, probe) => {
    const keys = (probe?.configKeys ?? []).filter((key) => configures(key));
    if (keys.length > 0) return `set ${keys.map(keyAndFile).join(' or ')}`;
    const lacking = upstreams(probe).filter((upstream) => !delivered(_view, upstream));
    return probe?.declaredInputs.length === 0 && lacking.length > 0
      ? `first make ${listed(lacking)} deliver`
      : `add one of its inputs: ${inputs(probe)}`;
  },
  tool_missing: (view, probe, name) => {
    const missing = absentTools(view, probe, name);
    const known = missing.flatMap((tool) => findTool(tool)?.install ?? []);
    return known.length > 0 ? known.join(' Or: ') : `install ${listed(missing) || 'its tool'}, then gather again`;
  },
  tool_unhealthy: (view, probe, name) =>
    `repair ${listed(absentTools(view, probe, name)) || 'its tool'}: codegenie doctor says how`,
  db_unavailable: (_view, probe) => {
    const keys = (probe?.configKeys ?? []).filter((key) => key.includes('db') || key.includes('dir'));
    return `provide the database${keys.length === 0 ? '' : ` where ${keys.join(' or ')} points`}`;
  },
  upstream_unavailable: (view, probe, name) => {
    const missing = upstreams(probe).filter((upstream) => !delivered(view, upstream));
    return missing.length === 0
      ? (textAt(recordOf(view, name), 'skip', 'detail') ?? 'see the probes it depends on')
      : `first make ${listed(missing)} deliver`;
  },
  cache_only_miss: () => 'run codegenie gather without --cache-only',
  cancelled: () => 'run codegenie gather again and let it finish',
};

function adviseOn(view: EnvelopeView, name: string, reason: string): string {
  if (Object.hasOwn(advice, reason)) return advice[reason as SkipReason](view, view.probes.get(name), name);
  if (reason === 'timed_out') return `raise probes.timeouts.${name}, then gather again`;
  if (reason === 'failed') return `see its diagnostics; codegenie gather --only ${name} runs it alone`;
  if (reason === 'not_gathered') return 'run codegenie gather: the document is older than this probe';
  return 'run codegenie gather again';
}

/** Keys that name sources, as against numbers and switches that merely tune. */
function configures(key: string): boolean {
  return !/(_s|_mb|_bytes|_days|history)$/.test(key);
}

/** Keys that reach outside the repository count only in the user's own file. */
function keyAndFile(key: ConfigKey): string {
  return `${key} in ${configKeys[key].userOnly ? '~/.codegenie' : '.codegenie'}/config.yaml`;
}

function inputs(probe: ReportProbe | undefined): string {
  const declared = (probe?.declaredInputs ?? []).filter(
    (input) => !input.endsWith('<resolved>') && !input.startsWith('names:'),
  );
  const shown = declared.slice(0, 4).join(', ');
  return declared.length > 4 ? `${shown}, …` : shown || 'files of another kind';
}

/** Tools the gather found absent or broken, as it recorded them; else all the probe declares. */
function absentTools(view: EnvelopeView, probe: ReportProbe | undefined, name: string): readonly string[] {
  const recorded = recordedAbsent(view, name);
  return recorded.length > 0 ? recorded : (probe?.tools ?? []);
}

function recordedAbsent(view: EnvelopeView, name: string): readonly string[] {
  return listAt(recordOf(view, name), 'tool_versions').flatMap((tool) => {
    const version = textAt(tool, 'version');
    return version === 'absent' || version === 'unknown' ? (textAt(tool, 'name') ?? []) : [];
  });
}

function upstreams(probe: ReportProbe | undefined): readonly string[] {
  return (probe?.requires ?? []).flatMap((need) => (typeof need === 'string' ? need : need.optional ? [] : need.probe));
}

function delivered(view: EnvelopeView, probe: string): boolean {
  return [...view.owners].some(([section, owner]) => owner === probe && sectionOf(view, section) !== undefined);
}

function listed(names: readonly string[]): string {
  return names.join(' or ');
}
