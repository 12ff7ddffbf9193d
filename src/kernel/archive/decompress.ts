/** A stream as it was before it was packed: gzip and zstd are told by their first bytes, anything else is taken as it is. */

import { Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';

export async function* decompress(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < 4) {
    const step = await iterator.next();
    if (step.done === true) break;
    head = Buffer.concat([head, step.value]);
  }
  const all = joined(head, iterator);
  const unpacker = unpackerFor(head);
  if (unpacker === null) {
    yield* all;
    return;
  }
  const packed = Readable.from(all);
  // `pipe` hands on no error of the source, and an unread pipe would hold it open.
  packed.on('error', (error) => unpacker.destroy(error));
  try {
    for await (const chunk of packed.pipe(unpacker)) yield chunk as Uint8Array;
  } finally {
    packed.destroy();
    unpacker.destroy();
  }
}

function unpackerFor(head: Buffer) {
  if (head.length >= 2 && head.readUInt16BE(0) === 0x1f8b) return createGunzip();
  return head.length >= 4 && head.readUInt32BE(0) === 0x28b52ffd ? createZstdDecompress() : null;
}

async function* joined(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncIterable<Uint8Array> {
  if (head.length > 0) yield head;
  for (let step = await rest.next(); step.done !== true; step = await rest.next()) yield step.value;
}
