// Facts against a corpus of hand-checked ones: every (repository, id, scope) is asked of the program, which does not see the truth.
//   npm run conformance -- facts [file.jsonl] --repos <dir> [--out answers.jsonl] [--repo <text>] [--id <prefix>] [--scope <text>]
//                                [--quiet] [--write-docs]
// `--repos` holds the trees as <owner>/<name> or <name>; one that is not there is skipped by name. Each tree is gathered once, with its own
// cache: only probes that state facts run, and what was cached by other code is forgotten, but for changes of
// `*-facts.ts`, which only derive. Two runs at once need two copies of the trees.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type FactsAsk, type FoundFacts, findFacts } from '../src/gather/facts/find-facts.ts';
import { ownDirsOf } from '../src/kernel/base/own-dirs.ts';
import { packageVersion } from '../src/kernel/base/package-files.ts';
import { probes } from '../src/probes/registry.gen.ts';
import { createLocalWorkspace } from '../src/serve/workspace/local-workspace.ts';
import { type Answer, type CorpusFact, judgeFact, type Verdict } from './conformance/match-facts.ts';
import { writeSection } from './conformance/write-document.ts';
import { renderTable } from './reference/markdown-text.ts';

type Scored = { readonly fact: CorpusFact; readonly answer: Answer; readonly verdict: Verdict; readonly how: string };

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    repos: { type: 'string' },
    out: { type: 'string' },
    repo: { type: 'string' },
    id: { type: 'string' },
    scope: { type: 'string' },
    quiet: { type: 'boolean', default: false },
    'write-docs': { type: 'boolean', default: false },
  },
});
const project = join(dirname(fileURLToPath(import.meta.url)), '..');
const corpus = positionals[0] ?? join(project, '../shared/facts/facts.dev.jsonl');
if (!existsSync(corpus) || options.repos === undefined) {
  console.log(
    `conformance facts: skipped, ${options.repos === undefined ? 'name the trees with --repos' : `there is no ${corpus}`}`,
  );
  process.exit(0);
}

const asked = readFileSync(corpus, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as CorpusFact)
  .filter(({ repo }) => options.repo === undefined || repo.includes(options.repo))
  .filter(({ id }) => options.id === undefined || id === options.id || id.startsWith(`${options.id}.`))
  .filter(({ scope }) => options.scope === undefined || scope.includes(options.scope));
const codeStamp = hashSources();
const scored: Scored[] = [];
const skipped: string[] = [];
for (const repo of new Set(asked.map((fact) => fact.repo))) {
  const tree = findTree(options.repos, repo);
  if (tree === undefined) {
    skipped.push(repo);
    continue;
  }
  const started = performance.now();
  const ask = await openGathered(tree);
  const gatheredMs = performance.now() - started;
  for (const fact of asked.filter((one) => one.repo === repo)) {
    const { answer, how } = askFact(ask, fact);
    scored.push({ fact, answer, how, verdict: judgeFact(fact, answer) });
  }
  if (!options.quiet) console.error(`${repo}: gathered in ${(gatheredMs / 1000).toFixed(1)} s`);
}
if (options.out !== undefined)
  writeFileSync(options.out, scored.map(({ answer }) => `${JSON.stringify(answer)}\n`).join(''));
report();

/** The question is the repository, the id and the scope; nothing else of the corpus is passed on. */
function askFact(
  ask: Ask,
  { repo, id, scope }: Pick<CorpusFact, 'repo' | 'id' | 'scope'>,
): { readonly answer: Answer; readonly how: string } {
  const blank = { repo, id, scope, value: null, confidence: null, evidence: [] } as const;
  const found = ask({ id, scope });
  if (found.kind === 'unknown_id') return { answer: { ...blank, state: 'not_looked' }, how: 'no such id' };
  if (found.kind !== 'facts') return { answer: { ...blank, state: 'unknown' }, how: found.kind };
  const fact = found.facts.find((one) => one.id === id && one.scope === scope);
  if (fact === undefined) return { answer: { ...blank, state: 'unknown' }, how: 'not stated' };
  const { state, value, confidence, evidence, how } = fact;
  return { answer: { repo, id, scope, state, value, confidence, evidence }, how };
}

function findTree(repos: string, repo: string): string | undefined {
  const [owner = '', name = ''] = repo.split('/');
  return [repo, name, `${owner}+${name}`, `${owner}__${name}`]
    .map((one) => join(repos, one))
    .find((one) => existsSync(one));
}

/** As `codegenie facts` answers, from the document that was published, which is read once. */
type Ask = (ask: FactsAsk) => FoundFacts;

async function openGathered(root: string): Promise<Ask> {
  forgetOtherCode(root);
  const workspace = createLocalWorkspace({
    root,
    isGit: existsSync(join(root, '.git')),
    home: process.env['HOME'] ?? '/',
    environment: process.env,
    cliVersion: packageVersion(),
    nowMs: Date.now,
    signal: new AbortController().signal,
  });
  const only = probes.filter(({ facts }) => facts.length > 0).map(({ name }) => name);
  const outcome = await workspace.gather({
    task: null,
    only,
    skip: [],
    mode: 'default',
    maxConcurrency: null,
    onProgress: () => {},
  });
  if (outcome.kind !== 'published') throw new Error(`${root}: the gather ended as ${outcome.kind}`);
  for (const { probe, diagnostics } of outcome.executions) {
    for (const { id, detail } of diagnostics)
      if (id.startsWith('facts.')) console.error(`  ${probe.name}: ${id}: ${detail}`);
  }
  const { facts } = outcome.envelope;
  const rules = probes.flatMap((probe) => probe.facts);
  return (ask) => findFacts(facts, rules, ask, (path) => existsSync(join(root, path)));
}

