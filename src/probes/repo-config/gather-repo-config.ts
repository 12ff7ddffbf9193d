/** Instruction files, each by its headings, the keys of its front matter, size and hash. */

import type { ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { isJsonObject } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { decodeLenient, singleLine } from '../../kernel/base/text.ts';
import { confidenceOf, type PerFileError, sortPerFileErrors } from '../shared/authored-files.ts';
import { scanMarkdown, splitFrontmatterBytes } from '../shared/markdown.ts';
import { cutText } from '../shared/probe-reading.ts';

const failureReasons = {
  size_cap_exceeded: 'file_exceeds_cap',
  depth_cap_exceeded: 'frontmatter_malformed',
  expansion_cap_exceeded: 'frontmatter_malformed',
  malformed: 'frontmatter_malformed',
  symlink_refused: 'symlink_refused',
  not_regular: 'unreadable',
  io: 'unreadable',
} as const;

export async function gatherRepoConfig(
  repo: ProbeRepo,
  ctx: ProbeContext<'repo_config.max_bytes'>,
  ids: readonly string[],
): Promise<ProbeOutput> {
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
}

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
