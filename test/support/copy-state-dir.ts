/** A copy of a data dir that its store takes for the place where it was made. A plain copy is rebuilt, which is another test. */

import { cpSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { factsPath, readCurrent } from '../../src/index/store/current-file.ts';
import { placeOf } from '../../src/index/store/facts-file.ts';

export function copyStateDir(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  const live = readCurrent(to);
  if (live === undefined) return;
  const db = new DatabaseSync(factsPath(to, live.number));
  db.prepare("UPDATE meta SET value = ? WHERE key = 'place'").run(placeOf(to));
  db.close();
}
