/** A tie by shape whose other side cannot be renamed along, with why: there is nothing to choose but to leave it. */

import type { CompilerItem } from '../types.ts';

export function cannotFollow<T extends CompilerItem>(item: T, why: string): T {
  const detail = `${item.detail} The other side cannot be renamed along: ${why}.`;
  return { ...item, detail, edits: {}, options: ['leave', 'stop'] };
}
