/** Which probes run (gather.md §2.1 and §2.3): selection, then task, then language, then `applies`; the first hit decides. */

import { findNearest } from '../../kernel/base/text.ts';
import type { Probe, RepoSnapshot, Requirement, SkipReason, Task } from '../contract.ts';
import type { TaskClass } from './task-class.ts';

export type Selection = {
  readonly only: readonly string[] | null;
  readonly skip: readonly string[];
  readonly disabled: readonly string[];
};

/** Runs before all others and is always part of a gather: every language decision rests on it. */
export const PRELUDE = 'language_detection';

export function requirementName(requirement: Requirement): string {
  return typeof requirement === 'string' ? requirement : requirement.probe;
}

/** An unknown name, with the nearest known one. */
export function findUnknownProbe(
  names: readonly string[],
  probes: readonly Probe[],
): { name: string; nearest: string | undefined } | undefined {
  const known = probes.map((probe) => probe.name);
  const name = names.find((candidate) => !known.includes(candidate));
  return name === undefined ? undefined : { name, nearest: findNearest(name, known) };
}

/** `--only` brings its required upstreams along; optional ones stay out unless named. */
export function selectedNames(probes: readonly Probe[], only: readonly string[] | null): ReadonlySet<string> {
  if (only === null) return new Set(probes.map((probe) => probe.name));
  const byName = new Map(probes.map((probe) => [probe.name, probe]));
  const selected = new Set<string>([PRELUDE]);
  const pending = [...only];
  while (pending.length > 0) {
    const name = pending.pop() as string;
    if (selected.has(name) && name !== PRELUDE) continue;
    selected.add(name);
    for (const requirement of byName.get(name)?.requires ?? []) {
      if (typeof requirement !== 'string' && requirement.optional === true) continue;
      if (!selected.has(requirementName(requirement))) pending.push(requirementName(requirement));
    }
  }
  return selected;
}

/** The reason this probe does not run, or null. `selected` tells whether the user wanted it, so that its absence counts. */
export function filterProbe(
  probe: Probe,
  world: {
    readonly repo: RepoSnapshot;
    readonly task: Task;
    readonly taskClass: TaskClass | undefined;
    readonly selection: Selection;
    readonly selected: ReadonlySet<string>;
    readonly languagesKnown: boolean;
  },
): { readonly reason: SkipReason; readonly detail: string | null; readonly selected: boolean } | null {
  const { repo, task, taskClass, selection } = world;
  if (selection.disabled.includes(probe.name))
    return { reason: 'disabled', detail: 'probes.disabled', selected: false };
  if (selection.skip.includes(probe.name)) return { reason: 'not_selected', detail: '--skip', selected: false };
  if (!world.selected.has(probe.name)) return { reason: 'not_selected', detail: null, selected: false };
  const listed = [...(taskClass?.required_probes ?? []), ...(taskClass?.optional_probes ?? [])].includes(probe.name);
  const named = selection.only?.includes(probe.name) ?? false;
  if (probe.tier === 'task_specific' && !listed && !named)
    return { reason: 'task_mismatch', detail: null, selected: true };
  if (!probe.appliesToTasks.includes('*') && !probe.appliesToTasks.includes(task.type) && !listed) {
    return { reason: 'task_mismatch', detail: `runs for ${probe.appliesToTasks.join(', ')}`, selected: true };
  }
  if (world.languagesKnown && !admitsLanguage(probe, repo)) {
    return { reason: 'language_mismatch', detail: `looks at ${probe.appliesToLanguages.join(', ')}`, selected: true };
  }
  const applies = probe.applies?.(repo, task) ?? true;
  if (applies === true) return null;
  return { reason: applies === false ? 'not_applicable' : applies, detail: null, selected: true };
}

function admitsLanguage(probe: Probe, repo: RepoSnapshot): boolean {
  const wanted = probe.appliesToLanguages;
  if (wanted.includes('*') || wanted.some((language) => (repo.detectedLanguages[language] ?? 0) > 0)) return true;
  return (
    wanted.some((language) => language === 'javascript' || language === 'typescript') &&
    repo.scope.exists('package.json')
  );
}
