/**
 * The final stage of a Dockerfile as plain lines that a regex can be held against: continuations joined, comments dropped,
 * exec form printed as words, so that `npm start` is found in `CMD ["npm","start"]`. Here-documents stay as they are:
 * what looks like an instruction inside one is not one.
 */

import { readInstructions } from '../../kernel/formats/dockerfile-instructions.ts';
import { collapseSpace } from '../../kernel/formats/shell-words.ts';

type RenderedLine = {
  /** 1-based line where the instruction begins. */
  readonly line: number;
  readonly text: string;
};

export function renderFinalStage(text: string): readonly RenderedLine[] {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  const { instructions } = readInstructions(text);
  const lastFrom = instructions.findLastIndex(({ keyword }) => keyword === 'FROM');
  return instructions.slice(Math.max(0, lastFrom)).flatMap(({ keyword, text: rest, line, heredocs }) => {
    const written = /\S+/.exec(lines[line - 1] ?? '')?.[0] ?? '';
    const name = written.toUpperCase() === keyword ? written : keyword;
    return [
      { line, text: asWords(`${name} ${collapseSpace(rest)}`.trimEnd()) },
      ...heredocs.flatMap((heredoc) => {
        const count = heredoc.content.split('\n').length - 1;
        return lines
          .slice(heredoc.line - 1, heredoc.line - 1 + count)
          .map((body, at) => ({ line: heredoc.line + at, text: body }));
      }),
    ];
  });
}

/** `CMD ["a","b"]` → `CMD a b`; also behind flags, `HEALTHCHECK … CMD` and `ONBUILD`. Anything else stays as it is. */
function asWords(text: string): string {
  const bracket = text.indexOf('[');
  if (bracket < 0) return text;
  const before = text.slice(0, bracket);
  if (before.length > 2000 || !/^(?:ONBUILD\s+)?[A-Z]+\s+(?:--\S+\s+)*(?:(?<=^HEALTHCHECK\s.*)CMD\s+)?$/i.test(before))
    return text;
  try {
    const words: unknown = JSON.parse(text.slice(bracket));
    const areWords = Array.isArray(words) && words.every((word) => typeof word === 'string');
    return areWords ? `${before.trim()} ${words.join(' ')}` : text;
  } catch {
    return text;
  }
}
