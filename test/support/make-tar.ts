/** Writes tar archives and images for tests, also the ones that no decent program would write. */

import { createHash } from 'node:crypto';

export type TarItem = {
  readonly name: string;
  readonly content?: string | Uint8Array;
  /** Type byte; a regular file if not said. */
  readonly type?: string;
  readonly linkName?: string;
  /** What the header claims; the truth if not said. */
  readonly size?: number;
  /** How a name that is too long is written; `ustar` cuts it. */
  readonly form?: 'ustar' | 'gnu' | 'pax';
};

export function makeTar(items: readonly TarItem[], closed = true): Buffer {
  return Buffer.concat([...items.flatMap(blocksOf), ...(closed ? [Buffer.alloc(1024)] : [])]);
}

function blocksOf(item: TarItem): Buffer[] {
  const content = Buffer.from(item.content ?? '');
  const name = Buffer.from(item.name);
  const before: Buffer[] = [];
  if (item.form === 'gnu') before.push(...blocksOf({ name: '././@LongLink', type: 'L', content: `${item.name}\0` }));
  if (item.form === 'pax') {
    const record = `${paxRecord('path', item.name)}${item.linkName === undefined ? '' : paxRecord('linkpath', item.linkName)}`;
    before.push(...blocksOf({ name: 'PaxHeaders/x', type: 'x', content: record }));
  }
  return [
    ...before,
    makeHeader(item, name, item.size ?? content.length),
    content,
    Buffer.alloc(padding(content.length)),
  ];
}

export function paxRecord(key: string, value: string): string {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + String(rest).length;
  if (rest + String(length).length !== length) length = rest + String(length).length;
  return `${length} ${key}=${value}\n`;
}

export function makeHeader(item: TarItem, name: Buffer, size: number): Buffer {
  const header = Buffer.alloc(512);
  name.copy(header, 0, 0, 100);
  header.write('0000644\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  if (size < 8 ** 11) header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  else {
    header[124] = 0x80;
    header.writeBigUInt64BE(BigInt(size), 128);
  }
  header.write('00000000000\0', 136);
  header.write('        ', 148);
  header.write(item.type ?? '0', 156, 'latin1');
  header.write((item.linkName ?? '').slice(0, 100), 157);
  header.write('ustar\0' + '00', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

const padding = (size: number) => (512 - (size % 512)) % 512;

/** An OCI archive of these layers, lowest first, each already packed as it shall be. */
export function makeOciArchive(layers: readonly Buffer[]): Buffer {
  const blobs = new Map<string, Buffer>();
  const put = (bytes: Buffer): string => {
    const hex = createHash('sha256').update(bytes).digest('hex');
    blobs.set(`blobs/sha256/${hex}`, bytes);
    return `sha256:${hex}`;
  };
  const manifest = put(
    Buffer.from(
      JSON.stringify({ schemaVersion: 2, layers: layers.map((layer) => ({ digest: put(layer), size: layer.length })) }),
    ),
  );
  return makeTar([
    ...[...blobs].map(([name, content]) => ({ name, content })),
    { name: 'index.json', content: JSON.stringify({ schemaVersion: 2, manifests: [{ digest: manifest }] }) },
  ]);
}

/** In pieces of these lengths, over and over. */
export async function* inPieces(bytes: Uint8Array, lengths: readonly number[]): AsyncIterable<Uint8Array> {
  for (let at = 0, index = 0; at < bytes.length; index += 1) {
    const length = Math.max(1, lengths[index % lengths.length] ?? 1);
    yield bytes.subarray(at, at + length);
    at += length;
  }
}
