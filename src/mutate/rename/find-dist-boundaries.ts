/**
 * Names that the compiler binds to a build output of the package whose source is renamed (mutation.md §2.6, `dist_boundary`): the next build
 * brings the new name, and until then, or if nobody edits these uses, the two disagree. One question a file; the uses stay as they are.
 */

import { dirname } from 'node:path/posix';
import type { Question } from '../../index/state/navigate/question.ts';
import type { CensusAccount, DeclarationPlace, RenameFindings } from '../compiler/types.ts';
import type { ItemDraft } from './build-groups.ts';

/** What compilers write; a generated source is somebody else's. */
const isOutput = /(?:\.d\.[cm]?ts|\.[cm]?jsx?)$/;

export function findDistBoundaries(
  question: Question,
  { census, family, reach }: Pick<RenameFindings, 'census' | 'family' | 'reach'>,
): readonly ItemDraft[] {
  if (reach === 'file') return [];
  const packages = new Set(family.filter(isInside).map(({ path }) => packageOf(question, path)));
  const known = new Map<string, boolean>();
  const isBuilt = (path: string): boolean => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const isOurs =
      isOutput.test(path) &&
      !path.startsWith('/') &&
      isBuildOutput(question, path) &&
      packages.has(packageOf(question, path));
    known.set(path, isOurs);
    return isOurs;
  };
  const first = new Map<string, { readonly one: CensusAccount; readonly output: string; count: number }>();
  for (const one of census) {
    const output = one.account === 'other_symbol' ? one.declaredIn?.find(isBuilt) : undefined;
    if (output === undefined || isBuilt(one.path)) continue;
    const seen = first.get(one.path);
    if (seen === undefined) first.set(one.path, { one, output, count: 1 });
    else seen.count += 1;
  }
  return [...first.values()].map(({ one: { path, start, end }, output, count }) => ({
    path,
    start,
    end,
    kind: 'dist_boundary',
    detail: `the compiler follows it ${count === 1 ? '' : `and ${count - 1} more here `}to ${output}, a build output of the package that is renamed in; build it and edit this file afterwards`,
    edits: {},
  }));
}

/** Not in scope, called generated, or below a directory that builds are written to: outputs are committed as well. */
function isBuildOutput(question: Question, path: string): boolean {
  const row = question.file(path);
  return row === undefined || row.generated || /(?:^|\/)(?:dist|build|out|output)\//.test(path);
}

function isInside({ outside }: DeclarationPlace): boolean {
  return !outside;
}

/** The directory of the nearest `package.json`. */
function packageOf(question: Question, path: string): string {
  let directory = dirname(path);
  while (directory !== '.' && question.file(`${directory}/package.json`) === undefined) directory = dirname(directory);
  return directory;
}
