/** `force_syntactic` (mutation.md §10): what scope binds in one file as one group, every other place of the name to be chosen by itself. */

import { posix } from 'node:path';
import { findNames } from '../../../index/navigate/find-in-text.ts';
import { followImport } from '../../../index/navigate/follow-exports.ts';
import { collectFamily, type Family, isConfinedBinding } from '../../../index/navigate/name-family.ts';
import type { Question } from '../../../index/navigate/question.ts';
import type { FileFacts } from '../../../index/navigate/read-file-facts.ts';
import { findOneSubject, type Subject } from '../../../index/navigate/subject.ts';
import { listUnresolvedImports } from '../../../index/store/stored-imports.ts';
import { isNotAnswered } from '../../../index/view/not-answered.ts';
import { sha256Hex } from '../../../kernel/base/hash.ts';
import { compareCodeUnits } from '../../../kernel/base/json.ts';
import { plural, quotedPath } from '../../../kernel/base/text.ts';
import type { TextSpan } from '../../../languages/facts.ts';
import { familyOf, isJavaScript } from '../../../languages/language-family.ts';
import { hasSyntax } from '../../../languages/languages.ts';
import type { Binding } from '../../../languages/scopes/scope-tree.ts';
import type { Token } from '../../../languages/tokens.ts';
import {
  type Clash,
  type CompilerEdit,
  type Refusal,
  type RenameFindings,
  refuse,
} from '../../compiler/session/messages.ts';
import { notFound, placeOf, refusedAnswer, refusedBy } from '../../plans/answers.ts';
import { freshNameProof, listFilesHolding, proveEdits } from '../../proof/lexical-proofs.ts';
import type { FoundOrNot, LookingWorld } from '../../refactoring.ts';
import type { ImportStep, RiskReason, Tier } from '../../vocabulary.ts';
import type { RenameInput, RenameTarget } from '../rename-request.ts';
import { isImplied, readPlaces, writeAnew } from './edit-forms.ts';
import { findLexicalClashes } from './index-clashes.ts';
import {
  checkSymbolName,
  describeTarget,
  isOwnAlias,
  isPropertyToo,
  mayBeNamed,
  namesArguments,
} from './index-target.ts';

export async function findForced(world: LookingWorld, target: RenameTarget, input: RenameInput): Promise<FoundOrNot> {
  const { question } = world;
  const found = target.subject === null ? await findOneSubject(question, input) : target;
  if (isNotAnswered(found)) return { kind: 'answer', answer: notFound(found) };
  const { subject } = found;
  if (subject === null) throw new Error('a target that was found has a subject');
  const startedMs = world.nowMs();
  const forced = await planForced({ question, subject, newName: input.new_name });
  if (forced.kind === 'refused') return { kind: 'answer', answer: refusedBy(forced, question) };
  const { name, namePath, kind, definedAt } = forced.symbol;
  const problem = checkSymbolName(question, target.language, forced.symbol, input.new_name);
  if (problem !== undefined) return { kind: 'answer', answer: refusedAnswer(problem.reason, problem.detail) };
  const isMention = ({ reasons }: ForcedEdit) => reasons.some((reason) => beyondScope.has(reason));
  // What scope confines to a file cannot be reached by text: mentions of it are counted, not asked about.
  const isConfined = forced.edits.length > 0;
  const risky = isConfined ? forced.risky.filter((one) => !isMention(one)) : forced.risky;
  const mentions = forced.risky.length - risky.length;
  return {
    kind: 'findings',
    symbol: { key: `${definedAt.path}#${namePath}`, name, namePath, kind, definedAt: placeOf(question, definedAt) },
    newName: input.new_name,
    title: `rename ${kind} \`${name}\` to \`${input.new_name}\``,
    edits: forced.edits,
    items: [],
    risky: risky.map(({ tier, risk, reasons, importChain, checklist: _, ...edit }) => ({
      ...{ edit, tier, risk, reasons, importChain },
    })),
    moves: [],
    clashes: forced.clashes,
    texts: forced.texts,
    contextKeys: [],
    census: {
      planned: forced.edits.length,
      other_symbol: forced.risky.filter(({ reasons }) => reasons.includes('other_language')).length,
      string: forced.risky.filter(({ reasons }) => reasons.includes('string') || reasons.includes('prose')).length,
      comment: forced.risky.filter(({ reasons }) => reasons.includes('comment')).length,
      unaccounted: forced.risky.filter((one) => !isMention(one)).length,
    },
    notes: [
      ...(forced.truncated ? ['there are more places of this name than are listed'] : []),
      ...(mentions === 0
        ? []
        : [`${plural(mentions, 'mention')} in strings, comments, prose and other languages stay as they are`]),
    ],
    bounds: {
      files_scanned: Object.keys(forced.texts).length,
      files_not_scanned: [],
      contexts: [],
      budget_ms: 2_000,
      spent_ms: Math.round(world.nowMs() - startedMs),
      truncated: forced.truncated,
    },
    isomorphism: null,
    provenance: 'syntactic',
    job: null,
  };
}

