/** What people wrote down: skills, decisions, conventions and exceptions, as far as they were gathered. */

import type { TaskDemands } from './build-confidence.ts';
import { absenceOf, describeAbsence, type EnvelopeView, isNothingToSee, sectionOf } from './envelope-view.ts';
import { at, linesAt, listAt, numberAt, textAt } from './loose-json.ts';

/** A part of the report that may be missing or unreadable; `because` is set iff it is, so that "none" is never said of it. */
export type Part<T> = {
  readonly items: readonly T[];
  readonly because: string | null;
  /** True where it is missing because nothing of the kind is written down here. */
  readonly unconfigured: boolean;
};

export type SkillRow = {
  readonly id: string;
  readonly applies: boolean;
  readonly why: string | null;
  readonly tier: string;
  readonly description: string | null;
};
export type ShadowedSkill = { readonly id: string; readonly tier: string; readonly winner: string };
export type AdrRow = { readonly id: string; readonly title: string; readonly status: string; readonly path: string };
export type ConventionRow = {
  readonly id: string;
  readonly mark: '✓' | '✗' | '–' | '!';
  readonly says: string | null;
  readonly evidence: readonly string[];
};
export type ExceptionRow = {
  readonly state: 'active' | 'expired';
  readonly task: string;
  readonly reason: string;
  readonly expires: string;
  readonly approver: string;
};

export function listSkills(view: EnvelopeView): Part<SkillRow> {
  return part(view, 'organizational.skills', 'skills', (skill) => ({
    id: textAt(skill, 'id') ?? '(no id)',
    applies: at(skill, 'applies') === true,
    why: textAt(skill, 'why'),
    tier: textAt(skill, 'tier') ?? 'unknown',
    description: textAt(skill, 'description'),
  }));
}

/** Skills that the task requires and this context does not offer. */
export function listLacking(view: EnvelopeView, task: TaskDemands | undefined): readonly string[] {
  const { items } = listSkills(view);
  return (task?.required_skills ?? []).filter((id) => !items.some((skill) => skill.id === id && skill.applies));
}

export function listShadowedSkills(view: EnvelopeView): readonly ShadowedSkill[] {
  return listAt(sectionOf(view, 'organizational.skills'), 'shadowed_skills').flatMap((entry) => {
    const id = textAt(entry, 'skill_id');
    const tier = textAt(entry, 'shadowed_tier');
    return id === null || tier === null ? [] : [{ id, tier, winner: textAt(entry, 'winning_tier') ?? 'unknown' }];
  });
}

export function listAdrs(view: EnvelopeView): Part<AdrRow> {
  return part(view, 'organizational.adrs', 'adrs', (adr) => ({
    id: textAt(adr, 'id') ?? '–',
    title: textAt(adr, 'title') ?? '(untitled)',
    status: textAt(adr, 'status') ?? 'unknown',
    path: textAt(adr, 'path') ?? '',
  }));
}

export function listConventions(view: EnvelopeView): Part<ConventionRow> {
  return part(view, 'organizational.conventions', 'results', (rule) => {
    const result = resultKind(at(rule, 'result'));
    return {
      id: textAt(rule, 'id') ?? '(no id)',
      mark: marks.get(result) ?? '!',
      says: textAt(rule, 'description'),
      evidence: evidenceLines(rule),
    };
  });
}

const marks: ReadonlyMap<string, ConventionRow['mark']> = new Map([
  ['pass', '✓'],
  ['fail', '✗'],
  ['not_applicable', '–'],
  ['error', '!'],
]);

/** A result is a word, or an object whose `kind` is the word. */
function resultKind(result: unknown): string {
  return textAt(result) ?? textAt(result, 'kind') ?? 'unknown';
}

/** Places where it holds or fails; for the rest, why it could not be judged. */
function evidenceLines(rule: unknown): readonly string[] {
  const found = at(rule, 'evidence') ?? at(rule, 'result', 'evidence');
  if (!Array.isArray(found)) return textAt(found) === null ? [] : [textAt(found) ?? ''];
  return found.slice(0, 5).flatMap((item) => {
    const path = textAt(item, 'path') ?? textAt(item);
    const line = numberAt(item, 'line');
    return path === null ? [] : [line === null ? path : `${path}:${line}`];
  });
}

export function listExceptions(view: EnvelopeView): Part<ExceptionRow> {
  const rows = (state: ExceptionRow['state']) =>
    part(view, 'organizational.exceptions', state, (entry) => ({
      state,
      task: textAt(entry, 'task') ?? '*',
      reason: textAt(entry, 'reason') ?? '(no reason)',
      expires: textAt(entry, 'expires') ?? '?',
      approver: textAt(entry, 'approver') ?? '?',
    }));
  const [expired, active] = [rows('expired'), rows('active')];
  return { ...active, items: [...expired.items, ...active.items], because: expired.because ?? active.because };
}

function malformed(section: string): string {
  return `${section} does not have the expected shape`;
}

function part<T>(view: EnvelopeView, section: string, list: string, read: (item: unknown) => T): Part<T> {
  const found = sectionOf(view, section);
  if (found === undefined) {
    const absence = absenceOf(view, section);
    const unconfigured = absence.status === 'skipped' && isNothingToSee(absence.reason);
    return { items: [], because: describeAbsence(absence), unconfigured };
  }
  const items = at(found, list);
  return Array.isArray(items)
    ? { items: items.map(read), because: null, unconfigured: false }
    : { items: [], because: malformed(section), unconfigured: false };
}

/** Ids of instruction files for people and agents, shown beside the skills. */
export function listInstructionFiles(view: EnvelopeView): readonly string[] {
  const files = listAt(sectionOf(view, 'organizational.repo_config'), 'files');
  return files.flatMap((file) => linesAt([at(file, 'path')]));
}
