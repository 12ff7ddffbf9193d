/** Notes that people keep beside the code in `.codegenie/notes/`: what they are about and when they last changed, not their text. */

import { defineProbe, namedOnly, type ProbeContext } from '../../gather/contract.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { limits } from '../../kernel/base/limits.ts';
import { z } from '../../kernel/base/schema.ts';
import { decodeLenient } from '../../kernel/base/text.ts';
import { confidenceOf, type PerFileError, perFileErrorSchema, sortPerFileErrors } from '../shared/authored-files.ts';

const section = z.strictObject({
  notes_dir: z.literal('.codegenie/notes'),
  files: z.array(
    z.strictObject({
      path: namedOnly(z.string()),
      title: z.string().nullable(),
      headings: z.array(z.string()),
      byte_count: z.int(),
      /** Unicode characters, not UTF-16 units. */
      char_count: z.int(),
      blake3: namedOnly(z.string()),
      /** Null for a note that git does not know, or when its history could not be read. */
      last_commit: z.strictObject({ sha: namedOnly(z.string()), date: z.string() }).nullable(),
    }),
  ),
  per_file_errors: z.array(perFileErrorSchema(['file_exceeds_cap', 'symlink_refused', 'unreadable'])),
});

const NOTES_DIR = '.codegenie/notes';
const LOG_BYTES_MAX = 32 * 1024 * 1024;

export default defineProbe({
  name: 'repo_notes',
  version: '0.1.0',
  layer: 'D',
  says: 'Notes kept in .codegenie/notes: title, headings, size, hash and last commit.',
  heaviness: 'light',
  sections: { 'organizational.repo_notes': section },
  declaredInputs: ['.codegenie/notes/**/*.md', 'git-head:<resolved>'],
  tools: ['git'],
  timeoutSeconds: 5,
  warningIds: ['repo_notes.per_file_errors_present', 'repo_notes.history_unknown'],
  confidenceRule:
    'high when every note was read and git told its history, medium when some were not, low when no note was read',
  examples: [
    {
      shows: 'one note; git does not know it yet',
      files: { '.codegenie/notes/deploy/how.md': '---\ntags: [a]\n---\n# How we deploy\n\n## Canary\n\nÄ text.\n' },
      gives: {
        'organizational.repo_notes': {
          notes_dir: '.codegenie/notes',
          files: [
            {
              path: '.codegenie/notes/deploy/how.md',
              title: 'How we deploy',
              headings: ['How we deploy', 'Canary'],
              byte_count: 55,
              char_count: 54,
              blake3: blake3Hex('---\ntags: [a]\n---\n# How we deploy\n\n## Canary\n\nÄ text.\n'),
              last_commit: null,
            },
          ],
          per_file_errors: [],
        },
      },
      confidence: 'high',
    },
    {
      shows: 'a note that is too large is told and not read',
      files: { '.codegenie/notes/a.md': 'no heading\n', '.codegenie/notes/b.md': `# B\n${'x'.repeat(1024 * 1024)}` },
      gives: {
        'organizational.repo_notes': {
          files: [
            {
              path: '.codegenie/notes/a.md',
              title: null,
              headings: [],
              byte_count: 11,
              char_count: 11,
              blake3: blake3Hex('no heading\n'),
              last_commit: null,
            },
          ],
          per_file_errors: [{ path: '.codegenie/notes/b.md', reason: 'file_exceeds_cap' }],
        },
      },
      warnings: ['repo_notes.per_file_errors_present'],
      confidence: 'medium',
    },
    { shows: 'without notes it is skipped', files: { 'a.txt': 'x' }, gives: {}, skipped: 'not_configured' },
  ],
  async run(repo, ctx) {
    const ids = repo.inputs.list();
    if (ids.length === 0) return { kind: 'skipped', reason: 'not_configured', detail: `no note in ${NOTES_DIR}` };
    const { scanMarkdown } = await import('../shared/markdown.ts');
    const { splitFrontmatterBytes } = await import('../shared/markdown.ts');
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
  },
});

type Commit = { readonly sha: string; readonly date: string };

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
