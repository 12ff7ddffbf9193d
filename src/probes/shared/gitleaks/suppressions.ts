/**
 * What the repository has written to keep gitleaks quiet: comments in place and entries of `.gitleaksignore`. None of it is
 * heeded; how many findings it would have hidden is told.
 */

import type { ProbeRepo } from '../../../gather/contract.ts';
import { limits } from '../../../kernel/base/limits.ts';
import { decodeLenient } from '../../../kernel/base/text.ts';

export const ignoreFile = '.gitleaksignore';
const allowComment = 'gitleaks:allow';

/** Is a finding at this place one that the repository asks to overlook? */
export type IsSuppressed = (path: string, line: number, text: string) => boolean;

export async function readSuppressions(repo: ProbeRepo): Promise<IsSuppressed> {
  const read = repo.inputs.has(ignoreFile) ? await repo.inputs.read(ignoreFile, limits.textBytes) : undefined;
  const listed = parseIgnoreFile(read?.kind === 'read' ? decodeLenient(read.bytes) : '');
  return (path, line, text) => text.includes(allowComment) || listed.has(`${path}:${line}`);
}

/** For the findings of one file: a line may be long and hold many. */
export function oncePerLine(isSuppressed: IsSuppressed): IsSuppressed {
  const known = new Map<number, boolean>();
  return (path, line, text) => {
    const answer = known.get(line) ?? isSuppressed(path, line, text);
    known.set(line, answer);
    return answer;
  };
}

/** `path:rule:line`, with or without a commit before it, as `path:line`: which rule it was depends on who looks. */
export function parseIgnoreFile(text: string): ReadonlySet<string> {
  return new Set(
    text.split('\n').flatMap((line) => {
      const entry = /^(?:[0-9a-f]{40,64}:)?(?:\.\/)?(.+):[^:]+:(\d{1,9})$/.exec(line.trim());
      return entry === null || line.startsWith('#') ? [] : [`${entry[1]}:${entry[2]}`];
    }),
  );
}
