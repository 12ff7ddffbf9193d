/** A `DiscoveryWorld` made of paths and texts; languages are told by extension, imports are what a test says they are. */

import type { DiscoveryWorld } from '../../src/languages/projects/project-files.ts';
import { worldOf } from './resolve-world.ts';

const languages: Readonly<Record<string, string>> = {
  py: 'python',
  pyi: 'python',
  go: 'go',
  rs: 'rust',
  java: 'java',
  cs: 'csharp',
  c: 'c',
  h: 'c',
  cc: 'cpp',
  cpp: 'cpp',
  hpp: 'cpp',
};

export function discoveryWorldOf(
  files: Readonly<Record<string, string>>,
  targets: Readonly<Record<string, readonly string[]>> = {},
): DiscoveryWorld {
  return {
    resolve: worldOf(files),
    languageOf: (path) => languages[path.slice(path.lastIndexOf('.') + 1)] ?? null,
    targetsOf: (path) => targets[path] ?? [],
    pinned: undefined,
  };
}

/** Many empty files. */
export function emptyFiles(...paths: readonly string[]): Record<string, string> {
  return Object.fromEntries(paths.map((path) => [path, '']));
}
