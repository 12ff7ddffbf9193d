/**
 * A rename in a language whose compiler is not asked (Python, Go, and whatever has a scope model for what stays in one file): facts of
 * the index, gated by their freshness, with the three proofs of mutation.md §3.2. Never `proven` (M17).
 */

import { dirname } from 'node:path/posix';
import { mayHold } from '../../../index/navigate/find-in-text.ts';
import type { Question } from '../../../index/navigate/question.ts';
import { listSaidOf } from '../../../index/navigate/semantic-layer.ts';
import type { Subject } from '../../../index/navigate/subject.ts';
import { listDefinitionsOf, listOccurrencesOf, type Occurrence } from '../../../index/store/stored-occurrences.ts';
import type { StoredSymbol } from '../../../index/store/stored-symbols.ts';
import { sha256Hex } from '../../../kernel/base/hash.ts';
import { compareCodeUnits } from '../../../kernel/base/json.ts';
import { plural, quotedPath } from '../../../kernel/base/text.ts';
import { isJavaScript } from '../../../languages/language-family.ts';
import {
  type Clash,
  type CodeSpan,
  type ItemDraft,
  type Refusal,
  type RenameFindings,
  refuse,
} from '../../compiler/session/messages.ts';
import { blockedAnswer, placeOf, refusedAnswer, refusedBy, unsupportedAnswer } from '../../plans/answers.ts';
import { freshNameProof, type LexicalProofs, listFilesHolding, proveEdits } from '../../proof/lexical-proofs.ts';
import type { FoundOrNot, LookingWorld } from '../../refactoring.ts';
import { type AliasPolicy, type CensusClass, censusClasses } from '../../vocabulary.ts';
import type { RenameInput, RenameTarget } from '../rename-request.ts';
import { mayHaveForm } from './edit-forms.ts';
import { checkSpelling, findExportClashes, findLexicalClashes, findSymbolClashes, indexAt } from './index-clashes.ts';
import {
  findConfinedDoubts,
  findDoubts,
  findNewNameDoubts,
  findSplatDoubts,
  findStoredDoubts,
  findUnionDoubts,
  findUnreadable,
} from './index-doubts.ts';
import {
  checkSymbolName,
  describeNotClean,
  describeTarget,
  findTarget,
  type IndexBlocked,
  type IndexUnsupported,
  listAffected,
  type Target,
} from './index-target.ts';
import { findPublicPlaces } from './public-places.ts';
import { collectSymbolFamily, describeChain, isMemberKey, type SymbolFamily } from './symbol-family.ts';
import { type Counting, countFile, type FileCount, type TokenAccount } from './token-census.ts';

export type IndexRename = {
  /** Over a swept view. */
  readonly question: Question;
  readonly subject: Subject;
  readonly newName: string;
  /** `through` where nothing is said. */
  readonly aliasPolicy?: AliasPolicy;
  /** Runs the proofs of §3.2 (the default); without it a plan is faster, and not proved. */
  readonly prove?: boolean;
  /** The census has to end now: what is not looked at by then blocks the plan (§3.3). Without it there is no limit. */
  readonly isOver?: () => boolean;
};

export type IndexFindings = RenameFindings & {
  readonly items: readonly ItemDraft[];
  readonly provenance: 'resolved';
  readonly language: string;
  /** The old name as it is written. */
  readonly oldName: string;
  readonly accounts: readonly TokenAccount[];
  readonly counts: Readonly<Record<CensusClass, number>>;
  /** The gate's set: files that define, use or merely hold the name, and what the first two import. Sorted. */
  readonly affected: readonly string[];
  readonly contexts: readonly string[];
  /** Bound by lexical scope in one file alone: no indexer took part. */
  readonly isLexical: boolean;
  /** The new name is in no file of the language. */
  readonly isFresh: boolean;
  readonly proofs: LexicalProofs;
};

export type IndexOutcome = IndexFindings | Refusal | IndexBlocked | IndexUnsupported;

