/** States of all files of a store: the first answer of a process and of its handle, and later ones, some of them after an edit. */

import { createFileStates } from '../../src/index/freshness/file-states.ts';
import { type FactsPlace, openFactsForRead, openFactsForWrite } from '../../src/index/store/facts-file.ts';
import { noDifferences } from '../../src/index/sync/find-differences.ts';
import { hexOf, makeFile } from '../../test/support/store-records.ts';

/** `edits`: how many files are edited afterwards. The store is another one then. */
export type StatesAsk = { readonly place: FactsPlace; readonly asks: number; readonly edits: number };
export type StatesAnswer = {
  readonly clean: number;
  readonly firstMs: number;
  readonly warmMs: readonly number[];
  /** Where the store has not changed since the last question. */
  readonly againMs: readonly number[];
  /** After the bytes of one file have changed in the store: its dependents wait for it. */
  readonly editedMs: readonly number[];
  readonly rssMb: number;
};

const { place, asks, edits } = JSON.parse(process.argv[2] as string) as StatesAsk;
const opened = openFactsForRead(place);
if (opened.kind !== 'open') throw new Error(opened.kind);
const { facts } = opened;
const generation = facts.read((session) => session.generation);
const view = { read: facts.read, differences: noDifferences };
let clean = 0;

const firstMs = count(view);
const warmMs = Array.from({ length: asks }, () => count(view));
count({ ...view, generation });
const againMs = Array.from({ length: asks }, () => count({ ...view, generation }));
facts.close();
const untouched = clean;
const editedMs = edits === 0 ? [] : followEdits();
const rssMb = process.resourceUsage().maxRSS / 1024;
console.log(JSON.stringify({ clean: untouched, firstMs, warmMs, againMs, editedMs, rssMb } satisfies StatesAnswer));

/** As in a process that stays: each edit is written, then the states of all files are asked. */
function followEdits(): readonly number[] {
  const writable = openFactsForWrite(place);
  if (writable.kind !== 'open') throw new Error(writable.kind);
  const { facts: store } = writable;
  const ask = (): number =>
    count({ read: store.read, differences: noDifferences, generation: store.writer.generation });
  const paths = store.read((session) => session.statement('SELECT path FROM files ORDER BY path').all());
  ask();
  const times = Array.from({ length: edits }, (_, at) => {
    const path = String(paths[(at * 7919) % paths.length]?.['path']);
    const file = makeFile(path, { ifaceCore: null, contentHash: hexOf(`${path} ${at}`), synIface: hexOf(`new ${at}`) });
    const exported = { publicName: 'x', localName: null, specifier: null, star: false, typeOnly: false };
    const facts = { symbols: [], imports: [], exports: [exported], sites: [], errors: [], provides: [] };
    store.writer.transaction(() => store.writer.putFile({ file, facts, text: null }, []));
    const took = ask();
    if (clean >= paths.length) throw new Error('the edit was not noticed');
    return took;
  });
  store.close();
  return times;
}

function count(of: Parameters<typeof createFileStates>[0]): number {
  const started = performance.now();
  clean = createFileStates(of).counts().clean;
  return performance.now() - started;
}
