// References against the conformance corpus: every case is a tree in a temporary directory with an index of its own, asked through the
// same operation that the command line asks.
//   npm run conformance -- refs [<corpus>] [--out <file>] [--only <text>] [--syntactic-only] [--verbose] [--write-docs]
// Violations, each of which fails the run: an answer that says `eq` and is not the golden one (T14), and a reference that is labelled
// `resolved` and is none. Recall is reported by provenance.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openRefresher } from '../src/index/refresh/refresher.ts';
import { type IndexSession, openIndexSession } from '../src/index/sync/index-session.ts';
import { type CodeView, openSessionView } from '../src/index/view/code-view.ts';
import { mapBounded } from '../src/kernel/base/turns.ts';
import refs from '../src/serve/operations/refs.ts';
import { answerFrom } from '../src/serve/operations/run-operation.ts';
import { makeCaseTree, quietSettings } from './conformance/case-tree.ts';
import { groupByFiles } from './conformance/rename-case.ts';
import { writeSection } from './conformance/write-document.ts';

type Golden = { readonly path: string; readonly line: number; readonly col: number; readonly len: number };
type Case = {
  readonly id: string;
  readonly test: string;
  readonly at: { readonly path: string; readonly line: number; readonly col: number };
  readonly expect: 'refs' | 'none';
  readonly refs: readonly Golden[];
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly flags: readonly string[];
};
type Result = {
  readonly id: string;
  readonly outcome: string;
  readonly relation: 'eq' | 'gte' | null;
  readonly refs: readonly (Golden & { readonly provenance: string })[];
  readonly unresolved: number;
  readonly reasons: readonly string[];
};

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'syntactic-only': { type: 'boolean', default: false },
    out: { type: 'string' },
    only: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    'write-docs': { type: 'boolean', default: false },
  },
});
const project = join(dirname(fileURLToPath(import.meta.url)), '..');
const corpus = positionals[0] ?? join(project, '../shared/corpus/refs.dev.jsonl');
if (!existsSync(corpus)) {
  console.log(`conformance refs: skipped, there is no ${corpus}`);
  process.exit(0);
}

/** Most of the time is one compiler's, which has one thread. */
const parallel = 2;
const world = { nowMs: Date.now, signal: new AbortController().signal };
const cases = readFileSync(corpus, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Case)
  .filter(({ id }) => options.only === undefined || id.includes(options.only));
const results: { readonly asked: Case; readonly result: Result }[] = [];
const groups = groupByFiles(cases);
const answered = await mapBounded(groups, parallel, async (group, at) => {
  if (process.stderr.isTTY) process.stderr.write(`\r${at + 1}/${groups.length}`);
  return runGroup(group);
});
results.push(...answered.flat());
if (options.out !== undefined)
  writeFileSync(options.out, results.map(({ result }) => `${JSON.stringify(result)}\n`).join(''));
process.exitCode = report(results) === 0 ? 0 : 1;

async function runGroup(group: readonly Case[]): Promise<{ asked: Case; result: Result }[]> {
  const { base, root, stateDir } = makeCaseTree(group[0]?.files ?? []);
  const opened = await openIndexSession(quietSettings(root, stateDir, false, world.signal));
  if (opened.kind !== 'open') throw new Error(`the index did not open: ${JSON.stringify(opened)}`);
  try {
    if (!options['syntactic-only']) await runIndexers(opened.session, root, stateDir);
    const view = await openSessionView(root, opened.session, 'sweep');
    const done: { asked: Case; result: Result }[] = [];
    for (const asked of group) done.push({ asked, result: await runCase(view, asked) });
    return done;
  } finally {
    await opened.session.close();
    rmSync(base, { recursive: true, force: true });
  }
}

async function runIndexers(session: IndexSession, root: string, stateDir: string): Promise<void> {
  const settings = {
    root,
    stateDir,
    cacheDir: stateDir,
    environment: process.env,
    ...world,
    toolPaths: {},
    maxFileMb: 4,
    onEvent: () => {},
  };
  const refresher = openRefresher(session, settings);
  try {
    await refresher.refreshContexts();
    await refresher.enqueueUnsettled('conformance');
    const { failed } = await refresher.runUntilIdle({ skipGuard: true, waitMs: 120_000 });
    for (const { context, failure, detail } of failed) console.log(`${context}: ${failure}: ${detail}`);
  } finally {
    await refresher.close();
  }
}

