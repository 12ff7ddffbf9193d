/** The comparison as a section of `docs/conformance.md`: one line per project, then every class of difference with its counts. */

import type { DifferenceClass } from './classify.ts';
import type { Comparison } from './compare-indexes.ts';

export type ProjectParity = {
  readonly name: string;
  readonly files: number;
  readonly lines: number;
  readonly comparison: Comparison;
  readonly classes: readonly DifferenceClass[];
};

export function reportParity(projects: readonly ProjectParity[]): string {
  const lines = [
    'Every occurrence of `tsgo` and of scip-typescript 0.4, compared by file, range and symbol. Numbers that scip-typescript gives to',
    'locals, keys of literals and type literals depend on the order in which it sees files, and are not compared.',
    '',
    '| project | files | lines | equal | only scip-typescript | only tsgo | relationships equal | lost | added |',
    '|---|---|---|---|---|---|---|---|---|',
  ];
  for (const { name, files, lines: count, comparison } of projects) {
    const { differences, relations, equal } = comparison;
    const lost = differences.filter(({ side }) => side === 'oracle').length;
    const cells = [
      name,
      files,
      count,
      equal,
      lost,
      differences.length - lost,
      relations.equal,
      relations.oracle.length,
      relations.ours.length,
    ];
    lines.push(`| ${cells.join(' | ')} |`);
  }
  for (const side of ['oracle', 'ours'] as const) {
    const names = new Set(
      projects.flatMap(({ classes }) => classes.flatMap((one) => (one.side === side ? [one.name] : []))),
    );
    lines.push('', side === 'oracle' ? 'Only scip-typescript says:' : 'Only `tsgo` says:', '');
    lines.push(`| | ${projects.map(({ name }) => name).join(' | ')} |`, `|---|${projects.map(() => '---|').join('')}`);
    for (const name of [...names].sort()) {
      const counts = projects.map(
        ({ classes }) => classes.find((one) => one.side === side && one.name === name)?.found.length ?? 0,
      );
      lines.push(`| ${name} | ${counts.join(' | ')} |`);
    }
  }
  return lines.join('\n');
}
