/**
 * The code plane's store as this gather found it: how many files it knows how well, and what its indexers are up to. Its syntactic
 * layer is brought up to date first, for as long as half of this probe's time; semantic jobs are not started here, `scip_index` does that.
 */

import { defineProbe, namedOnly } from '../../gather/contract.ts';
import { byteIndexFreshness } from '../../gather/freshness/index-checks.ts';
import { z } from '../../kernel/base/schema.ts';

const count = z.int();
const states = [
  ...['missing_tool', 'bad_version', 'sandbox_missing', 'config_error', 'disabled'],
  ...['queued', 'running', 'failed', 'unindexed', 'partial', 'clean'],
];

const section = z.strictObject({
  present: z.boolean(),
  schema_version: count.nullable(),
  files: z.strictObject({
    by_freshness: z.strictObject({
      clean: count,
      pending_check: count,
      stale: count,
      dirty: count,
      unindexed: count,
      unsupported: count,
    }),
  }),
  /** Declarations, from syntax trees. */
  symbols: count,
  /** Of symbols, from indexers. */
  occurrences: count,
  /** Imports that lead nowhere and may mean a file. */
  unresolved: z.strictObject({ value: count, relation: z.enum(['eq', 'gte']) }),
  contexts: z.array(
    z.strictObject({
      kind: z.string(),
      /** The configuration of the project, or its directory. */
      path: namedOnly(z.string()),
      state: z.enum(states),
      indexer: z.string(),
    }),
  ),
  /** `failed`: contexts whose last job failed for good. */
  jobs: z.strictObject({ queued: count, running: count, failed: count }),
  reconciled_at: z.string().nullable(),
  /** Null where the store is not known to be as the disk is. */
  indexed_inputs: namedOnly(z.string()).nullable(),
  /** Why that is not known; null where it is. */
  unfinished: z.enum(['time_ran_out', 'not_verified', 'absent', 'outdated', 'corrupt']).nullable(),
  indexed_at: z.string(),
  /** Null without one. */
  last_indexed_commit: namedOnly(z.string()).nullable(),
});

const nothing = {
  present: false,
  schema_version: null,
  files: {
    by_freshness: { clean: 0, pending_check: 0, stale: 0, dirty: 0, unindexed: 0, unsupported: 0 },
  },
  symbols: 0,
  occurrences: 0,
  unresolved: { value: 0, relation: 'gte' },
  contexts: [],
  jobs: { queued: 0, running: 0, failed: 0 },
  reconciled_at: null,
  indexed_inputs: null,
} as const;

const timeoutSeconds = 60;

export default defineProbe({
  name: 'facts_store',
  version: '0.3.1',
  layer: 'B',
  says: 'What the store of code facts holds: files by freshness, symbols, projects and their index jobs.',
  heaviness: 'medium',
  sections: { facts_store: section },
  // That one fills it: what is told would else depend on whether an earlier gather had.
  after: ['scip_index'],
  // The store holds every file in scope: its text, its symbols or at least its name.
  declaredInputs: ['**'],
  timeoutSeconds,
  cacheStrategy: 'none',
  deterministic: false,
  budget: { rssMb: 500 },
  warningIds: ['facts_store.absent', 'facts_store.reconcile_incomplete', 'facts_store.schema_outdated'],
  errorIds: ['facts_store.corrupt'],
  confidenceRule:
    'high when every file was compared with the disk; medium when that was not finished; low when the store is absent, of another version or damaged',
  index: {
    name: 'facts_store',
    check: byteIndexFreshness('facts_store'),
    detail: (slice) => ({
      present: slice['present'] ?? false,
      symbols: slice['symbols'] ?? 0,
      occurrences: slice['occurrences'] ?? 0,
    }),
  },
  async run(repo, ctx) {
    const givenS = repo.config['probes.timeouts']['facts_store'] ?? timeoutSeconds;
    const found = await ctx.codeFacts((givenS * 1000) / 2);
    const common = { indexed_at: ctx.startedAt, last_indexed_commit: repo.gitCommit };
    if (found.kind !== 'described') {
      const { kind, detail } = found;
      const slice = { facts_store: { ...nothing, unfinished: kind, ...common } };
      if (kind === 'corrupt') {
        const id = 'facts_store.corrupt';
        return { kind: 'ran', slice, confidence: 'low', errors: [id], diagnostics: [{ id, detail }] };
      }
      const id = kind === 'absent' ? 'facts_store.absent' : 'facts_store.schema_outdated';
      return { kind: 'ran', slice, confidence: 'low', warnings: [id], diagnostics: [{ id, detail }] };
    }
    const { facts, incomplete } = found;
    const id = 'facts_store.reconcile_incomplete';
    return {
      kind: 'ran',
      slice: {
        facts_store: {
          present: true,
          schema_version: facts.schemaVersion,
          files: { by_freshness: facts.byFreshness },
          symbols: facts.symbols,
          occurrences: facts.occurrences,
          unresolved: facts.unresolved,
          contexts: facts.contexts,
          jobs: facts.jobs,
          reconciled_at: facts.reconciledMs === null ? null : new Date(facts.reconciledMs).toISOString(),
          indexed_inputs: incomplete === null ? ctx.inputsDigest : null,
          unfinished: incomplete?.kind ?? null,
          ...common,
        },
      },
      confidence: incomplete === null ? 'high' : 'medium',
      ...(incomplete === null ? {} : { warnings: [id], diagnostics: [{ id, detail: incomplete.detail }] }),
    };
  },
  examples: [
    {
      shows: 'a repository that no indexer has seen yet: everything syntactic is known',
      files: {
        'package.json': '{"name":"shop"}',
        'src/a.ts': "import { b } from './b';\nimport './gone';\nexport const a = b;\nexport function run() {}\n",
        'src/b.ts': 'export const b = 1;\n',
        'README.md': '# shop\n',
      },
      gives: {
        facts_store: {
          present: true,
          symbols: 3,
          occurrences: 0,
          unresolved: { value: 1, relation: 'eq' },
          jobs: { queued: 0, running: 0, failed: 0 },
        },
      },
      warnings: [],
      confidence: 'high',
    },
    {
      shows: 'a file that does not parse makes the number of imports that lead nowhere a lower bound',
      files: { 'a.ts': "import './gone';\nfunction ( {\n" },
      gives: { facts_store: { present: true, unresolved: { value: 1, relation: 'gte' } } },
      warnings: [],
      confidence: 'high',
    },
    {
      shows: 'a repository without source',
      files: { 'README.md': '# words\n' },
      gives: { facts_store: { present: true, symbols: 0, unresolved: { value: 0, relation: 'eq' } } },
      warnings: [],
      confidence: 'high',
    },
  ],
});
