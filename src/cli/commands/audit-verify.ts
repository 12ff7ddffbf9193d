/** `codegenie audit verify`: is what lies on disk what the last gather wrote? */

import { defineCommand, printJson, repoArgument } from '../command.ts';

export default defineCommand({
  name: 'audit verify',
  says: "Re-hash the last run record's files and say what was checked",
  args: [repoArgument],
  flags: [],
  async run(invocation) {
    const { endWith, openForCommand } = await import('../ask.ts');
    const { globals, terminal } = invocation;
    const opened = await openForCommand(invocation, invocation.args[0]);
    if (opened.kind === 'ended') return opened.ending;
    const outcome = await opened.workspace.audit();
    if (outcome.kind === 'no_record') {
      return endWith(invocation, 'audit', `no run record in ${outcome.directory}; run \`codegenie gather\` first`);
    }
    const ending = outcome.findings.length === 0 ? 'ok' : 'audit';
    if (globals.json) {
      printJson(terminal, { outcome: ending, ...outcome });
      return ending;
    }
    for (const finding of outcome.findings) {
      terminal.stdout.write(
        `${finding.problem} ${finding.file}: expected ${finding.expected}, found ${finding.actual}\n`,
      );
    }
    const verdict = outcome.findings.length === 0 ? 'all as recorded' : `${outcome.findings.length} not as recorded`;
    const older = outcome.olderRecords === 0 ? '' : ` · ${outcome.olderRecords} older records are readable`;
    terminal.stdout.write(
      `checked ${outcome.checked.length} files of run ${outcome.runId} (${outcome.record}): ${verdict}${older}\n`,
    );
    if (globals.verbose) terminal.stdout.write(`${outcome.checked.map((file) => `  ${file}`).join('\n')}\n`);
    return ending;
  },
});
