/**
 * The shape of what a journal says. A record of another shape was not written by us, or is no longer what was written: it counts as damaged.
 * Paths are below the root and in nobody's private directory; temps are ours by their names, and lie beside their targets.
 */

import { dirname } from 'node:path';
import { z } from '../../kernel/base/schema.ts';
import type { JournalRecord } from './journal.ts';

const reserved = new Set(['', '.', '..', '.git', 'git~1', '.codegenie']);

/** Without regard to what some volumes do not see in a name: case, dots and spaces at its end, characters of no width. */
export function isPlainPath(path: string): boolean {
  if (path.includes('\0')) return false;
  return path.split('/').every((part) => {
    const seen = part.replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '').toLowerCase();
    return !reserved.has(seen) && !reserved.has(seen.replace(/[. ]+$|:.*$/g, ''));
  });
}

const tempName = /(?:^|\/)\.[^/]*cg-[0-9a-f]{16}[^/]*\.tmp$/;

const Path = z.string().min(1).refine(isPlainPath);
const Temp = Path.refine((path) => tempName.test(path));
const Mode = z.int().min(0).max(0o7777).nullable();
const Id = z.int().min(0).max(0xffff_ffff);

const Entry = z
  .strictObject({
    path: Path,
    old: z.string().nullable(),
    new: z.string().nullable(),
    oldMode: Mode,
    newMode: Mode,
    owner: z.strictObject({ uid: Id, gid: Id }).nullable(),
    temp: Temp,
  })
  .refine(({ path, temp }) => dirname(path) === dirname(temp));

const Decision = z.strictObject({
  key: z.string(),
  op: z.string(),
  symbolKey: z.string(),
  chosen: z.record(z.string(), z.string()),
  fileHashes: z.record(z.string(), z.string()),
  planId: z.string(),
  createdMs: z.number(),
});

const Begin = z.strictObject({
  kind: z.literal('BEGIN'),
  plan: z.string().regex(/^[\w-]{1,128}$/),
  op: z.enum(['commit', 'undo']),
  atMs: z.number(),
  entries: z.array(Entry),
  makes: z.array(Path),
  drops: z.array(Path),
  trials: z.array(Temp),
  notes: z.array(z.string()),
  ledger: z
    .strictObject({ selections: z.array(z.string()), proofJson: z.string(), decision: Decision.nullable() })
    .nullable(),
});

const Record = z.discriminatedUnion('kind', [
  Begin,
  z.strictObject({ kind: z.literal('READY') }),
  z.strictObject({ kind: z.literal('ROLLBACK'), ends: z.enum(['open', 'undone', 'committed']) }),
  z.strictObject({ kind: z.literal('FORWARD') }),
  z.strictObject({ kind: z.literal('DONE'), late: z.array(z.string()) }),
  z.strictObject({ kind: z.literal('END') }),
]);

export function readRecord(json: string): JournalRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  const read = Record.safeParse(value);
  return read.success ? read.data : undefined;
}
