/** which files a snapshot holds, by which name, and what its digest tells apart. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { blake3Hex } from '../../kernel/base/hash.ts';
import type { Logger } from '../../kernel/base/log.ts';
import { listScope } from '../../kernel/tree/file-scope.ts';
import { noMemo } from '../../kernel/tree/hash-memo.ts';
import type { ConfigValues } from '../config.ts';
import { createSnapshotTaker, digestInputs, type Input } from './input-snapshot.ts';

let base: string;
let events: string[];
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'codegenie-snapshot-')));
  events = [];
  for (const directory of ['root', 'home', 'elsewhere']) mkdirSync(join(base, directory));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
}

async function take(patterns: readonly string[], config: Readonly<Record<string, unknown>> = {}) {
  const root = join(base, 'root');
  const excludes = (path: string) => path.startsWith('secret/');
  const { scope } = await listScope({ root, git: undefined, excludes });
  const logger = { event: (name: string) => events.push(name) } as unknown as Logger;
  const taker = createSnapshotTaker({
    root,
    home: join(base, 'home'),
    scope,
    excludes,
    config: config as ConfigValues,
    memo: noMemo,
    logger,
    nowMs: () => 0,
  });
  const { inputs, tokens } = taker.take(patterns);
  return { taker, inputs: [...inputs.values()], tokens };
}
const shown = (inputs: readonly Input[]) =>
  inputs.map(({ id, kind, keyHash }) => `${kind} ${id} ${keyHash.slice(0, 15)}`);
const hash = (text: string) => `blake3:${blake3Hex(Buffer.from(text)).slice(0, 8)}`;

test('G8 a file by pattern, by its path, by name alone, and one that is not there', async () => {
  write('root/a.ts', 'one');
  write('root/b.md', 'four!');
  symlinkSync('a.ts', join(base, 'root/c.md'));
  expect(shown((await take(['*.ts'])).inputs)).toEqual([`file a.ts ${hash('one')}`]);
  expect(shown((await take(['b.md', 'none.md'])).inputs)).toEqual([`file b.md ${hash('four!')}`, 'absent none.md ']);
  expect(shown((await take(['names:*.md'])).inputs)).toContain('name b.md 5');
  const [absent] = (await take(['none.md'])).inputs;
  expect(absent).toMatchObject({ size: 0, mtimeNs: 0n, contentHash: '<absent>' });
});

test('G8 by bytes outweighs by name, in either order', async () => {
  write('root/a.ts', 'one');
  for (const patterns of [
    ['names:*.ts', '*.ts'],
    ['*.ts', 'names:*.ts'],
  ])
    expect(shown((await take(patterns)).inputs)).toEqual([`file a.ts ${hash('one')}`]);
});

test('G8 what is excluded is no input by its path either', async () => {
  write('root/secret/a.ts', 'one');
  expect((await take(['secret/a.ts'])).inputs).toEqual([]);
  const config = { 'slo.files': ['secret/a.ts', '.git/config', '.git', ''] };
  expect((await take(['config:slo.files'], config)).inputs).toEqual([]);
});

test('G8 what people write below the data dir is an input, by path and by pattern', async () => {
  write('root/.codegenie/notes/a.md', 'note');
  write('root/.codegenie/exceptions.yaml', 'none');
  const patterns = ['.codegenie/notes/**/*.md', '.codegenie/exceptions.yaml'];
  expect(shown((await take(patterns)).inputs)).toEqual([
    `file .codegenie/notes/a.md ${hash('note')}`,
    `file .codegenie/exceptions.yaml ${hash('none')}`,
  ]);
});

test("G8 the user's files have names of their own, also beside a file of the tree with the same path", async () => {
  write('home/.codegenie/skills/a.md', 'mine');
  mkdirSync(join(base, 'root/skills'));
  symlinkSync('/etc/passwd', join(base, 'root/skills/a.md'));
  expect(shown((await take(['user:skills/*.md'])).inputs)).toEqual([`file user:skills/a.md ${hash('mine')}`]);
  expect(shown((await take(['user:skills/a.md'])).inputs)).toEqual([`file user:skills/a.md ${hash('mine')}`]);
});

