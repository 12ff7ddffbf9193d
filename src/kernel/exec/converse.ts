/**
 * A conversation with a script of this package in a process of its own: one line asked, one line answered, in order. Promises:
 * - a question always gets an answer: the line, or why there will be none;
 * - memory and time are bounded for the process and everything below it, and so is the length of an answer;
 * - when `close` resolves, nothing of it is left.
 */

import { limits } from '../base/limits.ts';
import { residentBytes } from '../base/processes.ts';
import { truncate } from '../base/text.ts';
import type { ExecHost, ExecOutcome, ScriptOptions } from './exec.ts';

type ConversationEnd = {
  readonly kind: 'ended';
  readonly why: 'closed' | 'cancelled' | 'timed_out' | 'out_of_memory' | 'answer_too_long' | 'exited' | 'not_started';
  /** For people, with the end of what it wrote to its error stream. */
  readonly detail: string;
};

export type Conversation = {
  ask(line: string): Promise<{ readonly kind: 'line'; readonly line: string } | ConversationEnd>;
  /** Resolves when nothing of the process is left, whatever ended it. */
  readonly ended: Promise<ConversationEnd>;
  /** An answer is still to come. */
  isAsked(): boolean;
  /** Of the process and all below it, now. */
  residentBytes(): number;
  close(why?: 'closed' | 'cancelled' | 'timed_out'): Promise<void>;
};

export type ConversationRequest = Omit<ScriptOptions, 'onInput' | 'onLine' | 'onStart' | 'maxStdoutBytes'> & {
  readonly name: string;
  readonly script: string;
  readonly workspace: string;
  readonly signal: AbortSignal;
  /** Of the process and all below it. */
  readonly residentMb: number;
};

const stderrTailChars = 2_000;
const watchMs = 250;

export function converse(host: ExecHost, request: ConversationRequest): Conversation {
  const stop = new AbortController();
  /** Asked and not answered yet. */
  const waiting: {
    readonly line: string;
    readonly hear: (answer: { readonly kind: 'line'; readonly line: string }) => void;
  }[] = [];
  let stopped: ConversationEnd['why'] | undefined;
  let stderr = '';
  let write: ((text: string) => void) | undefined;

  const end = (why: ConversationEnd['why']): void => {
    stopped ??= why;
    stop.abort();
  };
  const cancel = () => end('cancelled');
  const hear = (line: string, stream: 'stdout' | 'stderr'): void => {
    if (stream === 'stderr') stderr = `${stderr}${truncate(line, stderrTailChars)}\n`.slice(-stderrTailChars);
    // A line that reaches the limit was cut.
    else if (Buffer.byteLength(line) >= request.maxLineBytes) end('answer_too_long');
    // What it still says while it is being ended comes too late.
    else if (stopped === undefined) waiting.shift()?.hear({ kind: 'line', line });
  };

  let watch: NodeJS.Timeout | undefined;
  let group: number | undefined;
  const follow = async (): Promise<ConversationEnd> => {
    const outcome = await host.runScript(
      { name: request.name, signal: stop.signal, workspace: request.workspace },
      request.script,
      {
        ...request,
        signal: stop.signal,
        maxStdoutBytes: limits.stdoutBytes,
        onLine: hear,
        // It is started again if its sandbox could not be made, and has then answered nothing.
        onInput: (input) => {
          write = input.write;
          for (const { line } of waiting) write(`${line}\n`);
        },
        onStart: ({ id }) => {
          clearInterval(watch);
          group = id;
          watch = setInterval(() => {
            // One that waits to be asked does not grow.
            if (waiting.length > 0 && residentBytes(id) > request.residentMb * 1024 ** 2) end('out_of_memory');
          }, watchMs);
        },
      },
    );
    return describeEnd(outcome, stopped, stderr);
  };

  if (request.signal.aborted) cancel();
  else request.signal.addEventListener('abort', cancel, { once: true });
  const ended = follow().finally(() => {
    clearInterval(watch);
    request.signal.removeEventListener('abort', cancel);
  });
  return {
    ask(line) {
      const { promise, resolve } = Promise.withResolvers<{ readonly kind: 'line'; readonly line: string }>();
      waiting.push({ line, hear: resolve });
      write?.(`${line}\n`);
      return Promise.race([promise, ended]);
    },
    ended,
    isAsked: () => waiting.length > 0,
    residentBytes: () => (group === undefined ? 0 : residentBytes(group)),
    async close(why = 'closed') {
      end(why);
      await ended;
    },
  };
}

const sayings: Readonly<Record<Exclude<ConversationEnd['why'], 'exited' | 'not_started'>, string>> = {
  closed: 'It was closed.',
  cancelled: 'It was cancelled.',
  timed_out: 'It ran out of time.',
  out_of_memory: 'It ran out of memory.',
  answer_too_long: 'Its answer was too long.',
};

function describeEnd(
  outcome: ExecOutcome,
  stopped: ConversationEnd['why'] | undefined,
  stderr: string,
): ConversationEnd {
  const withTail = (says: string) => [says, stderr.trim()].filter((part) => part !== '').join('\n');
  if (stopped !== undefined && stopped in sayings)
    return { kind: 'ended', why: stopped, detail: withTail(sayings[stopped as keyof typeof sayings]) };
  switch (outcome.kind) {
    case 'timed_out':
      return { kind: 'ended', why: 'timed_out', detail: withTail(sayings.timed_out) };
    case 'cancelled':
      return { kind: 'ended', why: 'cancelled', detail: withTail(sayings.cancelled) };
    case 'exited':
      return { kind: 'ended', why: 'exited', detail: withTail(`It ended with code ${outcome.code}.`) };
    case 'signalled':
      return { kind: 'ended', why: 'exited', detail: withTail(`It was ended by ${outcome.signal}.`) };
    case 'tool_missing':
      return { kind: 'ended', why: 'not_started', detail: outcome.install };
    case 'sandbox_missing':
      return { kind: 'ended', why: 'not_started', detail: `There is no sandbox: ${outcome.reason}.` };
    case 'bad_cwd':
      return { kind: 'ended', why: 'not_started', detail: `${outcome.cwd} is not a directory.` };
    case 'disallowed':
      return { kind: 'ended', why: 'not_started', detail: `${outcome.argv0} is not allowed.` };
  }
}
