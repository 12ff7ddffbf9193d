import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { makeScipFixture } from '../../../test/support/scip-fixture.ts';
import { readScip, readScipAsync, readScipBytes } from './read-scip.ts';
import {
  blankSymbol,
  type ScipDocument,
  type ScipOccurrence,
  type ScipPart,
  type ScipReadOutcome,
  type ScipSymbol,
} from './scip.ts';
import { createScipFile, encodeScip } from './write-scip.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'codegenie-scip-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const delimited = WireType.LengthDelimited;
const metadata: ScipPart = {
  kind: 'metadata',
  metadata: { toolName: 't', toolVersion: '1', projectRoot: 'file:///r' },
};
const emptyDocument: ScipDocument = {
  relativePath: 'a.ts',
  language: '',
  positionEncoding: 0,
  text: '',
  occurrences: [],
  symbols: [],
  hadBadText: false,
};

function readAll(bytes: Uint8Array): { readonly outcome: ScipReadOutcome; readonly parts: readonly ScipPart[] } {
  const parts: ScipPart[] = [];
  const outcome = readScipBytes(bytes, (part) => parts.push(part));
  return { outcome, parts };
}

function documentsOf(bytes: Uint8Array): readonly ScipDocument[] {
  const { outcome, parts } = readAll(bytes);
  expect(outcome).toMatchObject({ kind: 'read' });
  return parts.flatMap((part) => (part.kind === 'document' ? [part.document] : []));
}

/** One document whose content is given as bytes. */
function withDocument(fill: (writer: BinaryWriter) => void): Uint8Array {
  const writer = new BinaryWriter()
    .raw(encodeScip([metadata]))
    .tag(2, delimited)
    .fork();
  fill(writer);
  return writer.join().finish();
}

/** One occurrence whose content is given as bytes. */
function withOccurrence(fill: (writer: BinaryWriter) => void): Uint8Array {
  return withDocument((writer) => {
    writer.tag(2, delimited).fork();
    fill(writer);
    writer.join();
  });
}

const int32 = fc.oneof(fc.nat(300), fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }));
const text = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.constant('é\ufffd\ufeff😀'),
);
const range = fc.oneof(fc.constant([]), fc.array(int32, { minLength: 1, maxLength: 5 }));
const symbol: fc.Arbitrary<ScipSymbol> = fc.record({
  symbol: text,
  documentation: fc.array(text, { maxLength: 3 }),
  relationships: fc.array(
    fc.record({
      symbol: text,
      isReference: fc.boolean(),
      isImplementation: fc.boolean(),
      isTypeDefinition: fc.boolean(),
      isDefinition: fc.boolean(),
    }),
    { maxLength: 2 },
  ),
  kind: int32,
  displayName: text,
  signature: text,
  enclosingSymbol: text,
});
const occurrence: fc.Arbitrary<ScipOccurrence> = fc.record({
  range,
  enclosingRange: range,
  symbol: text,
  roles: int32,
});
const part: fc.Arbitrary<ScipPart> = fc.oneof(
  fc.record({
    kind: fc.constant('metadata' as const),
    metadata: fc.record({ toolName: text, toolVersion: text, projectRoot: text }),
  }),
  fc.record({
    kind: fc.constant('document' as const),
    document: fc.record({
      relativePath: text,
      language: text,
      positionEncoding: int32,
      text,
      occurrences: fc.array(occurrence, { maxLength: 6 }),
      symbols: fc.array(symbol, { maxLength: 3 }),
      hadBadText: fc.constant(false),
    }),
  }),
  fc.record({ kind: fc.constant('external' as const), symbol }),
);

