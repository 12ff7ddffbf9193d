/**
 * From what the probes delivered to facts that may be published. Pure but for reading the evidence.
 * Promise: a known fact has evidence, and each piece was read: the file is there and the line holds the value or the token that the rule
 * declares. What does not hold is dropped and its probe is warned; what no probe looked at is `not_looked`, never `none`.
 */

import { canonicalJson, compareCodeUnits, type Json } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { shortLine, truncate } from '../../kernel/base/text.ts';
import type { FileScope } from '../../kernel/tree/file-scope.ts';
import { lineNumberAt } from '../../kernel/tree/positions.ts';
import { createDirectoryGuard, readRegular } from '../../kernel/tree/safe-read.ts';
import type { Diagnostic, SkipReason, Slice } from '../contract.ts';
import type { Execution } from '../run/execution.ts';
import { type Claim, type Fact, type FactRule, reasons, type Spine, type Statement, trustFacts } from './fact.ts';

type StatedFacts = {
  readonly facts: readonly Fact[];
  /** The same executions, with a warning for each probe whose facts were dropped. */
  readonly executions: ReadonlyMap<string, Execution>;
};

/** Of a file that is given as evidence; a larger one is evidence of nothing. */
const evidenceFileBytes = 8 * 1024 * 1024;
const evidenceShown = 20;

export function stateFacts(
  executions: ReadonlyMap<string, Execution>,
  tree: { readonly root: string; readonly scope: FileScope },
): StatedFacts {
  const spine = findSpine(executions);
  const check = createEvidenceCheck(tree);
  const facts: Fact[] = [];
  const judged = new Map(executions);
  for (const [name, execution] of executions) {
    const { stated, diagnostics } = stateOne(execution, spine, check);
    facts.push(...stated);
    if (diagnostics.length > 0) judged.set(name, warned(execution, diagnostics));
  }
  facts.sort((a, b) => compareCodeUnits(a.id, b.id) || compareCodeUnits(a.scope, b.scope));
  return { facts: trustFacts(facts), executions: judged };
}

function findSpine(executions: ReadonlyMap<string, Execution>): Spine {
  for (const { probe, slice } of executions.values()) {
    if (probe.spine === undefined || slice === null) continue;
    return { components: probe.spine(slice.slice as Slice) };
  }
  return { components: [] };
}

type EvidenceCheck = (claim: Claim, value: Json) => string | { readonly missing: string };

function stateOne(
  execution: Execution,
  spine: Spine,
  check: EvidenceCheck,
): { readonly stated: readonly Fact[]; readonly diagnostics: readonly Diagnostic[] } {
  const stated: Fact[] = [];
  const diagnostics: Diagnostic[] = [];
  const slice = (execution.slice?.slice ?? {}) as Slice;
  for (const rule of execution.probe.facts) {
    if (slice[rule.section] === undefined || execution.status === 'skipped') {
      const absent = withoutSection(rule, execution);
      if (absent !== undefined) stated.push(absent);
      continue;
    }
    const scopes = new Set<string>();
    for (const statement of askRule(rule, slice, spine, diagnostics)) {
      const about = `${rule.id} of ${statement.scope}`;
      if (scopes.has(statement.scope)) {
        diagnostics.push({ id: 'facts.stated_twice', detail: about });
        continue;
      }
      scopes.add(statement.scope);
      const judged = judge(rule, statement, check);
      if ('dropped' in judged) {
        const detail = shortLine(`${about}: ${judged.why}`, limits.diagnosticDetailChars);
        diagnostics.push({ id: judged.dropped, ...(judged.path === undefined ? {} : { path: judged.path }), detail });
        stated.push(blank(rule.id, statement.scope, 'unknown', `its evidence did not hold: ${judged.why}`));
      } else stated.push(judged);
    }
  }
  return { stated, diagnostics };
}

/** P7: a rule that throws costs its own facts, loudly. */
function askRule(rule: FactRule, slice: Slice, spine: Spine, diagnostics: Diagnostic[]): readonly Statement[] {
  try {
    return rule.state(slice, spine);
  } catch (error) {
    const detail = shortLine(`${rule.id}: ${(error as Error).message}`, limits.diagnosticDetailChars);
    diagnostics.push({ id: 'facts.rule_threw', detail });
    return [
      { scope: '.', state: 'unknown', value: null, because: 'incomplete', evidence: [], how: 'the rule for it failed' },
    ];
  }
}

const nothingToSee: ReadonlySet<SkipReason> = new Set(['language_mismatch', 'not_applicable', 'not_configured']);

/** The section is missing: was there nothing to look at, or did no probe look? */
function withoutSection(rule: FactRule, { probe, skip, status, errors }: Execution): Fact | undefined {
  if (skip !== null && nothingToSee.has(skip.reason)) {
    if (rule.noneWithoutSection !== true) return undefined;
    const how = `looked: ${skip.detail ?? `${probe.name} found nothing to look at`}`;
    return { ...blank(rule.id, '.', 'none', how), confidence: reasons.looked.confidence };
  }
  const why = skip?.reason ?? errors[0] ?? status;
  return blank(rule.id, '.', 'not_looked', `${probe.name} has no section: ${why.replaceAll('_', ' ')}`);
}

type Dropped = { readonly dropped: string; readonly why: string; readonly path?: string };

