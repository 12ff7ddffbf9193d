/**
 * Everything a report says, as data (gather.md §9). `buildReport` is pure and total: any document, however broken, gives a model,
 * and what the document does not say is said to be missing. The two renderers add no content of their own.
 */

import type { Since } from '../freshness/since.ts';
import { type BlastRadius, buildBlastRadius } from './build-blast-radius.ts';
import {
  type IndexRow,
  judgeOverall,
  listChangedRows,
  listIndexRows,
  listTroubledProbes,
  type Overall,
  type TaskDemands,
  type TroubledProbe,
} from './build-confidence.ts';
import { isBlind, listMissing, type MissingPart } from './build-missing.ts';
import {
  type AdrRow,
  type ConventionRow,
  type ExceptionRow,
  listAdrs,
  listConventions,
  listExceptions,
  listInstructionFiles,
  listLacking,
  listShadowedSkills,
  listSkills,
  type Part,
  type ShadowedSkill,
  type SkillRow,
} from './build-organisation.ts';
import {
  type LanguageShare,
  listLanguages,
  listOverview,
  listParts,
  type OverviewRow,
  type PartRow,
} from './build-overview.ts';
import {
  type ArtifactRow,
  type ForeignProbe,
  listArtifacts,
  listForeign,
  listProbeCards,
  type ProbeCard,
  type RunFacts,
  readRun,
} from './build-probes.ts';

import { buildValidationPlan, type ValidationStep } from './build-validation-plan.ts';
import { type EnvelopeView, type ReportProbe, statusOf, viewEnvelope } from './envelope-view.ts';
import { at, linesAt, listAt, numberAt, textAt } from './loose-json.ts';
import { judgeRisks, type Risks } from './risks.ts';

export type ReportModel = {
  readonly repo: {
    readonly id: string;
    /** The one directory that was looked at; null for the whole tree. */
    readonly component: string | null;
    readonly commit: string | null;
    readonly branch: string | null;
    /** Null where that is unknown: git could not read the work tree, or there is none. */
    readonly dirty: boolean | null;
    readonly dirtyFiles: number | null;
  };
  readonly status: 'complete' | 'partial' | 'pending' | 'unknown';
  readonly cliVersion: string | null;
  readonly sandbox: string | null;
  readonly overall: Overall;
  readonly overview: readonly OverviewRow[];
  readonly parts: readonly PartRow[];
  /** What could not be looked at for want of something outside the repository. */
  readonly notLooked: readonly MissingPart[];
  readonly languages: readonly LanguageShare[];
  /** Probes by status, in the order they are shown. */
  readonly tally: readonly { readonly status: string; readonly count: number }[];
  readonly warnings: readonly { readonly id: string; readonly detail: string }[];
  readonly redaction: { readonly count: number; readonly fingerprints: readonly string[] };
  readonly indexes: readonly IndexRow[];
  /** Freshness recomputed from disk, where it differs from the stored rows. */
  readonly indexesNow: readonly IndexRow[];
  /** What has changed since the gather; null where that was not asked, or nothing has. */
  readonly since: Since | null;
  readonly troubled: readonly TroubledProbe[];
  readonly risks: Risks;
  readonly blast: BlastRadius;
  readonly plan: readonly ValidationStep[];
  readonly skills: Part<SkillRow> & {
    readonly shadowed: readonly ShadowedSkill[];
    /** Skills the task requires and this context does not offer. */
    readonly lacking: readonly string[];
    readonly instructions: readonly string[];
  };
  readonly adrs: Part<AdrRow>;
  readonly conventions: Part<ConventionRow>;
  readonly exceptions: Part<ExceptionRow>;
  readonly missing: readonly MissingPart[];
  readonly artifacts: readonly ArtifactRow[];
  readonly probes: readonly ProbeCard[];
  /** Probes of the user's own, delivered or not, with the folder that each comes from. */
  readonly foreign: readonly ForeignProbe[];
  readonly run: RunFacts;
};

type ReportExtras = {
  readonly task?: TaskDemands | undefined;
  /** Index name → freshness as judged now. */
  readonly freshnessNow?: Readonly<Record<string, unknown>> | undefined;
  /** What has changed since the gather. */
  readonly since?: Since | null | undefined;
};