// `force_syntactic` (mutation.md §10): a rename without types, for languages without an indexer and callers that do not wait. Only what
// lexical scope binds in the target's own file is proposed as one (M32); every other token of that spelling is listed by itself, with
// the tier it is in, how risky it is and what to look at before it is chosen (M33). Nothing here decides for the reader.

type ForcedEdit = CompilerEdit & {
  readonly tier: Exclude<Tier, 'lexical'>;
  readonly risk: 'medium' | 'high';
  readonly reasons: readonly RiskReason[];
  readonly checklist: readonly string[];
  readonly importChain: readonly ImportStep[];
};

export type ForcedFindings = {
  readonly kind: 'forced';
  readonly provenance: 'syntactic';
  readonly language: string;
  readonly oldName: string;
  readonly symbol: RenameFindings['symbol'];
  /** The lexical tier: stands or falls together, and `--apply` may take it. */
  readonly edits: readonly CompilerEdit[];
  /** Everything else: one group each. */
  readonly risky: readonly ForcedEdit[];
  readonly clashes: readonly Clash[];
  readonly texts: Readonly<Record<string, string>>;
  /** Of the lexical tier alone; a selection beyond it is not proven (`bindingOf`). */
  readonly binding: 'scope_proven' | 'not_proven';
  /** There are more tokens than are listed. */
  readonly truncated: boolean;
};

export type ForcedRename = { readonly question: Question; readonly subject: Subject; readonly newName: string };

const maxRisky = 2_000;
/** Of a chain of imports that is told. */
const maxSteps = 10;