export async function findByIndex(world: LookingWorld, target: RenameTarget, input: RenameInput): Promise<FoundOrNot> {
  const { question } = world;
  const { subject } = target;
  if (subject === null) throw new Error('a target of another language than TypeScript has a subject');
  const startedMs = world.nowMs();
  const found = await planByIndex({ question, subject, newName: input.new_name, aliasPolicy: input.alias_policy });
  switch (found.kind) {
    case 'refused':
      return { kind: 'answer', answer: refusedBy(found, question) };
    case 'unsupported':
      return { kind: 'answer', answer: unsupportedAnswer(found.reason, found.detail, { can_force_syntactic: true }) };
    case 'blocked':
      if (found.reason === 'not_fresh') return { kind: 'not_fresh', detail: found.detail, files: found.files };
      return { kind: 'answer', answer: blockedAnswer('truncated', found.detail, { can_force_syntactic: true }) };
    default:
      return settle(world, target.language, found, input, world.nowMs() - startedMs);
  }
}

function settle(
  world: LookingWorld,
  language: string,
  found: IndexFindings,
  input: RenameInput,
  spentMs: number,
): FoundOrNot {
  const { question } = world;
  if (found.proofs.parse === 'breaks' || found.proofs.scope === 'breaks') {
    const reason = found.proofs.parse === 'breaks' ? 'parse_breaks' : 'bindings_change';
    const [first] = found.proofs.places;
    return {
      kind: 'answer',
      answer: refusedAnswer(reason, first?.says ?? 'the edited files would not mean what they mean now'),
    };
  }
  const { name, namePath, kind, definedAt } = found.symbol;
  // An alias that keeps the old name would have to be written and proved; the compiler can, an index cannot.
  const [shown] = found.publicAt;
  const seen = `users of the package see this name (${plural(found.publicAt.length, 'declaration')})`;
  if (shown !== undefined && input.public_names === 'keep')
    return {
      kind: 'answer',
      answer: unsupportedAnswer('operation', `${seen}, and in ${language} it cannot be kept beside the new one`, {
        can_force_syntactic: true,
      }),
    };
  const asked: readonly ItemDraft[] =
    shown === undefined || input.public_names === 'rename'
      ? []
      : [{ ...shown, kind: 'public_api', detail: seen, edits: {}, options: ['rename', 'stop'] }];
  const problem = checkSymbolName(question, language, found.symbol, input.new_name);
  if (problem !== undefined) return { kind: 'answer', answer: refusedAnswer(problem.reason, problem.detail) };
  return {
    kind: 'findings',
    symbol: { key: `${definedAt.path}#${namePath}`, name, namePath, kind, definedAt: placeOf(question, definedAt) },
    newName: input.new_name,
    title: `rename ${kind} \`${name}\` to \`${input.new_name}\``,
    edits: found.edits,
    items: sortItems([...found.items, ...asked]),
    moves: [],
    clashes: found.clashes,
    texts: found.texts,
    contextKeys: found.contexts,
    census: found.counts,
    notes: found.notes,
    bounds: {
      files_scanned: new Set(found.accounts.map(({ path }) => path)).size,
      files_not_scanned: [],
      contexts: found.contexts.slice(0, 20),
      budget_ms: 2_000,
      spent_ms: Math.round(spentMs),
      truncated: false,
    },
    isomorphism: null,
    provenance: found.provenance,
    risky: [],
    job: null,
  };
}

/**
 * A rename without the compiler (mutation.md §2, §3.2): occurrences from indexers and lexical scope, the census over all files, the gate,
 * items, name checks, edit forms and the three proofs. For Python and Go it is the whole plan; for TypeScript and JavaScript the quick
 * one. A name that its language confines to a file needs no indexer, in any language with a scope model.
 *
 * Promise: what cannot be shown is an item, a block or a refusal. What comes out is `resolved` and never `proven` (M17).
 */
