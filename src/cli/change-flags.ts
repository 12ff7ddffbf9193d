/** Flags of the commands that plan a change. */

import type { Flag } from './command.ts';

export const changeFlags: readonly Flag[] = [
  {
    flags: '--apply',
    says: 'write it at once if it is proven and nothing is left to ask; exit 8 if it is only planned',
    kind: 'boolean',
  },
  { flags: '--wait <s>', says: 'how long to wait for another writer, and for a refresh (10)', kind: 'count' },
];

export const planArgs = [{ name: '<id>', says: 'the plan, as `plan list` names it' }] as const;
