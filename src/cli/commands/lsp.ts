/** `codegenie lsp`: a language server over standard input and output, for editors. Standard output carries the protocol alone. */

import { pathToFileURL } from 'node:url';
import { defineCommand } from '../command.ts';

export default defineCommand({
  name: 'lsp',
  says: 'Serve an editor (language server protocol) over standard input and output; starts or joins the daemon of each work tree',
  args: [],
  flags: [
    { flags: '--no-daemon', says: 'do all work in this process', kind: 'boolean' },
    { flags: '--stdio', says: 'what is done anyway: many editors say it', kind: 'boolean' },
  ],
  async run(invocation) {
    const { flags, globals, terminal } = invocation;
    const { settingsOf } = await import('../ask.ts');
    const { createDaemonFactory, createLocalFactory } = await import('../../serve/mcp/workspace-factory.ts');
    const { openUnsavedAnswers } = await import('../../serve/unsaved/unsaved-answers.ts');
    const { serveLsp } = await import('../../serve/lsp/serve-lsp.ts');
    const isLoud = terminal.environment['CODEGENIE_DEBUG'] !== undefined || globals.verbose;
    const note = (says: string) => void (isLoud && terminal.stderr.write(`codegenie: ${says}\n`));
    const session = new AbortController();
    terminal.signal.addEventListener('abort', () => session.abort(terminal.signal.reason), { once: true });
    const { stdin, stdout } = process;
    const ending = await serveLsp({
      ...{ stdin, stdout, session, cwd: terminal.cwd, settings: settingsOf(invocation) },
      folder: globals.repo === undefined ? undefined : pathToFileURL(globals.repo).href,
      openAnswers({ root, isGit }) {
        const settings = { ...settingsOf(invocation), root, isGit, signal: session.signal };
        const local = createLocalFactory(settings);
        const unsaved = openUnsavedAnswers(settings);
        const open = flags['daemon'] === false ? local.open : createDaemonFactory(settings, local.open, note);
        // It starts while the editor opens its first file.
        if (flags['daemon'] !== false) void Promise.resolve(open(session.signal)).catch(() => {});
        return { open, unsaved, close: async () => void (await Promise.allSettled([unsaved.close(), local.close()])) };
      },
      onBug: (error) => note(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    });
    // The protocol wants another code where a client went without a word.
    return ending === 'in order' ? 'ok' : 'internal';
  },
});
