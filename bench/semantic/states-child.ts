/** States of all files of a store: the first answer of a process and of its handle, and later ones. */

import { createFileStates } from '../../src/index/freshness/file-states.ts';
import { type FactsPlace, openFactsForRead } from '../../src/index/store/facts-file.ts';
import { noDifferences } from '../../src/index/sync/find-differences.ts';

export type StatesAsk = { readonly place: FactsPlace; readonly asks: number };
export type StatesAnswer = {
  readonly clean: number;
  readonly firstMs: number;
  readonly warmMs: readonly number[];
  /** Where the store has not changed since the last question. */
  readonly againMs: readonly number[];
  readonly rssMb: number;
};

const { place, asks } = JSON.parse(process.argv[2] as string) as StatesAsk;
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
const rssMb = process.resourceUsage().maxRSS / 1024;
console.log(JSON.stringify({ clean, firstMs, warmMs, againMs, rssMb } satisfies StatesAnswer));

function count(of: Parameters<typeof createFileStates>[0]): number {
  const started = performance.now();
  clean = createFileStates(of).counts().clean;
  return performance.now() - started;
}
