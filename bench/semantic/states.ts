/** States of 10,000 and of 50,000 files with ten dependencies each, the latter beside `git status` of as many files. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { FactsPlace } from '../../src/index/store/facts-file.ts';
import type { ResolvedImport } from '../../src/index/store/file-rows.ts';
import { idOfContext, makeContext, makeDocument, makeOrigin } from '../../test/support/semantic-records.ts';
import { createScratchStore, hexOf, makeFile, type StoredRecord } from '../../test/support/store-records.ts';
import { createTable, type Figure, median, ms, time } from '../figures.ts';
import { makeSyntheticRepo } from '../synthetic-repo.ts';
import { runChild } from './run-process.ts';
import type { StatesAnswer, StatesAsk } from './states-child.ts';

const edgesPerFile = 10;
const warmAsks = 5;
const editsAsked = 20;

export async function benchStates(scratch: string, pairs: number): Promise<void> {
  const table = createTable(`States of all files, ${pairs} pairs`);
  for (const count of [10_000, 50_000]) {
    const place = makeStore(join(scratch, `states-${count}`), count);
    const root = join(scratch, `tree-${count}`);
    mkdirSync(root);
    makeSyntheticRepo(root, count);
    const answers: StatesAnswer[] = [];
    const status: number[] = [];
    const askGit = () => execFileSync('git', ['-C', root, 'status', '--porcelain=v2']);
    askGit();
    for (let round = 0; round < pairs; round += 1) {
      status.push(await time(askGit));
      const ask: StatesAsk = { place, asks: warmAsks, edits: round === pairs - 1 ? editsAsked : 0 };
      answers.push(await runChild<StatesAnswer>('./states-child.ts', ask));
    }
    for (const { clean } of answers) if (clean !== count) throw new Error(`${clean} of ${count} files are clean`);
    const peer = `git status ${ms(status)}`;
    const row = (what: string, times: readonly number[], target?: Figure['target']) =>
      table.add({
        measure: `${count} files, ${count * edgesPerFile} edges: ${what}`,
        ours: ms(times),
        peer,
        ratio: median(times) / median(status),
        ...(target === undefined ? {} : { target }),
      });
    const first = answers.map(({ firstMs }) => firstMs);
    const warm = answers.flatMap(({ warmMs }) => warmMs);
    const limit = (times: readonly number[]) => ({ says: '≤ 100 ms', value: median(times), most: 100 });
    row('first of a process', first, count === 10_000 ? limit(first) : undefined);
    row('warm', warm, count === 10_000 ? limit(warm) : undefined);
    row(
      'again, nothing written since',
      answers.flatMap(({ againMs }) => againMs),
    );
    const edited = answers.flatMap(({ editedMs }) => editedMs);
    const ratio = median(edited) / median(status);
    row(
      'after one edit',
      edited,
      count === 50_000 ? { says: '≤ 0.2 × git status', value: ratio, most: 0.2 } : undefined,
    );
    rmSync(root, { recursive: true, force: true });
    rmSync(place.cacheDir, { recursive: true, force: true });
  }
}

/** All clean: every file was indexed with the interfaces that its dependencies have now. */
function makeStore(stateDir: string, count: number): FactsPlace {
  mkdirSync(stateDir, { mode: 0o700 });
  const store = createScratchStore(stateDir);
  const paths = Array.from({ length: count }, (_, at) => `packages/p${Math.floor(at / 100)}/src/m${at}.ts`);
  const facts = store.fill(paths.map((path, at) => record(path, dependenciesOf(paths, at))));
  const context = makeContext('ts:tsconfig.json', paths);
  facts.writer.transaction(() => {
    facts.semantic.putContexts([context]);
    const id = idOfContext(facts, context.key);
    for (const [at, path] of paths.entries()) {
      const deps = dependenciesOf(paths, at).map((to) => ({ path: to, syn: synOf(to), sem: semOf(to) }));
      const document = makeDocument(path, { contentHash: hexOf(path), semIface: semOf(path) });
      facts.semantic.putDocument(id, document, makeOrigin(context, { deps }));
    }
  });
  facts.close();
  return store.place;
}

const synOf = (path: string): string => hexOf(`interface of ${path}`);
const semOf = (path: string): string => hexOf(`sem of ${path}`);

/** Near ones and far ones, with cycles. */
function dependenciesOf(paths: readonly string[], at: number): readonly string[] {
  const found = new Set<string>();
  for (let step = 1; found.size < edgesPerFile; step += 1) {
    const to = paths[(at + step * step * 7 + (step % 3) * 997) % paths.length] as string;
    if (to !== paths[at]) found.add(to);
  }
  return [...found];
}

function record(path: string, targets: readonly string[]): StoredRecord {
  const imports = targets.map((specifier, start) => ({
    specifier,
    kind: 'import' as const,
    literal: true,
    typeOnly: false,
    names: [],
    start,
    end: start + 1,
  }));
  const facts = { symbols: [], imports, exports: [], sites: [], errors: [], provides: [] };
  const resolutions = targets.map(
    (target): ResolvedImport => ({ targets: [target], reason: null, external: null, candidates: [target] }),
  );
  return { record: { file: makeFile(path, { ifaceCore: null }), facts, text: null }, resolutions };
}