export async function planByIndex(ask: IndexRename): Promise<IndexOutcome> {
  const found = await findTarget(ask.question, ask.subject);
  if (!('facts' in found)) return found;
  const target = ask.aliasPolicy === 'keep_local' ? keepPublic(found) : found;
  if (target.oldName === ask.newName) return refuse('same_name', `it is called ${ask.newName} already`);
  const family = findFamily(ask, target);
  if (family !== undefined && 'kind' in family) return family;
  return planFor(ask, target, family);
}

/** `export { a }` can go on under the old name: then no other file is concerned (§2.8). */
function keepPublic(target: Target): Target {
  const { facts, binding, kind } = target;
  const own = isJavaScript(facts.language) && kind === 'symbol' ? facts.bindings[binding ?? -1] : undefined;
  const isClause = own?.importOf === undefined && own?.references.some(({ access }) => access === 'export') === true;
  return isClause ? { ...target, kind: 'alias' } : target;
}

type Found = {
  readonly family: SymbolFamily;
  readonly definitions: readonly Occurrence[];
  readonly occurrences: readonly Occurrence[];
};

function findFamily({ question }: IndexRename, { facts, said, kind }: Target): Found | Refusal | undefined {
  if (kind === 'confined' || kind === 'alias' || said.length === 0) return undefined;
  const layer = question.semantic();
  const { language } = facts;
  const named = said.filter(({ form }) => form === 'name' || form === 'string');
  const family = collectSymbolFamily(question.ask, layer, new Set(named.map(({ symbolId }) => symbolId)), {
    language,
    also: listTied,
  });
  if (family.truncated) return refuse('not_renamable', 'it has more relatives than could be followed');
  for (const { id, inRepo } of family.symbols.values())
    if (!inRepo) return refuse('external_family', `it must keep the name of ${describeChain(family, id)}`);
  const { definitions, occurrences } = question.ask((session) => ({
    definitions: listDefinitionsOf(session, family.symbols.keys()).filter(layer.isLive),
    occurrences: listOccurrencesOf(session, family.symbols.keys()).filter(
      (one) => layer.isLive(one) && (one.form === 'name' || one.form === 'string'),
    ),
  }));
  const vendored = occurrences.find(({ path }) => question.file(path)?.vendored === true);
  if (vendored !== undefined) return refuse('external_family', `${quotedPath(vendored.path)} is vendored and names it`);
  if (definitions.length === 0) return refuse('no_symbol', 'nothing in the repository declares it');
  return { family, definitions, occurrences };

  /** Other symbols of the same tokens: an embedded type and its field, members of a union. A shorthand is two names, not one. */
  function listTied(symbol: StoredSymbol): readonly number[] {
    const isScript = language === 'typescript' || language === 'javascript';
    if (isScript && !isMemberKey(symbol.key)) return [];
    const tied = new Set<number>();
    for (const { path, start, end, contextId } of question.ask((session) => listOccurrencesOf(session, [symbol.id]))) {
      if (!layer.isLive({ contextId })) continue;
      const others = layer.said(path)?.at.get(start) ?? [];
      const mine = others.filter((one) => one.contextId === contextId && one.end === end && one.symbolId !== symbol.id);
      const meant = mine.filter((one) => one.name === symbol.name && one.form === 'name');
      if (meant.length === 0) continue;
      const text = question.source(path)?.text ?? '';
      const isTwoNames = isScript && mayHaveForm(text, { start, end }, language);
      if (!isTwoNames) for (const one of meant) tied.add(one.symbolId);
    }
    return [...tied];
  }
}

