/**
 * Every token of the old name gets exactly one class (M6). What the compiler bound is settled; of the rest, syntax says whether it is
 * code, a string or a comment, and code that nobody bound becomes a question (M7).
 */

import type { SourceText } from '../../index/state/code-view.ts';
import type { Question } from '../../index/state/navigate/question.ts';
import { withSourceTree } from '../../index/state/navigate/read-file-facts.ts';
import { textLimits } from '../../index/syntax/text-limits.ts';
import { classAt } from '../../index/syntax/tokens.ts';
import type { CensusAccount, CodeSpan, CompilerEdit } from '../compiler/types.ts';
import type { CensusClass, ItemKind } from '../outcome.ts';
import type { ItemDraft } from './build-groups.ts';
import type { NameSpans } from './find-name-spans.ts';

export type AccountedCensus = {
  readonly counts: Readonly<Record<CensusClass, number>>;
  readonly items: readonly ItemDraft[];
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
    /** Places that a doubt is already about. */
    readonly asked: readonly CodeSpan[];
  },
): Promise<AccountedCensus> {
  const counts = { planned: 0, other_symbol: spans.foreign, string: spans.prose, comment: 0, unaccounted: 0 };
  const items: ItemDraft[] = [];
  const commentsAt: CodeSpan[] = [];
  const accounts = new Map(given.accounts.map((one) => [spanKey(one), one]));
  const asked = new Set(given.asked.map(spanKey));
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
    const classes = await classesIn(question, path, ones);
    for (const [index, one] of ones.entries()) {
      const kind = classes?.[index] ?? null;
      // Of a file that only the compiler reads, what is no name is text of one kind or another.
      const isText = kind === null && one.account === 'no_name';
      if (isText || kind === 'string' || kind === 'regex') counts.string += 1;
      else if (kind === 'code' && one.account === 'no_name') counts.other_symbol += 1;
      else if (kind === 'comment') {
        counts.comment += 1;
        commentsAt.push({ path, start: one.start, end: one.end });
      } else {
        counts.unaccounted += 1;
        if (asked.has(spanKey(one))) continue;
        if (kind === null) unparsed.push({ path, start: one.start, end: one.end });
        else items.push(doubtAbout(one, kind, given.newName, question.source(path)));
      }
    }
  }
  items.push(...doubtAboutFiles(unparsed));
  if (given.reach === 'repo') {
    counts.unaccounted += spans.holders.length + spans.unreadable.length;
    items.push(...doubtAboutFiles(spans.holders), ...doubtAboutBytes(spans));
  } else counts.other_symbol += spans.holders.length;
  return { counts, items, commentsAt };
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
      detail: 'the code around it does not parse, so nobody says what it means',
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
  uncovered: ['uncovered_file', 'no project includes this file, so nobody says what the name means here'],
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
    detail: 'the file is too large or not UTF-8, and the name is in its bytes',
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
