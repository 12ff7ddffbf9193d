/** `codegenie setup`: tell an agent or an editor of the MCP server, in the user's own file. Shown first, asked, and reversible. */

import { clientNames } from '../../serve/setup/clients.ts';
import { defineCommand, type Invocation, printJson, type Terminal } from '../command.ts';
import type { Ending } from '../exit-codes.ts';

export default defineCommand({
  name: 'setup',
  says: 'Register the MCP server with claude-code, codex, cursor or vscode, in your user-level file; shows the change and asks',
  args: [{ name: '[client]', says: 'claude-code, codex, cursor or vscode', words: clientNames }],
  flags: [
    { flags: '--print', says: 'print what to write and where, and touch nothing', kind: 'boolean' },
    { flags: '--yes', says: 'do not ask', kind: 'boolean' },
    { flags: '--remove', says: 'take the entry out again', kind: 'boolean' },
  ],
  async run(invocation) {
    const { args, flags, terminal } = invocation;
    const { endWith } = await import('../ask.ts');
    const { clients } = await import('../../serve/setup/clients.ts');
    const { entryFile } = await import('../../kernel/exec/start-self.ts');
    const { planSetup, snippetOf } = await import('../../serve/setup/plan-setup.ts');
    const name = clientNames.find((known) => known === args[0]);
    if (name === undefined) return endWith(invocation, 'usage', `name a client: ${clientNames.join(', ')}`);
    const client = clients[name];
    const machine = { home: terminal.home, platform: process.platform, environment: terminal.environment };
    const server = { command: process.execPath, args: [entryFile] };
    if (flags['print'] === true) {
      const { path } = client.file(machine);
      const snippet = await snippetOf(client, server);
      return show(invocation, 'ok', { path, snippet }, `${path}\n\n${snippet.trimEnd()}`);
    }
    const ask = { client: name, remove: flags['remove'] === true, machine, server };
    const plan = await planSetup(ask);
    if (plan.kind === 'refused') return endWith(invocation, 'output_refused', `${plan.path} ${plan.why}`);
    if (plan.kind === 'nothing')
      return show(invocation, 'ok', { path: plan.path, written: false }, `${plan.path}: nothing to do, ${plan.why}`);
    const { path, target, diff } = plan;
    const link = target === path ? '' : `(${path} is a link to ${target})\n`;
    if (!invocation.globals.json) terminal.stdout.write(`${link}${diff}\n`);
    if (flags['yes'] !== true && !(await isWanted(terminal, target)))
      return invocation.globals.json
        ? show(invocation, 'usage', { path, diff, written: false, message: notAsked }, '')
        : endWith(invocation, 'usage', notAsked);
    const { applySetup } = await import('../../serve/setup/apply-setup.ts');
    const applied = applySetup(ask, plan);
    if (applied.kind === 'refused') return endWith(invocation, 'output_refused', `${path} ${applied.why}`);
    const kept = applied.backup === null ? '' : `; what was there is kept in ${applied.backup}`;
    const then = ask.remove ? `restart ${client.title}` : client.afterwards;
    return show(
      invocation,
      'ok',
      { path, diff, written: true, backup: applied.backup },
      `${ask.remove ? 'taken out' : 'written'}${kept}\nnext: ${then}`,
    );
  },
});

const notAsked = 'nothing was written: the change was not confirmed; --yes writes it without asking';

function show({ globals, terminal }: Invocation, outcome: Ending, fields: object, text: string): Ending {
  if (globals.json) printJson(terminal, { outcome, ...fields });
  else terminal.stdout.write(`${text}\n`);
  return outcome;
}

/** Only a person at a terminal can be asked. */
async function isWanted({ stdin, stdout, stderr }: Terminal, target: string): Promise<boolean> {
  const input = stdin as (AsyncIterable<string> & { readonly isTTY?: boolean }) | undefined;
  if (input?.isTTY !== true || stdout.isTTY !== true) return false;
  stderr.write(`write this to ${target}? [y/N] `);
  for await (const answer of input) return /^\s*y(?:es)?\s*$/i.test(answer);
  return false;
}
