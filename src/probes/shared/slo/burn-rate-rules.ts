/**
 * Prometheus alerts on the burn rate of an error budget: the objective behind them is written in the threshold,
 * `> (14.4 * 0.001)` or `> 14.4 * (1 - 0.999)`. Several alerts of one objective are one objective.
 */

import { isJsonObject, type Json, type JsonObject } from '../../../kernel/base/json.ts';
import { listAt, objectAt, shortLine, textAt, textsOf } from '../json-access.ts';
import { type Objective, type ObjectivesOf, percentOfRatio } from './objective.ts';

const burnName = /burn[-_ ]?rate|error[-_ ]?budget/i;
const budgetFactor = /\b\d{1,4}(?:\.\d{1,4})?\s{0,4}\*\s{0,4}\(?\s{0,4}(1\s{0,4}-\s{0,4})?\(?\s{0,4}(0?\.\d{1,10})/;
/** What of an expression is looked at. */
const judgedChars = 5_000;

export function readBurnRateRules(document: Json): ObjectivesOf {
  const isManifest = textAt(document, 'kind') === 'PrometheusRule';
  const groups = listAt(isManifest ? objectAt(document, 'spec') : document, 'groups');
  const rules = groups.flatMap((group) => listAt(group, 'rules')).filter(isJsonObject);
  if (rules.length === 0) return isManifest ? [] : undefined;
  const found = new Map<string, Objective>();
  for (const rule of rules) {
    const objective = objectiveOf(rule);
    if (objective === undefined) continue;
    const key = `${objective.service}\0${objective.name}`;
    const known = found.get(key);
    if (known === undefined || known.target === null) found.set(key, objective);
  }
  return [...found.values()];
}

function objectiveOf(rule: JsonObject): Objective | undefined {
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
    target: targetOf(expression),
    window: window === null ? null : shortLine(window, 100),
    indicator: expression === '' ? null : shortLine(expression, 300),
  };
}

function targetOf(expression: string): number | null {
  const match = budgetFactor.exec(expression);
  if (match === null) return null;
  const ratio = Number(match[2]);
  return percentOfRatio(match[1] === undefined ? 1 - ratio : ratio);
}
