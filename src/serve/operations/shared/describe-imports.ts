/** A file's imports as an answer shows them: where each is written, where it leads, or why it leads nowhere. */

import { importReasons } from '../../../index/resolve/types.ts';
import type { CodeView } from '../../../index/state/code-view.ts';
import type { ReadSession } from '../../../index/store/facts-handle.ts';
import { findFile } from '../../../index/store/queries/find-file.ts';
import type { StoredImport } from '../../../index/store/queries/list-imports.ts';
import { screenFile } from '../../../index/sync/screen-files.ts';
import { importKinds } from '../../../index/syntax/facts.ts';
import { z } from '../../../kernel/base/schema.ts';
import { createDirectoryGuard } from '../../../kernel/repo/safe-read.ts';
import type { Count } from '../operation.ts';
import type { SourcePlace } from './source-positions.ts';
import { countWith, plural } from './words.ts';

export const ImportAnswer = z.object({
  specifier: z.string(),
  kind: z.enum(importKinds),
  type_only: z.boolean(),
  names: z.array(z.object({ name: z.string(), alias: z.string().nullable() })),
  /** Where the import is written; null where the file has changed since. */
  line: z.number().int().nullable(),
  col: z.number().int().nullable(),
  /** In the language's order; several where a package means several files. Empty iff there is a reason. */
  targets: z.array(z.string()),
  reason: z.enum([...importReasons, 'ignored_target']).nullable(),
  /** The package, module or header outside this repository. */
  external: z.string().nullable(),
  /** Of an ignored target: the file on disk that it means. */
  on_disk: z.string().nullable(),
  /** What was or would have been tried, in order, up to and including the hit. Only where asked for. */
  candidates: z.array(z.string()).optional(),
});
export type ImportAnswer = z.infer<typeof ImportAnswer>;

/** `ignored_target` is decided here and now: whether a file that is not in scope lies on disk is no fact of the index. */
export function describeImports(
  session: ReadSession,
  view: CodeView,
  imports: readonly StoredImport[],
  place: ((byte: number) => SourcePlace) | undefined,
  withCandidates: boolean,
): readonly ImportAnswer[] {
  const guard = createDirectoryGuard(view.root);
  const { added, gone } = view.differences;
  const isIgnored = (path: string) =>
    isFilePath(path) &&
    (findFile(session, path) === undefined || gone.has(path)) &&
    !added.has(path) &&
    screenFile(view.root, path, undefined, guard).kind === 'file';
  return imports.map((entry) => {
    const targets = entry.targets.filter((path) => !gone.has(path));
    // Led to files that are no longer there, and the index does not know yet.
    const reason = targets.length === 0 && entry.targets.length > 0 ? 'not_found' : entry.reason;
    const onDisk = reason === 'not_found' ? (entry.candidates.find(isIgnored) ?? null) : null;
    const at = place?.(entry.start);
    return {
      specifier: entry.specifier,
      kind: entry.kind,
      type_only: entry.typeOnly,
      names: entry.names.map(({ name, alias }) => ({ name, alias })),
      line: at?.line ?? null,
      col: at?.col ?? null,
      targets,
      reason: onDisk === null ? reason : 'ignored_target',
      external: entry.external,
      on_disk: onDisk,
      ...(withCandidates ? { candidates: [...entry.candidates] } : {}),
    };
  });
}

/** The files of this repository that the imports lead to; imports that may lead to others make it a lower bound. */
export function countTargets(imports: readonly ImportAnswer[], incomplete: readonly string[]): Count {
  const value = new Set(imports.flatMap((entry) => entry.targets)).size;
  const open = (reason: ImportAnswer['reason']) => imports.filter((entry) => entry.reason === reason).length;
  const say = (count: number, what: string) => (count === 0 ? [] : [`${plural(count, 'import')} ${what}`]);
  return countWith(value, [
    ...incomplete,
    ...say(open('dynamic'), 'of a name that is computed when the program runs'),
    ...say(open('ambiguous'), 'could mean several files'),
    ...say(open('not_found'), 'led to no file'),
    ...say(open('ignored_target'), 'of files that are not in scope'),
  ]);
}

/** Candidates are also directories (`dir/`) and provided names (`java:com.acme.Order`). */
function isFilePath(candidate: string): boolean {
  return candidate !== '' && !candidate.endsWith('/') && !/^[a-z]+:/.test(candidate) && !candidate.startsWith('..');
}
