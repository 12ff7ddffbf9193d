/**
 * Where the old name stands in the text of every file in scope (mutation.md §2.4), and one class for each place (M6). The index names the
 * candidates; the bytes of now decide. What cannot be read as text is named, never passed over.
 */

import { findNames, findPlainNames, mayHold } from '../../index/navigate/find-in-text.ts';
import type { Question } from '../../index/navigate/question.ts';
import { withSourceTree } from '../../index/navigate/read-file-facts.ts';
import { listSearchableFiles } from '../../index/store/stored-files.ts';
import { listFilesMatchingName, listRedactedFiles, listSkippedFiles } from '../../index/store/stored-text.ts';
import { MAX_RUN_CHARS } from '../../index/text/scan-bytes.ts';
import type { SourceText } from '../../index/view/code-view.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { textLimits } from '../../kernel/base/limits.ts';
import { createDirectoryGuard, readSource } from '../../kernel/tree/safe-read.ts';
import { familyOf, isJavaScript } from '../../languages/language-family.ts';
import { hasSyntax } from '../../languages/languages.ts';
import { classAt } from '../../languages/tokens.ts';
import type { CensusAccount, CodeSpan, CompilerEdit, ItemDraft } from '../compiler/session/messages.ts';
import type { CensusClass, ItemKind } from '../vocabulary.ts';
import type { NamedText } from './text-references.ts';

export type NameSpans = {
  /** In files of languages that can mean the same thing. */
  readonly kin: readonly CodeSpan[];
  /** In files that hold such code and are not parsed: components, notebooks, pages. */
  readonly holders: readonly CodeSpan[];
  /** In code that cannot mean it. */
  readonly foreign: number;
  /** In data and prose. */
  readonly prose: number;
  readonly texts: readonly NamedText[];
  readonly sources: ReadonlyMap<string, SourceText>;
  readonly scanned: number;
  readonly notScanned: readonly { readonly path: string; readonly why: string }[];
  /** Too large or oddly encoded for the index, and the name is in their bytes. */
  readonly unreadable: readonly string[];
  readonly truncated: boolean;
};

/** Far more than a name can be in; a tree of a million files is still read in bounded time. */
const spanLimit = 200_000;
const skippedLimit = 10_000;
/** Of one text: a question names a few. */
const placesKept = 100;

export function findNameSpans(question: Question, name: string, language: string, isPrivate = false): NameSpans {
  const names = new Set([name]);
  const family = familyOf(language);
  const candidates = question.ask((session) => [
    // Longer names are stored as hashes of a key that a reader does not have.
    ...(name.length > MAX_RUN_CHARS ? listSearchableFiles(session) : listFilesMatchingName(session, name)),
    ...listRedactedFiles(session),
  ]);
  const paths = [...new Set(candidates.map(({ path }) => path))].sort(compareCodeUnits);
  const kin: CodeSpan[] = [];
  const holders: CodeSpan[] = [];
  const sources = new Map<string, SourceText>();
  let foreign = 0;
  let prose = 0;
  const texts: NamedText[] = [];
  let truncated = false;
  for (const path of paths) {
    const fileLanguage = question.file(path)?.language ?? null;
    const source = question.source(path);
    if (source === undefined || !mayHold(source, names, fileLanguage ?? '')) continue;
    const isKin = fileLanguage !== null && family.code.includes(fileLanguage);
    const isHolder = family.holders?.test(path) === true;
    const found = isKin || isHolder ? findNames(source, names, fileLanguage ?? '') : findPlainNames(source.text, names);
    if (found.length === 0) continue;
    if (isKin || isHolder) {
      sources.set(path, source);
      const { text } = source;
      // `#a` and `a` are two names.
      const meant = isJavaScript(language)
        ? found.filter(({ start }) => (text[start - 1] === '#') === isPrivate)
        : found;
      // One by one: a file may hold more of them than a call can have arguments.
      for (const { start, end } of meant)
        (isKin ? kin : holders).push({ path, start: isPrivate ? start - 1 : start, end });
    } else if (fileLanguage !== null && hasSyntax(fileLanguage)) foreign += found.length;
    else {
      prose += found.length;
      texts.push({ path, spans: found.slice(0, placesKept).map(({ start, end }) => ({ path, start, end })) });
    }
    if (kin.length + holders.length > spanLimit) {
      truncated = true;
      break;
    }
  }
  return {
    kin,
    holders,
    foreign,
    prose,
    texts,
    sources,
    scanned: paths.length,
    truncated,
    ...lookAtSkipped(question, name, language),
  };
}

