import { gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { inPieces } from '../../../test/support/make-tar.ts';
import { decompress, streamSource } from './archive-bytes.ts';

const text = Buffer.from('layer '.repeat(5000));

async function unpack(bytes: Uint8Array, pieces: readonly number[]) {
  const source = streamSource(decompress(inPieces(bytes, pieces)), new AbortController().signal);
  const read = await source.read(1e9);
  return { text: Buffer.from(read).toString(), fault: source.fault() };
}

test.each([
  ['gzip', gzipSync(text)],
  ['two members of gzip', Buffer.concat([gzipSync(text.subarray(0, 100)), gzipSync(text.subarray(100))])],
  ['zstd', zstdCompressSync(text)],
  ['nothing', text],
])('a stream packed with %s', async (_packed, bytes) => {
  for (const pieces of [[1], [3, 1000], [100_000]]) {
    expect(await unpack(bytes, pieces)).toEqual({ text: text.toString(), fault: null });
  }
});

test('an empty stream is empty', async () => {
  expect(await unpack(Buffer.alloc(0), [1])).toEqual({ text: '', fault: null });
});

test.each([
  ['cut short', gzipSync(text).subarray(0, 40)],
  ['damaged', Buffer.concat([gzipSync(text).subarray(0, 20), Buffer.alloc(50, 0xaa)])],
  ['zstd in name alone', Buffer.from('28b52ffdffffffffffff', 'hex')],
])('a stream that is %s is a fault, not an exception', async (_what, bytes) => {
  expect((await unpack(bytes, [7])).fault).toEqual(expect.any(String));
});

test('a fault of the bytes below is a fault of the stream', async () => {
  async function* failing(): AsyncIterable<Uint8Array> {
    yield gzipSync(text).subarray(0, 20);
    throw Object.assign(new Error('disk'), { code: 'EIO' });
  }
  const source = streamSource(decompress(failing()), new AbortController().signal);
  await source.read(1e9);
  expect(source.fault()).toBe('EIO');
});
