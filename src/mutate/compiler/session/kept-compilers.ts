/**
 * Compilers that outlast the request they were started for, in a daemon (decision 0036): the next request finds its programs open and much of
 * what it asks answered. That they are of the bytes of now, the job finds out when it is asked to open them. Promises:
 * - one is lent to one request at a time; what ends the request ends what it still asks;
 * - one that was interrupted, failed, grew too large or too old, or was idle for long, is ended;
 * - when `close` resolves, nothing of any is left.
 */

import { freemem } from 'node:os';
import type { Conversation } from '../../../kernel/exec/converse.ts';
import type { CompilerUnavailable } from './messages.ts';

export type CompilerProcess = {
  readonly kind: 'started';
  readonly conversation: Conversation;
  /** It has answered before. */
  readonly isWarm: boolean;
  /** `isSound`: it may be asked again by others, if it can be kept. */
  close(isSound: boolean): Promise<void>;
};

export type KeptCompilers = {
  /** `place`: what it is for; processes that share a proof each find their own part answered. */
  take(
    place: number,
    request: { readonly signal: AbortSignal; readonly timeoutS: number },
    start: (signal: AbortSignal, timeoutS: number) => CompilerProcess | CompilerUnavailable,
  ): CompilerProcess | CompilerUnavailable;
  close(): Promise<void>;
};

type KeptLimits = {
  readonly idleMs: number;
  /** From its start; what it has cached of files that are gone goes with it. */
  readonly lifeMs: number;
  /** Of all that are idle together, … */
  readonly mostMb: number;
  /** … and their part of the memory that would be free without them. */
  readonly share: number;
};

const usual: KeptLimits = { idleMs: 5 * 60_000, lifeMs: 60 * 60_000, mostMb: 4_096, share: 0.25 };

type Kept = {
  readonly process: CompilerProcess;
  readonly startedMs: number;
  bytes: number;
  idle?: NodeJS.Timeout;
};

export function createKeptCompilers(limits: Partial<KeptLimits> = {}, nowMs: () => number = Date.now): KeptCompilers {
  const { idleMs, lifeMs, mostMb, share } = { ...usual, ...limits };
  const idle = new Map<number, Kept>();
  const all = new Set<CompilerProcess>();
  const ending = new AbortController();

  const end = async (kept: Kept): Promise<void> => {
    clearTimeout(kept.idle);
    for (const [place, one] of idle) if (one === kept) idle.delete(place);
    await kept.process.close(false);
  };
  const mayKeep = (kept: Kept): boolean => {
    const held = [...idle.values()].reduce((sum, { bytes }) => sum + bytes, kept.bytes);
    return held <= Math.min(mostMb * 1024 ** 2, (freemem() + held) * share);
  };
  const keep = async (place: number, kept: Kept): Promise<void> => {
    kept.bytes = kept.process.conversation.residentBytes();
    if (ending.signal.aborted || idle.has(place) || isOld(kept) || !mayKeep(kept)) return end(kept);
    idle.set(place, kept);
    kept.idle = setTimeout(() => void end(kept), idleMs).unref();
  };
  const isOld = ({ startedMs }: Kept) => nowMs() - startedMs > lifeMs;

  return {
    take(place, { signal, timeoutS }, start) {
      const found = idle.get(place);
      idle.delete(place);
      clearTimeout(found?.idle);
      if (found !== undefined && isOld(found)) void end(found);
      const isWarm = found !== undefined && !isOld(found);
      // Its life may end while it is lent, which then takes no longer than a request may.
      const process = isWarm ? found.process : start(ending.signal, lifeMs / 1000 + timeoutS);
      if (process.kind === 'unavailable') return process;
      const kept = isWarm ? found : { process, startedMs: nowMs(), bytes: 0 };
      if (!isWarm) {
        all.add(process);
        const forget = () => {
          all.delete(process);
          void end(kept);
        };
        void process.conversation.ended.then(forget);
      }
      const { conversation } = process;
      const cancel = () => void conversation.close('cancelled');
      const timer = setTimeout(() => void conversation.close('timed_out'), timeoutS * 1000).unref();
      if (signal.aborted) cancel();
      else signal.addEventListener('abort', cancel, { once: true });
      let isBack = false;
      return {
        kind: 'started',
        conversation,
        isWarm,
        async close(isSound) {
          if (isBack) return;
          isBack = true;
          clearTimeout(timer);
          signal.removeEventListener('abort', cancel);
          await (isSound && !signal.aborted && !conversation.isAsked() ? keep(place, kept) : end(kept));
        },
      };
    },
    async close() {
      ending.abort();
      await Promise.all([...all].map((process) => process.close(false)));
    },
  };
}
