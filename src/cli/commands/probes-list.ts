/** `codegenie probes list`: every probe in one line. */

import { defineCommand } from '../command.ts';

export default defineCommand({
  name: 'probes list',
  says: 'List every probe with its layer and what it tells',
  args: [],
  flags: [],
  async run({ globals, terminal }) {
    const { probes } = await import('../../probes/registry.gen.ts');
    const { describeProbe } = await import('../../serve/workspace/describe-probe.ts');
    if (globals.json)
      terminal.stdout.write(`${JSON.stringify({ outcome: 'ok', probes: probes.map(describeProbe) })}\n`);
    else {
      const width = Math.max(...probes.map((probe) => probe.name.length));
      const lines = [...probes].sort((a, b) => (a.layer < b.layer ? -1 : a.layer > b.layer ? 1 : 0));
      terminal.stdout.write(
        lines.map((probe) => `${probe.layer}  ${probe.name.padEnd(width)}  ${probe.says}\n`).join(''),
      );
    }
    return 'ok';
  },
});