describe('the reader returns what the writer was given', () => {
  test('any parts, from memory and from a file', () => {
    const path = join(dir, 'any.scip');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (more) => {
        const parts = [metadata, ...more];
        const bytes = encodeScip(parts);
        expect(readAll(bytes).parts).toEqual(parts);
        const file = createScipFile(path);
        for (const one of parts) file.write(one);
        expect(file.close()).toBe(bytes.length);
        expect(readFileSync(path).equals(bytes)).toBe(true);
        const fromFile: ScipPart[] = [];
        const outcome = readScip(path, (one) => fromFile.push(one));
        expect(fromFile).toEqual(parts);
        expect(outcome).toEqual({
          kind: 'read',
          documents: parts.filter((one) => one.kind === 'document').length,
          externals: parts.filter((one) => one.kind === 'external').length,
          bytes: bytes.length,
        });
      }),
      { numRuns: 200 },
    );
  });

  test('documents larger and smaller than the read buffer', async () => {
    const path = join(dir, 'sizes.scip');
    const sizes = [3, 700_000, 10, 1_100_000, 2_500_000, 0, 400_000, 1_048_576, 5];
    const parts = [
      metadata,
      ...sizes.map((size, at): ScipPart => {
        const document = { ...emptyDocument, relativePath: `${at}.ts`, text: 'x'.repeat(size) };
        return { kind: 'document', document };
      }),
    ];
    writeFileSync(path, encodeScip(parts));
    const fromFile: ScipPart[] = [];
    expect(readScip(path, (one) => fromFile.push(one))).toMatchObject({ kind: 'read', documents: sizes.length });
    expect(fromFile).toEqual(parts);
    const awaited: ScipPart[] = [];
    const outcome = await readScipAsync(path, async (one) => {
      await Promise.resolve();
      awaited.push(one);
    });
    expect(outcome).toMatchObject({ kind: 'read', documents: sizes.length });
    expect(awaited).toEqual(parts);
  });

  test('a receiver that throws is heard, and the file is closed', async () => {
    const path = join(dir, 'throws.scip');
    writeFileSync(path, encodeScip([metadata, metadata]));
    const stop = (): void => {
      throw new Error('enough');
    };
    expect(() => readScip(path, stop)).toThrow('enough');
    await expect(readScipAsync(path, stop)).rejects.toThrow('enough');
  });
});

describe('R15 what is not an index is a failure', () => {
  const cases: readonly (readonly [string, Uint8Array, string])[] = [
    ['no bytes', new Uint8Array(), 'empty'],
    ['zeros', new Uint8Array(4096), 'undecodable'],
    ['text', Buffer.from('{"not": "an index"}\n'.repeat(50)), 'undecodable'],
    ['fields of numbers only', new BinaryWriter().tag(9, WireType.Varint).int32(1).finish(), 'undecodable'],
    ['symbols only', encodeScip([{ kind: 'external', symbol: symbolOf('x') }]), 'undecodable'],
    ['documents that are numbers', new BinaryWriter().tag(2, WireType.Varint).int32(1).finish(), 'undecodable'],
    ['a group', Buffer.from([0x7b, 0x7c]), 'undecodable'],
    ['a varint without end', Buffer.alloc(40, 0xff), 'undecodable'],
    ['a length of 4 GB', Buffer.from([0x12, 0xff, 0xff, 0xff, 0xff, 0x0f, 1, 2, 3]), 'truncated'],
    ['a length of 2^63', Buffer.from([0x12, ...new Array(9).fill(0xff), 0x01, 1, 2, 3]), 'truncated'],
  ];
  test.each(cases)('%s', (_, bytes, reason) => {
    expect(readAll(bytes).outcome).toMatchObject({ kind: 'failed', reason });
  });

  test('an absent file, a directory', () => {
    mkdirSync(join(dir, 'folder'));
    for (const name of ['nothing.scip', 'folder']) {
      expect(readScip(join(dir, name), () => undefined)).toMatchObject({ kind: 'failed', reason: 'absent' });
    }
  });

  test('metadata alone is an index without documents', () => {
    expect(readAll(encodeScip([metadata])).outcome).toMatchObject({ kind: 'read', documents: 0 });
  });

  test('a file and a document over their limits', () => {
    const bytes = encodeScip([metadata, { kind: 'document', document: { ...emptyDocument, text: 'x'.repeat(100) } }]);
    const read = (options: object) => readScipBytes(bytes, () => undefined, options);
    expect(read({ maxBytes: 50 })).toMatchObject({ kind: 'failed', reason: 'too_large' });
    expect(read({ maxDocumentBytes: 50 })).toMatchObject({ kind: 'failed', reason: 'too_large' });
    expect(read({ maxDocumentBytes: 500 })).toMatchObject({ kind: 'read' });
  });

  test('a real index cut anywhere fails unless the cut lies between two fields', async () => {
    const whole = readFileSync(await makeScipFixture(dir));
    const boundaries = listBoundaries(whole);
    expect(boundaries.size).toBeGreaterThan(5);
    const cuts = new Set<number>([...boundaries, ...[...boundaries].flatMap((at) => [at - 1, at + 1, at + 2])]);
    for (let at = 0; at < whole.length; at += 1024) cuts.add(at);
    for (let at = 0; at < 400; at += 1) cuts.add(at);
    for (const cut of [...cuts].filter((at) => at >= 0 && at < whole.length)) {
      const { outcome } = readAll(whole.subarray(0, cut));
      if (cut === 0) expect(outcome).toMatchObject({ kind: 'failed', reason: 'empty' });
      else if (boundaries.has(cut)) expect(outcome).toMatchObject({ kind: 'read' });
      else expect([cut, outcome]).toMatchObject([cut, { kind: 'failed', reason: 'truncated' }]);
    }
  });
});

