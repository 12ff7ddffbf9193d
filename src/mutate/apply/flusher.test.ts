import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Flusher, openFlusher, plainFlusher } from './flusher.ts';

const flushers: Flusher[] = [];
/** A descriptor that no process has. */
const nobody = 1_000_000;

afterEach(() => {
  for (const flusher of flushers.splice(0)) flusher.close();
});

function open(files: number): Flusher {
  const flusher = openFlusher(files);
  flushers.push(flusher);
  return flusher;
}

function writeFiles(count: number): number[] {
  const place = mkdtempSync(join(tmpdir(), 'flusher-'));
  const descriptors = Array.from({ length: count }, (_, at) => openSync(join(place, String(at)), 'w'));
  for (const descriptor of descriptors) writeSync(descriptor, 'text');
  // Nothing needs their names.
  rmSync(place, { recursive: true });
  return descriptors;
}

test('E5 many files are flushed together, again and again', () => {
  const flusher = open(100);
  expect(flusher).not.toBe(plainFlusher);
  for (let round = 0; round < 3; round += 1) {
    const descriptors = writeFiles(100);
    flusher.flush(descriptors);
    for (const descriptor of descriptors) closeSync(descriptor);
  }
});

test('E5 what cannot be flushed is an error with its code, and the next is flushed', () => {
  const flusher = open(100);
  const descriptors = writeFiles(20);
  expect(() => flusher.flush([...descriptors, nobody])).toThrow(expect.objectContaining({ code: 'EBADF' }));
  expect(() => flusher.flush(descriptors)).not.toThrow();
  for (const descriptor of descriptors) closeSync(descriptor);
});

test('E5 a flusher that was closed flushes all the same', () => {
  const flusher = open(100);
  flusher.close();
  const descriptors = writeFiles(20);
  flusher.flush(descriptors);
  for (const descriptor of descriptors) closeSync(descriptor);
  expect(() => flusher.flush([nobody])).toThrow(expect.objectContaining({ code: 'EBADF' }));
});

test('a few files are not worth a thread', () => {
  expect(open(3)).toBe(plainFlusher);
});
