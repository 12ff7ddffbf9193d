/** OpenSLO v1 and v1alpha. Kinds other than SLO are of the format and hold no objective. */

import type { Json } from '../../../kernel/base/json.ts';
import { listAt, member, objectAt, shortLine, textAt, textsOf } from '../json-access.ts';
import { type Objective, type ObjectivesOf, percentOfRatio } from './objective.ts';

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
    window: short(windowOf(spec)),
    indicator: short(indicatorOf(spec)),
  };
  const objectives = listAt(spec, 'objectives');
  return objectives.map((objective, index): Objective => {
    const part = textAt(objective, 'displayName') ?? String(index + 1);
    return {
      ...shared,
      name: objectives.length > 1 ? `${name}/${shortLine(part, 100)}` : name,
      target: targetOf(objective),
      indicator: shared.indicator ?? short(indicatorOf(objective)),
    };
  });
}

function targetOf(objective: Json): number | null {
  const percent = member(objective, 'targetPercent');
  if (typeof percent === 'number') return percent;
  const ratio = member(objective, 'target');
  return typeof ratio === 'number' ? percentOfRatio(ratio) : null;
}

/** v1: `timeWindow: [{duration: 28d}]`; v1alpha: `timeWindows: [{count: 28, unit: Day}]`. */
function windowOf(spec: Json): string | null {
  const [window] = [...listAt(spec, 'timeWindow'), ...listAt(spec, 'timeWindows')];
  const duration = textAt(window, 'duration');
  if (duration !== null) return duration;
  const [count] = textsOf(member(window, 'count'));
  const unit = textAt(window, 'unit')?.toLowerCase().replace(/s$/, '') ?? '';
  const letter = Object.hasOwn(unitLetters, unit) ? unitLetters[unit] : undefined;
  return count === undefined || letter === undefined ? null : `${count}${letter}`;
}

function indicatorOf(spec: Json): string | null {
  const named = textAt(spec, 'indicatorRef') ?? textAt(spec, 'indicator', 'metadata', 'name');
  if (named !== null) return named;
  const inline = objectAt(spec, 'indicator', 'spec');
  const kind = ['ratioMetric', 'thresholdMetric'].find((known) => Object.hasOwn(inline, known));
  return kind ?? (member(spec, 'ratioMetrics') === undefined ? null : 'ratioMetrics');
}

function short(text: string | null): string | null {
  return text === null ? null : shortLine(text, 300);
}
