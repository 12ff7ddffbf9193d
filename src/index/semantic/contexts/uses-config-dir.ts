/** An option that says `${configDir}` would mean another directory in a configuration that extends this one: it is given as it is. */

import type { ConfigFile } from '../../resolve/javascript/config-file.ts';

export function usesConfigDir({ compilerOptions }: ConfigFile): boolean {
  return [...compilerOptions.values()].some(({ value }) => /"\$\{configDir\}/i.test(JSON.stringify(value)));
}
