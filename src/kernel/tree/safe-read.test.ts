import { execFileSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { contentHash } from '../base/hash.ts';
import { createDirectoryGuard, inspect, lstatOf, readRegular, readRegularHead } from './safe-read.ts';

let place: string;
let root: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'read-'));
  root = join(place, 'root');
  mkdirSync(join(root, 'dir'), { recursive: true });
  mkdirSync(join(place, 'outside'));
  writeFileSync(join(root, 'dir/a.txt'), 'hello');
  writeFileSync(join(place, 'outside/secret'), 'secret');
});
afterEach(() => rmSync(place, { recursive: true }));

const read = (path: string, cap = 100) => readRegular(root, path, cap, createDirectoryGuard(root));
const head = (path: string, cap: number) => readRegularHead(root, path, cap, createDirectoryGuard(root));
const refused = { kind: 'failed', failure: { kind: 'symlink_refused' } };
const notRegular = { kind: 'failed', failure: { kind: 'not_regular' } };

test('a file comes whole, with the hash of its bytes', () => {
  const bytes = Buffer.from('hello');
  expect(read('dir/a.txt')).toEqual({ kind: 'read', bytes, hash: contentHash(bytes) });
  expect(read('dir/a.txt', 5)).toMatchObject({ kind: 'read', bytes });
  expect(read('dir/a.txt', 4)).toEqual({ kind: 'failed', failure: { kind: 'size_cap_exceeded', bytes: 5, cap: 4 } });
});

test('a head is cut and says so', () => {
  expect(head('dir/a.txt', 2)).toEqual({ kind: 'read', bytes: Buffer.from('he'), truncated: true, size: 5 });
  expect(head('dir/a.txt', 5)).toEqual({ kind: 'read', bytes: Buffer.from('hello'), truncated: false, size: 5 });
  expect(head('dir/a.txt', 0)).toMatchObject({ truncated: true, bytes: Buffer.alloc(0) });
});

test.each(['missing', 'missing/x', 'dir/a.txt/x', 'a\0b', 'dir/../missing', `${'x/'.repeat(30)}y`])(
  '%j is absent',
  (path) => expect(read(path)).toEqual({ kind: 'absent' }),
);

describe('2, F5: links and ways out', () => {
  test('a leaf, an intermediate directory, a loop and a dangling link are refused', () => {
    symlinkSync(join(place, 'outside/secret'), join(root, 'leaf'));
    symlinkSync('dir/a.txt', join(root, 'inside'));
    symlinkSync(join(place, 'outside'), join(root, 'out'));
    symlinkSync('.', join(root, 'self'));
    symlinkSync('turn-b', join(root, 'turn-a'));
    symlinkSync('turn-a', join(root, 'turn-b'));
    symlinkSync('nowhere', join(root, 'dangling'));
    for (const path of ['leaf', 'inside', 'out/secret', 'self/dir/a.txt', 'turn-a', 'turn-a/x', 'dangling'])
      expect([path, read(path)]).toEqual([path, refused]);
  });

  test.each(['../outside/secret', 'dir/../../outside/secret', 'dir/./a.txt', 'dir//a.txt', './dir/a.txt'])(
    '%s is not taken for a path',
    (path) => expect(read(path).kind).toBe('failed'),
  );

  test('an absolute path names nothing', () => {
    expect(read(join(place, 'outside/secret'))).toEqual({ kind: 'absent' });
    expect(read('/dir/a.txt')).toEqual(refused);
  });

  test('a second name of a file outside is a file', () => {
    linkSync(join(place, 'outside/secret'), join(root, 'hard'));
    expect(read('hard').kind).toBe('read');
  });

  test('a guard remembers what it saw; a new one sees the link', () => {
    const guard = createDirectoryGuard(root);
    expect(guard.holds('dir/a.txt')).toBe(true);
    rmSync(join(root, 'dir'), { recursive: true });
    symlinkSync(join(place, 'outside'), join(root, 'dir'));
    expect(createDirectoryGuard(root).holds('dir/secret')).toBe(false);
    expect(read('dir/secret')).toEqual(refused);
  });
});

describe('G29 what is no regular file', () => {
  test('a FIFO, a socket and a directory do not block and are told', async () => {
    execFileSync('mkfifo', [join(root, 'fifo')]);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(root, 'socket'), resolve));
    try {
      for (const path of ['fifo', 'socket', 'dir', 'dir/']) expect([path, read(path)]).toEqual([path, notRegular]);
      expect(head('fifo', 10)).toEqual(notRegular);
      expect(lstatOf(join(root, 'fifo'))?.kind).toBe('other');
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  test('a name longer than the system takes is a failure, not a crash', () => {
    const failure = { kind: 'failed', failure: { kind: 'io', errno: 'ENAMETOOLONG' } };
    expect(read('x'.repeat(300))).toEqual(failure);
    expect(read(`${'x'.repeat(300)}/y`)).toEqual(failure);
    expect(lstatOf(`${root}/${'x'.repeat(300)}`)).toBeUndefined();
    expect(inspect(`${root}/${'x'.repeat(300)}`)).toEqual({ kind: 'unknown', errno: 'ENAMETOOLONG' });
    expect(createDirectoryGuard(root).holds('a/'.repeat(200_000))).toBe(false);
    expect(createDirectoryGuard(root).errnoOn(`${'x'.repeat(300)}/y`)).toBe('ENAMETOOLONG');
  });

  // Root reads everything.
  test.skipIf(process.getuid?.() === 0)('an unreadable file is a failure with its errno', () => {
    chmodSync(join(root, 'dir/a.txt'), 0);
    expect(read('dir/a.txt')).toEqual({ kind: 'failed', failure: { kind: 'io', errno: 'EACCES' } });
  });
});

test('every descriptor is closed again', () => {
  execFileSync('mkfifo', [join(root, 'fifo')]);
  const count = () => readdirSync('/proc/self/fd').length;
  const before = count();
  for (let run = 0; run < 20; run += 1) {
    for (const path of ['dir/a.txt', 'dir', 'fifo', 'missing']) read(path);
    read('dir/a.txt', 1);
    head('dir/a.txt', 1);
  }
  expect(count()).toBe(before);
});
