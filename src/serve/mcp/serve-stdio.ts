/** MCP over standard input and output, until the client closes its end. Standard output carries the protocol and nothing else. */

import { type Readable, Transform, Writable } from 'node:stream';
import { visibleJson, visibleText } from '../../kernel/secrets/outgoing.ts';
import { createServer, type ServerSettings } from './create-server.ts';
import { type MessageProblem, readMessage } from './read-message.ts';

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
  const { isSpecType } = await import('@modelcontextprotocol/server');
  const pending = new Set<Promise<unknown>>();
  const answer = (problem: MessageProblem) => void stdout.write(`${visibleJson({ jsonrpc: '2.0', ...problem })}\n`);
  const messages = onlyMessages(isSpecType.JSONRPCMessage, answer);
  const transport = new sdk.StdioServerTransport(stdin.pipe(messages), showingHidden(stdout));
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

/** The protocol's own writer of JSON knows nothing of what hides. A chunk is whole messages. */
function showingHidden(stdout: Writable): Writable {
  return new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, _, done) => void stdout.write(visibleText(chunk.toString()), done),
  });
}

const maxLineBytes = 64 * 1024 ** 2;
const tooLong: MessageProblem = {
  id: null,
  error: { code: -32600, message: `a message is at most ${maxLineBytes} bytes long` },
};

/** Lets lines through that the transport understands. */
function onlyMessages(isKnown: (value: unknown) => boolean, answer: (problem: MessageProblem) => void): Transform {
  let rest: Buffer[] = [];
  let size = 0;
  const take = (stream: Transform, line: Buffer): void => {
    if (line.length === 0 || (line.length === 1 && line[0] === 0x0d)) return;
    const read = readMessage(line, isKnown);
    if ('problem' in read) answer(read.problem);
    else stream.push(Buffer.concat([line, Buffer.from('\n')]));
  };
  return new Transform({
    // Standard input may have been told to give text.
    transform(chunk: Buffer | string, encoding, done) {
      let bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding as BufferEncoding) : chunk;
      for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a)) {
        if (size + end > maxLineBytes) answer(tooLong);
        else take(this, Buffer.concat([...rest, bytes.subarray(0, end)]));
        rest = [];
        size = 0;
        bytes = bytes.subarray(end + 1);
      }
      size += bytes.length;
      if (size <= maxLineBytes) rest.push(bytes);
      else rest = [];
      done();
    },
    flush(done) {
      take(this, Buffer.concat(rest));
      done();
    },
  });
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
