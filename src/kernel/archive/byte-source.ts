/** Bytes in order, as the tar reader takes them: read exactly, or passed over. What goes wrong below is a value here. */

export type ByteSource = {
  /** Exactly `count` bytes; fewer only at the end. */
  read(count: number): Promise<Uint8Array>;
  /** The next bytes, at most `count` and at least one; empty at the end. */
  next(count: number): Promise<Uint8Array>;
  /** False: the end came first. */
  skip(count: number): Promise<boolean>;
  /** How many bytes have been read or passed over. */
  position(): number;
  /** Why the end came early, where something failed below: an error's code or name. */
  fault(): string | null;
};

const nothing = new Uint8Array();

/** Of a stream. An abort of `signal` is thrown on, everything else that the stream throws becomes its fault. */
export function streamSource(chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): ByteSource {
  const iterator = chunks[Symbol.asyncIterator]();
  let held: Uint8Array = nothing;
  let position = 0;
  let fault: string | null = null;
  let ended = false;

  async function fill(): Promise<void> {
    while (held.length === 0 && !ended) {
      signal.throwIfAborted();
      try {
        const step = await iterator.next();
        if (step.done === true) ended = true;
        else held = step.value;
      } catch (error) {
        signal.throwIfAborted();
        ended = true;
        fault = faultOf(error);
      }
    }
  }
  async function next(count: number): Promise<Uint8Array> {
    await fill();
    const taken = held.subarray(0, count);
    held = held.subarray(taken.length);
    position += taken.length;
    return taken;
  }
  async function skip(count: number): Promise<boolean> {
    for (let left = count; left > 0; ) {
      const taken = await next(left);
      if (taken.length === 0) return false;
      left -= taken.length;
    }
    return true;
  }
  return { read: (count) => readExactly(next, count), next, skip, position: () => position, fault: () => fault };
}

/** Nothing is set aside for a length that is only claimed: memory grows with the bytes that come. */
export async function readExactly(next: (count: number) => Promise<Uint8Array>, count: number): Promise<Uint8Array> {
  const first = await next(count);
  if (first.length === count || first.length === 0) return first;
  const parts = [first];
  let have = first.length;
  while (have < count) {
    const part = await next(count - have);
    if (part.length === 0) break;
    parts.push(part);
    have += part.length;
  }
  return Buffer.concat(parts);
}

export function faultOf(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown';
}
