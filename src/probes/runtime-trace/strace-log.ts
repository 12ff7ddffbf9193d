/**
 * A strace log (`-f -o`) as calls of the workload: lines with their pid in front, halves of a call that another process interrupted put
 * together, the engine's own lines left out (probes.md, runtime_trace, parser). What is no such line is no call; nothing throws.
 *
 * Attached to the parked runtime: the workload begins with the attached process's first successful exec of a program; every pid
 * seen before is a thread of the runtime. Whether a pid belongs is known when its first line comes, so the log can be read while
 * it grows. A log of the whole engine is separated by its `pivot_root`, in two passes, for a child's lines may stand before the
 * line that says whose child it is.
 */

type OnCall = (pid: number, call: string) => void;

type WorkloadSelection = {
  push(line: string): void;
  /** Gives what was begun and never ended; called once, after the last line. */
  end(): void;
  /** Has the program itself been started? */
  readonly started: boolean;
};

type TraceLine = { readonly pid: number; readonly body: string };

type CallJoiner = {
  /** The call that this line completes, whole; null where it completes none. */
  push(pid: number, body: string): string | null;
  /** Forgets what was begun. */
  clear(): void;
  /** What was begun and never ended: the workload was killed in the middle of it. */
  listUnfinished(): readonly TraceLine[];
};

/** The workload's calls, halves joined, from a log that holds the engine's as well; `pid` null for a log of the whole engine. */
export function selectWorkload(lines: readonly string[], pid: number | null): readonly string[] {
  const kept: string[] = [];
  const keep: OnCall = (of, call) => void kept.push(`${of} ${call}`);
  if (pid === null) selectFromEngineLog(lines, keep);
  else {
    const selection = followWorkload(pid, keep);
    for (const line of lines) selection.push(line);
    selection.end();
  }
  return kept;
}

/** One line after the other. With `first`, the log begins with the workload: the process of its first line is the attached one. */
export function followWorkload(attached: number | 'first', onCall: OnCall): WorkloadSelection {
  const joiner = createCallJoiner();
  const runtime = new Set<number>();
  let leader = attached === 'first' ? undefined : attached;
  let started = false;

  const isStart = (pid: number, call: string): boolean => pid === leader && isProgramStart(call);
  const push = (text: string): void => {
    const line = splitTraceLine(text);
    if (line === undefined) return;
    const { pid, body } = line;
    leader ??= pid;
    if (started && runtime.has(pid)) return;
    if (!started && pid !== leader) runtime.add(pid);
    const call = joiner.push(pid, body);
    if (call === null) return;
    if (!started && isStart(pid, call)) {
      started = true;
      joiner.clear();
    }
    if (started) onCall(pid, call);
  };
  return {
    push,
    end() {
      if (started) for (const { pid, body } of joiner.listUnfinished()) onCall(pid, body);
    },
    get started() {
      return started;
    },
  };
}

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

export function isExec(call: string): boolean {
  return call.startsWith('execve(') || call.startsWith('execveat(');
}

/** Did a call that answers 0 answer 0? */
export function succeeded(call: string): boolean {
  return call.endsWith(' = 0');
}

/** Where the string that opens at `open` (a quote) closes; -1 where it does not. */
export function closingQuote(text: string, open: number): number {
  let at = text.indexOf('"', open + 1);
  while (at > 0 && isEscaped(text, at, open)) at = text.indexOf('"', at + 1);
  return at;
}

/** Total: escapes become bytes, the bytes text; what is no UTF-8 becomes U+FFFD. Characters of `text` are bytes already. */
export function decodeCString(text: string): string {
  if (isPlain(text)) return text;
  const bytes = new Uint8Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; ) {
    const [byte, next] = text.charCodeAt(at) === 0x5c ? readEscape(text, at + 1) : [text.charCodeAt(at), at + 1];
    bytes[length] = byte;
    length += 1;
    at = next;
  }
  return decoder.decode(bytes.subarray(0, length));
}