async function planFor(ask: IndexRename, target: Target, found: Found | undefined): Promise<IndexOutcome> {
  const { question, newName } = ask;
  const { facts: home, oldName } = target;
  const { language } = home;
  const symbols = [...(found?.family.symbols.values() ?? [])];
  const isMember =
    target.kind === 'symbol' &&
    (symbols.some(({ key }) => isMemberKey(key)) ||
      (symbols.every(({ key }) => key.startsWith('local ')) && home.memberAt.has(ask.subject.token.start)));
  const reach =
    target.kind === 'confined' || (target.kind === 'alias' && !isSeenOutside(ask, target)) ? 'file' : 'repo';
  const defining = new Set(found === undefined ? [home.path] : found.definitions.map(({ path }) => path));
  const counting: Counting = {
    question,
    target,
    newName,
    ids: new Set(symbols.map(({ id }) => id)),
    occurrences: groupByPath(found?.occurrences ?? []),
    reach,
    isMember,
    defining,
    stems: new Set([...defining, ...symbols.map(({ key }) => key)].flatMap(stemsOf)),
    keepsLocal: new Set(),
    isThrough: ask.aliasPolicy !== 'keep_local',
  };
  const kept = ask.aliasPolicy === 'keep_local' && target.kind === 'symbol' ? listOthers(counting) : new Set<string>();
  const first = await countAll({ ...counting, keepsLocal: kept });
  if (first === undefined) return outOfTime;
  const fresh = freshNameProof(question, language, newName);
  const clashing =
    target.kind === 'symbol' ? await listClashingImporters(counting, first, fresh.paths, newName) : new Set<string>();
  const keepsLocal = new Set([...kept, ...clashing]);
  const counts = clashing.size === 0 ? first : await countAll({ ...counting, keepsLocal });
  if (counts === undefined) return outOfTime;

  const divided = counts.find(({ divergence }) => divergence !== null);
  if (divided?.divergence != null)
    return refuse('divergence', 'projects disagree about a use', [
      { path: divided.path, ...spanOf(divided.divergence), says: 'one project sees another symbol here' },
    ]);
  const implied = counts.find((one) => one.implied != null);
  if (implied?.implied != null)
    return refuse('not_renamable', 'it names a member as well, and this language has no form here that keeps both', [
      { path: implied.path, ...spanOf(implied.implied), says: 'a local and a member in one' },
    ]);
  const uses = [...new Set([...defining, ...counting.occurrences.keys()])].sort(compareCodeUnits);
  const isLexical = found === undefined;
  const affected = listGate();
  const notClean = reach === 'file' ? [] : describeNotClean(question, affected);
  if (notClean.length > 0)
    return {
      kind: 'blocked',
      reason: 'not_fresh',
      detail: `${notClean[0]?.path} is ${notClean[0]?.state}`,
      files: notClean,
    };

  const edits = counts.flatMap((one) => one.edits);
  const definitions = listDefinitionSpans();
  const spelling = await checkSpelling({ ...counting, edits, definitions, oldName, language });
  if (spelling.refusal !== undefined) return spelling.refusal;
  const clashes = await findClashes();
  const doubting = { question, language, oldName, newName, isMember, family: found?.family, definitions, uses };
  const items: ItemDraft[] = [
    ...counts.flatMap((one) => one.items),
    ...(target.kind === 'symbol' ? await findDoubts(doubting) : await findConfinedDoubts(target)),
    ...(reach === 'repo' ? findUnreadable(question, language, oldName) : []),
    ...(found === undefined ? [] : findStoredDoubts(question, symbols, edits)),
    ...(language === 'python' && isMember ? findUnionDoubts(question, symbols, oldName, edits) : []),
    ...(target.kind === 'parameter' ? findSplatDoubts(question, symbols) : []),
    ...(isMember && fresh.kind === 'taken'
      ? await findNewNameDoubts(counting, fresh.paths, found?.family, language)
      : []),
  ];
  const proofs = ask.prove === false || clashes.length > 0 ? undefined : await proveEdits(question, edits);
  if (proofs?.kind === 'refused') return proofs;
  const accounts = counts.flatMap((one) => one.accounts);
  const paths = new Set([...edits, ...items].map(({ path }) => path).concat(home.path));
  return {
    kind: 'findings',
    provenance: 'resolved',
    language,
    oldName,
    symbol: describeTarget(question, target, definitions),
    reach,
    isMember,
    family: definitions.map(({ path, start }) => ({ path, start, outside: false })),
    edits,
    items: sortItems(items),
    clashes,
    accounts,
    counts: countClasses(accounts),
    census: accounts.flatMap((one) => {
      if (one.class === 'string' || one.class === 'comment') return [];
      const { path, start, end } = one;
      return [
        { path, start, end, account: one.class === 'unaccounted' ? ('unbound' as const) : one.class, detail: one.why },
      ];
    }),
    publicAt: reach === 'repo' ? findPublicPlaces({ question, language, oldName, symbols, definitions }) : [],
    texts: Object.fromEntries(
      [...paths].sort(compareCodeUnits).map((path) => [path, sha256Hex(question.source(path)?.text ?? '')]),
    ),
    references: { agrees: true, onlyThere: [], onlyHere: [] },
    notes: [
      ...spelling.notes,
      ...(clashing.size === 0
        ? []
        : [`kept under its old name in ${[...clashing].join(', ')}, where ${newName} means something else`]),
    ],
    affected,
    contexts: listContextKeys(),
    isLexical,
    isFresh: fresh.kind === 'fresh',
    proofs: proofs?.proofs ?? { parse: 'not_run', scope: 'not_run', places: [] },
  } satisfies IndexFindings;

  async function countAll(with_: Counting): Promise<readonly FileCount[] | undefined> {
    const counted: FileCount[] = [];
    for (const path of listCandidates(with_, home.path)) {
      if (ask.isOver?.() === true) return undefined;
      const one = await countFile(with_, path);
      if (one !== undefined) counted.push(one);
    }
    return counted.sort((a, b) => compareCodeUnits(a.path, b.path));
  }

  /** M8: also files that merely hold the name. For what callers name, only those in which something could be meant. */
  function listGate(): readonly string[] {
    if (reach === 'file') return [home.path];
    const isHeld = ({ holdsCode, accounts: own }: FileCount) =>
      target.kind === 'symbol' ? holdsCode : own.some((one) => one.class === 'planned' || one.class === 'unaccounted');
    return listAffected(
      question,
      target.kind === 'symbol' ? uses : [home.path],
      counts?.filter(isHeld).map(({ path }) => path) ?? [],
    );
  }

  function listDefinitionSpans(): readonly CodeSpan[] {
    if (found === undefined) {
      const spans = home.bindings[target.binding ?? -1]?.declarations ?? [];
      return spans.map(({ start, end }) => ({ path: home.path, start, end }));
    }
    const spans = found.definitions
      .filter(({ form }) => form === 'name')
      .map(({ path, line, column, endColumn }) => {
        const start = indexAt(question.source(path)?.text ?? '', line, column);
        return { path, start, end: start + endColumn - column };
      });
    return [...new Map(spans.map((span) => [`${span.path}\0${span.start}`, span])).values()];
  }

  async function findClashes(): Promise<readonly Clash[]> {
    const planned = new Map<string, Set<number>>();
    for (const { path, start } of edits.filter(({ form }) => form !== 'import_keeps_local'))
      planned.set(path, (planned.get(path) ?? new Set()).add(start));
    const packages = new Set(
      language === 'go' && target.kind === 'symbol' && !isMember ? [...defining].map((path) => dirname(path)) : [],
    );
    const clashes: Clash[] = [];
    for (const path of fresh.paths) {
      const isPackageWide = packages.has(dirname(path));
      const own = planned.get(path);
      if (own === undefined && !isPackageWide) continue;
      const facts = await question.facts(path);
      if (facts !== undefined)
        clashes.push(
          ...findLexicalClashes(facts, own ?? new Set(), newName, isPackageWide, (span) => {
            const says = listSaidOf(question.semantic().said(path)?.at, facts, span);
            return says.length > 0 && says.every(({ key }) => isMemberKey(key));
          }),
        );
    }
    if (found !== undefined) clashes.push(...findSymbolClashes(question, found.family, newName));
    if (!isMember && target.kind === 'symbol' && fresh.kind === 'taken')
      clashes.push(
        ...(await findExportClashes(
          question,
          language,
          [...defining],
          uses.filter((path) => !defining.has(path) && isReexporting(path)),
          newName,
        )),
      );
    return clashes;
  }

  function isReexporting(path: string): boolean {
    return question
      .imports(path)
      .some(({ kind, names }) => kind === 'reexport' && names.some(({ name }) => name === oldName));
  }

  function listContextKeys(): readonly string[] {
    const keys = new Set(
      uses.flatMap((path) =>
        question
          .semantic()
          .states.of(path)
          .contexts.map(({ key }) => key),
      ),
    );
    return isLexical && target.kind !== 'symbol' ? [] : [...keys].sort(compareCodeUnits);
  }
}

