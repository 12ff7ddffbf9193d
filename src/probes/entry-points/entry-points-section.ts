/** The section about where programs begin and what a library opens to others. */

import { namedOnly } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';

const path = namedOnly(z.string());

export const entryManifestGlobs: readonly string[] = ['**/{package.json,jsr.json,pyproject.toml,Cargo.toml}'];
/** Builds that name the class in which a program begins. */
export const entryBuildGlobs: readonly string[] = ['**/build.gradle{,.kts}', '**/pom.xml'];
export const entrySourceGlobs: readonly string[] = [
  '**/*.go',
  '**/*{Application,App,Main,main}.{java,kt}',
  '**/__init__.py',
  '**/{wsgi,asgi}.py',
  '**/Program.cs',
  '**/index.php',
  '**/config.ru',
];

/** Settings of uWSGI are ini files of any name. */
export const uwsgiGlobs: readonly string[] = ['**/*.ini'];

const entry = z.strictObject({
  path,
  /** Where it is said, and the words that stand there. */
  said_in: path,
  shows: z.string(),
  how: z.string(),
});
export type EntryRow = Readonly<z.output<typeof entry>>;

export const entryPointsSection = z.strictObject({
  /** Files in which a program of the repository begins. */
  programs: z.array(entry),
  /** Files, or directories of a Go module, that others import. */
  public: z.array(entry),
});
