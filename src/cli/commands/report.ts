/** `codegenie report`: the last context for people, with freshness judged again from disk; `--explain` tells where a field is from. */

import { defineCommand, printJson, repoArgument } from '../command.ts';

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
    const { outcomeSince } = await import('../../gather/freshness/since.ts');
    const { globals, terminal, flags } = invocation;
    const opened = await openForCommand(invocation, invocation.args[0]);
    if (opened.kind === 'ended') return opened.ending;
    if (typeof flags['explain'] === 'string') {
      const answer = await opened.workspace.explain(flags['explain']);
      if (answer.kind === 'explained') {
        if (globals.json) {
          const { since, explanation } = answer;
          printJson(terminal, { outcome: outcomeSince(since, explanation.path), ...explanation, since });
        } else terminal.stdout.write(`${answer.text.trimEnd()}\n`);
        return 'ok';
      }
      if (answer.kind === 'unknown_field') return endWith(invocation, 'usage', answer.text.trimEnd());
      if (answer.kind === 'config_invalid') return showConfigProblems(invocation, answer.problems);
      return noContext(invocation, answer);
    }
    const { textAt } = await import('../../gather/report/loose-json.ts');
    const answer = await opened.workspace.report();
    if (answer.kind === 'config_invalid') return showConfigProblems(invocation, answer.problems);
    if (answer.kind !== 'report') return noContext(invocation, answer);
    const json = {
      outcome: outcomeSince(answer.since),
      repo: { ...opened.workspace.repo(), head: textAt(answer.envelope, 'repo', 'git_commit') },
      since: answer.since,
      freshness_now: answer.freshnessNow,
      context: answer.envelope,
    };
    if (globals.json) printJson(terminal, json);
    else terminal.stdout.write(`${answer.markdown.trimEnd()}\n`);
    return 'ok';
  },
});
