/** Sets a key that a file chose: as its own property, even when it is `__proto__`, which a plain assignment would obey. */

import type { Json } from '../base/json.ts';

export function setOwn(target: Record<string, Json>, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}
