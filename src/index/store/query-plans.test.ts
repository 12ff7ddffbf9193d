/** S13: no question scans a fact table or sorts in a temporary B-tree. The folder is the list: every export that ends in `Sql`. */

import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createScratchStore, makeRecord, makeSymbol, type ScratchStore } from '../../../test/support/store-records.ts';
import type { WritableFacts } from './facts-file.ts';
import * as stateColumns from './state-columns.ts';
import * as storeCounts from './store-counts.ts';
import * as storedContexts from './stored-contexts.ts';
import * as storedFacts from './stored-facts.ts';
import * as storedFiles from './stored-files.ts';
import * as storedImports from './stored-imports.ts';
import * as storedItems from './stored-items.ts';
import * as storedJobs from './stored-jobs.ts';
import * as storedLevels from './stored-levels.ts';
import * as storedOccurrences from './stored-occurrences.ts';
import * as storedSymbols from './stored-symbols.ts';
import * as storedText from './stored-text.ts';

/** Statements that must read everything, and why that is what they are for. */
const exceptions: Readonly<Record<string, { readonly plan: RegExp; readonly because: string }>> = {
  fileStatesSql: {
    plan: /^SCAN files USING INDEX sqlite_autoindex_files_1$/,
    because: 'the reconciler compares every file',
  },
  fileCountsSql: {
    plan: /^(?:SCAN files|USE TEMP B-TREE FOR GROUP BY)$/,
    because: 'status counts every file into a few groups',
  },
  parseCountsSql: {
    plan: /^(?:SCAN files|USE TEMP B-TREE FOR GROUP BY)$/,
    because: 'status counts every file into a few groups',
  },
  fileRowsSql: { plan: /^SCAN files USING COVERING INDEX /, because: 'how large a tree is' },
  symbolCountSql: { plan: /^SCAN syn_symbols USING COVERING INDEX /, because: 'status counts every symbol' },
  externalImportsSql: {
    plan: /^(?:SCAN imports|USE TEMP B-TREE FOR DISTINCT)$/,
    because: 'once before a run, about every import',
  },
  importCountSql: { plan: /^SCAN imports$/, because: 'status counts every import' },
  allPathsSql: {
    plan: /^SCAN files USING COVERING INDEX sqlite_autoindex_files_1$/,
    because: 'no index finds the end of a path',
  },
  searchableFilesSql: {
    plan: /^SCAN files USING INDEX sqlite_autoindex_files_1$/,
    because: 'no literal narrows the search',
  },
  redactedFilesSql: { plan: /^SCAN f USING INDEX files_redacted$/, because: 'the index holds the redacted files only' },
  augmentingFilesSql: { plan: /^SCAN f$/, because: 'once before and once after a run, about every file' },
  augmentingAmongSql: { plan: /^SCAN j VIRTUAL TABLE INDEX 1:$/, because: 'the list it is asked about' },
  filesWithTextSql: { plan: /^SCAN t$/, because: 'a name the tokenizer cannot hold narrows nothing' },
  allProvidesSql: { plan: /^SCAN p USING COVERING INDEX |^SCAN p$/, because: 'a resolver begins with every name' },
  firstTargetsOfFilesSql: { plan: /^SCAN j VIRTUAL TABLE INDEX 1:$/, because: 'the list it is asked about' },
  targetsOfFilesSql: { plan: /^SCAN j VIRTUAL TABLE INDEX 1:$/, because: 'the list it is asked about' },
  symbolsOfNamesSql: { plan: /^SCAN j VIRTUAL TABLE INDEX 1:$/, because: 'the list it is asked about' },
  definedAtSql: { plan: /^SCAN j VIRTUAL TABLE INDEX 1:$/, because: 'the list it is asked about' },
  distinctNamesSql: {
    plan: /^SCAN (?:syn_symbols USING COVERING INDEX syn_by_name|\(subquery-\d+\))$/,
    because: 'no index finds the middle of a word',
  },
  contextsSql: { plan: /^SCAN c USING INDEX sqlite_autoindex_contexts_1$/, because: 'contexts are few and wanted all' },
  queuedJobsSql: { plan: /^SCAN jobs USING INDEX one_queued$/, because: 'the queue: one job per context at most' },
  runningJobsSql: { plan: /^SCAN jobs USING INDEX one_running$/, because: 'one job per context at most' },
  lastJobsSql: { plan: /^SCAN jobs$/, because: 'from the newest one, as many as are wanted' },
  contextCountsSql: {
    plan: /^SCAN c(?: USING COVERING INDEX sqlite_autoindex_contexts_1)?$/,
    because: 'contexts are few and wanted all',
  },
  semanticSymbolCountSql: { plan: /^SCAN symbols USING COVERING INDEX /, because: 'status counts every symbol' },
  occurrenceCountSql: { plan: /^SCAN occurrences USING COVERING INDEX /, because: 'status counts every occurrence' },
  stateFilesSql: { plan: /^SCAN files USING INDEX sqlite_autoindex_files_1$/, because: 'the state of every file' },
  stateMembersSql: { plan: /^SCAN context_members/, because: 'the state of every file' },
  stateFactsSql: { plan: /^SCAN t USING INDEX sqlite_autoindex_file_facts_1$/, because: 'the state of every file' },
  stateTextsSql: { plan: /^SCAN dep_texts/, because: 'the state of every file' },
  stateEdgesSql: { plan: /^SCAN file_deps$/, because: 'the state of every file' },
  importTargetEdgesSql: {
    plan: /^SCAN t USING COVERING INDEX targets_by_path$/,
    because: 'what programs can reach, of all files at once',
  },
  settledReferencesSql: {
    plan: /^USE TEMP B-TREE FOR DISTINCT$/,
    because: 'files with unresolved references, each once',
  },
  levelSql: { plan: /^USE TEMP B-TREE FOR GROUP BY$/, because: 'what lies below a folder, summed by its children' },
  levelImportsSql: {
    plan: /^(?:SCAN \(subquery-\d+\)|(?:UNION USING|USE) TEMP B-TREE(?: FOR (?:GROUP|ORDER) BY)?)$/,
    because: 'the imports below a folder, each once, summed by its children',
  },
  interfacesSql: { plan: /^SCAN files$/, because: 'a job compares every file before and after its run' },
};