describe('hostile parts', () => {
  test('ten million empty occurrences', () => {
    const occurrences = Buffer.alloc(20_000_000);
    for (let at = 0; at < occurrences.length; at += 2) occurrences[at] = 0x12;
    const bytes = withDocument((writer) => writer.raw(occurrences));
    expect(readAll(bytes).outcome).toMatchObject({ kind: 'failed', reason: 'too_large' });
  });

  test('a million comments of one symbol and a range of a million numbers are taken within bounds', () => {
    const comments = Buffer.alloc(2_000_000 + 1);
    for (let at = 0; at < 2_000_000; at += 2) comments[at] = 0x1a;
    const cut = withDocument((writer) => writer.tag(3, delimited).bytes(comments));
    expect(readAll(cut).outcome).toMatchObject({ kind: 'failed', reason: 'undecodable' });
    const long = withOccurrence((writer) => writer.tag(1, delimited).bytes(new Uint8Array(1_000_000)));
    expect(documentsOf(long)[0]?.occurrences[0]?.range).toHaveLength(5);
  });

  test('groups nested a hundred thousand deep', () => {
    const bytes = withDocument((writer) => writer.raw(Buffer.alloc(100_000, 0x7b)));
    expect(readAll(bytes).outcome).toMatchObject({ kind: 'failed', reason: 'undecodable' });
  });

  test('a signature inside a signature inside a signature is stepped over', () => {
    const nest = (writer: BinaryWriter, depth: number): BinaryWriter => {
      let inner = new Uint8Array();
      for (let at = 0; at < depth; at += 1) inner = new BinaryWriter().tag(3, delimited).bytes(inner).finish();
      return writer.tag(7, delimited).bytes(inner);
    };
    const bytes = withDocument((writer) => nest(writer.tag(3, delimited).fork(), 2000).join());
    expect(documentsOf(bytes)[0]?.symbols).toHaveLength(1);
  });

  const wrong: readonly (readonly [string, readonly number[]])[] = [
    ['a field that ends after its message', [0x12, 0x02, 0x12, 0x05, 0x61, 0x61, 0x61, 0x61, 0x61]],
    ['a range that ends inside a number', [0x12, 0x03, 0x0a, 0x01, 0x80, 0x01]],
    ['a string past the document', [0x0a, 0x7f, 0x61]],
    ['field number 0', [0x02, 0x00]],
    ['wire type 7', [0x0f, 0x00]],
    ['a string of 4 GB', [0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f]],
  ];
  test.each(wrong)('%s', (_, content) => {
    const bytes = withDocument((writer) => writer.raw(Buffer.from(content)));
    expect(readAll(bytes).outcome).toMatchObject({ kind: 'failed', reason: 'undecodable' });
  });

  test('any bytes as a document, or as a file, end in an outcome', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (content) => {
        expect(['read', 'failed']).toContain(readAll(content).outcome.kind);
        expect(['read', 'failed']).toContain(readAll(withDocument((writer) => writer.raw(content))).outcome.kind);
      }),
      { numRuns: 1000 },
    );
  });

  test('a caller can have one undecodable document left out', () => {
    const bad = withDocument((writer) => writer.raw(Buffer.from([0x02, 0x00])));
    const bytes = Buffer.concat([bad, encodeScip([{ kind: 'document', document: emptyDocument }])]);
    const told: string[] = [];
    const outcome = readScipBytes(bytes, () => undefined, { onUndecodable: (detail) => told.push(detail) });
    expect(outcome).toMatchObject({ kind: 'read', documents: 1 });
    expect(told).toHaveLength(1);
  });
});

