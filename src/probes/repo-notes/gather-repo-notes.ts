/** The run of repo_notes: every note by title, headings, size, hash and the newest commit that names it. */

import type { ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { limits } from '../../kernel/base/limits.ts';
import { decodeLenient } from '../../kernel/base/text.ts';
import { confidenceOf, type PerFileError, sortPerFileErrors } from '../shared/authored-files.ts';
import { scanMarkdown, splitFrontmatterBytes } from '../shared/markdown.ts';

const NOTES_DIR = '.codegenie/notes';
const LOG_BYTES_MAX = 32 * 1024 * 1024;

type Commit = { readonly sha: string; readonly date: string };

export async function gatherRepoNotes(
  repo: ProbeRepo,
  ctx: ProbeContext<never>,
  ids: readonly string[],
): Promise<ProbeOutput> {
  const commits = repo.gitCommit === null ? new Map<string, never>() : await readLastCommits(ctx);
  const files = [];
  const errors: PerFileError[] = [];
  for (const path of ids) {
    const read = await repo.inputs.read(path, limits.textBytes);
    if (read.kind === 'absent') continue;
    if (read.kind === 'failed') {
      errors.push({ path, reason: failureReason(read.failure.kind) });
      continue;
    }
    const split = splitFrontmatterBytes(read.bytes);
    const outline = scanMarkdown(decodeLenient(read.bytes.subarray('bodyOffset' in split ? split.bodyOffset : 0)));
    files.push({
      path,
      title: outline.title,
      headings: outline.headings.map((heading) => heading.text),
      byte_count: read.bytes.length,
      char_count: [...decodeLenient(read.bytes)].length,
      blake3: blake3Hex(read.bytes),
      last_commit: commits?.get(path) ?? null,
    });
  }
  const historyUnknown = commits === undefined;
  return {
    kind: 'ran',
    slice: {
      'organizational.repo_notes': { notes_dir: NOTES_DIR, files, per_file_errors: sortPerFileErrors(errors) },
    },
    confidence: historyUnknown && errors.length === 0 ? 'medium' : confidenceOf(files.length, errors.length),
    warnings: [
      ...(errors.length > 0 ? ['repo_notes.per_file_errors_present'] : []),
      ...(historyUnknown ? ['repo_notes.history_unknown'] : []),
    ],
  };
}

/** One walk over the history of the folder; undefined when git did not finish it. */
async function readLastCommits(ctx: ProbeContext<never>): Promise<ReadonlyMap<string, Commit> | undefined> {
  const outcome = await ctx.exec.git(
    ['log', '--format=%x01%H%x02%cI', '--name-only', '-z', '--no-renames', '--', NOTES_DIR],
    { timeoutS: 4, maxStdoutBytes: LOG_BYTES_MAX },
  );
  if (outcome.kind !== 'exited' || outcome.code !== 0 || outcome.truncated.stdout) return undefined;
  const { parseNameLog } = await import('./gather-repo-notes.ts');
  return parseNameLog(outcome.stdout.toString('utf8'));
}

function failureReason(kind: string): string {
  if (kind === 'size_cap_exceeded') return 'file_exceeds_cap';
  return kind === 'symlink_refused' ? kind : 'unreadable';
}
// `git log --format=%x01%H%x02%cI --name-only -z`: the newest commit that names each path.

export type NamedCommit = { readonly sha: string; readonly date: string };

export function parseNameLog(output: string): ReadonlyMap<string, NamedCommit> {
  const commits = new Map<string, NamedCommit>();
  let commit: NamedCommit | undefined;
  for (const field of output.split('\0')) {
    // The first name after a header has the line end of the header before it.
    const text = field.startsWith('\n') ? field.slice(1) : field;
    if (text.startsWith('\x01')) {
      const [sha = '', date = ''] = text.slice(1).split('\x02');
      commit = { sha, date };
    } else if (text !== '' && commit !== undefined && !commits.has(text)) commits.set(text, commit);
  }
  return commits;
}