/** Pass 1 finds the container's first process and the parent of every process; pass 2 keeps it and its descendants. */
function selectFromEngineLog(lines: readonly string[], onCall: OnCall): void {
  const calls = joinAll(lines);
  const start = findContainerStart(calls);
  if (start === undefined) return;
  const children = new Map<number, Ordered[]>();
  for (const { at, pid, call } of calls) {
    const child = childOf(call);
    if (child === undefined) continue;
    const known = children.get(pid) ?? [];
    known.push({ at, pid: child, call });
    children.set(pid, known);
  }
  const members = new Set([start.pid]);
  for (const pid of members) {
    for (const child of children.get(pid) ?? []) {
      // What the runtime forked before it became the program is the runtime's.
      if (pid !== start.pid || child.at > start.at) members.add(child.pid);
    }
  }
  for (const { at, pid, call } of calls) {
    if (members.has(pid) && (pid !== start.pid || at >= start.at)) onCall(pid, call);
  }
}

/** The runtime starts itself again through `/proc/self/exe`; that is not the program. */
function isProgramStart(call: string): boolean {
  return isExec(call) && succeeded(call) && !call.startsWith('execve("/proc/self/exe"');
}

type Ordered = { readonly at: number; readonly pid: number; readonly call: string };

function joinAll(lines: readonly string[]): Ordered[] {
  const joiner: CallJoiner = createCallJoiner();
  const calls: Ordered[] = [];
  lines.forEach((text, at) => {
    const line: TraceLine | undefined = splitTraceLine(text);
    const call = line === undefined ? null : joiner.push(line.pid, line.body);
    if (line !== undefined && call !== null) calls.push({ at, pid: line.pid, call });
  });
  for (const { pid, body } of joiner.listUnfinished()) calls.push({ at: lines.length, pid, call: body });
  return calls;
}

function findContainerStart(calls: readonly Ordered[]): Ordered | undefined {
  const pivots = calls.filter(({ call }) => call.startsWith('pivot_root(') && succeeded(call));
  for (const pivot of pivots) {
    const start = calls.find((one) => one.pid === pivot.pid && one.at > pivot.at && isProgramStart(one.call));
    if (start !== undefined) return start;
  }
  return undefined;
}

/** The pid that a fork gave. In a namespace of its own the child has another one, and strace gives ours in a comment. */
function childOf(call: string): number | undefined {
  if (!/^(?:clone3?|v?fork)\(/.test(call)) return undefined;
  const result = call.slice(call.lastIndexOf(') '));
  const inOurs = /\/\* (\d+) in strace's PID NS/.exec(result) ?? / = (\d+)(?: |$)/.exec(result);
  return inOurs?.[1] === undefined ? undefined : Number(inOurs[1]);
}

const unfinished = ' <unfinished ...>';
const resumed = ' resumed>';
const superseded = '+++ superseded by execve in pid ';
const space = 0x20;

function createCallJoiner(): CallJoiner {
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

/** Escapes of C strings, as strace prints them: never a bare quote, `<` or `>` inside. */
const named: Readonly<Record<string, number>> = {
  a: 0x07,
  b: 0x08,
  f: 0x0c,
  n: 0x0a,
  r: 0x0d,
  t: 0x09,
  v: 0x0b,
  e: 0x1b,
};
const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });

function isEscaped(text: string, at: number, open: number): boolean {
  let backslashes = 0;
  for (let back = at - 1; back > open && text.charCodeAt(back) === 0x5c; back -= 1) backslashes += 1;
  return backslashes % 2 === 1;
}

function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x5c || code > 0x7e) return false;
  }
  return true;
}

/** The byte of the escape that begins at `at`, behind the backslash, and where the text goes on. */
function readEscape(text: string, at: number): readonly [number, number] {
  const letter = text[at];
  if (letter === undefined) return [0x5c, at];
  if (letter >= '0' && letter <= '7') return readDigits(text, at, 3, 8);
  if (letter === 'x') return readDigits(text, at + 1, 2, 16);
  return [named[letter] ?? letter.charCodeAt(0), at + 1];
}

function readDigits(text: string, from: number, most: number, base: 8 | 16): readonly [number, number] {
  let at = from;
  let value = 0;
  while (at < from + most) {
    const digit = digitOf(text.charCodeAt(at));
    if (digit < 0 || digit >= base) break;
    value = value * base + digit;
    at += 1;
  }
  return [value & 0xff, at];
}

function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : -1;
}
