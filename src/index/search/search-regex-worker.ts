/** The thread that runs a user's regular expression over texts. It may never come back: its owner ends it then. */

import { parentPort } from 'node:worker_threads';
import { compilePattern, type FindMatches, type TextMatch, type TextPattern } from './find-matches.ts';

export type RegexTask = {
  readonly pattern: TextPattern;
  /** The texts one after the other: shared, because copying them into a message takes longer than matching. */
  readonly shared: SharedArrayBuffer;
  readonly texts: readonly { readonly start: number; readonly length: number; readonly from: number }[];
  /** Together, in order of the texts. */
  readonly max: number;
};
/** One list per text; fewer lists than texts when there was no room for more matches. */
export type RegexFound = readonly (readonly TextMatch[])[];

let ready: { readonly key: string; readonly find: FindMatches } | undefined;

parentPort?.on('message', (task: RegexTask) => {
  const key = JSON.stringify(task.pattern);
  if (ready?.key !== key) {
    const compiled = compilePattern(task.pattern);
    ready = { key, find: compiled.kind === 'ready' ? compiled.find : () => [] };
  }
  const matches: TextMatch[][] = [];
  let room = task.max;
  for (const { start, length, from } of task.texts) {
    if (room <= 0) break;
    const found = ready.find(new Uint8Array(task.shared, start, length), { max: room, from });
    matches.push(found);
    room -= found.length;
  }
  parentPort?.postMessage(matches satisfies RegexFound);
});
parentPort?.postMessage([] satisfies RegexFound);
