/** `codegenie ui`: the page for people, in a browser. */

import { defineCommand, printJson, repoArgument } from '../command.ts';

export default defineCommand({
  name: 'ui',
  says: 'Open the page for people in a browser: facts with their evidence, questions, changes; starts the daemon where none runs',
  args: [repoArgument],
  flags: [{ flags: '--no-open', says: 'print the address and open nothing', kind: 'boolean' }],
  async run(invocation) {
    const { args, flags, globals, terminal } = invocation;
    const { endWith, locateForCommand, settingsOf } = await import('../ask.ts');
    const located = await locateForCommand(invocation, args[0]);
    if (located.kind === 'ended') return located.ending;
    const { buildForPerson, showPage } = await import('../show-page.ts');
    await buildForPerson(invocation);
    const { startDaemon } = await import('../../serve/daemon/daemon-process.ts');
    const started = await startDaemon(located.root, { ...settingsOf(invocation), flags: [] });
    if (started.kind === 'failed') return endWith(invocation, 'busy', started.message);
    const { askDaemon } = await import('../../serve/workspace/remote-workspace.ts');
    const { socket } = started;
    const reply = await askDaemon({ socket, method: 'POST', path: '/v1/page', signal: terminal.signal });
    if (reply.kind !== 'result')
      return endWith(invocation, 'busy', reply.kind === 'problem' ? reply.message : 'the daemon ended; ask again');
    const { address } = reply.result as { readonly address: string };
    if (globals.json) printJson(terminal, { outcome: 'ok', root: located.root, address });
    else terminal.stdout.write(`${address}\n`);
    if (flags['open'] !== false && !globals.json) await showPage(invocation, located.root);
    return 'ok';
  },
});