async function runCase(view: CodeView, { id, at }: Case): Promise<Result> {
  const outcome = await answerFrom(refs, { target: `${at.path}:${at.line}:${at.col}`, limit: 10_000 }, view, world);
  if (outcome.kind !== 'answered') {
    const problem = outcome.kind === 'not_answered' ? outcome.problem : { outcome: outcome.kind, message: '' };
    return { id, outcome: problem.outcome, relation: null, refs: [], unresolved: 0, reasons: [problem.message] };
  }
  const { files, unresolved, count } = outcome.answer;
  const flat = (groups: readonly { path: string; hits: readonly (typeof files)[number]['hits'][number][] }[]) =>
    groups.flatMap(({ path, hits }) =>
      hits.map(({ line, col, end_col, provenance }) => ({ path, line, col, len: end_col - col, provenance })),
    );
  return {
    id,
    outcome: 'ok',
    relation: count.relation,
    refs: flat(files),
    unresolved: unresolved.reduce((sum, { hits }) => sum + hits.length, 0),
    reasons: count.unresolved,
  };
}

type Tally = { found: number; right: number };

/** How many violations there are. */
function report(done: typeof results): number {
  const keyOf = ({ path, line, col, len }: Golden) => `${path}:${line}:${col}+${len}`;
  const tallies: Record<string, Tally> = {};
  let golden = 0;
  let reached = 0;
  let exact = 0;
  let equal = 0;
  const explained = { gte: 0, unanswered: 0 };
  const violations: string[] = [];
  const reasons = new Map<string, number>();
  for (const { asked, result } of done) {
    const wanted = new Set(asked.refs.map(keyOf));
    const got = new Map(result.refs.map((ref) => [keyOf(ref), ref.provenance]));
    const extra = [...got.keys()].filter((key) => !wanted.has(key));
    const missing = [...wanted].filter((key) => !got.has(key));
    const isSame = extra.length === 0 && missing.length === 0;
    golden += wanted.size;
    reached += wanted.size - missing.length;
    for (const [key, provenance] of got) {
      tallies[provenance] ??= { found: 0, right: 0 };
      const tally = tallies[provenance];
      tally.found += 1;
      if (wanted.has(key)) tally.right += 1;
    }
    if (result.outcome === 'ok' && isSame) exact += 1;
    if (result.relation === 'eq') equal += 1;
    if (result.relation === 'gte') explained.gte += missing.length;
    if (result.relation === null) explained.unanswered += missing.length;
    for (const reason of result.reasons) {
      const kind = reason.replace(/\S*[./]\S*/g, '…').replace(/\d+/g, 'n');
      reasons.set(kind, (reasons.get(kind) ?? 0) + 1);
    }
    const falselySure = extra.filter((key) => got.get(key) === 'resolved');
    const said = `${asked.id} [${asked.flags.join(' ')}]\n    too many ${extra.map((key) => `${key} (${got.get(key)})`).join(' ') || '-'}\n    missing ${missing.join(' ') || '-'}`;
    if (result.relation === 'eq' && !isSame) violations.push(`eq ${said}`);
    else if (falselySure.length > 0) violations.push(`resolved ${said}`);
    else if (options.verbose && !isSame) console.log(`${result.relation ?? result.outcome} ${said}`);
  }
  const percent = (part: number, whole: number) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);
  const outcomes = new Map<string, number>();
  for (const { result } of done) {
    const kind = result.relation ?? result.outcome;
    outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);
  }
  const says = [
    `cases ${done.length} · ${[...outcomes].map(([kind, count]) => `${kind} ${count}`).join(' · ')}`,
    ...Object.entries(tallies).map(
      ([provenance, { found, right }]) =>
        `${provenance}: precision ${percent(right, found)} (${right}/${found}), recall ${percent(right, golden)} (${right}/${golden})`,
    ),
    `together: recall ${percent(reached, golden)} (${reached}/${golden}); missing: ${explained.gte} in answers that say ≥, ${explained.unanswered} in questions that were not answered`,
    `answers equal to the golden ones: ${exact}; answers that say eq: ${equal}; violations: ${violations.length}`,
  ];
  for (const line of says) console.log(line);
  if (options['write-docs'] && options.only === undefined && !options['syntactic-only'])
    writeSection(
      join(project, 'docs/conformance.md'),
      'refs',
      'References',
      says.map((line) => `- ${line}\n`).join(''),
    );
  if (options.verbose)
    for (const [reason, count] of [...reasons].sort(([, a], [, b]) => b - a)) console.log(`  ${count} × ${reason}`);
  for (const violation of violations) console.log(`VIOLATION ${violation}`);
  return violations.length;
}