export async function planForced({ question, subject, newName }: ForcedRename): Promise<ForcedFindings | Refusal> {
  const { facts: home, token } = subject;
  const { language } = home;
  const oldName = token.text;
  if (token.class !== 'code') return refuse('not_renamable', `a name in a ${token.class} means no symbol`);
  if (question.file(home.path)?.vendored === true) return refuse('vendored', `${quotedPath(home.path)} is vendored`);
  if (oldName === newName) return refuse('same_name', `it is called ${newName} already`);
  const bound = home.boundAt.get(token.start)?.binding;
  const family = subject.kind === 'name' ? undefined : await collectFamily(question, subject);
  const starts = new Set(
    bound === undefined
      ? []
      : [...(home.bindings[bound]?.declarations ?? []), ...(home.bindings[bound]?.references ?? [])].map(
          ({ start }) => start,
        ),
  );
  const isLexical =
    bound !== undefined &&
    isLexicalTarget(question, home, bound) &&
    !(await isNamedByCallers(bound)) &&
    !(await hasImplied());
  const edits: CompilerEdit[] = [];
  const risky: ForcedEdit[] = [];
  let truncated = false;
  const chains = new Map<string, readonly ImportStep[]>();
  const base = listBaseReasons();
  for (const path of new Set([home.path, ...(family?.hits.keys() ?? []), ...listFilesHolding(question, oldName)])) {
    if (risky.length >= maxRisky) {
      truncated = true;
      break;
    }
    await addFile(path);
  }
  const proved = edits.length === 0 ? undefined : await proveEdits(question, edits);
  if (proved?.kind === 'refused' && proved.reason !== 'bindings_change') return proved;
  const definition = home.bindings[bound ?? -1]?.declarations[0] ?? token;
  const span = { path: home.path, start: definition.start, end: definition.end };
  const paths = new Set([home.path, ...[...edits, ...risky].map(({ path }) => path)]);
  const clashes = await findClashes();
  if (clashes.length === 0 && proved?.kind === 'refused') return proved;
  return {
    kind: 'forced',
    provenance: 'syntactic',
    language,
    oldName,
    symbol: describeTarget(question, { facts: home, oldName, binding: bound ?? null, said: [], kind: 'confined' }, [
      span,
    ]),
    edits,
    risky,
    clashes,
    texts: Object.fromEntries(
      [...paths].sort(compareCodeUnits).map((path) => [path, sha256Hex(question.source(path)?.text ?? '')]),
    ),
    binding: proved?.kind === 'proved' && clashes.length === 0 ? 'scope_proven' : 'not_proven',
    truncated,
  };

  /** Reasons that hold for every token of the plan. */
  function listBaseReasons(): readonly RiskReason[] {
    const reasons: RiskReason[] = [];
    const binding = home.bindings[bound ?? -1];
    if (
      binding !== undefined &&
      !isLexical &&
      (binding.kind === 'parameter' || binding.exportedAs.length > 0 || (family?.exports.size ?? 0) > 0)
    )
      reasons.push('exported');
    if ((binding?.declarations.length ?? 0) > 1) reasons.push('multiple_definitions');
    if (home.scopes.dynamic) reasons.push(hasStar(home) ? 'star_import' : 'metaprogramming');
    const { code } = familyOf(language);
    const isComputed =
      (family?.exports.size ?? 0) > 0 &&
      question
        .ask(listUnresolvedImports)
        .some((one) => one.reason === 'dynamic' && one.language !== null && code.includes(one.language));
    if (isComputed) reasons.push('dynamic_import');
    return reasons;
  }

  async function addFile(path: string): Promise<void> {
    const row = question.file(path);
    const source = question.source(path);
    if (source === undefined || row?.vendored === true) return;
    const isKin = row?.language != null && familyOf(language).code.includes(row.language);
    const isCode = row?.language != null && hasSyntax(row.language);
    const outcome = isCode ? await question.read(path) : undefined;
    if (outcome?.kind !== 'facts') {
      // Not parsed: nothing is known of it but its spelling.
      for (const one of findNames(source, new Set([oldName]), row?.language ?? ''))
        addRisky(path, one, source.text, 'text', [isKin ? 'parse_error' : isCode ? 'other_language' : 'prose']);
      return;
    }
    const { facts } = outcome;
    if (!isKin) {
      for (const one of facts.tokens.filter(({ text }) => text === oldName))
        addRisky(path, one, source.text, 'text', [mentionOf(one) ?? 'other_language']);
      return;
    }
    const tokens = facts.tokens.filter((one) => one.text === oldName);
    const places = await readPlaces(path, facts.language, source.text, tokens);
    for (const [index, one] of tokens.entries()) {
      if (isLexical && path === home.path && starts.has(one.start)) {
        const { newText, form } = writeAnew(places[index] ?? 'plain', source.text.slice(one.start, one.end), newName, {
          value: true,
          property: false,
        });
        edits.push({
          path,
          start: one.start,
          end: one.end,
          oldText: source.text.slice(one.start, one.end),
          newText,
          form,
        });
        continue;
      }
      const judged = judge(facts, one, family);
      if (judged === undefined) continue;
      const reasons = [
        ...judged.reasons,
        ...fileReasons(facts),
        ...(row?.generated === true ? (['generated'] as const) : []),
      ];
      const chain = judged.tier === 'import_linked' ? await chainTo(facts, one.start) : [];
      addRisky(path, one, source.text, judged.tier, reasons, chain);
    }
  }

  /** How a file comes to the name: its import, then each re-export on the way. */
  async function chainTo(facts: FileFacts, start: number): Promise<readonly ImportStep[]> {
    const at = facts.boundAt.get(start)?.binding;
    if (at === undefined || facts.bindings[at]?.importOf === undefined) return [];
    const key = `${facts.path}\0${at}`;
    const known = chains.get(key);
    if (known !== undefined) return known;
    const { chain } = await followImport(question, facts, at);
    const steps = chain.slice(0, maxSteps).map((step) => ({ ...placeOf(question, step), specifier: step.specifier }));
    chains.set(key, steps);
    return steps;
  }

  function fileReasons(facts: FileFacts): readonly RiskReason[] {
    const reasons: RiskReason[] = [];
    const declared = facts.bindings.filter(({ name }, at) => name === oldName && !(facts === home && at === bound));
    const ours = declared.filter((binding) => binding.importOf === undefined || isOwnAlias(facts, binding));
    if (ours.length > 0) reasons.push('shadowing');
    if (facts.scopes.hasErrors) reasons.push('parse_error');
    if (facts.scopes.dynamic && facts !== home) reasons.push(hasStar(facts) ? 'star_import' : 'metaprogramming');
    if (!facts.isIndexed) reasons.push('stale_facts');
    return reasons;
  }

  /** Undefined: lexical scope says that it is something else. */
  function judge(
    facts: FileFacts,
    one: Token,
    linked: Family | undefined,
  ): { tier: ForcedEdit['tier']; reasons: RiskReason[] } | undefined {
    const mention = mentionOf(one);
    if (mention !== undefined) return { tier: 'text', reasons: [mention] };
    // What was pointed at is the thing itself, whatever it is a member of.
    if (facts.path === home.path && one.start === token.start) return { tier: 'import_linked', reasons: [] };
    const isHit =
      linked?.hits.get(facts.path)?.has(one.start) === true || (facts.path === home.path && starts.has(one.start));
    if (isHit && !facts.memberAt.has(one.start)) return { tier: 'import_linked', reasons: [] };
    const at = facts.boundAt.get(one.start);
    const isMember = facts.memberAt.has(one.start) || one.role === 'property';
    if (isMember && !isLexical)
      return { tier: isHit ? 'import_linked' : 'member_text', reasons: isHit ? [] : ['member_without_type'] };
    if (isMember) return isKeyword(facts, one) ? { tier: 'member_text', reasons: ['member_without_type'] } : undefined;
    if (at !== undefined) {
      const binding = facts.bindings[at.binding];
      const isElse = binding?.importOf === undefined || isLexical || isOwnAlias(facts, binding);
      return isElse ? undefined : { tier: 'text', reasons: [] };
    }
    if (isOfPackage(facts)) return { tier: 'import_linked', reasons: [] };
    const isComplete = isJavaScript(facts.language) || facts.language === 'python';
    return isLexical && (isComplete || facts.path !== home.path) ? undefined : { tier: 'text', reasons: [] };
  }

  /** Files of one Go package share their names, and this one binds the name to nothing of its own. */
  function isOfPackage(facts: FileFacts): boolean {
    const binding = home.bindings[bound ?? -1];
    const isShared = binding !== undefined && binding.scope === 0 && binding.importOf === undefined;
    return language === 'go' && isShared && posix.dirname(facts.path) === posix.dirname(home.path);
  }

  /** A local that is a member's name as well cannot be renamed alone. */
  async function hasImplied(): Promise<boolean> {
    const own = home.tokens.filter(({ start }) => starts.has(start));
    const places = await readPlaces(home.path, language, home.source.text, own);
    return own.some(({ start }, index) => isImplied(places[index] ?? 'plain', home, start));
  }

  /** `f(a=1)`: such calls have to be renamed with the parameter, and only types say which they are. */
  async function isNamedByCallers(at: number): Promise<boolean> {
    const binding = home.bindings[at];
    if (language !== 'python' || binding?.kind !== 'parameter' || !(await mayBeNamed(home, binding))) return false;
    for (const path of listFilesHolding(question, oldName)) {
      const facts = question.file(path)?.language === 'python' ? await question.facts(path) : undefined;
      if (facts?.tokens.some((one) => one.text === oldName && facts.memberAt.has(one.start) && isKeyword(facts, one)))
        return true;
    }
    return false;
  }

  /** A parameter may be named by calls. */
  function isKeyword(facts: FileFacts, { start, end }: TextSpan): boolean {
    const isParameter = home.bindings[bound ?? -1]?.kind === 'parameter' && language === 'python';
    const { text } = facts.source;
    return (
      isParameter &&
      !/\.\s*$/.test(text.slice(Math.max(0, start - 50), start)) &&
      /^\s*=(?!=)/.test(text.slice(end, end + 50))
    );
  }

  function addRisky(
    path: string,
    { start, end }: TextSpan,
    text: string,
    tier: ForcedEdit['tier'],
    own: readonly RiskReason[],
    importChain: readonly ImportStep[] = [],
  ): void {
    const isText = tier === 'text' && own.some((reason) => beyondScope.has(reason));
    const reasons = [...new Set([...own, ...(isText ? [] : base)])];
    const isHigh = reasons.length > 1 || reasons.includes('metaprogramming') || reasons.includes('parse_error');
    risky.push({
      path,
      start,
      end,
      oldText: text.slice(start, end),
      newText: newName,
      form: isText && own.includes('string') ? 'string' : 'plain',
      tier,
      risk: isHigh ? 'high' : 'medium',
      reasons,
      checklist: [tierQuestions[tier], ...reasons.map((reason) => reasonQuestions[reason])],
      importChain,
    });
  }

  async function findClashes(): Promise<readonly Clash[]> {
    const found: Clash[] = [];
    for (const path of freshNameProof(question, language, newName).paths) {
      const own = new Set(edits.filter((edit) => edit.path === path).map(({ start }) => start));
      const facts = own.size === 0 ? undefined : await question.facts(path);
      if (facts !== undefined) found.push(...findLexicalClashes(facts, own, newName, false));
    }
    return found;
  }
}

