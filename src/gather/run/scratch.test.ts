import { chownSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeScratch, sweepScratch } from './scratch.ts';

test('P8: what a killed gather left is removed, what a living one uses is not', () => {
  const living = makeScratch('probe_a');
  // The same pid with another start time is a process that is gone.
  const dead = living.replace(/\.\w+-/, '.0-');
  try {
    mkdirSync(dead);
    sweepScratch();
    expect(existsSync(dead)).toBe(false);
    expect(existsSync(living)).toBe(true);
  } finally {
    rmSync(living, { recursive: true, force: true });
    rmSync(dead, { recursive: true, force: true });
  }
});

test.skipIf(process.getuid?.() !== 0)(
  'P9 what another user left is not removed, not by an administrator either (needs root)',
  () => {
    const living = makeScratch('probe_a');
    const theirs = living.replace(/\.\w+-/, '.0-');
    try {
      mkdirSync(theirs);
      chownSync(theirs, 12_345, 12_345);
      sweepScratch();
      expect(existsSync(theirs)).toBe(true);
    } finally {
      rmSync(living, { recursive: true, force: true });
      rmSync(theirs, { recursive: true, force: true });
    }
  },
);
