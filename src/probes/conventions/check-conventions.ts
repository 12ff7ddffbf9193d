/**
 * Holds convention rules against the repository. Every file is read once, whatever the number of rules that look at it;
 * a rule whose regex overruns is given up, with its verdict unknown, and the others go on.
 */

import { lineAt } from '../../kernel/formats/parse-outcome.ts';
import { compileGlobs } from '../../kernel/tree/path-patterns.ts';
import type { ConventionRule } from './convention-catalog.ts';
import { renderFinalStage } from './dockerfile-text.ts';
import type { RegexRunner } from './user-regex.ts';

export type Place = { readonly path: string; readonly line: number };

export type RuleResult = {
  readonly id: string;
  readonly description: string;
  readonly result: 'pass' | 'fail' | 'not_applicable' | 'error';
  /** Where it holds for `pass`, else the reason in words. */
  readonly evidence: readonly Place[] | string;
  /** Where it does not hold; without a line where something is missing from the whole file. */
  readonly violations: readonly { readonly path: string; readonly line: number | null }[];
};

export type ConventionWorld = {
  readonly dockerfiles: readonly string[];
  /** Files that globs may select, by path. */
  readonly files: readonly string[];
  /** Null for a file that cannot be judged: too large, a link, gone. */
  readonly readText: (path: string) => Promise<string | null>;
  readonly regexes: RegexRunner;
};

const PLACES_MAX = 50;
const NAMED_FILES_MAX = 20;

type Tally = {
  readonly rule: ConventionRule;
  readonly selects: (path: string) => boolean;
  judged: number;
  timedOut: boolean;
  readonly hits: Place[];
  readonly misses: string[];
  /** Files it should have looked at and could not. */
  readonly unread: string[];
};

export async function checkConventions(
  rules: readonly ConventionRule[],
  world: ConventionWorld,
): Promise<RuleResult[]> {
  const tallies = rules.map((rule) => startTally(rule, world));
  const paths = [...new Set([...world.dockerfiles, ...world.files])].sort();
  for (const path of paths) {
    const concerned = tallies.filter((tally) => !tally.timedOut && tally.selects(path));
    if (concerned.length > 0) await checkFile(path, concerned, world);
  }
  return tallies.map(concludeTally);
}

function startTally(rule: ConventionRule, world: ConventionWorld): Tally {
  const among = new Set(rule.glob === null ? world.dockerfiles : world.files);
  const matches = rule.glob === null ? () => true : compileGlobs([rule.glob]);
  return {
    rule,
    selects: (path) => among.has(path) && matches(path),
    judged: 0,
    timedOut: false,
    hits: [],
    misses: [],
    unread: [],
  };
}

async function checkFile(path: string, concerned: readonly Tally[], world: ConventionWorld): Promise<void> {
  let text: string | null = null;
  if (concerned.some((tally) => tally.rule.regex !== null)) text = await world.readText(path);
  for (const tally of concerned) {
    const { regex, glob } = tally.rule;
    if (regex === null) {
      tally.judged += 1;
      tally.hits.push({ path, line: 1 });
      continue;
    }
    if (text === null) {
      tally.unread.push(path);
      continue;
    }
    const texts = [{ text, lineAt: (at: number) => lineAt(text, at) }];
    if (glob === null) texts.push(renderedDockerfile(text));
    let hit: Place | undefined;
    for (const candidate of texts) {
      const found = await world.regexes.search(regex, candidate.text);
      if (found.kind === 'timed_out') tally.timedOut = true;
      if (found.kind === 'found') hit = { path, line: candidate.lineAt(found.at) };
      if (found.kind !== 'not_found') break;
    }
    if (tally.timedOut) continue;
    tally.judged += 1;
    if (hit === undefined) tally.misses.push(path);
    else tally.hits.push(hit);
  }
}

function concludeTally(tally: Tally): RuleResult {
  const { rule, hits, misses } = tally;
  const answer = (
    result: RuleResult['result'],
    evidence: RuleResult['evidence'],
    violations: RuleResult['violations'] = [],
  ) => ({
    id: rule.id,
    description: rule.description,
    result,
    evidence,
    violations: violations.slice(0, PLACES_MAX),
  });
  // What was found to be wrong is wrong, whatever else was not looked at; nothing else can be said for sure then.
  const unless = (verdict: RuleResult): RuleResult => {
    if (tally.timedOut) return answer('error', 'rule_timeout');
    return tally.unread.length === 0
      ? verdict
      : answer(
          'error',
          sentence(tally.unread, (path) => `${path}: unreadable`),
        );
  };
  const missing = misses.map((path) => ({ path, line: null }));
  switch (rule.kind) {
    case 'dockerfile_pattern':
      if (misses.length > 0) return answer('fail', 'pattern absent', missing);
      if (tally.judged === 0) return unless(answer('not_applicable', 'no_dockerfile_present'));
      return unless(answer('pass', hits.slice(0, PLACES_MAX)));
    case 'dockerfile_pattern_inverted':
      if (hits.length > 0) return answer('fail', 'forbidden pattern present', hits);
      return unless(tally.judged === 0 ? answer('not_applicable', 'no_dockerfile_present') : answer('pass', []));
    case 'file_pattern':
      if (misses.length > 0)
        return answer(
          'fail',
          sentence(misses, (path) => `${path}: pattern not found`),
          missing,
        );
      if (tally.judged === 0) return unless(answer('not_applicable', 'file_glob_no_matches'));
      return unless(answer('pass', hits.slice(0, PLACES_MAX)));
    case 'missing_file': {
      if (hits.length === 0) return unless(answer('pass', []));
      const present = hits.map((hit) => hit.path);
      return answer(
        'fail',
        sentence(present, (path) => `unexpected file present: ${path}`),
        hits,
      );
    }
  }
}

function sentence(paths: readonly string[], say: (path: string) => string): string {
  const named = paths.slice(0, NAMED_FILES_MAX).map(say);
  const more = paths.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

function renderedDockerfile(text: string) {
  const lines = renderFinalStage(text);
  const rendered = lines.map((line) => line.text).join('\n');
  return { text: rendered, lineAt: (at: number) => lines[lineAt(rendered, at) - 1]?.line ?? 1 };
}
