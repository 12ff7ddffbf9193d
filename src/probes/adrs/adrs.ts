/** The decisions this repository has on record, with their status. Only the beginning of each file is read. */

import { posix } from 'node:path';
import { defineProbe, namedOnly } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';
import { perFileErrorSchema } from '../shared/authored-files.ts';

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
    const ids = repo.inputs.list().filter((id) => !notRecords.test(posix.basename(id)));
    if (ids.length === 0) return { kind: 'skipped', reason: 'not_configured', detail: 'no record below adrs.paths' };
    const { gatherAdrs } = await import('./gather-adrs.ts');
    return gatherAdrs(repo, ctx, ids);
  },
});

function adr(id: string, title: string, status: string, date: string | null, path: string) {
  return { id, title, status, date, path, supersedes: [] as string[], superseded_by: [] as string[] };
}
