/** Trees and data dirs that another user made: nothing is written, removed or believed that should not be (mutation.md §8; P9). */

import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type ApplyRig,
  create,
  createApplyRig,
  hooksAt,
  listDirectories,
  readTree,
  replace,
  rigPlan,
} from '../../../test/support/apply-rig.ts';
import fc from '../../../test/support/properties.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { type Begin, encodeRecord, type JournalRecord, journalDir, listJournals, logPath } from './journal.ts';
import { findConflicts, lookAtJournals, resolveConflict } from './recover.ts';
import { openSeal } from './seal.ts';
import { readTarget } from './target.ts';

function open(files: Readonly<Record<string, string>>): ApplyRig & { readonly outside: string } {
  const rig = createApplyRig(files);
  onTestFinished(() => rig.dispose());
  const outside = join(rig.home, '../outside');
  mkdirSync(outside);
  return { ...rig, outside };
}

const evil = '#!/bin/sh\nid > /tmp/pwned\n';

/** What a hostile clone ships: a way back that is to write files which are not there. */
function plant(rig: ApplyRig, paths: readonly string[], sealedBy: string, last: JournalRecord): void {
  const dir = journalDir(rig.stateDir, rigPlan);
  mkdirSync(`${dir}/backup`, { recursive: true });
  const begin: Begin = {
    kind: 'BEGIN',
    plan: rigPlan,
    op: 'commit',
    atMs: 1,
    entries: paths.map((path) => ({
      path,
      old: blake3Hex(Buffer.from(evil)),
      new: null,
      oldMode: 0o755,
      newMode: null,
      owner: null,
      temp: `${path.slice(0, path.lastIndexOf('/') + 1)}.t.cg-0123456789abcdef.tmp`,
    })),
    makes: [],
    drops: [],
    trials: [],
    notes: [],
    ledger: null,
  };
  const seal = openSeal({ root: rig.root, home: sealedBy });
  writeFileSync(logPath(dir), Buffer.concat([begin, last].map((record) => encodeRecord(seal, rigPlan, record))));
  for (const position of paths.keys()) writeFileSync(`${dir}/backup/${position}`, evil);
}

const rollback = { kind: 'ROLLBACK', ends: 'open' } as const;

describe('P9 a journal that came with the tree', () => {
  test('is not acted upon, stays, is shown, and stops nothing', () => {
    const rig = open({ 'a.ts': 'a' });
    plant(rig, ['run.sh'], join(rig.home, '../attacker'), rollback);
    expect(rig.recover()).toEqual({ recovered: [], conflicts: [] });
    expect(rig.tree()).toEqual({ 'a.ts': '644 a' });
    expect(findConflicts(rig)).toEqual([]);
    expect(lookAtJournals(rig)).toMatchObject([{ kind: 'foreign', conflict: { planId: rigPlan } }]);
    expect(resolveConflict({ ...rig, nowMs: () => 0, planId: rigPlan, by: 'undo' })).toEqual({ kind: 'no_conflict' });
    expect(rig.commit([replace(rig, 'a.ts', 'b')])).toMatchObject({ kind: 'refused', reason: 'plan_used' });
    expect(rig.commit([replace(rig, 'a.ts', 'b')], { planId: 'p-other' }).kind).toBe('applied');
  });

  test('is not believed either where the whole repository was copied from its place', () => {
    const rig = open({ 'a.ts': 'old', 'b.ts': 'old' });
    const cut = hooksAt('after K7 a.ts', () => {
      throw new Error('cut off');
    });
    const changes = [replace(rig, 'a.ts', 'new'), replace(rig, 'b.ts', 'new')];
    expect(() => rig.apply(changes, { hooks: cut })).toThrow('cut off');
    const root = join(rig.home, '../copy');
    cpSync(rig.root, root, { recursive: true });
    expect(lookAtJournals({ ...rig, root })).toMatchObject([{ kind: 'foreign' }]);
    expect(lookAtJournals(rig)).toMatchObject([{ kind: 'pending' }]);
    rig.recover();
    expect(rig.tree()).toEqual({ 'a.ts': '644 old', 'b.ts': '644 old' });
  });

  test('copies for an undo under another seal are none', () => {
    const rig = open({ 'a.ts': 'old' });
    expect(rig.commit([replace(rig, 'a.ts', 'new')]).kind).toBe('applied');
    const manifest = `${rig.stateDir}/state/undo/${rigPlan}/manifest`;
    const line = readFileSync(manifest, 'utf8').trimEnd();
    const begin = JSON.parse(line.slice(line.indexOf('{'))) as Begin;
    const theirs = openSeal({ root: rig.root, home: join(rig.home, '../attacker') });
    writeFileSync(manifest, encodeRecord(theirs, rigPlan, begin));
    expect(rig.undo()).toMatchObject({ kind: 'refused', reason: 'undo_conflict' });
    expect(rig.tree()).toEqual({ 'a.ts': '644 new' });
  });

  test('a key that others may read is none', () => {
    const rig = open({ 'a.ts': 'old' });
    const key = join(rig.home, '.codegenie/state/seal.key');
    mkdirSync(join(key, '..'), { recursive: true });
    writeFileSync(key, Buffer.alloc(32), { mode: 0o644 });
    expect(rig.commit([replace(rig, 'a.ts', 'new')])).toMatchObject({ kind: 'refused' });
    expect(rig.tree()).toEqual({ 'a.ts': '644 old' });
    rmSync(key);
    expect(rig.commit([replace(rig, 'a.ts', 'new')]).kind).toBe('applied');
  });
});

