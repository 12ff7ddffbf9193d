/** Of each language, how its files came through the parser: what `status` shows, and who could hold an import that nobody read. */

import { compareCodeUnits } from '../../../kernel/base/json.ts';
import type { ReadSession } from '../facts-handle.ts';
import { oncePerGeneration } from '../once-per-generation.ts';
import type { FileRow } from '../rows.ts';

export type ParseCount = Pick<FileRow, 'language' | 'parse' | 'skipReason'> & { readonly count: number };

export const parseCountsSql = `
  SELECT language, parse, skip_reason AS skipReason, count(*) AS count FROM files
  WHERE kind = 'file' AND presence = 'present' GROUP BY language, parse, skip_reason
`;

/** Of present files; links and absent files have no content to speak of. */
export function countParses(session: ReadSession): readonly ParseCount[] {
  return oncePerGeneration(session, 'parses', ({ statement }) =>
    statement(parseCountsSql)
      .all()
      .map((row) => ({ ...(row as unknown as ParseCount) })),
  );
}

/** Of present files, sorted. */
export function listLanguages(session: ReadSession): readonly string[] {
  const languages = countParses(session).flatMap(({ language }) => (language === null ? [] : [language]));
  return [...new Set(languages)].sort(compareCodeUnits);
}
