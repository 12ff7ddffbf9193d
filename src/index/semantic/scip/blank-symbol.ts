/** What a symbol says of which nothing is known: the format has no absent fields. */

import type { ScipSymbol } from './types.ts';

export const blankSymbol: Omit<ScipSymbol, 'symbol'> = {
  documentation: [],
  relationships: [],
  kind: 0,
  displayName: '',
  signature: '',
  enclosingSymbol: '',
};
