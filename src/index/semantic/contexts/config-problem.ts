/** Why a `tsconfig.json` cannot be used, as a sentence that names the file to mend. */

import { singleLine, truncate } from '../../../kernel/base/text.ts';
import type { ParseFailure } from '../../../kernel/formats/parse-outcome.ts';
import type { ConfigFile, ConfigProblem } from '../../resolve/javascript/config-file.ts';

const shownMax = 3;
const nameLengthMax = 120;

/** `null`: nothing stands in the way. */
export function describeConfigProblem(config: ConfigFile): string | null {
  if (config.problems.length === 0) return null;
  const sentences = [...new Set(config.problems.map(describe))];
  const more = sentences.length - shownMax;
  return [...sentences.slice(0, shownMax), ...(more > 0 ? [`${more} more of this kind`] : [])].join('; ');
}

/** A compiler that follows the bases of such a configuration does not come to an end. */
export function isEndless(problem: string | null): boolean {
  return problem !== null && (problem.includes(ends.extends_cycle) || problem.includes(ends.extends_too_many));
}

/** As a sentence, that it would not for a reference. A configuration that is written in its place leaves those out. */
export function findEndlessReference(
  { path, references }: Pick<ConfigFile, 'path' | 'references'>,
  endless: ReadonlySet<string>,
): string | undefined {
  const found = references.find((reference) => endless.has(reference));
  if (found === undefined) return undefined;
  return `${show(path)} references "${show(found)}", which leads to bases without an end`;
}

/** Paths of such, and of those that lead to them: a compiler follows references too. */
export function findEndless(configs: readonly ConfigFile[]): ReadonlySet<string> {
  const endless = new Set(configs.filter((config) => isEndless(describeConfigProblem(config))).map(({ path }) => path));
  if (endless.size === 0) return endless;
  const referring = new Map<string, string[]>();
  for (const { path: from, references } of configs)
    for (const path of references) referring.set(path, [...(referring.get(path) ?? []), from]);
  // A set may grow while it is walked.
  for (const path of endless) for (const from of referring.get(path) ?? []) endless.add(from);
  return endless;
}

const ends = {
  extends_missing: 'which does not exist',
  extends_outside: 'which is outside of the repository',
  extends_cycle: 'which extends it in turn',
  extends_too_many: 'and that is one base too many to follow',
} as const;

function describe(problem: ConfigProblem): string {
  const path = show(problem.path);
  if (problem.kind === 'malformed') return `${path} ${describeFailure(problem.failure)}`;
  const base = `"${show(problem.base)}"`;
  return `${path} extends ${base}, ${ends[problem.kind]}`;
}

function describeFailure(failure: ParseFailure): string {
  switch (failure.kind) {
    case 'malformed':
      return `is not valid JSON${failure.line === undefined ? '' : ` in line ${failure.line}`}: ${failure.detail}`;
    case 'size_cap_exceeded':
      return `is too large to be read (${failure.bytes} bytes)`;
    case 'depth_cap_exceeded':
      return `nests deeper than ${failure.cap} levels`;
    default:
      return 'cannot be read';
  }
}

function show(text: string): string {
  return truncate(singleLine(text), nameLengthMax);
}
