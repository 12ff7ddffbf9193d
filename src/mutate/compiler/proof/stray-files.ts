/**
 * A file that moves can leave one program and come into another: from one package to the next, or to where no project looks. It must have
 * a program afterwards if it had one before, and there it is compared with what it was in the one it comes from.
 */

import type { OpenProgram } from '../in-job.ts';
import type { ProofPlace, ProofQuestion } from '../types.ts';

export type Strays =
  | {
      readonly kind: 'settled';
      /** After the move: files that not the same programs have as before. */
      readonly paths: ReadonlySet<string>;
      readonly pairs: readonly { readonly was: OpenProgram; readonly is: OpenProgram; readonly from: string }[];
    }
  | { readonly kind: 'lost'; readonly places: readonly ProofPlace[] };

type Pair = { readonly was: OpenProgram; readonly is: OpenProgram | undefined };

export function findStrays(programs: readonly Pair[], moves: ProofQuestion['moves']): Strays {
  const paths = new Set<string>();
  const pairs: { was: OpenProgram; is: OpenProgram; from: string }[] = [];
  const places: ProofPlace[] = [];
  for (const { from, to } of moves) {
    const had = programs.filter(({ was }) => was.sourceFile(from) !== undefined);
    const has = programs.filter(({ is }) => is?.sourceFile(to) !== undefined);
    const [home] = had;
    if (home === undefined) continue;
    if (has.length === 0) {
      const keys = had.map(({ was }) => was.key).join(', ');
      const at = { path: from, start: 0, end: 0 };
      places.push({ at, before: `part of ${keys}`, after: `no project includes ${to}, and ${keys} had the file` });
      continue;
    }
    if (had.length === has.length && had.every((pair) => has.includes(pair))) continue;
    paths.add(to);
    for (const { was, is } of has)
      if (is !== undefined && was.sourceFile(from) === undefined) pairs.push({ was: home.was, is, from });
  }
  return places.length > 0 ? { kind: 'lost', places } : { kind: 'settled', paths, pairs };
}