/** What no scope of the target's language reaches. */
const beyondScope: ReadonlySet<RiskReason> = new Set(['string', 'comment', 'prose', 'other_language']);

/** Undefined for code. */
function mentionOf({ class: kind, role }: Token): 'comment' | 'parse_error' | 'string' | undefined {
  if (kind === 'comment' || role === 'docstring') return 'comment';
  if (kind === 'code') return undefined;
  return kind === 'error' ? 'parse_error' : 'string';
}

/** `scope_proven` only where every applied edit is of the lexical tier and its proof holds (§10). */
export function bindingOf(findings: ForcedFindings, selected: readonly CompilerEdit[]): ForcedFindings['binding'] {
  const lexical = new Set(findings.edits.map(({ path, start }) => `${path}\0${start}`));
  return selected.every(({ path, start }) => lexical.has(`${path}\0${start}`)) ? findings.binding : 'not_proven';
}

/** Positive proof: bound in this file, seen by no other file, and nothing in the file reaches names by their text or could not be parsed. */
function isLexicalTarget(question: Question, facts: FileFacts, bound: number): boolean {
  const binding = facts.bindings[bound];
  if (binding === undefined || facts.scopes.hasErrors || (facts.scopes.dynamic && !hasStar(facts))) return false;
  if (binding.declarations.length === 0) return false;
  if (binding.kind === 'parameter' && namesArguments.has(facts.language)) return false;
  if (hasLooseName(facts, binding)) return false;
  const isOwn = binding.importOf === undefined || isOwnAlias(facts, binding);
  return isOwn && isConfinedBinding(question, facts, bound) && !isPropertyToo(facts, binding);
}

