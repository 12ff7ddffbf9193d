/** Lines of a byte stream as they complete. A line longer than `maxLineBytes` is delivered cut, so no tool can fill memory. */

export type LineSplitter = { push(chunk: Buffer): void; end(): void };

const newline = 0x0a;
const carriageReturn = 0x0d;

export function createLineSplitter(onLine: (line: string) => void, maxLineBytes: number): LineSplitter {
  let pending: Buffer[] = [];
  let pendingBytes = 0;

  const keep = (part: Buffer): void => {
    const room = maxLineBytes - pendingBytes;
    if (room <= 0 || part.length === 0) return;
    // Copied: a small part must not keep the stream's whole read buffer alive.
    const copy = Buffer.from(part.subarray(0, room));
    pending.push(copy);
    pendingBytes += copy.length;
  };
  const deliver = (): void => {
    const line = pending.length === 1 ? (pending[0] as Buffer) : Buffer.concat(pending);
    pending = [];
    pendingBytes = 0;
    onLine(line.toString('utf8', 0, line.at(-1) === carriageReturn ? line.length - 1 : line.length));
  };

  return {
    push(chunk) {
      let start = 0;
      for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, start)) {
        keep(chunk.subarray(start, at));
        deliver();
        start = at + 1;
      }
      keep(chunk.subarray(start));
    },
    end() {
      if (pendingBytes > 0) deliver();
    },
  };
}
