/** Files in which a moving file may be named: those that import it, and all whose text has the words of its name. A superset. */

import type { Question } from '../../index/state/navigate/question.ts';
import { listSearchableFiles } from '../../index/store/queries/list-searchable.ts';
import { listFilesMatchingName, listRedactedFiles } from '../../index/store/queries/list-text-candidates.ts';
import { listUnresolvedImports } from '../../index/store/queries/list-unresolved-imports.ts';
import { listIdentifierRuns } from '../../index/syntax/normalise-identifier.ts';
import { MAX_RUN_CHARS } from '../../index/syntax/scan-bytes.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { isJavaScript } from '../../languages/language-family.ts';
import type { Moving } from './changes.ts';
import { directoryOf, isIndex, stemOf } from './path-style.ts';

export function findCandidates(question: Question, { moves, directory }: Moving): readonly string[] {
  const found = new Set<string>(moves.keys());
  const words = new Set<string>();
  let isAnywhere = false;
  const own = directory === null ? undefined : longestWord(directory.from.slice(directory.from.lastIndexOf('/') + 1));
  if (own !== undefined) words.add(own);
  for (const from of moves.keys()) {
    for (const { path } of question.importers(from)) found.add(path);
    const named = isIndex(from) ? [stemOf(from), directoryOf(from)] : [stemOf(from)];
    for (const name of named) {
      const word = longestWord(name.slice(name.lastIndexOf('/') + 1));
      if (word !== undefined) words.add(word);
      // The index of the root is named by nothing but dots.
      else if (name !== '') isAnywhere = true;
    }
  }
  // Paths that are computed do not have the name.
  for (const word of ['glob', 'globEager', 'context']) words.add(word);
  const computed = question.ask(listUnresolvedImports).filter(({ reason }) => reason === 'dynamic');
  for (const { path, language } of computed) if (language !== null && isJavaScript(language)) found.add(path);
  const holding = question.ask((session) => [
    ...(isAnywhere ? listSearchableFiles(session) : [...words].flatMap((word) => listFilesMatchingName(session, word))),
    ...listRedactedFiles(session),
  ]);
  for (const { path } of holding) found.add(path);
  return [...found].filter((path) => question.file(path)?.presence === 'present').sort(compareCodeUnits);
}

export function longestWord(name: string): string | undefined {
  const runs = listIdentifierRuns(name, 'typescript').filter((run) => run.name.length <= MAX_RUN_CHARS);
  return runs.sort((a, b) => b.name.length - a.name.length || a.start - b.start)[0]?.name;
}