export function buildReport(envelope: unknown, probes: readonly ReportProbe[], extras: ReportExtras = {}): ReportModel {
  const view = viewEnvelope(envelope, probes);
  const indexes = listIndexRows(view);
  const skills = listSkills(view);
  const missing = listMissing(view);
  const status = textAt(envelope, 'gather_status');
  return {
    repo: {
      id: textAt(envelope, 'repo', 'id') ?? textAt(envelope, 'repo', 'root') ?? 'unknown repository',
      component: textAt(envelope, 'repo', 'component'),
      commit: textAt(envelope, 'repo', 'git_commit'),
      branch: textAt(envelope, 'repo', 'branch'),
      dirty: dirtOf(envelope),
      dirtyFiles: numberAt(envelope, 'repo', 'dirty_files'),
    },
    status: status === 'complete' || status === 'partial' || status === 'pending' ? status : 'unknown',
    cliVersion: textAt(envelope, 'task_context', 'cli_version'),
    sandbox: textAt(envelope, 'task_context', 'sandbox'),
    overall: judgeOverall(view, extras.task),
    overview: listOverview(view),
    parts: listParts(view),
    notLooked: missing.filter(({ reason }) => isBlind(reason)),
    languages: listLanguages(view),
    tally: tallyStatuses(view),
    warnings: listAt(envelope, 'warnings').flatMap((warning) => {
      const id = textAt(warning, 'id');
      return id === null ? [] : [{ id, detail: textAt(warning, 'detail') ?? '' }];
    }),
    redaction: {
      count: numberAt(envelope, 'redaction', 'count') ?? 0,
      fingerprints: linesAt(envelope, 'redaction', 'fingerprints'),
    },
    indexes,
    indexesNow: listChangedRows(indexes, extras.freshnessNow),
    since: extras.since ?? null,
    troubled: listTroubledProbes(view),
    risks: judgeRisks(view),
    blast: buildBlastRadius(view),
    plan: buildValidationPlan(view),
    skills: {
      ...skills,
      shadowed: listShadowedSkills(view),
      lacking: listLacking(view, extras.task),
      instructions: listInstructionFiles(view),
    },
    adrs: listAdrs(view),
    conventions: listConventions(view),
    exceptions: listExceptions(view),
    missing,
    artifacts: listArtifacts(view),
    probes: listProbeCards(view),
    foreign: listForeign(view),
    run: readRun(view),
  };
}

const statusOrder = ['ok', 'degraded', 'failed', 'timed_out', 'cancelled', 'pending', 'skipped'];

function tallyStatuses(view: EnvelopeView): ReportModel['tally'] {
  const counts = new Map<string, number>(statusOrder.map((status) => [status, 0]));
  for (const name of view.probeNames) counts.set(statusOf(view, name), (counts.get(statusOf(view, name)) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > 0).map(([status, count]) => ({ status, count }));
}

function dirtOf(envelope: unknown): boolean | null {
  const dirty = at(envelope, 'repo', 'dirty');
  if (dirty === true) return true;
  const hasGit = textAt(envelope, 'repo', 'git_commit') !== null || textAt(envelope, 'repo', 'branch') !== null;
  return dirty === false && hasGit ? false : null;
}

/** One sentence each; empty where nothing is known to have changed. */
export function changedSince({ since, indexesNow }: ReportModel): readonly string[] {
  const listed = (names: readonly string[]) => {
    const more = names.length > 12 ? ` and ${names.length - 12} more` : '';
    return `${names.slice(0, 12).join(', ')}${more}`;
  };
  return [
    ...(since === null ? [] : [since.says]),
    ...(since === null || since.sections.length === 0 ? [] : [`Touched: ${listed(since.sections)}`]),
    ...(since === null || since.perhaps.length === 0 ? [] : [`Perhaps: ${listed(since.perhaps)}`]),
    ...(indexesNow.length === 0 ? [] : [`Indexes: ${indexesNow.map(({ name }) => name).join(', ')}`]),
  ];
}
