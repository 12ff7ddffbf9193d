/** One column of the store holds why a file has no facts and where a link leads; people are told apart what is apart. */

import { aliasReasons } from '../../../index/store/rows.ts';

type Reasons = Readonly<Record<string, number>>;

export function splitReasons(reasons: Reasons): {
  readonly skipped: Record<string, number>;
  readonly astray: Record<string, number>;
} {
  const isAstray = (reason: string) => (aliasReasons as readonly string[]).includes(reason);
  const pick = (wanted: boolean) =>
    Object.fromEntries(Object.entries(reasons).filter(([reason]) => isAstray(reason) === wanted));
  return { skipped: pick(false), astray: pick(true) };
}