/** What the specification names, and what this schema adds (code-plane.md §4.4). */
const required: Readonly<Record<string, string>> = {
  fileByPathSql: 'sqlite_autoindex_files_1',
  filesByPrefixSql: 'sqlite_autoindex_files_1',
  symbolsNamedSql: 'syn_by_name',
  symbolsFoldedSql: 'syn_by_name',
  symbolsWithPrefixSql: 'syn_by_name',
  symbolsAtTopPathSql: 'syn_by_name',
  symbolsAtPathEndSql: 'syn_by_name',
  symbolsOfFileSql: 'syn_by_file',
  importersSql: 'imports_by_target',
  importersAmongSeveralSql: 'targets_by_path',
  waitingSql: 'candidates_by_path',
  unresolvedImportsSql: 'imports_by_reason',
  skippedFilesSql: 'files_skipped',
  redactedFilesSql: 'files_redacted',
  semanticSymbolsNamedSql: 'symbols_by_name',
  symbolByKeySql: 'sqlite_autoindex_symbols_1',
  definedAtSql: 'o USING PRIMARY KEY (file_id=? AND context_id=? AND start_byte=?)',
  occurrencesStartingSql: 'o USING PRIMARY KEY (file_id=? AND context_id=? AND start_byte=?)',
  occurrencesOfSql: 'occ_by_symbol',
  occurrencesNamedSql: 'occ_by_symbol',
  namedOccurrencesOfSql: 'occ_by_symbol',
  definitionsOfSql: 'defs_by_symbol',
  definingPathsSql: 'defs_by_symbol',
  relationsFromSql: 'rel_forth',
  relationsToSql: 'rel_back',
  dependentsSql: 'deps_back',
  dependenciesSql: 'd USING PRIMARY KEY (file_id=? AND context_id=?)',
  itemsOfSymbolSql: 'amb_by_symbol',
  itemsOfFileSql: 'amb_by_file',
  contextsOfFileSql: 'members_by_path',
  queuedJobSql: 'one_queued',
  runningJobSql: 'one_running',
  jobsOfContextSql: 'jobs_history',
  jobHistorySql: 'jobs_history',
  levelSql: 'sqlite_autoindex_files_1 (path>? AND path<?)',
  levelImportsSql: 'sqlite_autoindex_files_1 (path>? AND path<?)',
  filesMatchingTextSql: 'VIRTUAL TABLE',
  filesMatchingNameSql: 'VIRTUAL TABLE',
  filesMatchingNamesSql: 'VIRTUAL TABLE',
};

let store: ScratchStore;
let facts: WritableFacts;
beforeAll(() => {
  store = createScratchStore();
  const records = Array.from({ length: 3000 }, (_, at) => {
    const { record, resolutions } = makeRecord(`packages/p${at % 40}/f${at}.ts`, `V${at}`, {
      redacted: at % 500 === 0,
    });
    const symbols = Array.from({ length: 5 }, (__, n) => makeSymbol(`name${(at * 5 + n) % 4000}`, { start: n * 100 }));
    return { record: { ...record, facts: record.facts && { ...record.facts, symbols } }, resolutions };
  });
  facts = store.fill(records);
});
afterAll(() => {
  facts.close();
  store.dispose();
});

const modules = [
  stateColumns,
  storeCounts,
  storedContexts,
  storedFacts,
  storedFiles,
  storedImports,
  storedItems,
  storedJobs,
  storedLevels,
  storedOccurrences,
  storedSymbols,
  storedText,
];
const isQuestion = (sql: unknown) => /^\s*SELECT\b/.test(String(sql));
const statements = modules
  .flatMap((module) => Object.entries<unknown>(module))
  .filter(([name, sql]) => name.endsWith('Sql') && isQuestion(sql)) as [string, string][];

test('the statements are found', () => {
  const folder = new URL('.', import.meta.url);
  const sources = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const declared = sources.flatMap((name) => [
    ...readFileSync(new URL(name, folder), 'utf8').matchAll(/^export const (\w+Sql) = ['"`]\s*SELECT\b/gm),
  ]);
  expect(statements.map(([name]) => name)).toEqual(expect.arrayContaining(declared.map(([, name]) => name)));
  const names = statements.map(([name]) => name);
  expect(names.length).toBeGreaterThanOrEqual(25);
  expect(new Set(names).size).toBe(names.length);
  for (const name of [...Object.keys(exceptions), ...Object.keys(required)]) expect(names).toContain(name);
});

test.each(statements)('S13: %s is answered from an index', (name, sql) => {
  const plan = facts.read((session) =>
    session
      .statement(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map((row) => String(row['detail'])),
  );
  const bad = plan.filter(
    (step) => (/^SCAN /.test(step) && !/VIRTUAL TABLE INDEX 0:[^ ]*M/.test(step)) || /TEMP B-TREE/.test(step),
  );
  const allowed = exceptions[name];
  expect(
    bad.filter((step) => allowed?.plan.test(step) !== true),
    plan.join('\n'),
  ).toEqual([]);
  // An exception that is no longer needed goes.
  if (allowed !== undefined) expect(bad).not.toEqual([]);
  const index = required[name];
  if (index !== undefined) expect(plan.join('\n')).toContain(index);
});