/** Files without an identifier set are searched as bytes; what is never read (secrets, binaries that are no code) is named in the bounds. */
function lookAtSkipped(
  question: Question,
  name: string,
  language: string,
): Pick<NameSpans, 'notScanned' | 'unreadable'> {
  const { code, holders } = familyOf(language);
  const skipped = question.ask((session) => listSkippedFiles(session, skippedLimit));
  const notScanned: { path: string; why: string }[] = [];
  const unreadable: string[] = [];
  for (const { path, skipReason } of skipped) {
    const itsLanguage = question.file(path)?.language ?? null;
    const isKin = (itsLanguage !== null && code.includes(itsLanguage)) || holders?.test(path) === true;
    if (skipReason === 'secret' || (skipReason === 'binary' && !isKin) || skipReason === 'lfs') {
      notScanned.push({ path, why: skipReason });
      continue;
    }
    if (skipReason === null) continue;
    // An unreadable one may not even be there under the name that stands for it.
    const held = skipReason === 'unreadable' ? 'unknown' : holdsBytes(question.view.root, path, name);
    if (held === 'yes' || (held === 'unknown' && isKin)) unreadable.push(path);
    else if (held === 'unknown') notScanned.push({ path, why: skipReason });
  }
  return { notScanned, unreadable };
}

// Is a name somewhere in a file that the index does not read as text? In UTF-8 and both byte orders of UTF-16 (§2.4).

const maxBytes = 64 * 1024 ** 2;

/** `unknown`: it could not be read, or is larger than we look. */
export function holdsBytes(root: string, path: string, name: string): 'yes' | 'no' | 'unknown' {
  const outcome = readSource(root, path, maxBytes, createDirectoryGuard(root));
  if (outcome.kind === 'absent') return 'no';
  if (outcome.kind !== 'read') return 'unknown';
  const little = Buffer.from(name, 'utf16le');
  const big = Buffer.from(little).swap16();
  return [Buffer.from(name), little, big].some((needle) => outcome.bytes.includes(needle)) ? 'yes' : 'no';
}

// Every token of the old name gets exactly one class (M6). What the compiler bound is settled; of the rest, syntax says whether it is
// code, a string or a comment, and code that is not bound becomes a question (M7).

type AccountedCensus = {
  readonly counts: Readonly<Record<CensusClass, number>>;
  /** Without those at places that a doubt is already about. */
  items(asked: readonly CodeSpan[]): readonly ItemDraft[];
  readonly commentsAt: readonly CodeSpan[];
};

