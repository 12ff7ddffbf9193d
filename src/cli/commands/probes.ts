/** `codegenie probes`: every probe in one line, and all that one of them declares. */

import { type Command, defineCommand, printJson } from '../command.ts';

export default [
  defineCommand({
    name: 'probes list',
    says: 'List every probe with its layer and what it tells',
    args: [],
    flags: [],
    async run({ globals, terminal }) {
      const { listKnownProbes } = await import('../../serve/workspace/local-gathering.ts');
      const probes = await listKnownProbes({ root: terminal.cwd, home: terminal.home });
      const { describeProbe } = await import('../../serve/workspace/describe-probe.ts');
      if (globals.json) printJson(terminal, { outcome: 'ok', probes: probes.map(describeProbe) });
      else {
        const width = Math.max(...probes.map((probe) => probe.name.length));
        const lines = [...probes].sort((a, b) => (a.layer < b.layer ? -1 : a.layer > b.layer ? 1 : 0));
        terminal.stdout.write(
          lines
            .map(
              (probe) =>
                `${probe.layer}  ${probe.name.padEnd(width)}  ${probe.says}${probe.foreign === undefined ? '' : ` (${probe.foreign})`}\n`,
            )
            .join(''),
        );
      }
      return 'ok';
    },
  }),
  defineCommand({
    name: 'probes show',
    says: 'Show what one probe reads, tells, warns of, and how sure it is',
    args: [{ name: '<name>', says: 'a probe, as in `probes list`', words: 'probes' }],
    flags: [],
    async run(invocation) {
      const { globals, terminal, args } = invocation;
      const { listKnownProbes } = await import('../../serve/workspace/local-gathering.ts');
      const probes = await listKnownProbes({ root: terminal.cwd, home: terminal.home });
      const { describeProbe, renderProbe } = await import('../../serve/workspace/describe-probe.ts');
      const probe = probes.find((candidate) => candidate.name === args[0]);
      if (probe === undefined) {
        const { didYouMean } = await import('../../kernel/base/text.ts');
        const { endWith } = await import('../ask.ts');
        const names = probes.map((candidate) => candidate.name);
        return endWith(invocation, 'usage', `unknown probe '${args[0]}'${didYouMean(args[0] ?? '', names)}`);
      }
      if (globals.json) printJson(terminal, { outcome: 'ok', ...describeProbe(probe) });
      else terminal.stdout.write(renderProbe(probe));
      return 'ok';
    },
  }),
] satisfies readonly Command[];
