/** Service level objectives in the three formats that declare them: OpenSLO, Sloth, and burn-rate alerts of Prometheus. */

import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { listAt, member, objectAt, textAt, textsOf } from '../../kernel/base/json-access.ts';
import { shortLine } from '../../kernel/base/text.ts';
import type { Objective } from './slo-section.ts';

/** An objective as a document states it: its file is the caller's knowledge. */
type StatedObjective = Omit<Objective, 'path'>;

/** What a reader makes of one document: its objectives, or undefined when it is of another format. */
type ObjectivesOf = readonly StatedObjective[] | undefined;

/** 0.999 → 99.9, without the digits that binary fractions leave behind. */
function percentOfRatio(ratio: number): number {
  return Number((ratio * 100).toFixed(6));
}

// OpenSLO v1 and v1alpha. Kinds other than SLO are of the format and hold no objective.

const unitLetters: Readonly<Record<string, string>> = {
  second: 's',
  minute: 'm',
  hour: 'h',
  day: 'd',
  week: 'w',
  month: 'M',
  quarter: 'Q',
  year: 'Y',
};

export function readOpenSlo(document: Json): ObjectivesOf {
  if (!textAt(document, 'apiVersion')?.startsWith('openslo/')) return undefined;
  if (textAt(document, 'kind') !== 'SLO') return [];
  const spec = objectAt(document, 'spec');
  const name = shortLine(textAt(document, 'metadata', 'name') ?? 'unnamed', 200);
  const shared = {
    service: short(textAt(spec, 'service')),
    window: short(openSloWindow(spec)),
    indicator: short(openSloIndicator(spec)),
  };
  const objectives = listAt(spec, 'objectives');
  return objectives.map((objective, index): StatedObjective => {
    const part = textAt(objective, 'displayName') ?? String(index + 1);
    return {
      ...shared,
      name: objectives.length > 1 ? `${name}/${shortLine(part, 100)}` : name,
      target: openSloTarget(objective),
      indicator: shared.indicator ?? short(openSloIndicator(objective)),
    };
  });
}

function openSloTarget(objective: Json): number | null {
  const percent = member(objective, 'targetPercent');
  if (typeof percent === 'number') return percent;
  const ratio = member(objective, 'target');
  return typeof ratio === 'number' ? percentOfRatio(ratio) : null;
}

/** v1: `timeWindow: [{duration: 28d}]`; v1alpha: `timeWindows: [{count: 28, unit: Day}]`. */
function openSloWindow(spec: Json): string | null {
  const [window] = [...listAt(spec, 'timeWindow'), ...listAt(spec, 'timeWindows')];
  const duration = textAt(window, 'duration');
  if (duration !== null) return duration;
  const [count] = textsOf(member(window, 'count'));
  const unit = textAt(window, 'unit')?.toLowerCase().replace(/s$/, '') ?? '';
  const letter = Object.hasOwn(unitLetters, unit) ? unitLetters[unit] : undefined;
  return count === undefined || letter === undefined ? null : `${count}${letter}`;
}

function openSloIndicator(spec: Json): string | null {
  const named = textAt(spec, 'indicatorRef') ?? textAt(spec, 'indicator', 'metadata', 'name');
  if (named !== null) return named;
  const inline = objectAt(spec, 'indicator', 'spec');
  const kind = ['ratioMetric', 'thresholdMetric'].find((known) => Object.hasOwn(inline, known));
  return kind ?? (member(spec, 'ratioMetrics') === undefined ? null : 'ratioMetrics');
}

function short(text: string | null): string | null {
  return text === null ? null : shortLine(text, 300);
}

// Sloth: its own file (`version: prometheus/v1`) and its Kubernetes form (`PrometheusServiceLevel`). Objectives are in percent.

export function readSloth(document: Json): ObjectivesOf {
  const isFile =
    textAt(document, 'version')?.startsWith('prometheus/') === true && Array.isArray(member(document, 'slos'));
  const isManifest =
    textAt(document, 'apiVersion')?.startsWith('sloth.slok.dev/') === true &&
    textAt(document, 'kind') === 'PrometheusServiceLevel';
  if (!isFile && !isManifest) return undefined;
  const body = isFile ? document : objectAt(document, 'spec');
  const service = textAt(body, 'service');
  return listAt(body, 'slos')
    .filter(isJsonObject)
    .map((slo): StatedObjective => {
      const objective = slo['objective'];
      const indicator = slothIndicator(member(slo, 'sli'));
      return {
        service: service === null ? null : shortLine(service, 200),
        name: shortLine(textAt(slo, 'name') ?? 'unnamed', 200),
        target: typeof objective === 'number' ? objective : null,
        window: null,
        indicator: indicator === null ? null : shortLine(indicator, 300),
      };
    });
}

function slothIndicator(sli: Json | undefined): string | null {
  return (
    textAt(sli, 'events', 'error_query') ??
    textAt(sli, 'events', 'errorQuery') ??
    textAt(sli, 'raw', 'error_ratio_query') ??
    textAt(sli, 'raw', 'errorRatioQuery') ??
    textAt(sli, 'plugin', 'id')
  );
}

// Prometheus alerts on the burn rate of an error budget: the objective behind them is written in the threshold,
// `> (14.4 * 0.001)` or `> 14.4 * (1 - 0.999)`. Several alerts of one objective are one objective.

const burnName = /burn[-_ ]?rate|error[-_ ]?budget/i;
const budgetFactor = /\b\d{1,4}(?:\.\d{1,4})?\s{0,4}\*\s{0,4}\(?\s{0,4}(1\s{0,4}-\s{0,4})?\(?\s{0,4}(0?\.\d{1,10})/;
/** What of an expression is looked at. */
const judgedChars = 5_000;

export function readBurnRateRules(document: Json): ObjectivesOf {
  const isManifest = textAt(document, 'kind') === 'PrometheusRule';
  const groups = listAt(isManifest ? objectAt(document, 'spec') : document, 'groups');
  const rules = groups.flatMap((group) => listAt(group, 'rules')).filter(isJsonObject);
  if (rules.length === 0) return isManifest ? [] : undefined;
  const found = new Map<string, StatedObjective>();
  for (const rule of rules) {
    const objective = burnRateObjective(rule);
    if (objective === undefined) continue;
    const key = `${objective.service}\0${objective.name}`;
    const known = found.get(key);
    if (known === undefined || known.target === null) found.set(key, objective);
  }
  return [...found.values()];
}

function burnRateObjective(rule: JsonObject): StatedObjective | undefined {
  const alert = textAt(rule, 'alert');
  const expression = (textsOf(rule['expr'])[0] ?? '').slice(0, judgedChars);
  if (alert === null || !(burnName.test(alert.slice(0, 500)) || burnName.test(expression))) return undefined;
  const labels = objectAt(rule, 'labels');
  const label = (...names: readonly string[]): string | null =>
    names.map((name) => textAt(labels, name)).find((value) => value !== null) ?? null;
  const service = label('sloth_service', 'service', 'job');
  const window = label('window', 'slo_window');
  return {
    service: service === null ? null : shortLine(service, 200),
    name: shortLine(label('sloth_slo', 'slo', 'slo_name') ?? alert, 200),
    target: burnRateTarget(expression),
    window: window === null ? null : shortLine(window, 100),
    indicator: expression === '' ? null : shortLine(expression, 300),
  };
}

function burnRateTarget(expression: string): number | null {
  const match = budgetFactor.exec(expression);
  if (match === null) return null;
  const ratio = Number(match[2]);
  return percentOfRatio(match[1] === undefined ? 1 - ratio : ratio);
}
