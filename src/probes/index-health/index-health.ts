/**
 * The verdict on every index of this run. It reads no file and no stored result: the slices are this run's, HEAD is asked for
 * now, and nothing of it is cached, so it cannot itself be stale. The rules are in `gather/freshness`.
 */

import { defineProbe } from '../../gather/contract.ts';
import {
  countCommits,
  indexHealthEntrySchema,
  indexHealthWarnings,
  judgeIndexes,
  readHead,
} from '../../gather/freshness/judge-indexes.ts';
import { volatileFields } from '../../gather/publish/envelope.ts';
import { z } from '../../kernel/base/schema.ts';

export default defineProbe({
  name: 'index_health',
  version: '0.1.1',
  layer: 'B',
  says: 'How fresh every derived index is, from the bytes, commits, images and rule versions of now.',
  heaviness: 'light',
  sections: { index_health: z.record(z.string().regex(/^[a-z][a-z0-9_]{0,63}$/), indexHealthEntrySchema) },
  declaredInputs: [],
  tools: ['git'],
  timeoutSeconds: 10,
  cacheStrategy: 'none',
  final: true,
  artifacts: ['index_health.json'],
  warningIds: [...indexHealthWarnings],
  confidenceRule:
    'The lowest confidence of any index whose probe was selected and had something to look at and to look with; high if there is none; low if HEAD cannot be resolved. ' +
    'Fresh is high; other commits, bytes or digests are medium; a coverage gap is medium from 90 % on, else low; ' +
    'an index that never ran or failed is low.',
  examples: [
    {
      shows: 'outside a git work tree no index can be judged',
      files: { '(no git)': '', 'package.json': '{"name": "a", "version": "1.0.0"}' },
      gives: {
        index_health: {
          skills: {
            freshness: { kind: 'stale', reason: { kind: 'indexer_error', message: 'repo_not_a_git_workdir' } },
            confidence: 'low',
            current_commit: '',
            last_indexed_at: null,
          },
        },
      },
      warnings: ['index_health.head_unresolvable'],
      confidence: 'low',
    },
    {
      shows: 'an index whose probe was not asked for is stale, and does not lower the confidence of this one',
      files: { 'package.json': '{"name": "a", "version": "1.0.0"}' },
      gives: {
        index_health: {
          skills: {
            freshness: { kind: 'stale', reason: { kind: 'never_ran', reason: 'not_selected' } },
            confidence: 'low',
            last_indexed_at: null,
          },
        },
      },
      confidence: 'high',
    },
  ],
  async run(_repo, ctx) {
    const judged = await judgeIndexes({
      indexes: ctx.settledIndexes,
      head: await readHead(ctx.exec),
      countCommits: (last, head) => countCommits(ctx.exec, last, head),
    });
    // The times are in the section; an artifact that held them would have another hash at every gather of the same bytes (P6).
    const stable = (key: string, value: unknown) => (volatileFields.includes(key) ? undefined : value);
    const text = `${JSON.stringify(judged.entries, stable, 2)}\n`;
    return {
      kind: 'ran',
      slice: { index_health: judged.entries },
      rawArtifacts: [{ name: 'index_health.json', kind: 'json', from: new TextEncoder().encode(text) }],
      confidence: judged.confidence,
      warnings: judged.warnings,
    };
  },
});
