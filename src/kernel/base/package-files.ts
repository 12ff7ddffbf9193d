/** Where this package lies on disk, whether it runs from its sources or from what was built of them. */

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assert } from './assert.ts';

/** Without a trailing slash. */
export const packageDirectory: string = findPackage(fileURLToPath(new URL('.', import.meta.url)));

/** What Node keeps of compiled sources (`bin/codegenie.mjs`); a process in a sandbox reads it and cannot write it. */
export const compiledDirectory: string = `${packageDirectory}/node_modules/.cache/codegenie`;

export function packageVersion(): string {
  return (JSON.parse(readFileSync(`${packageDirectory}/package.json`, 'utf8')) as { version: string }).version;
}

/** A file of another package, where that lies; the published form carries those whose package has much besides (`scripts/build.ts`). */
export function locateCarried(name: string): string {
  const carried = fileURLToPath(new URL(`./${basename(name)}`, import.meta.url));
  return existsSync(carried) ? carried : createRequire(import.meta.url).resolve(name);
}

export function readCarried(name: string): Uint8Array {
  return readFileSync(locateCarried(name));
}

function findPackage(from: string): string {
  for (let directory = from.replace(/[\\/]$/, ''); ; directory = dirname(directory)) {
    if (existsSync(`${directory}/package.json`)) return directory;
    assert(directory !== dirname(directory), `no package.json above ${from}`);
  }
}
