/** Gathers, reports, explanations and audits of a workspace in this process. Loads all probes, so only a request for one loads it. */

import { availableParallelism } from 'node:os';
import { cacheSealKey, openCacheStore } from '../../gather/cache/cache-store.ts';
import { loadConfig } from '../../gather/config.ts';
import type { Probe } from '../../gather/contract.ts';
import { DATA_DIR } from '../../gather/data-dir.ts';
import type { Now } from '../../gather/freshness/freshness-now.ts';
import type { IndexFreshness } from '../../gather/freshness/index-freshness.ts';
import { gather } from '../../gather/gather.ts';
import { isOurContext, verifyAudit } from '../../gather/publish/audit.ts';
import { renderHtml } from '../../gather/report/html-page.ts';
import { at } from '../../gather/report/loose-json.ts';
import { renderMarkdown } from '../../gather/report/render-markdown.ts';
import { buildReport } from '../../gather/report/report-model.ts';
import { loadTaskClass, type TaskClass } from '../../gather/run/task-class.ts';
import { isBuilderMade } from '../../index/store/builder-made.ts';
import type { JsonObject } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { silentLogger } from '../../kernel/base/log.ts';
import { ownDirsOf } from '../../kernel/base/own-dirs.ts';
import { createDirectoryGuard, readRegular } from '../../kernel/tree/safe-read.ts';
import { catalogs } from '../../probes/catalogs.ts';
import { probes as registeredProbes } from '../../probes/registry.gen.ts';
import { forcedCpuCount, recover } from './local-workspace.ts';
import type {
  BrokenContext,
  ExplainAnswer,
  FactsAnswer,
  LocalSettings,
  NoContext,
  ReportAnswer,
  Workspace,
} from './workspace.ts';

export type Gathering = Pick<Workspace, 'gather' | 'report' | 'explain' | 'facts' | 'audit'>;

const contextPath = `${DATA_DIR}/context/repo-context.yaml`;

export function createGathering(settings: LocalSettings): Gathering {
  const { root, home } = settings;
  const builtIn = settings.probes ?? registeredProbes;
  const listProbes = () => listKnownProbes({ root, home }, builtIn);
  const dataDir = `${root}/${DATA_DIR}`;
  const own = () => ownDirsOf(settings);
  const openCache = () =>
    openCacheStore({
      cacheDir: own().cacheDir,
      sealKey: cacheSealKey(settings, 'find'),
      logger: silentLogger,
      nowMs: settings.nowMs,
    });

  /** P1: what is told of a past gather is judged from the disk of now, never from what the gather wrote down. */
  const compareNow = async <T>(envelope: JsonObject, probes: readonly Probe[], ask: (seen: Seen) => Promise<T>) => {
    const config = await loadConfig({ root, home, overrides: {} });
    if (config.kind === 'invalid') return { kind: 'config_invalid' as const, problems: config.problems };
    const named = at(envelope, 'task_context', 'task_type');
    const taskType = typeof named === 'string' ? named : 'general';
    const taskClass = await loadTaskClass(taskType, { root, home, probeNames: probes.map((probe) => probe.name) });
    const { lookAgain } = await import('../../gather/freshness/freshness-now.ts');
    const task = taskClass.kind === 'found' ? taskClass.taskClass : undefined;
    const past = {
      ...settings,
      probes,
      catalogs,
      config: config.values,
      dataDir,
      ...own(),
      envelope,
      taskType,
      taskClass: task,
      isBuilderMade,
    };
    const value = await lookAgain(past, async (now) => {
      const freshness = async () => {
        const { entries } = await now.judgeIndexes();
        return Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, entry.freshness]));
      };
      return ask({ now, freshness, task });
    });
    return { kind: 'compared' as const, value };
  };

  return {
    async gather(ask) {
      return gather({
        ...settings,
        probes: builtIn,
        catalogs,
        recover: () => recover(settings, own().stateDir),
        task: ask.task,
        taskOptions: {},
        only: ask.only,
        skip: ask.skip,
        component: ask.component,
        mode: ask.mode,
        overrides: ask.maxConcurrency === null ? {} : { max_concurrent_probes: ask.maxConcurrency },
        concurrency: ask.maxConcurrency ?? forcedCpuCount(settings.environment) ?? availableParallelism(),
        onProgress: ask.onProgress,
        renderReports: (envelope, task, probes) => {
          const model = buildReport(envelope, probes, { task });
          return { markdown: renderMarkdown(model), html: renderHtml(model) };
        },
        isBuilderMade,
      });
    },
    async report(): Promise<ReportAnswer> {
      const context = await readContext(root, own().stateDir);
      if (context.kind !== 'context') return context;
      const { envelope } = context;
      const probes = await listProbes();
      const compared = await compareNow(envelope, probes, async ({ now, freshness, task }): Promise<ReportAnswer> => {
        const { since } = now;
        const freshnessNow = await freshness();
        const markdown = renderMarkdown(buildReport(envelope, probes, { freshnessNow, task, since }));
        return { kind: 'report', markdown, envelope, freshnessNow, since };
      });
      return compared.kind === 'compared' ? compared.value : compared;
    },
    async explain(fieldPath): Promise<ExplainAnswer> {
      const context = await readContext(root, own().stateDir);
      if (context.kind !== 'context') return context;
      const { explainField, probeBehind } = await import('../../gather/report/explain.ts');
      const { renderExplanation } = await import('../../gather/report/explain.ts');
      const { envelope } = context;
      const probes = await listProbes();
      const behind = probeBehind(envelope, probes, fieldPath);
      const key = cacheKeyOf(envelope, behind);
      const cache = openCache();
      // Only a field with an index behind it has a verdict to ask for.
      const isIndexed = probes.some((probe) => probe.name === behind && probe.index !== undefined);
      const judged = await compareNow(envelope, probes, async ({ now, freshness }) => ({
        since: now.since,
        freshnessNow: isIndexed ? await freshness() : undefined,
      }));
      if (judged.kind === 'config_invalid') return judged;
      const explanation = explainField({
        envelope,
        probes,
        fieldPath,
        keyParts: key === null ? undefined : cache.findEntry(key)?.parts,
        recordedInputs: key === null ? undefined : cache.readInputs(key),
        ...judged.value,
      });
      const text = renderExplanation(explanation);
      return explanation.kind === 'unknown'
        ? { kind: 'unknown_field', field: explanation, text }
        : { kind: 'explained', explanation, text, since: judged.value.since };
    },
    async facts(ask): Promise<FactsAnswer> {
      const context = await readContext(root, own().stateDir);
      if (context.kind !== 'context') return context;
      const { answerFacts } = await import('../../gather/facts/answer-facts.ts');
      const probes = await listProbes();
      const { envelope } = context;
      const compared = await compareNow(envelope, probes, async ({ now }) =>
        answerFacts({ root, envelope, probes }, now, ask),
      );
      return compared.kind === 'compared' ? compared.value : compared;
    },
    async audit() {
      return verifyAudit({ dataDir, stateDir: own().stateDir }, openCache(), silentLogger);
    },
  };
}

