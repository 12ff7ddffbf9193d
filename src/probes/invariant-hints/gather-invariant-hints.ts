/**
 * The run of invariant_hints: hints of every file, in order of their place. What a test asserts is an expectation of that test, so of a
 * test file only the titles are taken; counts are of everything that was found, also where a list is cut.
 */

import type { Confidence, ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { canonicalJson, type Json } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { shortLine } from '../../kernel/base/text.ts';
import { isTestFile } from '../../kernel/tree/file-roles.ts';
import { checkGrammars } from '../../languages/parsing/grammar-pins.ts';
import { createFindings } from '../shared/probe-reading.ts';
import { type CheckGrammars, grammarsOf, listSources, parseSources } from '../shared/sources.ts';
import { hintSourceGlobs } from './invariant-hints-section.ts';
import type { InvariantHints } from './source-hints.ts';

const invariantHintsArtifact = 'invariant-hints.json';
const hintsShown = 1_000;
/** The artifact has a bound too; the counts have none. */
const hintsKept = 100_000;

type Hint = { readonly path: string; readonly line: number } & Readonly<Record<string, string | number>>;
type HintLists = Readonly<Record<'assertions' | 'validators' | 'test_titles' | 'jsdoc_contracts', readonly Hint[]>>;

export async function gatherInvariantHints(
  repo: ProbeRepo,
  ctx: Pick<ProbeContext<never>, 'signal'>,
  check: CheckGrammars = checkGrammars,
): Promise<ProbeOutput> {
  const findings = createFindings();
  const sources = listSources(repo, hintSourceGlobs);
  const grammars = check(grammarsOf(sources));
  for (const { name, state } of grammars)
    if (state !== 'pinned') findings.fail('tree_sitter.grammar_pin_mismatch', { detail: `${name}: ${state}` });
  const files = await parseSources(repo, sources, 'invariant-hints', { grammars, signal: ctx.signal });
  let unread = 0;
  for (const file of files) {
    if (file.kind !== 'failed') continue;
    unread += 1;
    const place = unread <= limits.diagnosticsPerProbe ? { path: file.path, detail: file.reason } : undefined;
    if (file.reason === 'too_large') findings.warn('invariant_hints.file_too_large', place);
    else if (file.reason !== 'no_grammar') findings.warn('invariant_hints.file_unread', place);
  }
  const lists = collect(
    files.flatMap((file) => (file.kind === 'parsed' ? [{ path: file.path, hints: file.facts }] : [])),
  );
  const counts = mapLists(lists, (list) => list.length);
  return {
    kind: 'ran',
    slice: { invariant_hints: { ...mapLists(lists, (list) => list.slice(0, hintsShown)), counts } as unknown as Json },
    rawArtifacts: [
      {
        name: invariantHintsArtifact,
        kind: 'json',
        from: new TextEncoder().encode(
          canonicalJson({
            schema_version: 1,
            ...mapLists(lists, (list) => list.slice(0, hintsKept)),
            counts,
          } as unknown as Json),
        ),
      },
    ],
    confidence: judge(files.length - unread, unread),
    ...findings.report(),
    evidence: [{ artifact: invariantHintsArtifact }],
  };
}

/** Hints are never more than that: no list says that a rule is upheld, or that there is no other. */
function judge(parsed: number, unread: number): Confidence {
  return parsed >= unread && parsed > 0 ? 'medium' : 'low';
}

/** Files come in order of their paths, the hints of each in order of its lines but for classes, which are noted at their first field. */
function collect(files: readonly { readonly path: string; readonly hints: InvariantHints }[]): HintLists {
  const lists = {
    assertions: [] as Hint[],
    validators: [] as Hint[],
    test_titles: [] as Hint[],
    jsdoc_contracts: [] as Hint[],
  };
  const byLine = (a: { readonly line: number }, b: { readonly line: number }) => a.line - b.line;
  for (const { path, hints } of files) {
    for (const { line, title } of hints.titles) lists.test_titles.push({ path, line, title: shortLine(title, 200) });
    if (isOfTests(path) || hints.titles.length > 0) continue;
    for (const { line, kind, text } of hints.assertions.toSorted(byLine)) {
      lists.assertions.push({ path, line, kind, text: shortLine(text, 200) });
    }
    for (const { line, library, name } of hints.validators.toSorted(byLine)) {
      lists.validators.push({ path, line, library, name: shortLine(name, 200) });
    }
    for (const { line, tag } of hints.contracts) lists.jsdoc_contracts.push({ path, line, tag });
  }
  return lists;
}

/** Test files, and what lies beside them to help. */
function isOfTests(path: string): boolean {
  return isTestFile(path) || /(?:^|\/)(?:tests?|spec|testdata|__mocks__|__fixtures__|fixtures)\//.test(path);
}

function mapLists<T>(lists: HintLists, of: (list: readonly Hint[]) => T): Readonly<Record<keyof HintLists, T>> {
  return {
    assertions: of(lists.assertions),
    validators: of(lists.validators),
    test_titles: of(lists.test_titles),
    jsdoc_contracts: of(lists.jsdoc_contracts),
  };
}
