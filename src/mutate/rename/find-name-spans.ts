/**
 * Where the old name stands in the text of every file in scope (mutation.md §2.4), before anybody says what it means there. The index
 * names the candidates; the bytes of now decide. What cannot be read as text is named, never passed over.
 */

import type { SourceText } from '../../index/state/code-view.ts';
import { findNames, findPlainNames, mayHold } from '../../index/state/navigate/find-in-text.ts';
import type { Question } from '../../index/state/navigate/question.ts';
import { listSearchableFiles } from '../../index/store/queries/list-searchable.ts';
import {
  listFilesMatchingName,
  listRedactedFiles,
  listSkippedFiles,
} from '../../index/store/queries/list-text-candidates.ts';
import { hasSyntax } from '../../index/syntax/has-syntax.ts';
import { MAX_RUN_CHARS } from '../../index/syntax/scan-bytes.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { familyOf, isJavaScript } from '../../languages/language-family.ts';
import type { CodeSpan } from '../compiler/types.ts';
import { holdsBytes } from './holds-bytes.ts';

export type NameSpans = {
  /** In files of languages that can mean the same thing. */
  readonly kin: readonly CodeSpan[];
  /** In files that hold such code and are not parsed: components, notebooks, pages. */
  readonly holders: readonly CodeSpan[];
  /** In code that cannot mean it. */
  readonly foreign: number;
  /** In data and prose. */
  readonly prose: number;
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
    else prose += found.length;
    if (kin.length + holders.length > spanLimit) {
      truncated = true;
      break;
    }
  }
  return { kin, holders, foreign, prose, sources, scanned: paths.length, truncated, ...lookAtSkipped(question, name) };
}

/** Files without an identifier set are searched as bytes; what is never read (secrets, binaries) is named in the bounds. */
function lookAtSkipped(question: Question, name: string): Pick<NameSpans, 'notScanned' | 'unreadable'> {
  const skipped = question.ask((session) => listSkippedFiles(session, skippedLimit));
  const notScanned: { path: string; why: string }[] = [];
  const unreadable: string[] = [];
  for (const { path, skipReason } of skipped) {
    if (skipReason === 'secret' || skipReason === 'binary' || skipReason === 'lfs') {
      notScanned.push({ path, why: skipReason });
      continue;
    }
    if (skipReason !== 'large' && skipReason !== 'encoding' && skipReason !== 'unreadable') continue;
    const held = holdsBytes(question.view.root, path, name);
    if (held === 'yes') unreadable.push(path);
    else if (held === 'unknown') notScanned.push({ path, why: skipReason });
  }
  return { notScanned, unreadable };
}
