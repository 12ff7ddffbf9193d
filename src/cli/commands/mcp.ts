/** `codegenie mcp`: the tools for agents, over standard input and output. Standard output carries the protocol alone. */

import { defineCommand } from '../command.ts';

export default defineCommand({
  name: 'mcp',
  says: 'Serve the tools for agents (MCP) over standard input and output; starts or joins the daemon of the work tree',
  args: [],
  flags: [{ flags: '--no-daemon', says: 'do all work in this process', kind: 'boolean' }],
  async run(invocation) {
    const { flags, globals, terminal } = invocation;
    const { locateForCommand, settingsOf } = await import('../ask.ts');
    const { workspaceVariable } = await import('../../serve/setup/clients.ts');
    // An editor that has no folder open, or does not know the variable, leaves it as it is: then it is where it has started us.
    const repo = globals.repo === workspaceVariable || globals.repo === '' ? undefined : globals.repo;
    // What is wrong with the directory is said once, by ending, and on stderr: stdout is the client's.
    const asked = { ...invocation, globals: { ...globals, repo, json: false, quiet: true } };
    const located = await locateForCommand(asked, undefined);
    if (located.kind === 'ended') return located.ending;
    const { createLocalFactory } = await import('../../serve/mcp/workspace-factory.ts');
    const isLoud = terminal.environment['CODEGENIE_DEBUG'] !== undefined || globals.verbose;
    const note = (says: string) => void (isLoud && terminal.stderr.write(`codegenie: ${says}\n`));
    const session = new AbortController();
    terminal.signal.addEventListener('abort', () => session.abort(terminal.signal.reason), { once: true });
    const { root, isGit } = located;
    const settings = { ...settingsOf(invocation), root, isGit, signal: session.signal };
    const local = createLocalFactory(settings);
    let { open } = local;
    if (flags['daemon'] !== false) {
      const { createDaemonFactory } = await import('../../serve/mcp/workspace-factory.ts');
      open = createDaemonFactory(settings, local.open, note);
      // It starts while all else is loaded and the client still says hello.
      void Promise.resolve(open(session.signal)).catch(() => {});
    }
    try {
      const { serveStdio } = await import('../../serve/mcp/serve-stdio.ts');
      const { stdin, stdout } = process;
      const onBug = (error: unknown) => note(error instanceof Error ? (error.stack ?? error.message) : String(error));
      await serveStdio({ stdin, stdout, session, open, onBug });
    } finally {
      await local.close();
    }
    return 'ok';
  },
});