test('G8 files that configuration names: inside, outside for a key of the user alone, else told and left', async () => {
  write('root/ops/slo.yaml', 'slo');
  write('elsewhere/rules/r.yml', 'rule');
  const outside = join(base, 'elsewhere/rules');
  expect(shown((await take(['config:slo.files'], { 'slo.files': ['ops/slo.yaml'] })).inputs)).toEqual([
    `file ops/slo.yaml ${hash('slo')}`,
  ]);
  expect(shown((await take(['config:slo.files'], { 'slo.files': ['ops/*.yaml'] })).inputs)).toHaveLength(1);
  const rules = await take(['config:semgrep.config:**/*.yml'], { 'semgrep.config': [outside] });
  expect(shown(rules.inputs)).toEqual([`file config:semgrep.config:0/r.yml ${hash('rule')}`]);
  expect(events).toEqual([]);
  expect((await take(['config:slo.files'], { 'slo.files': [outside] })).inputs).toEqual([]);
  expect(events).toEqual(['config.path_outside_root']);
});

test('G8 an input that is looked at again is the same while nothing of it moved, and else described anew', async () => {
  write('root/a.ts', 'one');
  write('root/b.ts', 'one');
  const { taker, inputs } = await take(['a.ts', 'names:b.ts', 'none.ts']);
  const [a, b, none] = inputs as [Input, Input, Input];
  expect([taker.refresh(a), taker.refresh(b), taker.refresh(none).kind]).toEqual([a, b, 'absent']);
  expect(taker.refresh(a)).toBe(a);
  write('root/a.ts', 'two');
  write('root/b.ts', 'two, longer');
  write('root/none.ts', 'now');
  expect(taker.refresh(a).keyHash.slice(0, 15)).toBe(hash('two'));
  expect(taker.refresh(b)).toBe(b);
  expect(shown([taker.refresh(none)])).toEqual([`file none.ts ${hash('now')}`]);
  // The same size and time, as an archive sets them: the change of the inode tells.
  const then = new Date(1_700_000_000_000);
  utimesSync(join(base, 'root/a.ts'), then, then);
  const settled = (await take(['a.ts'])).inputs[0] as Input;
  write('root/a.ts', 'six');
  utimesSync(join(base, 'root/a.ts'), then, then);
  expect(taker.refresh(settled).keyHash.slice(0, 15)).toBe(hash('six'));
  rmSync(join(base, 'root/a.ts'));
  expect(taker.refresh(settled).kind).toBe('absent');
});

const entry = (id: string, kind: string, keyHash: string) => ({ id, kind, keyHash }) as unknown as Input;

test('G40 the digest tells id, kind and hash apart, whatever the order they came in', () => {
  const usual = digestInputs([entry('a', 'file', '1'), entry('b', 'file', '2')]);
  expect(digestInputs([entry('b', 'file', '2'), entry('a', 'file', '1')])).toBe(usual);
  const others = [
    [entry('a', 'file', '2'), entry('b', 'file', '1')],
    [entry('a', 'link', '1'), entry('b', 'file', '2')],
    [entry('ab', 'file', '1'), entry('', 'file', '2')],
    [entry('a', 'file', '1')],
  ].map(digestInputs);
  expect(new Set([usual, ...others]).size).toBe(5);
});

test("G40 a file of the tree does not pass for one of the user's or one that configuration names", async () => {
  const digestOf = (id: string) => digestInputs([entry(id, 'file', '1')]);
  for (const id of ['user:x', 'config:x'])
    expect(new Set([digestOf(id), digestOf(`root:${id}`), digestOf(`./${id}`)]).size).toBe(3);
  write('root/user:x', 'theirs');
  expect(shown((await take(['*'])).inputs)).toEqual([`file ./user:x ${hash('theirs')}`]);
});
