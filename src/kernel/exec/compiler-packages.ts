/**
 * Where the compiler is installed. Jobs that start it run in the sandbox, where the folders that hold it may have to be shown. What it
 * says of itself is read off its manifest: loading it to ask would cost more than the question.
 */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** The version that `typescript-api.ts` is written for. Its interface is unstable: another one is another program. */
export const compilerVersion = '7.0.2';

/** Manifests of `typescript` and of the package with the program for this machine. Undefined where one is not installed. */
export function findCompilerManifests(): readonly string[] | undefined {
  try {
    const typescript = createRequire(import.meta.url).resolve('typescript/package.json');
    const platform = createRequire(typescript).resolve(
      `@typescript/typescript-${process.platform}-${process.arch}/package.json`,
    );
    return [typescript, platform];
  } catch {
    return undefined;
  }
}

/** The folders that hold them, and what else we need. */
export function findCompilerPackages(): readonly string[] | undefined {
  const manifests = findCompilerManifests();
  return manifests === undefined ? undefined : [...new Set(manifests.map(outermostModules))];
}

/** Undefined where it is not installed. */
export function readCompilerVersion(): string | undefined {
  try {
    const manifest = JSON.parse(readFileSync(findCompilerManifests()?.[0] ?? '', 'utf8')) as { version?: unknown };
    return typeof manifest.version === 'string' ? manifest.version : undefined;
  } catch {
    return undefined;
  }
}

function outermostModules(path: string): string {
  const at = path.indexOf('/node_modules/');
  return at === -1 ? dirname(path) : path.slice(0, at + '/node_modules'.length);
}
