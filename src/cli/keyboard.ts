/**
 * Keys one by one, as they are pressed. While it is open the terminal neither shows what is typed nor turns Ctrl-C into a signal: Ctrl-C is a key
 * like another, and its caller decides what it leaves behind. Closed, the terminal is as it was; where the process ends without that, the
 * runtime puts it back.
 */

import { setTimeout } from 'node:timers/promises';
import type { ReadStream } from 'node:tty';
import type { Keyboard } from './command.ts';

/** What was typed while nothing listened comes within this. */
const settleMs = 20;

export const ctrlC = '\x03';

export async function openKeyboard(input: ReadStream, signal: AbortSignal): Promise<Keyboard> {
  const pressed: string[] = [];
  const waiting: { readonly resolve: (key: string | undefined) => void; readonly reject: (why: unknown) => void }[] =
    [];
  let hasEnded = false;
  const onData = (chunk: Buffer | string) => {
    for (const key of keysOf(String(chunk))) {
      const first = waiting.shift();
      if (first === undefined) pressed.push(key);
      else first.resolve(key);
    }
  };
  const onEnd = () => {
    hasEnded = true;
    for (const one of waiting.splice(0)) one.resolve(undefined);
  };
  const onAbort = () => {
    for (const one of waiting.splice(0)) one.reject(signal.reason);
  };
  input.setRawMode(true);
  input.on('data', onData);
  input.on('end', onEnd);
  // A terminal that is gone ends the input.
  input.on('error', onEnd);
  signal.addEventListener('abort', onAbort);
  input.resume();
  await setTimeout(settleMs);
  return {
    next() {
      signal.throwIfAborted();
      const key = pressed.shift();
      if (key !== undefined || hasEnded) return Promise.resolve(key);
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    forget() {
      if (!pressed.includes(ctrlC)) pressed.length = 0;
      else pressed.splice(0, pressed.length, ctrlC);
    },
    close() {
      input.off('data', onData);
      input.off('end', onEnd);
      input.off('error', onEnd);
      signal.removeEventListener('abort', onAbort);
      input.setRawMode(false);
      input.pause();
    },
  };
}

/** What a key sends: one character, or a sequence that begins with an escape. */
function keysOf(text: string): readonly string[] {
  return text.startsWith('\x1b') ? [text] : [...text];
}
