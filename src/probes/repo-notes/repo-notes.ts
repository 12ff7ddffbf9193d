/** Notes that people keep beside the code in `.codegenie/notes/`: what they are about and when they last changed, not their text. */

import { defineProbe, namedOnly } from '../../gather/contract.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { z } from '../../kernel/base/schema.ts';
import { perFileErrorSchema } from '../shared/authored-files.ts';

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
    if (ids.length === 0) return { kind: 'skipped', reason: 'not_configured', detail: 'no note in .codegenie/notes' };
    const { gatherRepoNotes } = await import('./gather-repo-notes.ts');
    return gatherRepoNotes(repo, ctx, ids);
  },
});
