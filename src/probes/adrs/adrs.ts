/** The decisions this repository has on record, with their status. Only the beginning of each file is read. */

import { defineProbe, namedOnly } from '../../gather/contract.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { z } from '../../kernel/base/schema.ts';
import { decodeLenient } from '../../kernel/base/text.ts';
import {
  belowConfigured,
  confidenceOf,
  type PerFileError,
  perFileErrorSchema,
  shownPath,
  sortPerFileErrors,
} from '../shared/authored-files.ts';

const section = z.strictObject({
  adrs: z.array(
    z.strictObject({
      id: z.string().nullable(),
      title: z.string(),
      status: z.enum(['proposed', 'accepted', 'rejected', 'deprecated', 'superseded', 'unknown']),
      date: z.string().nullable(),
      path: namedOnly(z.string()),
      supersedes: z.array(z.string()),
      superseded_by: z.array(z.string()),
    }),
  ),
  scanned_locations: z.array(namedOnly(z.string())),
  per_file_errors: z.array(perFileErrorSchema(['no_h1', 'symlink_refused', 'file_exceeds_cap', 'unreadable'])),
});

const HEAD_BYTES = 64 * 1024;
/** Files of a records directory that are no records. */
const notRecords = /^(?:readme|index|template|_.*|.*[-_.]template|adr-template)\.md$/i;

