import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { secretSamples } from '../../../test/support/secret-samples.ts';
import { blake3Hex } from '../base/hash.ts';
import { redactString } from '../secrets/redact-string.ts';
import { readScipBytes } from './read-scip.ts';
import { redactScip, redactScipBytes } from './rewrite-scip.ts';
import { parseScipSymbol, type ScipDocument, type ScipPart } from './scip.ts';
import { encodeScip } from './write-scip.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'codegenie-scip-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const redact = (text: string): string => redactString(text, { entropy: true }).text;
const secrets = Object.values(secretSamples).flat();
const metadata: ScipPart = {
  kind: 'metadata',
  metadata: { toolName: 't', toolVersion: '1', projectRoot: 'file:///r' },
};

function infoOf(symbol: string, text: string) {
  return {
    symbol,
    documentation: [text],
    relationships: [
      { symbol, isReference: true, isImplementation: false, isTypeDefinition: false, isDefinition: false },
    ],
    kind: 7,
    displayName: text,
    signature: text,
    enclosingSymbol: symbol,
  };
}

function documentOf(symbol: string, text: string): ScipDocument {
  return {
    relativePath: 'a.ts',
    language: 'typescript',
    positionEncoding: 2,
    text,
    occurrences: [{ range: [1, 2, 3], enclosingRange: [0, 0, 4, 1], symbol, roles: 1 }],
    symbols: [infoOf(symbol, text)],
    hadBadText: false,
  };
}

function readBack(bytes: Uint8Array): readonly ScipPart[] {
  const parts: ScipPart[] = [];
  expect(readScipBytes(bytes, (part) => parts.push(part))).toMatchObject({ kind: 'read' });
  return parts;
}

test('G24 planted secrets of every class leave every string of an index', async () => {
  for (const { secret, text } of secrets) {
    const symbol = `s m n v \`${text.replaceAll('`', '``')}\`/x().`;
    const parts: readonly ScipPart[] = [
      { kind: 'metadata', metadata: { toolName: text, toolVersion: text, projectRoot: text } },
      { kind: 'document', document: { ...documentOf(symbol, text), relativePath: text, language: text } },
      { kind: 'external', symbol: infoOf(symbol, text) },
    ];
    const outcome = await redactScipBytes(encodeScip(parts), redact);
    if (outcome.kind !== 'redacted') throw new Error(outcome.detail);
    expect(Buffer.from(outcome.bytes).includes(secret)).toBe(false);
  }
});

test('G24 a symbol with a secret is still one symbol, and every occurrence still finds it', async () => {
  for (const { text } of secrets) {
    const symbol = `s m n v \`${text.replaceAll('`', '``')}\`/x().`;
    const outcome = await redactScipBytes(
      encodeScip([metadata, { kind: 'document', document: documentOf(symbol, '') }]),
      redact,
    );
    if (outcome.kind !== 'redacted') throw new Error(outcome.detail);
    const [, part] = readBack(outcome.bytes);
    if (part?.kind !== 'document') throw new Error('no document');
    const redacted = part.document.symbols[0]?.symbol ?? '';
    expect(parseScipSymbol(redacted)).toMatchObject({
      kind: 'global',
      descriptors: [{ suffix: 'namespace' }, { name: 'x' }],
    });
    expect(part.document.occurrences[0]?.symbol).toBe(redacted);
    expect(part.document.symbols[0]?.relationships[0]?.symbol).toBe(redacted);
  }
});

test('what holds no secret stays as it is, without the text', async () => {
  const document = documentOf('s m n v `a.ts`/f().', 'plain words');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom('plain', 'words', 'of', 'code'), { minLength: 1 }), async (words) => {
      const told = { ...document, symbols: [infoOf('s m n v `a.ts`/f().', words.join(' '))] };
      const outcome = await redactScipBytes(encodeScip([metadata, { kind: 'document', document: told }]), redact);
      if (outcome.kind !== 'redacted') throw new Error(outcome.detail);
      expect(readBack(outcome.bytes)).toEqual([metadata, { kind: 'document', document: { ...told, text: '' } }]);
    }),
    { numRuns: 50 },
  );
});

test('files: the output appears whole, a document that cannot be decoded is dropped and counted', () => {
  const input = join(dir, 'in.scip');
  const output = join(dir, 'out.scip');
  const good = encodeScip([metadata, { kind: 'document', document: documentOf('local 0', 'x') }]);
  writeFileSync(input, Buffer.concat([good, Buffer.from([0x12, 0x02, 0x02, 0x00])]));
  expect(redactScip(input, output, redact)).toMatchObject({ kind: 'redacted', documents: 1, dropped: 1 });
  expect(readBack(readFileSync(output))).toHaveLength(2);
  expect(existsSync(`${output}.part`)).toBe(false);
});

test('files: a cut input leaves the last output alone', () => {
  const input = join(dir, 'cut.scip');
  const output = join(dir, 'kept.scip');
  writeFileSync(output, 'the last one');
  writeFileSync(input, encodeScip([metadata]).subarray(0, 5));
  expect(redactScip(input, output, redact)).toMatchObject({ kind: 'failed', reason: 'truncated' });
  expect(readFileSync(output, 'utf8')).toBe('the last one');
  expect(existsSync(`${output}.part`)).toBe(false);
});

test('P8 documents that are said to be clean stay as they are, all others lose their secrets, wherever they stand', async () => {
  const { text } = secrets[0] as { text: string };
  const written = (name: string, said: string) =>
    encodeScip([{ kind: 'document', document: { ...documentOf('local 0', said), relativePath: name, text: '' } }]);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ isClean: fc.boolean(), holds: fc.boolean() })), async (drawn) => {
      const documents = drawn.map(({ holds }, at) => written(`f${at}.ts`, holds ? text : `plain ${at}`));
      const clean = new Set(documents.flatMap((bytes, at) => (drawn[at]?.isClean ? [blake3Hex(bytes)] : [])));
      const external = encodeScip([{ kind: 'external', symbol: infoOf('s m n v `a.ts`/f().', 'plain') }]);
      const index = Buffer.concat([encodeScip([metadata]), ...documents, external]);
      const fast = await redactScipBytes(index, redact, (document) => clean.has(blake3Hex(document)));
      const alone = await Promise.all(
        documents.map(async (bytes, at) => {
          if (drawn[at]?.isClean) return bytes;
          const one = await redactScipBytes(bytes, redact);
          if (one.kind !== 'redacted') throw new Error(one.detail);
          return one.bytes;
        }),
      );
      if (fast.kind !== 'redacted') throw new Error(fast.detail);
      expect(Buffer.from(fast.bytes).equals(Buffer.concat([encodeScip([metadata]), ...alone, external]))).toBe(true);
    }),
    { numRuns: 40 },
  );
});

test('R15 what is no index, or cut off, is refused also where documents are said to be clean', async () => {
  const index = encodeScip([metadata, { kind: 'document', document: documentOf('local 0', 'x') }]);
  for (const bytes of [index.subarray(0, index.length - 1), Buffer.from('no index'), new Uint8Array()]) {
    expect((await redactScipBytes(bytes, redact, () => true)).kind).toBe('failed');
  }
});
