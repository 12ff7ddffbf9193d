/** What comes with a language rather than from a package: of no interest to whoever counts packages. */

import { platformModules } from '../../../index/resolve/javascript/package-names.ts';
import { pythonStdlib } from '../../../index/resolve/python/python-stdlib.ts';

const rustCrates: ReadonlySet<string> = new Set(['std', 'core', 'alloc', 'proc_macro', 'test']);

export function isPlatformModule(language: string, name: string): boolean {
  switch (language) {
    case 'typescript':
    case 'javascript':
      return name.startsWith('node:') || platformModules.has(name.split('/', 1)[0] ?? name);
    case 'python':
      return pythonStdlib.has(name);
    case 'go':
      return !(name.split('/', 1)[0] ?? '').includes('.');
    case 'rust':
      return rustCrates.has(name);
    case 'java':
      return /^(?:java|javax|jdk|sun|com\.sun)\b/.test(name);
    default:
      return false;
  }
}