/** Ours, and those that the user's configuration adds; what is wrong with one of them a gather says. */
export async function listKnownProbes(
  world: { readonly root: string; readonly home: string },
  builtIn: readonly Probe[] = registeredProbes,
): Promise<readonly Probe[]> {
  const config = await loadConfig({ ...world, overrides: {} });
  const folders = config.kind === 'loaded' ? config.values['probes.paths'] : [];
  if (folders.length === 0) return builtIn;
  const { addForeignProbes } = await import('../../gather/run/foreign-probes.ts');
  return (await addForeignProbes({ ...world, probes: builtIn, catalogs }, folders)).probes;
}

type Seen = {
  readonly now: Now;
  /** Of every index, by name. */
  readonly freshness: () => Promise<Readonly<Record<string, IndexFreshness>>>;
  readonly task: TaskClass | undefined;
};

type Context = { readonly kind: 'context'; readonly envelope: JsonObject } | NoContext | BrokenContext;

/** P9: a document that came with the tree, or was changed in it, is not what was gathered here. */
const notOurs = 'it was not gathered here: it came with the tree, or was changed since';

async function readContext(root: string, stateDir: string): Promise<Context> {
  const outcome = readRegular(root, contextPath, limits.toolOutputBytes, createDirectoryGuard(root));
  if (outcome.kind === 'absent') return { kind: 'no_context', path: contextPath };
  if (outcome.kind === 'failed') return { kind: 'broken_context', path: contextPath, why: outcome.failure.kind };
  if (!isOurContext(stateDir, outcome.bytes)) return { kind: 'broken_context', path: contextPath, why: notOurs };
  const { parseYamlObject } = await import('../../kernel/formats/yaml.ts');
  const parsed = parseYamlObject(outcome.bytes, { maxBytes: limits.toolOutputBytes, maxDepth: limits.parseDepth });
  return parsed.ok
    ? { kind: 'context', envelope: parsed.value }
    : { kind: 'broken_context', path: contextPath, why: parsed.failure.kind };
}

function cacheKeyOf(envelope: JsonObject, probe: string | null): string | null {
  const key = probe === null ? null : at(envelope, 'probes', probe, 'cache', 'key');
  return typeof key === 'string' ? key : null;
}