export default defineProbe({
  name: 'adrs',
  version: '0.1.0',
  layer: 'D',
  says: 'Architecture decision records: id, title, status, date and what supersedes what.',
  heaviness: 'light',
  sections: { 'organizational.adrs': section },
  declaredInputs: ['config:adrs.paths:**/*.md'],
  configKeys: ['adrs.paths'],
  timeoutSeconds: 10,
  warningIds: ['adrs.per_file_errors_present'],
  confidenceRule: 'high when every record was read, medium when some were not, low when none was',
  examples: [
    {
      shows: 'one file per style: front matter, plain line, bold, list, table, section',
      files: {
        'docs/adr/0001-front-matter.md': '---\nstatus: accepted\ndate: 2024-01-02\n---\n# Use front matter\n',
        'docs/adr/0002-plain.md': '# Use a line\n\nDate: 2024-02-03\nStatus: Proposed\n',
        'docs/adr/0003-bold.md': '# Use bold\n\n**Status:** Rejected\n',
        'docs/adr/0004-list.md': '# Use a list\n\n* Status: deprecated\n* Date: 2024-03-04\n',
        'docs/adr/0005-table.md': '# Use a table\n\n| Status | Accepted |\n|---|---|\n| Date | 2024-04-05 |\n',
        'docs/decisions/section.md':
          '# ADR-6: Use a section\n\n## Status\n\nSuperseded by [ADR-0007](0007-next.md)\n\n## Context\n',
        'docs/decisions/0007-next.md': 'Next\n====\n\nStatus: accepted, supersedes ADR-6\n',
        'docs/adr/README.md': '# Index of records\n',
      },
      gives: {
        'organizational.adrs': {
          adrs: [
            adr('ADR-0001', 'Use front matter', 'accepted', '2024-01-02', 'docs/adr/0001-front-matter.md'),
            adr('ADR-0002', 'Use a line', 'proposed', '2024-02-03', 'docs/adr/0002-plain.md'),
            adr('ADR-0003', 'Use bold', 'rejected', null, 'docs/adr/0003-bold.md'),
            adr('ADR-0004', 'Use a list', 'deprecated', '2024-03-04', 'docs/adr/0004-list.md'),
            adr('ADR-0005', 'Use a table', 'accepted', '2024-04-05', 'docs/adr/0005-table.md'),
            { ...adr('ADR-0007', 'Next', 'accepted', null, 'docs/decisions/0007-next.md'), supersedes: ['ADR-6'] },
            {
              ...adr('ADR-6', 'ADR-6: Use a section', 'superseded', null, 'docs/decisions/section.md'),
              superseded_by: ['ADR-0007'],
            },
          ],
          scanned_locations: ['docs/adr', 'docs/decisions'],
          per_file_errors: [],
        },
      },
      confidence: 'high',
    },
    {
      shows: 'a record without a title is told; a status that is no known word is unknown',
      files: {
        'docs/adr/0001-a.md': 'Status: accepted\n',
        'docs/adr/0002-b.md': '# B\n\nStatus: parked\n',
        'docs/architecture/overview.md': '# Overview\n',
      },
      gives: {
        'organizational.adrs': {
          adrs: [adr('ADR-0002', 'B', 'unknown', null, 'docs/adr/0002-b.md')],
          scanned_locations: ['docs/adr', 'docs/architecture'],
          per_file_errors: [{ path: 'docs/adr/0001-a.md', reason: 'no_h1' }],
        },
      },
      warnings: ['adrs.per_file_errors_present'],
      confidence: 'medium',
    },
    {
      shows: 'other places, named by configuration',
      files: {
        '.codegenie/config.yaml': 'adrs:\n  paths: [rfcs]\n',
        'rfcs/12.md': '# RFC\n\n## Status\n\nAccepted on 2024-05-06\n',
      },
      gives: {
        'organizational.adrs': {
          adrs: [adr('ADR-12', 'RFC', 'accepted', null, 'rfcs/12.md')],
          scanned_locations: ['rfcs'],
        },
      },
      confidence: 'high',
    },
    { shows: 'without records it is skipped', files: { 'a.txt': 'x' }, gives: {}, skipped: 'not_configured' },
  ],
  async run(repo, ctx) {
    const ids = repo.inputs.list().filter((id) => !notRecords.test(baseName(id)));
    if (ids.length === 0) return { kind: 'skipped', reason: 'not_configured', detail: 'no record below adrs.paths' };
    const { parseAdrFrontmatter, readAdr } = await import('./gather-adrs.ts');
    const { splitFrontmatterBytes } = await import('../shared/markdown.ts');
    const adrs = [];
    const errors: PerFileError[] = [];
    let read = 0;
    for (const id of ids) {
      const path = shownPath(repo, id);
      if ((repo.inputs.fingerprint(id)?.size ?? 0) > limits.textBytes) {
        errors.push({ path, reason: 'file_exceeds_cap' });
        continue;
      }
      const head = await repo.inputs.readHead(id, HEAD_BYTES);
      if (head.kind === 'absent') continue;
      if (head.kind === 'failed') {
        errors.push({ path, reason: head.failure.kind === 'symlink_refused' ? 'symlink_refused' : 'unreadable' });
        continue;
      }
      const split = splitFrontmatterBytes(head.bytes);
      const frontmatter = split.kind === 'found' ? parseAdrFrontmatter(split.yaml) : {};
      const text = decodeLenient(head.bytes.subarray('bodyOffset' in split ? split.bodyOffset : 0));
      // The last line may have been cut in the middle of a word; then it says nothing reliable.
      const body = head.truncated ? text.slice(0, text.lastIndexOf('\n') + 1) : text;
      const record = readAdr(baseName(id), frontmatter, body);
      if (record === undefined) {
        errors.push({ path, reason: 'no_h1' });
        continue;
      }
      read += 1;
      // A page beside the records, such as an overview: it has neither number nor status.
      if (record.id === null && record.status === 'unknown') continue;
      adrs.push({ ...record, path });
    }
    adrs.sort((a, b) => compareCodeUnits(a.id ?? '', b.id ?? '') || compareCodeUnits(a.path, b.path));
    return {
      kind: 'ran',
      slice: {
        'organizational.adrs': {
          adrs,
          scanned_locations: ctx.config['adrs.paths']
            .filter((path, position) =>
              ids.some((id) => belowConfigured(repo.root, id, { key: 'adrs.paths', position, path })),
            )
            .sort(),
          per_file_errors: sortPerFileErrors(errors),
        },
      },
      confidence: confidenceOf(read, errors.length),
      warnings: errors.length > 0 ? ['adrs.per_file_errors_present'] : [],
    };
  },
});

function baseName(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1);
}

function adr(id: string, title: string, status: string, date: string | null, path: string) {
  return { id, title, status, date, path, supersedes: [] as string[], superseded_by: [] as string[] };
}
