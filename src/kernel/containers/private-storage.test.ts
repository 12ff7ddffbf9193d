import { existsSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openPrivateStorage } from './private-storage.ts';

let home: string;
const runs: string[] = [];
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'codegenie-storage-')));
});
afterEach(() => {
  vi.unstubAllEnvs();
  for (const path of [home, ...runs.splice(0)]) rmSync(path, { recursive: true, force: true });
});
function open(of: string | null) {
  const storage = openPrivateStorage(of);
  runs.push(dirname(storage.runRoot));
  return storage;
}

test('storage lies below the home, and no other user may look into it', () => {
  const storage = open(home);
  expect(storage.base).toBe(join(home, '.cache/codegenie/containers'));
  for (const path of [storage.base, storage.root, storage.runRoot, storage.runTmp])
    expect(statSync(path).mode & 0o777).toBe(0o700);
  expect(open(home)).toEqual(storage);
});

test('a home that cannot be written to, or none, is replaced by a directory of the user alone', () => {
  vi.stubEnv('TMPDIR', home);
  const base = join(home, `codegenie-containers-${process.getuid?.() ?? 0}`);
  expect(open('/proc/nowhere').base).toBe(base);
  expect(open(null).base).toBe(base);
});

test.skipIf(process.platform !== 'linux')('paths of sockets fit, and state whose storage is gone is swept', () => {
  const first = open(home);
  // A socket's path holds 107 characters; below the run-time directory lie `socket`, an id of 64 and a name.
  expect(first.runTmp.length).toBeLessThan(60);
  rmSync(first.base, { recursive: true });
  const other = realpathSync(mkdtempSync(join(tmpdir(), 'codegenie-storage-')));
  runs.push(other);
  open(other);
  expect(existsSync(first.runRoot)).toBe(first.runRoot.startsWith(first.base));
});
