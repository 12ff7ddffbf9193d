/**
 * A process that uses the store and can be killed in the middle of it: `store-child.ts <what> <data dir>`. It prints one line when
 * it has got there.
 *   hold       takes the writer lock and keeps it
 *   write      is inside a write transaction, everything of a file written but not committed
 *   build      has filled a new store and not published it
 */

import { setInterval } from 'node:timers';
import { openFactsForWrite } from '../../src/index/store/facts-file.ts';
import { takeWriterLock } from '../../src/index/store/writer-lock.ts';
import { createScratchStore, makeRecord } from './store-records.ts';

const [what = '', stateDir = ''] = process.argv.slice(2);
const place = { cacheDir: stateDir, rootHash: 'root', extractor: 'extractor' };

function arrive(): never {
  process.stdout.write('here\n');
  // Nothing here gives way: the process ends when it is killed.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

if (what === 'hold') {
  const lock = await takeWriterLock({
    stateDir,
    waitMs: 0,
    signal: new AbortController().signal,
    socket: '/run/x.sock',
  });
  if (lock.kind !== 'taken') throw new Error(lock.kind);
  setInterval(() => {}, 1_000_000);
  process.stdout.write('here\n');
} else if (what === 'write') {
  const opened = openFactsForWrite(place);
  if (opened.kind !== 'open') throw new Error(opened.kind);
  const { writer } = opened.facts;
  writer.transaction(() => {
    const { record, resolutions } = makeRecord('src/a.ts', 'New');
    writer.putFile(record, resolutions);
    writer.deleteFile('src/b.ts');
    arrive();
  });
} else {
  const build = createScratchStore(stateDir).begin();
  build.writer.transaction(() => {
    const { record, resolutions } = makeRecord('src/a.ts', 'New');
    build.writer.putFile(record, resolutions);
  });
  arrive();
}
