/** `codegenie doctor`: what works here, what would do more, and what is broken, each with what to do; and one command that installs what is missing. */

import type { DoctorReport } from '../../serve/workspace/doctor.ts';
import { defineCommand, printJson, repoArgument } from '../command.ts';

export default defineCommand({
  name: 'doctor',
  says: 'Show what works here, what would do more, and what is broken, with what to do about each',
  args: [repoArgument],
  flags: [],
  async run(invocation) {
    const { openForCommand } = await import('../ask.ts');
    const { globals, terminal } = invocation;
    const opened = await openForCommand(invocation, invocation.args[0]);
    if (opened.kind === 'ended') return opened.ending;
    const report = await opened.workspace.doctor();
    if (globals.json) printJson(terminal, { outcome: 'ok', repo: opened.workspace.repo(), ...report });
    else {
      const { columns } = await import('../../serve/operations/answer-words.ts');
      const parts = partsOf(report).map(([title, rows]) => [title, ...columns(rows)].join('\n'));
      terminal.stdout.write(`${parts.join('\n\n')}\n`);
    }
    return 'ok';
  },
});

type Row = readonly string[];

function partsOf(report: DoctorReport): readonly (readonly [title: string, rows: readonly Row[]])[] {
  const findings = [...report.runtime, ...report.data];
  const of = (level: 'ok' | 'note' | 'problem') => findings.filter((finding) => finding.level === level);
  const row = (mark: string, { what, remedy }: (typeof findings)[number]): Row => [
    `${mark} ${what}${remedy === null ? '' : ` · ${remedy}`}`,
  ];
  const there = report.tools.filter(({ level }) => level === 'ok');
  const lacking = report.tools.filter(({ level, needed }) => level === 'note' && needed);
  const unneeded = report.tools.filter(({ level, needed }) => level === 'note' && !needed);
  const broken = [...of('problem'), ...report.tools.filter(({ level }) => level === 'problem')];
  const { install } = report;
  return [
    [
      'works',
      [
        ...of('ok').map((finding) => row('✓', finding)),
        [`✓ tools: ${there.map(({ what }) => what).join(', ')}`],
        ...(unneeded.length === 0
          ? []
          : [[`  not there, and of no use here: ${unneeded.map(({ name }) => name).join(', ')}`]]),
      ],
    ],
    [
      'would do more',
      lacking.length + of('note').length === 0
        ? [['  nothing that is known']]
        : [
            ...of('note').map((finding) => row('–', finding)),
            ...lacking.map(({ what, gives, remedy }) => [
              `– ${what}${gives === null ? '' : `: would give ${gives}`}${remedy === null ? '' : ` · ${remedy}`}`,
            ]),
          ],
    ],
    ['is broken', broken.length === 0 ? [['  nothing']] : broken.map((finding) => row('✗', finding))],
    ...(install === null ? [] : ([['installs what is missing (it is not run)', [[`  ${install.command}`]]]] as const)),
  ];
}
