/** MCP over standard input and output, until the client closes its end. Standard output carries the protocol and nothing else. */

import { PassThrough, type Readable, type Writable } from 'node:stream';
import { createServer, type ServerSettings } from './create-server.ts';

export type StdioSettings = Omit<ServerSettings, 'signal'> & {
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** Aborted from outside to end, and from here when the client has gone: its calls stop. */
  readonly session: AbortController;
};

export async function serveStdio(settings: StdioSettings): Promise<void> {
  const { stdin, stdout, session, onBug } = settings;
  const { signal } = session;
  const sdk = await import('@modelcontextprotocol/server/stdio');
  const pending = new Set<Promise<unknown>>();
  // The transport reads bytes, and standard input may have been told to give text.
  const transport = new sdk.StdioServerTransport(stdin.pipe(new PassThrough()), stdout);
  const ended = new Promise<void>((resolve) => {
    stdin.once('end', resolve);
    stdin.once('close', resolve);
    stdout.once('close', resolve);
    stdout.once('error', () => resolve());
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const handle = sdk.serveStdio(() => createServer(track({ ...settings, signal }, pending)), {
    transport,
    onerror: onBug,
  });
  await ended;
  // The client is gone: questions stop; a change finishes, or the next writer takes it back.
  session.abort(new Error('the client is gone'));
  await Promise.allSettled(pending);
  await handle.close();
  // An input that is open keeps the process.
  stdin.destroy();
}

/** Calls that have begun, so that the process does not end under one that writes. */
function track(settings: ServerSettings, pending: Set<Promise<unknown>>): ServerSettings {
  return {
    ...settings,
    async open(signal) {
      const workspace = await settings.open(signal);
      const watched = <T>(work: Promise<T>): Promise<T> => {
        pending.add(work);
        const done = () => void pending.delete(work);
        work.then(done, done);
        return work;
      };
      return {
        ...workspace,
        ask: (operation, input, options) => watched(workspace.ask(operation, input, options)),
        change: (change, input, options) => watched(workspace.change(change, input, options)),
        gather: (ask) => watched(workspace.gather(ask)),
      };
    },
  };
}
