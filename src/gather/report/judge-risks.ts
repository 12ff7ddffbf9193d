/**
 * Asks every risk rule and weighs its answer. "Clear" is said only of a section whose probe is `ok` and not of low confidence:
 * what was not looked at properly is listed as not judged (P2).
 */

import { absenceOf, describeAbsence, type EnvelopeView, isNothingToSee, recordOf, sectionOf } from './envelope-view.ts';
import { textAt } from './loose-json.ts';
import { type RiskRule, riskRules } from './risk-rules.ts';

export type RaisedRisk = Pick<RiskRule, 'id' | 'title' | 'says' | 'severity' | 'section'> & {
  readonly detail: string;
  readonly items: readonly string[];
};
export type UnjudgedRisk = { readonly id: string; readonly title: string; readonly because: string };
export type Risks = {
  readonly raised: readonly RaisedRisk[];
  readonly unjudged: readonly UnjudgedRisk[];
  readonly clear: readonly { readonly id: string; readonly title: string }[];
  readonly notApplicable: readonly UnjudgedRisk[];
};

export function judgeRisks(view: EnvelopeView, rules: readonly RiskRule[] = riskRules): Risks {
  const raised: RaisedRisk[] = [];
  const unjudged: UnjudgedRisk[] = [];
  const clear: { id: string; title: string }[] = [];
  const notApplicable: UnjudgedRisk[] = [];
  for (const rule of rules) {
    const named = { id: rule.id, title: rule.title };
    if (sectionOf(view, rule.section) === undefined) {
      const absence = absenceOf(view, rule.section);
      const list = absence.status === 'skipped' && isNothingToSee(absence.reason) ? notApplicable : unjudged;
      list.push({ ...named, because: describeAbsence(absence) });
      continue;
    }
    const verdict = rule.test(view.envelope);
    if (verdict.kind === 'raised') {
      const { id, title, says, severity, section } = rule;
      raised.push({ id, title, says, severity, section, detail: verdict.detail, items: verdict.items });
    } else if (verdict.kind === 'unknown') unjudged.push({ ...named, because: verdict.because });
    else {
      const doubt = doubtAbout(view, rule.section);
      if (doubt === null) clear.push(named);
      else unjudged.push({ ...named, because: doubt });
    }
  }
  return { raised, unjudged, clear, notApplicable };
}

function doubtAbout(view: EnvelopeView, section: string): string | null {
  const absence = absenceOf(view, section);
  if (absence.status !== 'ok') return describeAbsence(absence);
  const confidence = absence.probe === null ? null : textAt(recordOf(view, absence.probe), 'confidence');
  return confidence === 'high' || confidence === 'medium'
    ? null
    : `${absence.probe} has ${confidence ?? 'no'} confidence`;
}
