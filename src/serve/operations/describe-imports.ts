/** A file's imports as an answer shows them: where each is written, where it leads, or why it leads nowhere. */

import type { ReadSession } from '../../index/store/read-session.ts';
import { countParses, type ParseCount } from '../../index/store/store-counts.ts';
import { findFile, listAllPaths, type StoredFile } from '../../index/store/stored-files.ts';
import { listUnresolvedImports, type StoredImport, type UnresolvedImport } from '../../index/store/stored-imports.ts';
import { screenFile } from '../../index/sync/file-table.ts';
import type { CodeView } from '../../index/view/code-view.ts';
import { z } from '../../kernel/base/schema.ts';
import { createDirectoryGuard } from '../../kernel/tree/safe-read.ts';
import { importKinds } from '../../languages/facts.ts';
import { findFamily } from '../../languages/language-family.ts';
import { importReasons } from '../../languages/resolving/resolution.ts';
import { countWith, plural, quotedPath, shown, whyStale } from './answer-words.ts';
import type { SourcePlace } from './file-head.ts';
import type { Count } from './operation.ts';

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

/**
 * Why the importers that are known may not be all (P2, T14): imports that lead nowhere known, unreadable files.
 * Narrowed to what could reach the file in question: a computed import of Python never names a Go file.
 */
export function whoElseMayImport(session: ReadSession, view: CodeView, file: StoredFile): readonly string[] {
  const family = findFamily(file.language);
  const mayHoldCode = (language: string | null) => family === undefined || family.code.includes(language ?? '');
  const reasons = [...whyStale(view)];
  const imports = listUnresolvedImports(session).filter((entry) => mayHoldCode(entry.language) && mayMean(entry, file));
  const of = (reason: UnresolvedImport['reason']) => imports.filter((entry) => entry.reason === reason);
  const say = (entries: readonly UnresolvedImport[], what: string) => {
    const [first] = entries;
    if (first === undefined) return;
    const example = `${quotedPath(first.path)}: ${shown(first.specifier, 60)}`;
    reasons.push(`${plural(entries.length, 'import')} ${what} (${entries.length === 1 ? '' : 'such as '}${example})`);
  };
  say(of('dynamic'), 'of a name that is computed when the program runs');
  say(of('ambiguous'), 'could mean several files');
  say(of('not_found'), 'of a like name led to no file');
  const parses = countParses(session);
  const total = (isMeant: (entry: ParseCount) => boolean) =>
    parses.filter(isMeant).reduce((sum, entry) => sum + entry.count, 0);
  const unread = total((entry) => mayHoldCode(entry.language) && isUnread(entry));
  const broken = total(({ language, parse }) => mayHoldCode(language) && parse === 'errors');
  const holders = family?.holders ?? null;
  const held = holders === null ? [] : listAllPaths(session).filter((path) => holders.test(path));
  if (unread > 0)
    reasons.push(`${plural(unread, 'file')} could not be parsed or ${unread === 1 ? 'is' : 'are'} too large`);
  if (broken > 0) reasons.push(`parts of ${plural(broken, 'file')} could not be parsed`);
  const [holder] = held;
  if (holder !== undefined) {
    const example = `${held.length === 1 ? '' : 'such as '}${quotedPath(holder)}`;
    reasons.push(`code inside ${plural(held.length, 'file')} is not read (${example})`);
  }
  return reasons;
}

/** A binary is no source, unless it is one by its name; every other reason hides what may be one. */
function isUnread({ language, parse, skipReason }: ParseCount): boolean {
  const isHidden = skipReason !== null && (skipReason !== 'binary' || language !== null);
  return parse === 'failed' || parse === 'skipped' || isHidden;
}

/** A relative path that leads nowhere leads nowhere; another one may be known to a tool that we do not know of. */
function mayMean({ specifier, reason }: UnresolvedImport, file: StoredFile): boolean {
  if (reason === 'dynamic') return true;
  if (reason === 'not_found' && specifier.startsWith('.')) return false;
  const parts = specifier.split(/[/\\.:]+/).filter((part) => part !== '');
  const own = file.path.split('/');
  const stem = (own.at(-1) ?? '').split('.')[0] ?? '';
  const names = [stem, own.at(-2) ?? ''].filter((name) => name !== '');
  return parts.slice(-2).some((part) => names.includes(part));
}