describe('oddities of the format', () => {
  test('R16 the encoding and the ranges are given as written', () => {
    for (const encoding of [0, 1, 2, 3]) {
      const range = [1, 2, 3, 4].slice(0, 3 + (encoding % 2));
      const document = {
        ...emptyDocument,
        positionEncoding: encoding,
        occurrences: [{ range, enclosingRange: [], symbol: 'local 0', roles: 1 }],
      };
      expect(documentsOf(encodeScip([metadata, { kind: 'document', document }]))).toEqual([document]);
    }
  });

  test('ranges as packed ints, as single ints, in pieces, and as messages', () => {
    const ranges = (fill: (writer: BinaryWriter) => void) => documentsOf(withOccurrence(fill))[0]?.occurrences[0];
    const packed = (writer: BinaryWriter, ...ints: readonly number[]): BinaryWriter => {
      writer.tag(1, delimited).fork();
      for (const int of ints) writer.int32(int);
      return writer.join();
    };
    const single = (writer: BinaryWriter, field: number, ints: readonly number[]): BinaryWriter => {
      writer.tag(field, delimited).fork();
      for (const [at, int] of ints.entries()) if (int !== 0) writer.tag(at + 1, WireType.Varint).int32(int);
      return writer.join();
    };
    expect(ranges((writer) => packed(writer, 1, 2, 300))?.range).toEqual([1, 2, 300]);
    expect(ranges((writer) => packed(packed(writer, 1), 2, 3, 4))?.range).toEqual([1, 2, 3, 4]);
    expect(
      ranges((writer) => {
        for (const int of [7, 8, 9]) writer.tag(1, WireType.Varint).int32(int);
        for (const int of [1, 2, 3, 4]) writer.tag(7, WireType.Varint).int32(int);
      }),
    ).toMatchObject({ range: [7, 8, 9], enclosingRange: [1, 2, 3, 4] });
    expect(ranges((writer) => single(writer, 8, [5, 0, 3]))?.range).toEqual([5, 0, 3]);
    expect(ranges((writer) => single(writer, 9, [5, 1, 6, 0]))?.range).toEqual([5, 1, 6, 0]);
    expect(ranges((writer) => single(single(writer, 10, [1, 2, 3]), 8, [0, 0, 1]))).toMatchObject({
      range: [0, 0, 1],
      enclosingRange: [1, 2, 3],
    });
    expect(ranges((writer) => packed(single(writer, 8, [5, 0, 3]), 5, 0, 3))?.range).toEqual([5, 0, 3]);
    expect(ranges((writer) => single(writer, 11, [1, 0, 2, 9]))?.enclosingRange).toEqual([1, 0, 2, 9]);
    expect(ranges((writer) => packed(writer, 1, 2, 3, 4, 5, 6))?.range).toHaveLength(5);
  });

  test('R20 lone surrogates lose no document: they become U+FFFD and are told', () => {
    const broken = Buffer.concat([Buffer.from('s m n v a'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('.')]);
    const bytes = Buffer.concat([
      withOccurrence((writer) => writer.tag(2, delimited).bytes(broken)),
      encodeScip([{ kind: 'document', document: { ...emptyDocument, text: 'honest \ufffd' } }]),
    ]);
    const [first, second] = documentsOf(bytes);
    expect(first?.hadBadText).toBe(true);
    expect(first?.occurrences[0]?.symbol).toMatch(/^s m n v a\ufffd+\.$/);
    expect(second?.hadBadText).toBe(false);
  });

  test('fields of a newer schema are stepped over at every level', () => {
    const extra = (writer: BinaryWriter): BinaryWriter =>
      writer
        .tag(99, WireType.Varint)
        .uint32(7)
        .tag(98, delimited)
        .string('new')
        .tag(97, WireType.Bit32)
        .fixed32(1)
        .tag(96, WireType.Bit64)
        .fixed64(1n);
    const bytes = new BinaryWriter();
    extra(bytes).raw(encodeScip([metadata]));
    extra(bytes).tag(2, delimited).fork();
    extra(bytes).tag(1, delimited).string('a.ts');
    extra(bytes.tag(2, delimited).fork()).tag(2, delimited).string('local 0').join();
    extra(bytes.tag(3, delimited).fork()).tag(1, delimited).string('local 0').join();
    const [document] = documentsOf(extra(bytes.join()).finish());
    expect(document).toMatchObject({ relativePath: 'a.ts', occurrences: [{ symbol: 'local 0' }] });
    expect(document?.symbols).toEqual([symbolOf('local 0')]);
  });

  test('more symbols than the cache of strings holds, each named again later', () => {
    const names = Array.from({ length: 150_000 }, (_, at) => `s m n v ${at}.`);
    const occurrences = [...names, ...names].map((symbol, at) => ({
      range: [at, 0, 1],
      enclosingRange: [],
      symbol,
      roles: 0,
    }));
    const bytes = encodeScip([metadata, { kind: 'document', document: { ...emptyDocument, occurrences } }]);
    const read = documentsOf(bytes)[0]?.occurrences ?? [];
    expect(read).toHaveLength(occurrences.length);
    expect(read.every((one, at) => one.symbol === occurrences[at]?.symbol && one.range[0] === at)).toBe(true);
  });
});

function symbolOf(name: string): ScipSymbol {
  return { ...blankSymbol, symbol: name };
}

/** Where a top-level field ends, found by a second, simpler reader. */
function listBoundaries(bytes: Buffer): Set<number> {
  const boundaries = new Set<number>();
  for (let at = 0; at < bytes.length; ) {
    at += 1;
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      length += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    at += length;
    boundaries.add(at);
  }
  return boundaries;
}
