/**
 * The final stage of a Dockerfile as plain lines that a regex can be held against: continuations joined, comments dropped,
 * exec form printed as words, so that `npm start` is found in `CMD ["npm","start"]`. Here-documents stay as they are:
 * what looks like an instruction inside one is not one.
 */

export type RenderedLine = {
  /** 1-based line where the instruction begins. */
  readonly line: number;
  readonly text: string;
};

type Instruction = { readonly line: number; readonly text: string; readonly heredoc: readonly RenderedLine[] };

export function renderFinalStage(text: string): readonly RenderedLine[] {
  const instructions = readInstructions(
    text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line)),
  );
  const lastFrom = instructions.findLastIndex((instruction) => /^FROM\s/i.test(instruction.text));
  return instructions
    .slice(Math.max(0, lastFrom))
    .flatMap((instruction) => [{ line: instruction.line, text: asWords(instruction.text) }, ...instruction.heredoc]);
}

function readInstructions(lines: readonly string[]): readonly Instruction[] {
  const continuation = escapeCharacter(lines);
  const instructions: Instruction[] = [];
  let at = 0;
  while (at < lines.length) {
    const start = at;
    const parts: string[] = [];
    let open = true;
    while (open && at < lines.length) {
      const trimmed = (lines[at] ?? '').trim();
      at += 1;
      // Comments and empty lines between continued lines are dropped, and do not end the instruction.
      if (trimmed === '' || trimmed.startsWith('#')) {
        if (parts.length === 0) break;
        continue;
      }
      open = trimmed.endsWith(continuation);
      parts.push(open ? trimmed.slice(0, -1).trim() : trimmed);
    }
    if (parts.length === 0) continue;
    const text = parts.join(' ').trim();
    const heredoc: RenderedLine[] = [];
    for (const delimiter of heredocDelimiters(text)) {
      while (
        at < lines.length &&
        (delimiter.stripsTabs ? (lines[at] ?? '').replace(/^\t+/, '') : lines[at]) !== delimiter.word
      ) {
        heredoc.push({ line: at + 1, text: lines[at] ?? '' });
        at += 1;
      }
      at += 1;
    }
    instructions.push({ line: start + 1, text, heredoc });
  }
  return instructions;
}

/** `# escape=` counts only among the directives before the first other line. */
function escapeCharacter(lines: readonly string[]): string {
  for (const line of lines) {
    const directive = /^#\s{0,8}([a-z]{1,20})\s{0,8}=\s{0,8}(\S{1,200})\s{0,8}$/i.exec(line.slice(0, 300));
    if (directive === null) return '\\';
    if (directive[1]?.toLowerCase() === 'escape') return directive[2] === '`' ? '`' : '\\';
  }
  return '\\';
}

function heredocDelimiters(text: string): readonly { readonly word: string; readonly stripsTabs: boolean }[] {
  if (!/^(?:ONBUILD\s+)?(?:RUN|COPY|ADD)\s/i.test(text)) return [];
  // `<<EOF`, `<<-EOF`, quoted, after white space or a digit; `<<<` is a here-string.
  const found = text.matchAll(/(?<=\s|\d)<<(-?)(["']?)([A-Za-z_][A-Za-z0-9_.]{0,63})\2(?=\s|$|[;&|>)])/g);
  return [...found].map((match) => ({ word: match[3] ?? '', stripsTabs: match[1] === '-' }));
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
