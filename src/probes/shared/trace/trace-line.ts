/**
 * Lines of a strace log (`-f -o`) as calls: the pid in front, and halves of a call that another process interrupted put together.
 * What is no such line is no call; nothing throws.
 */

export type TraceLine = { readonly pid: number; readonly body: string };

const unfinished = ' <unfinished ...>';
const resumed = ' resumed>';
const superseded = '+++ superseded by execve in pid ';
const space = 0x20;

/** `13325 openat(…` → pid and the rest; undefined for a line without a pid. */
export function splitTraceLine(line: string): TraceLine | undefined {
  let at = 0;
  let pid = 0;
  for (let code = line.charCodeAt(0); code >= 0x30 && code <= 0x39 && at < 10; code = line.charCodeAt(at)) {
    pid = pid * 10 + (code - 0x30);
    at += 1;
  }
  if (at === 0 || line.charCodeAt(at) !== space) return undefined;
  while (line.charCodeAt(at) === space) at += 1;
  return at < line.length ? { pid, body: line.slice(at) } : undefined;
}

export type CallJoiner = {
  /** The call that this line completes, whole; null where it completes none. */
  push(pid: number, body: string): string | null;
  /** Forgets what was begun. */
  clear(): void;
  /** What was begun and never ended: the workload was killed in the middle of it. */
  listUnfinished(): readonly TraceLine[];
};

export function createCallJoiner(): CallJoiner {
  const begun = new Map<number, string>();

  const settle = (pid: number, body: string): string | null => {
    if (!body.endsWith(unfinished)) return body;
    begun.set(pid, body.slice(0, -unfinished.length));
    return null;
  };

  /** An exec by a thread ends under the pid of the leader, which says so; any other end of a process is the end of its call. */
  const end = (pid: number, body: string): string | null => {
    const call = begun.get(pid);
    begun.delete(pid);
    if (!body.startsWith(superseded)) return call === undefined ? null : `${call}${unfinished}`;
    const thread = Number.parseInt(body.slice(superseded.length), 10);
    const ofThread = begun.get(thread);
    begun.delete(thread);
    if (ofThread !== undefined) begun.set(pid, ofThread);
    return null;
  };

  return {
    push(pid, body) {
      const first = body.charCodeAt(0);
      if (first === 0x2b /* + */) return end(pid, body);
      if (first === 0x2d /* - */) return null;
      if (first !== 0x3c /* < */) return settle(pid, body);
      const call = begun.get(pid);
      const at = body.indexOf(resumed);
      if (call === undefined || at < 0) return null;
      begun.delete(pid);
      return settle(pid, call + body.slice(at + resumed.length));
    },
    clear: () => begun.clear(),
    listUnfinished: () => [...begun].map(([pid, call]) => ({ pid, body: `${call}${unfinished}` })),
  };
}
