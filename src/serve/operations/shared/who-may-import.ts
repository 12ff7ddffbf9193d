/**
 * Why the importers that are known may not be all (P2, T14): imports that lead nowhere known, files that nobody could read.
 * Narrowed to what could reach the file in question: a computed import of Python never names a Go file.
 */

import type { CodeView } from '../../../index/state/code-view.ts';
import type { ReadSession } from '../../../index/store/facts-handle.ts';
import { countParses, type ParseCount } from '../../../index/store/queries/count-parses.ts';
import type { StoredFile } from '../../../index/store/queries/find-file.ts';
import { listAllPaths } from '../../../index/store/queries/list-paths.ts';
import { listUnresolvedImports, type UnresolvedImport } from '../../../index/store/queries/list-unresolved-imports.ts';
import { findFamily } from '../../../languages/language-family.ts';
import { plural, shown, whyStale } from './words.ts';

export function whoElseMayImport(session: ReadSession, view: CodeView, file: StoredFile): readonly string[] {
  const family = findFamily(file.language);
  const mayHoldCode = (language: string | null) => family === undefined || family.code.includes(language ?? '');
  const reasons = [...whyStale(view)];
  const imports = listUnresolvedImports(session).filter((entry) => mayHoldCode(entry.language) && mayMean(entry, file));
  const of = (reason: UnresolvedImport['reason']) => imports.filter((entry) => entry.reason === reason);
  const say = (entries: readonly UnresolvedImport[], what: string) => {
    const [first] = entries;
    if (first === undefined) return;
    const example = `${shown(first.path)}: ${shown(first.specifier, 60)}`;
    reasons.push(`${plural(entries.length, 'import')} ${what} (${entries.length === 1 ? '' : 'such as '}${example})`);
  };
  say(of('dynamic'), 'of a name that is computed when the program runs');
  say(of('ambiguous'), 'could mean several files');
  say(of('not_found'), 'of a like name led to no file');
  const parses = countParses(session);
  const total = (isMeant: (entry: ParseCount) => boolean) =>
    parses.filter(isMeant).reduce((sum, entry) => sum + entry.count, 0);
  const unread = total(({ language, parse, skipReason }) => mayHoldCode(language) && isUnread(parse, skipReason));
  const broken = total(({ language, parse }) => mayHoldCode(language) && parse === 'errors');
  const holders = family?.holders ?? null;
  const held = holders === null ? [] : listAllPaths(session).filter((path) => holders.test(path));
  if (unread > 0)
    reasons.push(`${plural(unread, 'file')} could not be parsed or ${unread === 1 ? 'is' : 'are'} too large`);
  if (broken > 0) reasons.push(`parts of ${plural(broken, 'file')} could not be parsed`);
  const [holder] = held;
  if (holder !== undefined) {
    const example = `${held.length === 1 ? '' : 'such as '}${shown(holder)}`;
    reasons.push(`code inside ${plural(held.length, 'file')} is not read (${example})`);
  }
  return reasons;
}

/** A binary is no source; every other reason hides what may be one. */
function isUnread(parse: ParseCount['parse'], skipReason: ParseCount['skipReason']): boolean {
  return parse === 'failed' || parse === 'skipped' || (skipReason !== null && skipReason !== 'binary');
}

/** A relative path that leads nowhere leads nowhere; another one may be known to a tool that we do not know of. */
function mayMean({ specifier, reason }: UnresolvedImport, file: StoredFile): boolean {
  if (reason === 'dynamic') return true;
  if (reason === 'not_found' && specifier.startsWith('.')) return false;
  const parts = specifier.split(/[/\\.:]+/).filter((part) => part !== '');
  const own = file.path.split('/');
  const stem = (own.at(-1) ?? '').split('.')[0] ?? '';
  const names = [stem, own.at(-2) ?? ''].filter((name) => name !== '');
  return parts.slice(-2).some((part) => names.includes(part));
}