const outOfTime: IndexOutcome = {
  kind: 'blocked',
  reason: 'truncated',
  detail: 'there was not enough time to look at every file that holds the name',
  files: [],
};

/** An alias of a module's top level that another file may ask for. */
function isSeenOutside({ question }: IndexRename, { facts, binding, oldName }: Target): boolean {
  const names = facts.language === 'python' ? (facts.bindings[binding ?? -1]?.exportedAs ?? []) : [];
  if (names.length === 0) return false;
  return question.importers(facts.path).some(({ path }) => {
    const source = question.source(path);
    return source !== undefined && mayHold(source, new Set([oldName]), facts.language);
  });
}

function listCandidates({ question, target, occurrences, reach }: Counting, home: string): readonly string[] {
  if (reach === 'file') return [home];
  if (target.kind === 'alias') return [...new Set([home, ...question.importers(home).map(({ path }) => path)])];
  return [...new Set([home, ...occurrences.keys(), ...listFilesHolding(question, target.oldName)])];
}

/** Importers in which the new name would clash, and from which no file takes the name on: they keep their own name for it (§2.8). */
async function listClashingImporters(
  { question, defining, target }: Counting,
  counts: readonly FileCount[],
  taken: readonly string[],
  newName: string,
) {
  const found = new Set<string>();
  const holding = new Set(taken);
  for (const { path, edits } of counts) {
    if (defining.has(path) || !holding.has(path) || edits.length === 0) continue;
    const facts = await question.facts(path);
    const isImported =
      facts?.bindings.some(({ name, importOf }) => importOf !== undefined && name === target.oldName) === true;
    if (facts === undefined || !isImported) continue;
    const clashes = findLexicalClashes(facts, new Set(edits.map(({ start }) => start)), newName, false);
    const isPassedOn = question.importers(path).some((importer) => {
      const source = question.source(importer.path);
      return source !== undefined && mayHold(source, new Set([target.oldName]), facts.language);
    });
    if (clashes.length > 0 && !isPassedOn) found.add(path);
  }
  return found;
}

