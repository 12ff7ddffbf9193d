/** What continuous integration runs, as facts. */

import { factsOf, known, none, type Statement, unknown } from '../../gather/facts/fact.ts';
import { z } from '../../kernel/base/schema.ts';
import { ciSection, listCheckers, providerOf } from './ci-section.ts';

export const ciFacts = factsOf('ci', ciSection, [
  {
    id: 'ci.provider',
    says: 'The service that runs the checks of every change; a list where several do.',
    of: 'the repository',
    value: z.union([z.string(), z.array(z.string())]),
    from: 'the files that each provider reads, and what their jobs run',
    noneWithoutSection: true,
    state: ({ provider, additional_providers: others, workflow_files: files, jobs }) => {
      if (provider === null || files.length === 0) return [none('.', { because: 'looked', how: 'no provider’s file' })];
      const checkers = listCheckers(jobs);
      const named = checkers.length > 1 ? checkers : [provider];
      const about = {
        because: others.length === 0 ? 'declared' : 'follows',
        how: others.length === 0 ? 'its file is there' : 'its jobs build, test or lint',
        evidence: named
          .flatMap((one) => files.filter((file) => providerOf(file) === one).slice(0, 3))
          .map((path) => ({ path, shows: null })),
      } as const;
      const names = named.map((one) => one.replaceAll('_', '-'));
      return [known('.', names.length === 1 ? (names[0] ?? '') : names, about)];
    },
  },
  {
    id: 'ci.matrix',
    says: 'What a job is multiplied by: the values of each axis with `include` and `exclude`; the list of combinations where it has no axes.',
    of: 'a job (`file#job`); a file with one matrix',
    value: z.union([z.record(z.string(), z.json()), z.array(z.json())]),
    from: 'the files that each provider reads',
    rollup: 'only',
    state: ({ jobs }) =>
      unambiguous(jobs).flatMap(({ file, id, matrix }): Statement[] => {
        if (matrix === null) return [];
        const scope = `${file}#${id}`;
        if (matrix.expanded === null)
          return [unknown(scope, { because: 'incomplete', how: 'an expression computes it' })];
        const { axes, include, exclude } = matrix;
        const about = {
          because: 'declared',
          how: `${matrix.expanded} combination${matrix.expanded === 1 ? '' : 's'}`,
          evidence: [{ path: file, line: matrix.line ?? undefined, shows: 'matrix' }],
        } as const;
        if (Object.keys(axes).length === 0) return include.length === 0 ? [] : [known(scope, [...include], about)];
        const more = { ...(include.length > 0 && { include }), ...(exclude.length > 0 && { exclude }) };
        return [known(scope, { ...axes, ...more }, about)];
      }),
  },
]);

/** Some providers let two jobs have one name: a question that names it means neither. */
export function unambiguous<T extends { readonly file: string; readonly id: string }>(
  jobs: readonly T[],
): readonly T[] {
  const key = ({ file, id }: T) => `${file}#${id}`;
  const count = new Map<string, number>();
  for (const job of jobs) count.set(key(job), (count.get(key(job)) ?? 0) + 1);
  return jobs.filter((job) => count.get(key(job)) === 1);
}
