import { execFileSync } from 'node:child_process';
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { inPieces, makeHeader, makeTar, paxRecord, type TarItem } from '../../../test/support/make-tar.ts';
import fc from '../../../test/support/properties.ts';
import { streamSource } from './archive-bytes.ts';
import { collectWhole, readTar, type TarBudget, type TarEntry, type TarOutcome, tarFaults } from './tar.ts';

type Seen = { readonly outcome: TarOutcome; readonly entries: (TarEntry & { readonly text: string | null })[] };

async function readAll(bytes: Uint8Array, pieces: readonly number[] = [65536], budget?: TarBudget): Promise<Seen> {
  const entries: Seen['entries'] = [];
  const source = streamSource(inPieces(bytes, pieces), new AbortController().signal);
  const outcome = await readTar(source, budget ?? { entries: 10_000, bytes: 2 ** 40 }, (entry) =>
    collectWhole(1024 * 1024, (content) =>
      entries.push({ ...entry, text: content === null ? null : Buffer.from(content).toString('latin1') }),
    ),
  );
  return { outcome, entries };
}

const fault = async (bytes: Uint8Array, budget?: TarBudget) => {
  const { outcome } = await readAll(bytes, [65536], budget);
  return outcome.kind === 'failed' ? outcome.fault : null;
};

const nameArbitrary = fc
  .array(fc.stringMatching(/^[a-z0-9é_-]{1,40}$/), { minLength: 1, maxLength: 8 })
  .map((segments) => segments.join('/'));
const itemArbitrary = fc.record({
  name: nameArbitrary,
  content: fc.uint8Array({ maxLength: 1500 }),
  form: fc.constantFrom('gnu' as const, 'pax' as const),
});
const piecesArbitrary = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 5 });

describe('G40 properties', () => {
  test('what was written is read, in whatever pieces it comes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(itemArbitrary, { maxLength: 6 }),
        piecesArbitrary,
        fc.boolean(),
        async (items, pieces, closed) => {
          const { outcome, entries } = await readAll(makeTar(items, closed), pieces);
          expect(outcome).toEqual({ kind: 'read', entries: items.length, unsafePaths: 0 });
          expect(entries.map(({ path, text }) => [path, text])).toEqual(
            items.map(({ name, content }) => [name, Buffer.from(content).toString('latin1')]),
          );
        },
      ),
      { numRuns: 100 },
    );
  });

  test('an archive that was damaged anywhere ends in an outcome, and offers no path that leaves it', async () => {
    const good = makeTar([
      { name: 'a/b', content: 'x'.repeat(600) },
      { name: `${'d/'.repeat(60)}e`, content: 'y', form: 'gnu' },
      { name: `${'f/'.repeat(60)}g`, content: 'z', form: 'pax' },
      { name: 'link', type: '2', linkName: '../../etc/passwd' },
    ]);
    const damage = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(damage, fc.nat(good.length), piecesArbitrary, async (changes, cut, pieces) => {
        const bytes = Buffer.from(good);
        for (const [at, value] of changes) bytes[at] = value;
        const { outcome, entries } = await readAll(bytes.subarray(0, cut), pieces);
        if (outcome.kind === 'failed') expect(tarFaults).toContain(outcome.fault);
        for (const { path } of entries) expect(path.split('/')).not.toContain('..');
      }),
      { numRuns: 200 },
    );
  });

  test('bytes that are no archive end in an outcome', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 4096 }), async (bytes) => {
        const { outcome } = await readAll(bytes);
        expect(['read', 'failed']).toContain(outcome.kind);
      }),
    );
  });
});