function listOthers({ occurrences, defining }: Counting): Set<string> {
  return new Set([...occurrences.keys()].filter((path) => !defining.has(path)));
}

/** `shop/base.py` → base, shop for `shop/__init__.py`; of a key, its last owner. */
function stemsOf(text: string): readonly string[] {
  const file = /([^/]+)(?:\/__init__)?\.\w+$/.exec(text)?.[1];
  const owner = /([A-Za-z_]\w*)#[^#]*$/.exec(text)?.[1];
  return [file ?? [], owner ?? []].flat();
}

function groupByPath(occurrences: readonly Occurrence[]): ReadonlyMap<string, readonly Occurrence[]> {
  return Map.groupBy(occurrences, ({ path }) => path);
}

function spanOf({ start, end }: { readonly start: number; readonly end: number }) {
  return { start, end };
}

function countClasses(accounts: readonly { readonly class: CensusClass }[]): Readonly<Record<CensusClass, number>> {
  const counts = Object.fromEntries(censusClasses.map((one) => [one, 0])) as Record<CensusClass, number>;
  for (const one of accounts) counts[one.class] += 1;
  return counts;
}

function sortItems(items: readonly ItemDraft[]): readonly ItemDraft[] {
  const seen = new Map(items.map((one) => [`${one.path}\0${one.start}\0${one.kind}`, one]));
  return [...seen.values()].sort(
    (a, b) => compareCodeUnits(a.path, b.path) || a.start - b.start || compareCodeUnits(a.kind, b.kind),
  );
}
