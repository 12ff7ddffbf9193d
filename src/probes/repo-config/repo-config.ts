/** The files that tell agents and editors how to work here: which there are and what they are about. Bodies are not copied. */

import { defineProbe, namedOnly } from '../../gather/contract.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { z } from '../../kernel/base/schema.ts';
import { perFileErrorSchema } from '../shared/authored-files.ts';

const section = z.strictObject({
  files: z.array(
    z.strictObject({
      path: namedOnly(z.string()),
      frontmatter_keys: z.array(z.string()),
      has_body: z.boolean(),
      body_byte_offset: z.int(),
      headings: z.array(z.string()),
      bytes: z.int(),
      blake3: namedOnly(z.string()),
    }),
  ),
  per_file_errors: z.array(
    perFileErrorSchema(['frontmatter_malformed', 'file_exceeds_cap', 'symlink_refused', 'unreadable']),
  ),
});

const inputs = [
  'AGENTS.md',
  'CLAUDE.md',
  'GEMINI.md',
  '.github/copilot-instructions.md',
  '.cursorrules',
  '.cursor/rules/*.mdc',
  '**/AGENTS.md',
];

export default defineProbe({
  name: 'repo_config',
  version: '0.1.0',
  layer: 'D',
  says: 'Instruction files for agents and editors: headings, front matter keys, size and hash.',
  heaviness: 'light',
  sections: { 'organizational.repo_config': section },
  declaredInputs: inputs,
  configKeys: ['repo_config.max_bytes'],
  timeoutSeconds: 5,
  warningIds: ['repo_config.per_file_errors_present'],
  confidenceRule: 'high when every file was read, medium when some were not, low when none was',
  examples: [
    {
      shows: 'AGENTS.md at the root and below, with and without front matter',
      files: {
        'AGENTS.md': '# Working here\n\n## Build\n\nRun make.\n',
        'services/api/AGENTS.md': '---\nowner: api\n---\n# API\n',
        '.cursor/rules/style.mdc': '---\ndescription: Style\nalwaysApply: true\n---\n',
      },
      gives: {
        'organizational.repo_config': {
          files: [
            {
              path: '.cursor/rules/style.mdc',
              frontmatter_keys: ['alwaysApply', 'description'],
              has_body: false,
              body_byte_offset: 45,
              headings: [],
              bytes: 45,
              blake3: blake3Hex('---\ndescription: Style\nalwaysApply: true\n---\n'),
            },
            {
              path: 'AGENTS.md',
              frontmatter_keys: [],
              has_body: true,
              body_byte_offset: 0,
              headings: ['Working here', 'Build'],
              bytes: 36,
              blake3: blake3Hex('# Working here\n\n## Build\n\nRun make.\n'),
            },
            {
              path: 'services/api/AGENTS.md',
              frontmatter_keys: ['owner'],
              has_body: true,
              body_byte_offset: 19,
              headings: ['API'],
              bytes: 25,
              blake3: blake3Hex('---\nowner: api\n---\n# API\n'),
            },
          ],
          per_file_errors: [],
        },
      },
      confidence: 'high',
    },
    {
      shows: 'front matter that is no YAML is told, and the file is still described',
      files: {
        '.cursor/rules/ts.mdc': '---\nglobs: *.ts\n---\n# Rules\n',
        'CLAUDE.md': `# Big\n${'x'.repeat(70_000)}`,
      },
      gives: {
        'organizational.repo_config': {
          files: [
            {
              path: '.cursor/rules/ts.mdc',
              frontmatter_keys: [],
              has_body: true,
              body_byte_offset: 20,
              headings: ['Rules'],
              bytes: 28,
              blake3: blake3Hex('---\nglobs: *.ts\n---\n# Rules\n'),
            },
          ],
          per_file_errors: [
            { path: '.cursor/rules/ts.mdc', reason: 'frontmatter_malformed' },
            { path: 'CLAUDE.md', reason: 'file_exceeds_cap' },
          ],
        },
      },
      warnings: ['repo_config.per_file_errors_present'],
      confidence: 'medium',
    },
    { shows: 'without such a file it is skipped', files: { 'a.txt': 'x' }, gives: {}, skipped: 'not_configured' },
  ],
  async run(repo, ctx) {
    const ids = repo.inputs.list();
    if (ids.length === 0) return { kind: 'skipped', reason: 'not_configured', detail: 'no instruction file' };
    const { gatherRepoConfig } = await import('./gather-repo-config.ts');
    return gatherRepoConfig(repo, ctx, ids);
  },
});