function judge(rule: FactRule, statement: Statement, check: EvidenceCheck): Fact | Dropped {
  const { scope, state, value, because, how } = statement;
  if (state === 'known') {
    const shape = rule.value.safeParse(value);
    if (!shape.success) return { dropped: 'facts.invalid', why: shape.error.issues[0]?.message ?? 'not its shape' };
    if (statement.evidence.length === 0) return { dropped: 'facts.evidence_missing', why: 'no evidence is given' };
  }
  const evidence: string[] = [];
  for (const claim of statement.evidence.slice(0, evidenceShown)) {
    const found = check(claim, value);
    if (typeof found !== 'string') return { dropped: 'facts.evidence_missing', why: found.missing, path: claim.path };
    if (!evidence.includes(found)) evidence.push(found);
  }
  return {
    id: rule.id,
    scope,
    state,
    // As it comes back from the cache: P6 holds for keys, too.
    value: state === 'known' ? (JSON.parse(canonicalJson(value)) as Json) : null,
    confidence: state === 'unknown' ? null : reasons[because].confidence,
    evidence,
    how: truncate(`${because}: ${how}`, 300),
  } as Fact;
}

function blank(id: string, scope: string, state: Fact['state'], how: string): Fact {
  return { id, scope, state, value: null, confidence: null, evidence: [], how: truncate(how, 300) };
}

function warned(execution: Execution, diagnostics: readonly Diagnostic[]): Execution {
  const ids = diagnostics.map(({ id }) => id);
  return {
    ...execution,
    warnings: [...new Set([...execution.warnings, ...ids])],
    diagnostics: [...execution.diagnostics, ...diagnostics].slice(0, limits.diagnosticsPerProbe),
  };
}

/** Reads each file once. Answers `path:line`, or what is wrong. */
function createEvidenceCheck({ root, scope }: { readonly root: string; readonly scope: FileScope }): EvidenceCheck {
  const guard = createDirectoryGuard(root);
  const texts = new Map<string, string | undefined>();
  /** With small letters: ecosystems fold the case of names that people do not. One kind of line end. */
  const textOf = (path: string): string | undefined => {
    if (!texts.has(path)) {
      const outcome = readRegular(root, path, evidenceFileBytes, guard);
      texts.set(path, outcome.kind === 'read' ? foldText(outcome.bytes) : undefined);
    }
    return texts.get(path);
  };
  return ({ path, line, shows }, value) => {
    if (scope.find(path) === undefined) return { missing: `${path} is not there` };
    if (shows === null) return `${path}:${line ?? 1}`;
    const { tokens, orFile } = tokensOf(shows, value);
    if (tokens.length === 0) return { missing: `nothing is declared that a line of ${path} must hold` };
    const text = textOf(path);
    if (text === undefined) return { missing: `${path} cannot be read` };
    const folded = tokens.map((token) => token.toLowerCase());
    if (line !== undefined) {
      const own = lineOf(text, line);
      return orFile || folded.some((token) => own.includes(token))
        ? `${path}:${line}`
        : { missing: `${path}:${line} has no ${tokens.join(' or ')}` };
    }
    const place = placeOfToken(text, folded);
    if (place !== undefined) return `${path}:${lineNumberAt(text, place)}`;
    return orFile ? `${path}:1` : { missing: `${path} has no ${tokens.join(' or ')}` };
  };
}

/**
 * Where a reader would point: the first token that stands at the beginning of a line, else as a word of its own, else as a part of one.
 * `MIT` is not shown by a line about a limit.
 */
function placeOfToken(text: string, tokens: readonly string[]): number | undefined {
  for (const fits of [beginsLine, isOwnWord]) {
    for (const token of tokens) {
      for (let at = text.indexOf(token); at >= 0; at = text.indexOf(token, at + 1))
        if (fits(text, at, token.length)) return at;
    }
  }
  return tokens.map((token) => text.indexOf(token)).find((at) => at >= 0);
}

const wordSign = /[\p{L}\p{N}_]/u;

function isOwnWord(text: string, at: number, length: number): boolean {
  const touches = (inner: number, outer: number) =>
    wordSign.test(text.charAt(inner)) && outer >= 0 && wordSign.test(text.charAt(outer));
  return !touches(at, at - 1) && !touches(at + length - 1, at + length);
}

/** Behind blanks, quotes and the dash of a list. */
function beginsLine(text: string, at: number, length: number): boolean {
  if (!isOwnWord(text, at, length)) return false;
  let before = at - 1;
  while (before >= 0 && ' \t"\'-'.includes(text.charAt(before))) before -= 1;
  return before < 0 || text.charAt(before) === '\n';
}

/** A gather that finds everything in its cache still looks at every line that is evidence: the text is searched, never taken apart. */
function foldText(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8').toLowerCase();
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** Empty behind the last one. */
function lineOf(text: string, line: number): string {
  let start = 0;
  for (let number = 1; number < line; number += 1) {
    const end = text.indexOf('\n', start);
    if (end < 0) return '';
    start = end + 1;
  }
  const end = text.indexOf('\n', start);
  return text.slice(start, end < 0 ? undefined : end);
}

function tokensOf(
  shows: Claim['shows'],
  value: Json,
): { readonly tokens: readonly string[]; readonly orFile: boolean } {
  if (typeof shows === 'string') return { tokens: [shows], orFile: false };
  if (Array.isArray(shows)) {
    const tokens = shows.filter((token): token is string => typeof token === 'string' && token !== '');
    return { tokens, orFile: shows.includes(null) };
  }
  return { tokens: typeof value === 'string' || typeof value === 'number' ? [String(value)] : [], orFile: false };
}
