/** A commit as an agent makes it that has read nothing but the tools' descriptions and the answers it got. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Loose } from './mcp-clients.ts';

/** `answers`: of one plan, with all of its questions. The main group, one candidate per question, and what is read at the named places. */
export function commitOf(root: string, answers: readonly Loose[], wanted: RegExp): Loose {
  const [{ outcome, repo }] = answers as [Loose];
  const { plan } = outcome;
  const main = plan.groups.find(({ item }: Loose) => item === undefined);
  const chosen = answers.flatMap(({ outcome: { candidate_sets: sets = [] } }) =>
    sets.map(({ members }: Loose) => (members.find(({ means }: Loose) => wanted.test(means)) ?? members[0]).id),
  );
  const required = answers.map(({ outcome: { required_proof: proof } }) => proof ?? { lines: [], anchors: [] });
  const placesOf = (list: 'lines' | 'anchors'): Loose[] => [
    ...new Map(
      required.flatMap((proof) => proof[list].map((at: Loose) => [`${at.file}:${at.line}:${at.col}`, at])),
    ).values(),
  ];
  const lineOf = (file: string, line: number) => readFileSync(join(root, file), 'utf8').split('\n')[line - 1] ?? '';
  const { name } = plan.symbol;
  return {
    op: 'commit',
    plan_id: plan.id,
    plan_hash: plan.hash,
    root_hash: repo.root_hash,
    selections: [main.id, ...chosen],
    proof: {
      identity: required.some(({ identity }) => identity === true) ? plan.symbol.key : '',
      lines: placesOf('lines').map(({ file, line }) => ({ file, line, text: lineOf(file, line) })),
      anchors: placesOf('anchors').map(({ file, line, col }) => {
        const text = lineOf(file, line);
        const [start, end] = [col - 1, col - 1 + name.length];
        const [before, after] = [text.slice(Math.max(0, start - 16), start), text.slice(end, end + 16)];
        return { file, line, col, before, text: text.slice(start, end), after };
      }),
    },
  };
}
