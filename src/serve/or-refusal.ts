import { giveUpStore } from '../index/store/current-file.ts';
import { StoreFailed } from '../index/store/store-failed.ts';
import { OutputRefused } from '../kernel/base/write-file.ts';

/** What the disk does to the store is no bug of ours, and has a way out. */
export function orRefusal(error: unknown, dataDir: string): { readonly kind: 'refused'; readonly message: string } {
  if (error instanceof OutputRefused) return { kind: 'refused', message: error.message };
  if (!(error instanceof StoreFailed)) throw error;
  // Derived, and not what it was: the next question finds none and builds it.
  if (error.damaged) giveUpStore(dataDir);
  const advice = error.damaged ? 'ask again, and it is built anew' : 'look for space and permissions, then ask again';
  return { kind: 'refused', message: `the index in ${dataDir}/index cannot be used (${error.detail}); ${advice}` };
}
