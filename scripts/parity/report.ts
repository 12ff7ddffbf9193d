/**
 * The comparison as a section of `docs/conformance.md`: one line per project, then every class of difference with its counts, then a small
 * program for each class in which scip-typescript is wrong or says less.
 */

import { added, type DifferenceClass, lost, wrongThere } from './classify.ts';
import type { Comparison } from './compare-indexes.ts';
import { type Example, examples, gains, readMarked } from './examples.ts';

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
    'The last two columns count symbols of the project itself that are named and defined nowhere.',
    '',
    '| project | files | lines | equal | only scip-typescript | only tsgo | relationships equal | lost | added | undefined there | here |',
    '|---|---|---|---|---|---|---|---|---|---|---|',
  ];
  for (const { name, files, lines: count, comparison } of projects) {
    const { differences, relations, equal, dangling } = comparison;
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
      dangling.oracle,
      dangling.ours,
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
  lines.push('', 'What becomes of the differences in which scip-typescript is not wrong:', '');
  lines.push(...Object.entries(lossNotes).map(([kind, note]) => `- ${lost[kind as keyof typeof lost]}: ${note}`));
  lines.push('', 'What is to be known of the differences in which `tsgo` says more:', '');
  lines.push(...Object.entries(gainNotes).map(([kind, note]) => `- ${added[kind as keyof typeof added]}: ${note}`));
  lines.push(
    '',
    'A small program for each class in which scip-typescript is wrong. The test of the parity runs both tools on them:',
    '',
    ...renderExamples(wrongThere, examples),
    '',
    'And for the classes in which `tsgo` says more:',
    '',
    ...renderExamples(added, gains),
  );
  return lines.join('\n');
}

const lossNotes: Readonly<Record<keyof typeof lost, string>> = {
  library: 'both name the same thing of the library; its key has the file in which that version declares it.',
  notInferred:
    'nothing is said of the name, and a name of which nothing is said counts as a possible use of everything that is called so ' +
    '(`refs` says `gte`, a rename asks).',
  ownMember: 'a question about either follows the relationship to the other.',
  equalTypes:
    'a member that is bound to a member of the same name of another type counts as a possible use, never as certainly something else.',
  otherType: 'as above; `@typedef {…} A~B` is a type `A` to one of them.',
  numbered: 'the same definition; numbers are not compared.',
};

const gainNotes: Readonly<Partial<Record<keyof typeof added, string>>> = {
  link:
    'a use of what it names, as it is to the search of the compiler itself. `A#b` is the member of the instances of `A`, also where ' +
    'the class itself has what every function has. A name that is not in scope where the comment stands leads to nothing, or to a global of that name.',
  instance:
    'version 7 infers nothing of such functions. Who says `this` or `prototype` in the file means a member by its name; what is read of an ' +
    'instance otherwise has no occurrence, and is a possible use.',
};

function renderExamples<Kind extends string>(
  names: Readonly<Record<Kind, string>>,
  all: Readonly<Partial<Record<Kind, Example>>>,
): readonly string[] {
  const rows = (Object.entries(all) as [Kind, Example][]).map(([kind, example]) => renderExample(names[kind], example));
  return ['| | program | scip-typescript | `tsgo` |', '|---|---|---|---|', ...rows];
}

function renderExample(name: string, example: Example): string {
  const { path, range } = readMarked(example);
  const program = Object.entries(example.files).map(([file, text]) => {
    const lines = text.trimEnd().replace(/[«»]/g, '').split('\n');
    return `${file}: ${lines.map((line) => code(line)).join('<br>')}`;
  });
  const at = `${path}:${range[0] + 1}:${range[1] + 1}`;
  const say = (said: readonly string[]): string =>
    said.map((one) => (one.startsWith('=') ? `defines ${code(one.slice(1))}` : code(one))).join(', ') || 'nothing';
  return `| ${name} (at ${at}) | ${program.join('<br>')} | ${say(example.there)} | ${say(example.here)} |`;
}

/** Inside a table, and with backticks of its own. */
function code(text: string): string {
  const fence = text.includes('`') ? '``' : '`';
  const room = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${room}${text.replaceAll('|', '\\|')}${room}${fence}`;
}
