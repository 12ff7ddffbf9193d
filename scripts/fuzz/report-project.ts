/** What the logs of projects add up to: by kind, how much is applied without a question and why the rest is not. */

import { compareCodeUnits } from '../../src/kernel/base/json.ts';
import { alignRows } from '../conformance/report-renames.ts';
import { renderTable } from '../reference/markdown-text.ts';
import { changeKinds } from './pick-changes.ts';
import type { ProjectLog, ProjectTry } from './run-project.ts';

type Named = { readonly name: string; readonly log: ProjectLog };

const head = ['', 'tried', 'applied', '', 'broken', 'not judged', 'asked, refused: why'];
/** Kinds of which a package's users may know the name: told apart, because that is always a question. */
const exportable: readonly string[] = ['function', 'class', 'constant'];

export function reportProjects(projects: readonly Named[]): {
  readonly renames: number;
  readonly moves: number;
  readonly broken: number;
  readonly summary: readonly string[];
  readonly markdown: string;
} {
  const verdicts = new Map(
    projects.flatMap(({ name, log }) => [...log.verdicts].map(([id, one]) => [`${name} ${id}`, one])),
  );
  const tries = projects.flatMap(({ name, log }) => log.tries.map((one) => ({ ...one, key: `${name} ${one.id}` })));
  const rowOf = (title: string, ones: typeof tries, reasons: number): readonly string[] => {
    const applied = ones.filter(({ outcome }) => outcome === 'applied');
    const share = ones.length === 0 ? '' : `${((100 * applied.length) / ones.length).toFixed(1)} %`;
    const judged = (wanted: string) =>
      applied.filter(({ key }) => (verdicts.get(key)?.verdict ?? '') === wanted).length;
    return [
      title,
      String(ones.length),
      String(applied.length),
      share,
      String(judged('broken') + judged('together')),
      String(judged('')),
      listReasons(ones).slice(0, reasons).join(', '),
    ];
  };
  const byKind = changeKinds.flatMap((kind) => {
    const ones = tries.filter((one) => one.kind === kind);
    if (!exportable.includes(kind)) return [rowOf(kind, ones, 8)];
    return [
      rowOf(
        `${kind} that no package exports`,
        ones.filter((one) => !isPublic(one)),
        8,
      ),
      rowOf(`${kind} that a package exports`, ones.filter(isPublic), 3),
    ];
  });
  const renames = tries.filter(({ kind }) => kind !== 'move');
  const sums = [
    rowOf('all renames', renames, 0),
    rowOf(
      'all moves',
      tries.filter(({ kind }) => kind === 'move'),
      0,
    ),
  ];
  const byProject = projects.map(({ name, log }) =>
    rowOf(
      `${name} ${log.version}`,
      tries.filter(({ key }) => key.startsWith(`${name} `)),
      0,
    ),
  );
  const rows = [...byKind, ...sums];
  const broken = [...verdicts].filter(([, { verdict }]) => verdict !== 'green');
  const times = tries.map(({ ms }) => ms).sort((a, b) => a - b);
  const says = [
    `${renames.length} renames and ${tries.length - renames.length} moves in ${projects.length} projects; broken: ${broken.length}`,
    `a plan takes ${times[Math.floor(times.length / 2)] ?? 0} ms in the middle, ${times[Math.floor(times.length * 0.95)] ?? 0} ms at the 95th of a hundred, ${times.at(-1) ?? 0} ms at most`,
  ];
  const short = head.slice(0, -1);
  const projectRows = byProject.map((row) => row.slice(0, -1));
  return {
    renames: renames.length,
    moves: tries.length - renames.length,
    broken: broken.length,
    summary: [
      ...says,
      '',
      ...alignRows([head, ...rows]),
      '',
      ...alignRows([short, ...projectRows]),
      ...broken.map(([key, { verdict, says: said }]) => `${verdict}: ${key}\n    ${said.replaceAll('\n', '\n    ')}`),
    ],
    markdown: [
      '*applied*: planned, proven and without a question, then written to a copy and judged by tests of the project that run in seconds; as many must pass',
      'as before. *broken*: a test fails, or is not run any more. Kinds are tried in turn, as far as a project has them.',
      '',
      `- ${says[0]}`,
      '',
      renderTable(head, rows),
      renderTable(['project', ...short.slice(1)], projectRows),
    ].join('\n'),
  };
}

/** Of a round that others came before: what all of them add up to, by their sections in the document. */
export function sayRound(
  round: number,
  { renames, moves, broken, markdown }: Omit<ReturnType<typeof reportProjects>, 'summary'>,
  document: string,
): string {
  if (round < 2) return '';
  const sum = { renames, moves, broken };
  const sections = [markdown];
  for (let at = 1; at < round; at++) {
    const part = at === 1 ? 'projects' : `projects_${at}`;
    const [, section = ''] = new RegExp(`<!-- begin ${part} -->([\\s\\S]*?)<!-- end ${part} -->`).exec(document) ?? [];
    const said = /^- (\d+) renames and (\d+) moves in .*; broken: (\d+)$/m.exec(section);
    if (said === null) throw new Error(`docs/conformance.md has no round ${at}`);
    sections.push(section);
    sum.renames += Number(said[1]);
    sum.moves += Number(said[2]);
    sum.broken += Number(said[3]);
  }
  return [
    'Changes picked by another seed, on the program as it was then; the logs of the rounds above are not kept, so a change may be in two of them.',
    '',
    `- all rounds together: ${sum.renames} renames and ${sum.moves} moves; broken: ${sum.broken}`,
    '',
    renderTable(['all rounds', 'tried', 'applied', '', 'broken', 'not judged'], addKinds(sections)),
    '',
  ].join('\n');
}

/** By kind, whether or not a package exports it, from the table of each round, which has reasons; a sum of earlier rounds has none. */
function addKinds(sections: readonly string[]): readonly (readonly string[])[] {
  const row =
    /^\| ([a-z ]+?)(?: that (?:no|a) package exports)? \| (\d+) \| (\d+) \| [^|]*\| (\d+) \| (\d+) \|[^|\n]*\|$/gm;
  const rows = sections.flatMap((section) => [...section.matchAll(row)]);
  return changeKinds.map((kind) => {
    const own = rows.filter(([, named]) => named === kind);
    const [tried = 0, applied = 0, broken = 0, open = 0] = [2, 3, 4, 5].map((at) =>
      own.reduce((sum, one) => sum + Number(one[at]), 0),
    );
    const share = tried === 0 ? '' : `${((100 * applied) / tried).toFixed(1)} %`;
    return [kind, String(tried), String(applied), share, String(broken), String(open)];
  });
}

function isPublic({ reasons }: ProjectTry): boolean {
  return reasons.includes('public_api');
}

/** A change counts at the first of its reasons alone that is not about the package's users, so that parts add up. */
function listReasons(ones: readonly ProjectTry[]): readonly string[] {
  const asked = ones.filter(({ outcome }) => outcome !== 'applied');
  const byReason = Map.groupBy(asked, ({ reasons, outcome }) => {
    const said = reasons.filter((reason) => reason !== 'public_api');
    return said.length > 0 ? said.join(' + ') : (reasons[0] ?? outcome);
  });
  return [...byReason]
    .sort(([a, some], [b, others]) => others.length - some.length || compareCodeUnits(a, b))
    .map(([reason, some]) => `${reason} ${some.length}`);
}
