import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sha256Hex } from '../../../kernel/base/hash.ts';
import { processStart } from '../../../kernel/base/processes.ts';
import { makeJobDir, removeJobDir, sweepJobDirs } from './job-dir.ts';

let place: string;
let root: string;
const made: string[] = [];

beforeEach(() => {
  // On disk: a root that is all of the memory must not hold it.
  place = realpathSync(mkdtempSync('/var/tmp/jobs-'));
  root = join(place, 'root');
  mkdirSync(root);
});
afterEach(() => {
  for (const path of made.splice(0)) rmSync(dirname(path), { recursive: true, force: true });
  rmSync(place, { recursive: true, force: true });
});

function make(job: string | number, at = root): string {
  const path = makeJobDir({ root: at, environment: { TMPDIR: place }, job });
  made.push(path);
  return path;
}

test('R18 a job dir is private, empty, outside the repository, and named by user, root and owner', () => {
  const path = make(7);
  const { mode, uid } = lstatSync(path);
  expect([mode & 0o777, uid]).toEqual([0o700, process.getuid?.()]);
  expect(readdirSync(path)).toEqual([]);
  expect(basename(path)).toBe(`7-${process.pid}.${processStart(process.pid)}`);
  expect(basename(dirname(path))).toBe(sha256Hex(root).slice(0, 16));
  expect(basename(dirname(dirname(path)))).toBe(`codegenie-${process.getuid?.()}`);
  writeFileSync(join(path, 'left'), '');
  expect(readdirSync(make(7))).toEqual([]);
});

test('R18 a root that holds every temporary directory but one gets that one', () => {
  // Of a repository that is the place for temporary files itself, nothing is made inside.
  const path = makeJobDir({ root: realpathSync('/dev/shm'), environment: { TMPDIR: place }, job: 1 });
  made.push(path);
  expect(path.startsWith(`${place}/`)).toBe(true);
});

test('a directory that is a link, or that others may write, is not used', () => {
  const own = `codegenie-${process.getuid?.()}`;
  const isolated = { root: '/dev/shm', environment: { TMPDIR: place } };
  mkdirSync(join(place, 'elsewhere'));
  symlinkSync(join(place, 'elsewhere'), join(place, own));
  const aside = makeJobDir({ ...isolated, job: 1 });
  expect(aside.startsWith(`${place}/${own}-`)).toBe(true);
  expect(readdirSync(join(place, 'elsewhere'))).toEqual([]);
  rmSync(join(place, own));
  mkdirSync(join(place, own));
  chmodSync(join(place, own), 0o777);
  expect(makeJobDir({ ...isolated, job: 1 }).startsWith(`${place}/${own}-`)).toBe(true);
});

test('R27 a job dir that was made aside is swept when its owner is gone', () => {
  const own = `codegenie-${process.getuid?.()}`;
  const isolated = { root: '/dev/shm', environment: { TMPDIR: place } };
  writeFileSync(join(place, own), 'in the way');
  const mine = makeJobDir({ ...isolated, job: 1 });
  const left = makeJobDir({ ...isolated, job: 2 });
  const gone = join(dirname(left), '2-1.0');
  renameSync(left, gone);
  const linked = join(place, `${own}-aB3dE5`);
  mkdirSync(join(place, 'elsewhere/3-1.0'), { recursive: true });
  symlinkSync(join(place, 'elsewhere'), linked);
  expect(sweepJobDirs(isolated)).toBeGreaterThanOrEqual(1);
  const found = [mine, gone, dirname(gone), linked, join(place, 'elsewhere/3-1.0')].map((path) => existsSync(path));
  expect(found).toEqual([true, false, false, true, true]);
});

test('what a tool has left is removed, whatever modes it has', () => {
  const path = make(1);
  mkdirSync(join(path, 'deep/er'), { recursive: true });
  writeFileSync(join(path, 'deep/er/file'), '', { mode: 0o400 });
  chmodSync(join(path, 'deep/er'), 0);
  chmodSync(join(path, 'deep'), 0o500);
  const other = make(2);
  removeJobDir(path);
  expect([existsSync(path), existsSync(other)]).toEqual([false, true]);
  removeJobDir(path);
  removeJobDir(other);
  expect(existsSync(dirname(path))).toBe(false);
});

test('R27 the job dirs of processes that are gone are swept, those of living ones stay', () => {
  const mine = make(1);
  const gone = join(dirname(mine), '2-1.0');
  const strange = join(dirname(mine), 'not a job');
  // Of a root that is gone.
  const other = join(dirname(dirname(mine)), sha256Hex(`${root} of before`).slice(0, 16));
  const lost = join(other, '3-1.0');
  mkdirSync(other, { mode: 0o700 });
  for (const path of [gone, strange, lost]) mkdirSync(path);
  expect(sweepJobDirs({ root, environment: {} })).toBeGreaterThanOrEqual(2);
  expect([mine, gone, strange, other].map((path) => existsSync(path))).toEqual([true, false, true, false]);
});
