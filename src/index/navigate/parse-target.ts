/**
 * What a person may write to name a thing in code: `file:line:col`, `file:line`, a name path (`Class/method`, `/top`, `name[1]`), or a
 * name path in one file (`file.ts#name`, `file.ts:Class/method`).
 */

export type Target =
  | { readonly kind: 'position'; readonly path: string; readonly line: number; readonly col: number | null }
  | { readonly kind: 'name'; readonly name: string; readonly path: string | null };

/** Several readings, the likelier first: a colon may be part of a name. */
export function parseTarget(text: string): readonly Target[] {
  const given = text.trim();
  const position = /^(.+?):([0-9]{1,9})(?::([0-9]{1,9}))?:?$/.exec(given);
  if (position !== null) {
    const [, path = '', line = '', col] = position;
    return [{ kind: 'position', path, line: Number(line), col: col === undefined ? null : Number(col) }];
  }
  const whole: Target = { kind: 'name', name: given, path: null };
  const inFile = /^([^#]+)#(.+)$/.exec(given) ?? /^(.*[./][^:]*):(?!:)(.+)$/.exec(given);
  if (inFile === null) return [whole];
  const [, path = '', name = ''] = inFile;
  return [{ kind: 'name', name, path }, whole];
}
