/** `codegenie mcp`: the tools for agents, over standard input and output. Standard output carries the protocol alone. */

import { defineCommand } from '../command.ts';

export default defineCommand({
  name: 'mcp',
  says: 'Serve the tools for agents (MCP) over standard input and output',
  args: [],
  flags: [],
  async run(invocation) {
    const { globals, terminal } = invocation;
    const { openForCommand } = await import('../open-for-command.ts');
    const { packageVersion } = await import('../../kernel/base/package-files.ts');
    const { findRoot } = await import('../../kernel/repo/root.ts');
    const { createLocalFactory } = await import('../../serve/mcp/local-factory.ts');
    const { serveStdio } = await import('../../serve/mcp/serve-stdio.ts');
    // What is wrong with the directory is said once, by ending, and on stderr: stdout is the client's.
    const opened = await openForCommand(
      { ...invocation, globals: { ...globals, json: false, quiet: true } },
      undefined,
    );
    if (opened.kind === 'ended') return opened.ending;
    const { root } = opened.workspace;
    const found = findRoot(root, root);
    const isGit = found.kind === 'root' && found.isGit;
    const { cwd: _, ...world } = terminal;
    const factory = createLocalFactory({ ...world, root, isGit, cliVersion: packageVersion() });
    const onBug = (error: unknown) => {
      if (terminal.environment['CODEGENIE_DEBUG'] === undefined) return;
      terminal.stderr.write(`codegenie: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    };
    try {
      const { stdin, stdout } = process;
      await serveStdio({ stdin, stdout, signal: terminal.signal, open: factory.open, onBug });
    } finally {
      await factory.close();
    }
    return 'ok';
  },
});
