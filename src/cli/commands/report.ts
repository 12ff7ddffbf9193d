/** `codegenie report`: the last context for people, with freshness judged again from disk; `--explain` tells where a field is from. */

import { defineCommand, repoArgument } from '../command.ts';

export default defineCommand({
  name: 'report',
  says: 'Print the report of the last gather, or explain one field of it',
  args: [repoArgument],
  flags: [
    {
      flags: '--explain <field>',
      says: 'probe, tools, inputs, evidence and freshness behind a field, such as build_system.lockfile',
      kind: 'text',
    },
  ],
  async run(invocation) {
    const { endWith, noContext, openForCommand, showConfigProblems } = await import('../ask.ts');
    const { globals, terminal, flags } = invocation;
    const opened = await openForCommand(invocation, invocation.args[0]);
    if (opened.kind === 'ended') return opened.ending;
    if (typeof flags['explain'] === 'string') {
      const answer = await opened.workspace.explain(flags['explain']);
      if (answer.kind === 'explained') {
        terminal.stdout.write(
          globals.json ? `${JSON.stringify({ outcome: 'ok', ...answer.explanation })}\n` : `${answer.text.trimEnd()}\n`,
        );
        return 'ok';
      }
      if (answer.kind === 'unknown_field') return endWith(invocation, 'usage', answer.text.trimEnd());
      return noContext(invocation, answer);
    }
    const { textAt } = await import('../../gather/report/loose-json.ts');
    const answer = await opened.workspace.report();
    if (answer.kind === 'config_invalid') return showConfigProblems(invocation, answer.problems);
    if (answer.kind !== 'report') return noContext(invocation, answer);
    const json = {
      outcome: 'ok',
      repo: { ...opened.workspace.repo(), head: textAt(answer.envelope, 'repo', 'git_commit') },
      freshness_now: answer.freshnessNow,
      context: answer.envelope,
    };
    terminal.stdout.write(globals.json ? `${JSON.stringify(json)}\n` : `${answer.markdown.trimEnd()}\n`);
    return 'ok';
  },
});
