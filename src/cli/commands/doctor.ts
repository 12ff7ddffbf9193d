/** `codegenie doctor`: what this machine has, and what to do about what it lacks. */

import { defineCommand, printJson, repoArgument } from '../command.ts';

export default defineCommand({
  name: 'doctor',
  says: 'Check runtime, sandbox, tools and data, with what to do about each',
  args: [repoArgument],
  flags: [],
  async run(invocation) {
    const { openForCommand } = await import('../ask.ts');
    const { globals, terminal } = invocation;
    const opened = await openForCommand(invocation, invocation.args[0]);
    if (opened.kind === 'ended') return opened.ending;
    const report = await opened.workspace.doctor();
    if (globals.json) {
      printJson(terminal, { outcome: 'ok', repo: opened.workspace.repo(), ...report });
      return 'ok';
    }
    const mark = { ok: '✓', note: '–', problem: '✗' } as const;
    for (const [title, findings] of [
      ['Runtime', report.runtime],
      ['Tools', report.tools],
      ['Data', report.data],
    ] as const) {
      terminal.stdout.write(`${title}\n`);
      for (const finding of findings) {
        terminal.stdout.write(
          `  ${mark[finding.level]} ${finding.what}${finding.remedy === null ? '' : ` · ${finding.remedy}`}\n`,
        );
      }
    }
    return 'ok';
  },
});
