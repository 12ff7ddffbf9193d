/**
 * Holds convention rules against the repository. Every file is read once, whatever the number of rules that look at it;
 * a rule whose regex overruns is given up, with its verdict unknown, and the others go on.
 */

import type { ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { limits } from '../../kernel/base/limits.ts';
import { decodeLenient } from '../../kernel/base/text.ts';
import { lineAt } from '../../kernel/formats/parse-outcome.ts';
import { compileGlobs } from '../../kernel/tree/path-patterns.ts';
import { dockerfileGlobs } from '../dockerfile/dockerfile-section.ts';
import { confidenceOf, type PerFileError, sortPerFileErrors } from '../shared/authored-files.ts';
import { type ConventionRule, catalogReadError, readCatalogs } from './convention-catalog.ts';
import { conventionsVersion } from './conventions-section.ts';
import { renderFinalStage } from './dockerfile-text.ts';
import { createRegexRunner, type RegexRunner } from './user-regex.ts';

export async function gatherConventions(
  repo: ProbeRepo,
  ctx: Pick<ProbeContext<never>, 'signal' | 'startedAt'>,
): Promise<ProbeOutput> {
  const { rules, resolved, errors: catalogErrors } = await readCatalogs(repo);
  const files = repo.inputs.list().filter((id) => !/^(?:config:|user:|\.codegenie\/)/.test(id));
  const fileErrors: PerFileError[] = [];
  const regexes = createRegexRunner(ctx.signal);
  let results: Awaited<ReturnType<typeof checkConventions>>;
  try {
    results = await checkConventions(rules, {
      dockerfiles: files.filter(compileGlobs(dockerfileGlobs)),
      files,
      regexes,
      readText: async (path) => {
        const outcome = await repo.inputs.read(path, limits.textBytes);
        if (outcome.kind === 'read') return decodeLenient(outcome.bytes);
        if (outcome.kind === 'failed') fileErrors.push({ path, ...catalogReadError(outcome.failure) });
        return null;
      },
    });
  } finally {
    await regexes.close();
  }
  const count = (result: string) => results.filter((entry) => entry.result === result).length;
  const errors = sortPerFileErrors([...catalogErrors, ...fileErrors]);
  const timedOut = results.some((entry) => entry.evidence === 'rule_timeout');
  return {
    kind: 'ran',
    slice: {
      'organizational.conventions': {
        results: results.map(({ violations: _violations, ...shown }) => shown),
        rules_checked: results.length,
        passed: count('pass'),
        failed: count('fail'),
        not_applicable: count('not_applicable'),
        catalog_paths_resolved: resolved,
        catalog_version: conventionsVersion(repo),
        outcome: { kind: 'ran' },
        scanned_at: ctx.startedAt,
        per_file_errors: errors,
      },
    },
    confidence: timedOut && errors.length === 0 ? 'medium' : confidenceOf(resolved.length, errors.length),
    warnings: [
      ...(errors.length > 0 ? ['conventions.per_file_errors_present'] : []),
      ...(timedOut ? ['conventions.rule_timeout'] : []),
    ],
    evidence: results.flatMap((entry) =>
      entry.violations.map(({ path, line }) => (line === null ? { path } : { path, lines: [line, line] as const })),
    ),
  };
}

type Place = { readonly path: string; readonly line: number };

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
