/** The built-in catalogs by name. A probe that declares one has the hash of its canonical JSON in its cache key. */

import type { Json } from '../../kernel/base/json.ts';
import { nativeModulesCatalog } from './native-modules.ts';

export const catalogs: Readonly<Record<string, Json>> = {
  'native-modules': nativeModulesCatalog,
};