export async function accountCensus(
  question: Question,
  spans: NameSpans,
  given: {
    readonly accounts: readonly CensusAccount[];
    readonly reach: 'file' | 'repo';
    readonly home: string;
    readonly newName: string;
  },
): Promise<AccountedCensus> {
  const counts = { planned: 0, other_symbol: spans.foreign, string: spans.prose, comment: 0, unaccounted: 0 };
  const items: ItemDraft[] = [];
  const commentsAt: CodeSpan[] = [];
  const accounts = new Map(given.accounts.map((one) => [spanKey(one), one]));
  const open = new Map<string, CensusAccount[]>();
  for (const span of spans.kin) {
    const account = accounts.get(spanKey(span));
    if (account?.account === 'planned' || account?.account === 'other_symbol') counts[account.account] += 1;
    else if (given.reach === 'file' && span.path !== given.home) counts.other_symbol += 1;
    else {
      const one = account ?? { ...span, account: 'uncovered', detail: null };
      const known = open.get(span.path);
      if (known === undefined) open.set(span.path, [one]);
      else known.push(one);
    }
  }
  const unparsed: CodeSpan[] = [];
  for (const [path, ones] of open) {
    const untold = ones.filter(({ inside }) => inside === undefined);
    const classes = untold.length === 0 ? undefined : await classesIn(question, path, untold);
    for (const one of ones) {
      const kind = one.inside ?? classes?.[untold.indexOf(one)] ?? null;
      // Of a file that only the compiler reads, what is no name is text of one kind or another.
      const isText = kind === null && one.account === 'no_name';
      if (isText || kind === 'string' || kind === 'regex') counts.string += 1;
      else if (kind === 'code' && one.account === 'no_name') counts.other_symbol += 1;
      else if (kind === 'comment') {
        counts.comment += 1;
        commentsAt.push({ path, start: one.start, end: one.end });
      } else {
        counts.unaccounted += 1;
        if (kind === null) unparsed.push({ path, start: one.start, end: one.end });
        else items.push(doubtAbout(one, kind, given.newName, question.source(path)));
      }
    }
  }
  const isWide = given.reach === 'repo';
  if (isWide) counts.unaccounted += spans.holders.length + spans.unreadable.length;
  else counts.other_symbol += spans.holders.length;
  return {
    counts,
    commentsAt,
    items(askedAt) {
      const asked = new Set(askedAt.map(spanKey));
      const isOpen = (span: CodeSpan) => !asked.has(spanKey(span));
      const beyond = isWide ? [...doubtAboutFiles(spans.holders), ...doubtAboutBytes(spans)] : [];
      return [...items.filter(isOpen), ...doubtAboutFiles(unparsed.filter(isOpen)), ...beyond];
    },
  };
}

function doubtAbout(
  one: CensusAccount,
  kind: 'code' | 'error',
  newName: string,
  source: SourceText | undefined,
): ItemDraft {
  const { path, start, end } = one;
  const span = { path, start, end };
  if (kind === 'error')
    return {
      ...span,
      kind: 'parse_error',
      detail: 'the code around it does not parse, so what it means is not known',
      edits: {},
    };
  const oldText = source?.text.slice(start, end) ?? '';
  const edit: CompilerEdit = { ...span, oldText, newText: newName, form: 'plain' };
  const [itemKind, detail] = unboundWords[one.account] ?? unboundWords['unbound'];
  return { ...span, kind: itemKind, detail: one.detail ?? detail, edits: { rename: [edit] } };
}

const unboundWords: Readonly<Record<string, readonly [ItemKind, string]>> & {
  readonly unbound: readonly [ItemKind, string];
} = {
  uncovered: ['uncovered_file', 'no project includes this file, so what the name means here is not known'],
  unbound: ['unaccounted_token', 'the compiler gives it no meaning here'],
  failed: ['indexer_gap', 'the compiler failed on it'],
};

/** One question a file: what is in it is read by people, not token by token. */
function doubtAboutFiles(spans: readonly CodeSpan[]): readonly ItemDraft[] {
  return [...Map.groupBy(spans, ({ path }) => path).values()].flatMap(([first, ...others]): ItemDraft[] => {
    if (first === undefined) return [];
    const often = others.length === 0 ? 'once' : `${others.length + 1} times`;
    const detail = `code in a file that is not parsed has the name ${often}`;
    return [{ ...first, kind: 'unreadable_file', detail, edits: {} }];
  });
}

function doubtAboutBytes({ unreadable }: NameSpans): readonly ItemDraft[] {
  return unreadable.map((path) => ({
    path,
    start: 0,
    end: 0,
    kind: 'unreadable_file',
    detail: 'the file cannot be read, is too large or not UTF-8, and the name is or may be in its bytes',
    edits: {},
  }));
}

/** Undefined: it cannot be parsed. */
async function classesIn(question: Question, path: string, spans: readonly CodeSpan[]) {
  const { language = null, parse = null } = question.file(path) ?? {};
  const source = question.source(path);
  if (language === null || source === undefined || parse === 'failed') return undefined;
  if (source.bytes.length > textLimits.parseBytes) return undefined;
  return withSourceTree(path, language, source.text, (tree) =>
    spans.map(({ start }) => classAt(tree, language, start)),
  );
}

export function spanKey({ path, start }: CodeSpan): string {
  return `${path}\0${start}`;
}