/** A cache entry is of a probe's version; between versions it is the developer's business that the code has changed. */
function forgetOtherCode(root: string): void {
  const { cacheDir } = ownDirsOf({ root, home: process.env['HOME'] ?? '/', environment: process.env });
  const stamp = join(cacheDir, 'conformance-stamp');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === codeStamp) return;
  rmSync(cacheDir, { recursive: true, force: true });
  mkdirSync(cacheDir, { recursive: true, mode: 0o700 });
  writeFileSync(stamp, codeStamp);
}

function hashSources(): string {
  const hash = createHash('sha256');
  const source = join(project, 'src');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^(?:probes|gather\/run|kernel|languages|index)\/.*\.ts$/.test(name))
    .filter((name) => !name.endsWith('.test.ts') && !name.endsWith('-facts.ts'))
    .sort();
  for (const name of files) hash.update(name).update(readFileSync(join(source, name)));
  return hash.digest('hex');
}

type Counts = Readonly<Record<Verdict, number>> & { readonly sure: number; readonly all: number };

function count(of: readonly Scored[]): Counts {
  const how = (verdict: Verdict) => of.filter((one) => one.verdict === verdict).length;
  const sure = of.filter(({ verdict, answer }) => verdict === 'wrong' && answer.confidence !== 'low').length;
  return { right: how('right'), wrong: how('wrong'), missing: how('missing'), sure, all: of.length };
}

function row(name: string, of: readonly Scored[]): readonly string[] {
  const { all, right, wrong, sure, missing } = count(of);
  const share = all === 0 ? '' : `${((100 * right) / all).toFixed(1)} %`;
  return [name, String(all), String(right), share, String(wrong), String(sure), String(missing)];
}

function report(): void {
  const head = ['', 'facts', 'right', '', 'wrong', 'wrong at high or medium', 'missing'];
  const by = (key: (one: Scored) => string) =>
    [...new Set(scored.map(key))].sort().map((name) =>
      row(
        name,
        scored.filter((one) => key(one) === name),
      ),
    );
  const rightOnes = scored.filter(({ verdict, fact }) => verdict === 'right' && fact.match !== 'absent');
  const sureOnes = rightOnes.filter(({ answer }) => answer.confidence === 'high' || answer.confidence === 'medium');
  const all = [
    row('all', scored),
    row(
      'subtle',
      scored.filter(({ fact }) => fact.subtle === true),
    ),
    row(
      'without `absent`',
      scored.filter(({ fact }) => fact.match !== 'absent'),
    ),
  ];
  const share = rightOnes.length === 0 ? 0 : (100 * sureOnes.length) / rightOnes.length;
  const sure = `Of the right answers that say something ${share.toFixed(1)} % are at high or medium confidence.`;
  const misses = scored.filter(({ verdict }) => verdict !== 'right').map(missRow);
  const missHead = ['repository', 'id', 'scope', 'verdict', 'told', 'true', 'how'];
  for (const repo of skipped) console.log(`skipped: there is no tree of ${repo}`);
  if (!options.quiet)
    for (const [repo, id, scope, verdict, told, truth, how] of misses)
      console.log(`${verdict}\t${repo}\t${id}\t${scope}\n    told  ${told}\n    true  ${truth}\n    how   ${how}`);
  console.log(`\n${renderTable(head, all)}\n${sure}\n`);
  if (!options.quiet)
    console.log(
      `${renderTable(
        head,
        by(({ fact }) => fact.id),
      )}\n${renderTable(
        head,
        by(({ fact }) => fact.repo),
      )}`,
    );
  if (!options['write-docs']) return;
  const body = [
    `Facts of real repositories, checked by hand by others: ${scored.length} of them, ${new Set(scored.map(({ fact }) => fact.repo)).size} repositories.`,
    renderTable(head, all),
    sure,
    'By id:',
    renderTable(
      head,
      by(({ fact }) => fact.id),
    ),
    'By repository:',
    renderTable(
      head,
      by(({ fact }) => fact.repo),
    ),
    'Every miss:',
    renderTable(
      missHead,
      misses.map((cells) => cells.map((cell) => cell.replaceAll('|', '\\|'))),
    ),
  ];
  writeSection(join(project, 'docs/conformance.md'), 'facts', 'Facts', body.join('\n\n'));
}

function missRow({ fact, answer, verdict, how }: Scored): readonly string[] {
  const short = (value: unknown) => {
    const text = JSON.stringify(value) ?? '';
    return text.length > 160 ? `${text.slice(0, 157)}…` : text;
  };
  const told = answer.state === 'known' ? `${short(answer.value)} (${answer.confidence})` : answer.state;
  const truth = `${fact.match} ${short(fact.truth)}${fact.accept === undefined ? '' : ` or ${short(fact.accept)}`}`;
  return [fact.repo, fact.id, fact.scope, verdict, told, truth, how];
}