/** Where the scope model leaves names open, one in the binding's scope may be a use that would stay behind. */
function hasLooseName(facts: FileFacts, { name, scope }: Binding): boolean {
  if (isJavaScript(facts.language) || facts.language === 'python') return false;
  const { start = 0, end = 0 } = facts.scopes.scopes[scope] ?? {};
  return facts.tokens.some(
    (token) =>
      token.text === name &&
      (token.class === 'code' || token.class === 'error') &&
      start <= token.start &&
      token.end <= end &&
      !facts.boundAt.has(token.start) &&
      !facts.memberAt.has(token.start),
  );
}

/** The only thing that makes the file dynamic is a star import, which says nothing about names that are confined to a function. */
function hasStar({ language, source, tokens, unboundAt }: FileFacts): boolean {
  if (language !== 'python' || !/^\s*from\s+\S+\s+import\s+\*/m.test(source.text)) return false;
  return !tokens.some(({ start, text }) => /^(?:eval|exec|globals|locals|vars)$/.test(text) && unboundAt.has(start));
}

const tierQuestions: Readonly<Record<ForcedEdit['tier'], string>> = {
  import_linked: 'Does this import, or this use of it, lead to the declaration that is renamed?',
  member_text: 'Is what stands left of it, or what is called, the owner of the renamed member?',
  text: 'Does this mean what is renamed at all?',
};

const reasonQuestions: Readonly<Record<RiskReason, string>> = {
  shadowing: 'Which of the declarations of this name in the file is meant here?',
  multiple_definitions: 'Are all its declarations meant?',
  dynamic_import: 'Does a computed import load the module under the old name?',
  metaprogramming: 'Does anything in the file reach the name by its text?',
  member_without_type: 'What type does the receiver have?',
  string: 'Is the string read as a name while the program runs?',
  comment: 'Does the comment speak of what is renamed?',
  prose: 'Is it read as the name, or does it speak of what is renamed?',
  other_language: 'Does code of another language reach it under this name?',
  generated: 'What generates this file, and will it write the old name again?',
  parse_error: 'What does the text mean that does not parse?',
  star_import: 'Which module does the name come from?',
  stale_facts: 'Is the file still what was indexed?',
  exported: 'Who outside this repository uses it under the old name?',
};
