/** The run of exceptions: the entries of every exceptions file (gather.md §14) that concern this repository, and what was wrong with the others. */

import { basename } from 'node:path';
import type { ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { compareCodeUnits, isJsonObject } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { z } from '../../kernel/base/schema.ts';
import { singleLine } from '../../kernel/base/text.ts';
import { parseYaml } from '../../kernel/formats/yaml.ts';
import { compileGlobs } from '../../kernel/tree/path-patterns.ts';
import { type PerFileError, shownPath, sortPerFileErrors } from '../shared/authored-files.ts';
import { cutText } from '../shared/probe-reading.ts';

export async function gatherExceptions(
  repo: ProbeRepo,
  ctx: Pick<ProbeContext<never>, 'task' | 'startedAt'>,
  ids: readonly string[],
): Promise<ProbeOutput> {
  const found: (RepoException & { readonly source: string })[] = [];
  const errors: PerFileError[] = [];
  let usable = 0;
  for (const id of ids) {
    const source = shownPath(repo, id);
    const read = await repo.inputs.read(id, limits.yamlSmallBytes);
    if (read.kind === 'absent') continue;
    if (read.kind === 'failed') {
      const { kind } = read.failure;
      errors.push({
        path: source,
        reason: kind === 'symlink_refused' || kind === 'size_cap_exceeded' ? kind : 'unreadable',
      });
      continue;
    }
    const list = parseExceptionList(read.bytes);
    if (list.kind !== 'list') {
      errors.push({ path: source, reason: list.kind === 'not_list' ? 'exceptions_yaml_not_list' : 'unsafe_yaml' });
      continue;
    }
    usable += 1;
    for (const details of list.malformed) errors.push({ path: source, reason: 'malformed_entry', details });
    found.push(...list.entries.map((entry) => ({ ...entry, source })));
  }
  const taskIsSet = ctx.task.type !== 'general';
  const relevant = found
    .filter((entry) => [repo.id, basename(repo.root)].some(compileGlobs([entry.repo_glob])))
    .filter((entry) => !taskIsSet || entry.task === '*' || entry.task === ctx.task.type)
    .sort(
      (a, b) => compareCodeUnits(a.repo_glob, b.repo_glob) || compareCodeUnits(JSON.stringify(a), JSON.stringify(b)),
    );
  const today = ctx.startedAt.slice(0, 10);
  const expired = relevant.filter((entry) => entry.expires < today);
  return {
    kind: 'ran',
    slice: {
      'organizational.exceptions': {
        active: relevant.filter((entry) => entry.expires >= today),
        expired,
        per_file_errors: sortPerFileErrors(errors),
      },
    },
    confidence: errors.length === 0 ? 'high' : usable > 0 ? 'medium' : 'low',
    warnings: [
      ...(errors.some((error) => error.reason === 'malformed_entry') ? ['exceptions.malformed_entry'] : []),
      ...(errors.some((error) => error.reason !== 'malformed_entry') ? ['exceptions.per_file_errors_present'] : []),
      ...(expired.length > 0 ? ['exceptions.expired_present'] : []),
    ],
  };
}

type RepoException = {
  readonly repo_glob: string;
  readonly task: string;
  readonly reason: string;
  /** `YYYY-MM-DD`, the last day it holds. */
  readonly expires: string;
  readonly approver: string;
};

export type ExceptionListOutcome =
  | { readonly kind: 'list'; readonly entries: readonly RepoException[]; readonly malformed: readonly string[] }
  | { readonly kind: 'unsafe_yaml' }
  | { readonly kind: 'not_list' };

const line = z.string().min(1).max(2000).transform(singleLine);
const entry = z.looseObject({
  repo_glob: line,
  task: line,
  reason: line,
  expires: z.string().refine(isCalendarDay, 'not a day as YYYY-MM-DD'),
  approver: line,
});

export function parseExceptionList(bytes: Uint8Array): ExceptionListOutcome {
  const yaml = parseYaml(bytes, { maxBytes: limits.yamlSmallBytes, maxDepth: limits.parseDepthSmall });
  if (!yaml.ok) return { kind: 'unsafe_yaml' };
  const list = isJsonObject(yaml.value) ? yaml.value['exceptions'] : yaml.value;
  if (list === null || list === undefined)
    return yaml.value === null ? { kind: 'list', entries: [], malformed: [] } : { kind: 'not_list' };
  if (!Array.isArray(list)) return { kind: 'not_list' };
  const entries: RepoException[] = [];
  const malformed: string[] = [];
  for (const [index, item] of list.entries()) {
    const outcome = entry.safeParse(item);
    if (outcome.success) {
      const { repo_glob, task, reason, expires, approver } = outcome.data;
      entries.push({ repo_glob, task, reason: cutText(reason, 500), expires, approver });
    } else {
      const issue = outcome.error.issues[0];
      malformed.push(
        cutText(singleLine(`entry ${index + 1}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`), 300),
      );
    }
  }
  return { kind: 'list', entries, malformed };
}

/** Written as a day, and one that the calendar has. */
function isCalendarDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