describe('E3 behind a link nothing is the tree', () => {
  const linked = () => {
    const rig = open({ 'a.ts': 'a', '.git/hooks/x': 'x' });
    symlinkSync('.git', join(rig.root, 'g'));
    symlinkSync(rig.outside, join(rig.root, 'h'));
    return rig;
  };

  test('a file behind a link is none, also where it is not there', () => {
    const rig = linked();
    writeFileSync(join(rig.outside, 'there'), '');
    for (const path of ['h/there', 'h/missing', 'h/deep/missing', 'g/hooks/new'])
      expect(readTarget(rig.root, path)).toEqual({ kind: 'other' });
    expect(readTarget(rig.root, 'missing/x')).toEqual({ kind: 'absent' });
  });

  const lasts: readonly JournalRecord[] = [rollback, { kind: 'READY' }, { kind: 'FORWARD' }, { kind: 'END' }];
  test.each(lasts)('recovery writes nothing through one, under any seal: %j', (last) => {
    const rig = linked();
    plant(rig, ['g/hooks/post-checkout', 'h/escaped.sh', 'h/new/escaped.sh'], rig.home, last);
    rig.recover();
    for (const by of ['undo', 'commit'] as const) resolveConflict({ ...rig, nowMs: () => 0, planId: rigPlan, by });
    expect(readdirSync(rig.outside)).toEqual([]);
    expect(readdirSync(join(rig.root, '.git/hooks'))).toEqual(['x']);
  });

  test.each(['.git/hooks/post-checkout', '.GIT /hooks/x', '.g\u200cit/hooks/x', 'git~1/x', '.codegenie/config.yaml'])(
    'nor below %j',
    (path) => {
      const rig = linked();
      plant(rig, [path], rig.home, rollback);
      const before = rig.tree();
      rig.recover();
      expect(rig.tree()).toEqual(before);
    },
  );

  /** At each step the directory is moved out, and a link to it takes its place: all hashes are as before. */
  test('a directory that becomes a link at any step: what is behind it stays as it was', () => {
    const count = hooksAt('', () => {});
    const files = { 'src/a.ts': 'a', 'src/b.ts': 'b' };
    const changesOf = (rig: ApplyRig) => [replace(rig, 'src/a.ts', 'A'), create('src/new/c.ts', 'C')];
    const first = open(files);
    first.commit(changesOf(first), { hooks: count });
    for (let step = 0; step < count.seen.length; step += 1) {
      const rig = open(files);
      const there = join(rig.outside, 'src');
      let seen = 0;
      let before: unknown;
      const look = () => [readTree(rig.outside), listDirectories(rig.outside)];
      const at = () => {
        seen += 1;
        if (seen !== step + 1) return;
        renameSync(join(rig.root, 'src'), there);
        symlinkSync(there, join(rig.root, 'src'));
        before = look();
      };
      rig.commit(changesOf(rig), { hooks: { at, pause: () => {} } });
      rig.recover();
      for (const by of ['undo', 'commit'] as const) resolveConflict({ ...rig, nowMs: () => 0, planId: rigPlan, by });
      expect(look(), count.seen[step]).toEqual(before);
    }
  });
});

test('no bytes in the directory of journals make recovery throw', () => {
  const rig = open({ 'a.ts': 'a' });
  const seal = openSeal(rig);
  const name = fc.constantFrom(rigPlan, 'p-1', '..x', 'ä b', '-');
  const record = fc.jsonValue().map((value) => encodeRecord(seal, rigPlan, value as never));
  const content = fc.oneof(
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    record,
    fc.constant('directory' as const),
  );
  const file = fc.constantFrom('log', 'backup', 'witness', 'backup/0', 'other');
  fc.assert(
    fc.property(fc.array(fc.tuple(name, file, content), { maxLength: 6 }), (planted) => {
      const base = `${rig.stateDir}/state/journal`;
      rmSync(base, { recursive: true, force: true });
      for (const [plan, at, bytes] of planted) {
        const path = `${base}/${plan}/${at}`;
        // `backup` may be a file by then.
        if (existsSync(path) || (at === 'backup/0' && existsSync(join(path, '..')))) continue;
        mkdirSync(join(path, '..'), { recursive: true });
        if (bytes === 'directory') mkdirSync(path);
        else writeFileSync(path, bytes);
      }
      rig.recover();
      lookAtJournals(rig);
      for (const planId of listJournals(rig.stateDir)) resolveConflict({ ...rig, nowMs: () => 0, planId, by: 'undo' });
      expect(rig.tree()).toEqual({ 'a.ts': '644 a' });
    }),
    { numRuns: 60 },
  );
});
