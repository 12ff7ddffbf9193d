/** The files that tell agents and editors how to work here: which there are and what they are about. Bodies are not copied. */

import { defineProbe, namedOnly } from '../../gather/contract.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { isJsonObject } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { z } from '../../kernel/base/schema.ts';
import { decodeLenient, singleLine } from '../../kernel/base/text.ts';
import { confidenceOf, type PerFileError, perFileErrorSchema, sortPerFileErrors } from '../shared/authored-files.ts';
import { cutText } from '../shared/probe-reading.ts';

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
    const { splitFrontmatterBytes } = await import('../shared/markdown.ts');
    const { scanMarkdown } = await import('../shared/markdown.ts');
    const files = [];
    const errors: PerFileError[] = [];
    for (const path of ids) {
      const read = await repo.inputs.read(path, ctx.config['repo_config.max_bytes']);
      if (read.kind === 'absent') continue;
      if (read.kind === 'failed') {
        errors.push({ path, reason: failureReasons[read.failure.kind] });
        continue;
      }
      const split = splitFrontmatterBytes(read.bytes);
      const keys = split.kind === 'found' ? await frontmatterKeys(split.yaml) : split.kind === 'none' ? [] : null;
      if (keys === null) errors.push({ path, reason: 'frontmatter_malformed' });
      const offset = 'bodyOffset' in split ? split.bodyOffset : 0;
      const body = decodeLenient(read.bytes.subarray(offset));
      files.push({
        path,
        frontmatter_keys: keys ?? [],
        has_body: body.trim() !== '',
        body_byte_offset: offset,
        headings: scanMarkdown(body).headings.map((heading) => heading.text),
        bytes: read.bytes.length,
        blake3: blake3Hex(read.bytes),
      });
    }
    return {
      kind: 'ran',
      slice: { 'organizational.repo_config': { files, per_file_errors: sortPerFileErrors(errors) } },
      confidence: confidenceOf(files.length, errors.length),
      warnings: errors.length > 0 ? ['repo_config.per_file_errors_present'] : [],
    };
  },
});

const failureReasons = {
  size_cap_exceeded: 'file_exceeds_cap',
  depth_cap_exceeded: 'frontmatter_malformed',
  expansion_cap_exceeded: 'frontmatter_malformed',
  malformed: 'frontmatter_malformed',
  symlink_refused: 'symlink_refused',
  not_regular: 'unreadable',
  io: 'unreadable',
} as const;

/** Sorted; null for front matter that is not a mapping. */
async function frontmatterKeys(yaml: Uint8Array): Promise<string[] | null> {
  const { parseYaml } = await import('../../kernel/formats/yaml.ts');
  const outcome = parseYaml(yaml, { maxBytes: limits.yamlSmallBytes, maxDepth: limits.parseDepthSmall });
  if (!outcome.ok) return null;
  if (outcome.value === null) return [];
  if (!isJsonObject(outcome.value)) return null;
  return Object.keys(outcome.value)
    .map((key) => cutText(singleLine(key), 100))
    .sort();
}