describe('hostile archives', () => {
  test('a path that would leave the archive is counted and not offered; a leading slash is dropped', async () => {
    const { outcome, entries } = await readAll(
      makeTar([
        { name: '../../etc/cron.d/x', content: 'a' },
        { name: 'a/../../b', content: 'b', form: 'pax' },
        { name: 'hard', type: '1', linkName: '../../etc/shadow' },
        { name: '/etc/./passwd', content: 'c' },
        { name: `${'p/'.repeat(300)}deep`, content: 'd', form: 'gnu' },
        { name: 'n'.repeat(5000), content: 'e', form: 'pax' },
      ]),
    );
    expect(outcome).toEqual({ kind: 'read', entries: 6, unsafePaths: 5 });
    expect(entries.map((entry) => entry.path)).toEqual(['etc/passwd']);
  });

  const one = (item: Partial<TarItem>): Buffer => makeTar([{ name: 'a', content: 'x', ...item }]);
  test.each([
    ['a size far beyond the archive', one({ size: 2 ** 33 }), 'truncated'],
    ['a size in base 256 that is no safe integer', overwritten(one({ size: 2 ** 40 }), 125, 0xff), 'bad_number'],
    ['a size that is no number', withText(one({}), 124, 'zzz'), 'bad_number'],
    ['a wrong checksum', flipped(one({}), 0), 'bad_checksum'],
    ['half a header', one({}).subarray(0, 300), 'truncated'],
    ['an end within the content', one({}).subarray(0, 512), 'truncated'],
    ['a long name that is too long', makeTar([{ name: 'l', type: 'L', size: 2 ** 30 }]), 'header_too_large'],
    ['a pax header that is too long', makeTar([{ name: 'l', type: 'x', size: 2 ** 30 }]), 'header_too_large'],
    ['a pax record longer than its header', one({ type: 'x', content: '999 path=x\n' }), 'bad_pax'],
    ['a pax record of length zero', one({ type: 'x', content: '0 path=x\n' }), 'bad_pax'],
    [
      'a pax size that is negative',
      makeTar([{ name: 'p', type: 'x', content: paxRecord('size', '-5') }, { name: 'a' }]),
      'bad_number',
    ],
    ['a sparse map without end', overwritten(one({ type: 'S' }), 482, 1).subarray(0, 600), 'truncated'],
  ])('%s', async (_what, bytes, expected) => {
    expect(await fault(bytes)).toBe(expected);
  });

  test('the caps hold for entries and for bytes, over all archives that share them', async () => {
    const budget = { entries: 3, bytes: 10 };
    expect(await fault(makeTar([{ name: 'a', content: '12345' }]), budget)).toBe(null);
    expect(await fault(makeTar([{ name: 'b', content: '123456' }]), budget)).toBe('too_many_bytes');
    expect(await fault(makeTar([{ name: 'a' }, { name: 'b' }]), { entries: 1, bytes: 10 })).toBe('too_many_entries');
  });

  test('a body that a directory or a link claims to have is not passed over', async () => {
    const { entries } = await readAll(
      makeTar([
        { name: 'd/', type: '5', size: 4096 },
        { name: 'l', type: '2', linkName: 'x', size: 4096 },
        { name: 'after', content: 'seen' },
      ]),
    );
    expect(entries.map(({ path, type, size }) => [path, type, size])).toEqual([
      ['d', 'directory', 0],
      ['l', 'symlink', 0],
      ['after', 'file', 4],
    ]);
  });

  test('a sink that wants no more still ends, and the next entry is found', async () => {
    const source = streamSource(
      inPieces(makeTar([{ name: 'a', content: 'x'.repeat(5000) }, { name: 'b' }]), [100]),
      new AbortController().signal,
    );
    const seen: string[] = [];
    await readTar(source, { entries: 10, bytes: 1e6 }, ({ path }) => ({
      push: () => {
        seen.push(`${path} pushed`);
        return false;
      },
      end: () => seen.push(`${path} ended`),
    }));
    expect(seen).toEqual(['a pushed', 'a ended', 'b ended']);
  });

  test('an abort is thrown on', async () => {
    const source = streamSource(inPieces(makeTar([{ name: 'a' }]), [512]), AbortSignal.abort(new Error('enough')));
    await expect(readTar(source, { entries: 10, bytes: 1e6 }, () => null)).rejects.toThrow('enough');
  });
});

function overwritten(tar: Buffer, at: number, value: number): Buffer {
  tar[at] = value;
  return rechecked(tar);
}

function withText(tar: Buffer, at: number, text: string): Buffer {
  tar.write(text, at);
  return rechecked(tar);
}

function flipped(tar: Buffer, at: number): Buffer {
  tar[at] = (tar[at] ?? 0) ^ 1;
  return tar;
}

function rechecked(tar: Buffer): Buffer {
  tar.write('        ', 148);
  const sum = tar.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  tar.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return tar;
}

describe('what tar itself writes', () => {
  let folder: string | undefined;
  afterEach(() => folder !== undefined && rmSync(folder, { recursive: true, force: true }));

  test.each(['gnu', 'oldgnu', 'pax', 'ustar'])('--format=%s', async (format) => {
    folder = mkdtempSync(join(tmpdir(), 'codegenie-tar-'));
    const long = `${'directory/'.repeat(13)}${'file'.repeat(15)}`;
    mkdirSync(join(folder, 'in', 'directory/'.repeat(13)), { recursive: true });
    writeFileSync(join(folder, 'in', long), 'long');
    writeFileSync(join(folder, 'in/z-last'), 'last');
    symlinkSync('z-last', join(folder, 'in/link'));
    if (format !== 'ustar') {
      // More holes than the first block of a map has room for.
      const sparse = openSync(join(folder, 'in/sparse'), 'w');
      for (let piece = 0; piece < 40; piece += 1) writeSync(sparse, 'x', piece * 65_536);
      ftruncateSync(sparse, 8 * 1024 * 1024);
      closeSync(sparse);
    }
    const file = join(folder, 'a.tar');
    execFileSync('tar', [
      ...(format === 'ustar' ? [] : ['-S']),
      `--format=${format}`,
      '--sort=name',
      '-cf',
      file,
      '-C',
      join(folder, 'in'),
      '.',
    ]);
    const { outcome, entries } = await readAll(readFileSync(file), [333]);
    expect(outcome.kind).toBe('read');
    const seen = entries
      .filter((entry) => entry.type !== 'directory')
      .map(({ path, type, text }) => [path, type, text]);
    expect(seen).toContainEqual([long, 'file', 'long']);
    expect(seen).toContainEqual(['link', 'symlink', '']);
    expect(seen.at(-1)).toEqual(['z-last', 'file', 'last']);
    if (format !== 'ustar') expect(seen.find(([path]) => path === 'sparse')?.[1]).toBe('other');
  });

  test('makeHeader agrees with tar on what a header is', () => {
    folder = mkdtempSync(join(tmpdir(), 'codegenie-tar-'));
    writeFileSync(
      join(folder, 'a.tar'),
      Buffer.concat([makeHeader({ name: 'x' }, Buffer.from('x'), 0), Buffer.alloc(1024)]),
    );
    expect(execFileSync('tar', ['-tf', join(folder, 'a.tar')], { encoding: 'utf8' })).toBe('x\n');
  });
});
