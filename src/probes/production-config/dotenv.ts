/**
 * `.env` files as dotenv reads them: `NAME=value` and `NAME: value`, an optional `export`, comments, quotes that may span lines.
 * The last assignment of a name counts. Lines that are none of these are counted, not guessed at. Linear, never throws.
 */

type DotenvEntry = {
  readonly name: string;
  readonly value: string;
  /** In single quotes nothing is expanded. */
  readonly raw: boolean;
};
type Dotenv = { readonly entries: readonly DotenvEntry[]; readonly badLines: readonly number[] };

const head = /[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_.-]*)(?:[ \t]*=|:(?=[ \t]|$))[ \t]*/my;

export function parseDotenv(source: string): Dotenv {
  const text = source.replace(/\r\n?/g, '\n');
  const entries = new Map<string, DotenvEntry>();
  const badLines: number[] = [];
  /** Quotes that were looked for once without success; looking again and again would be quadratic. */
  const unclosed = new Set<string>();
  let at = 0;
  let line = 1;
  while (at < text.length) {
    const lineEnd = endOfLine(text, at);
    head.lastIndex = at;
    const match = head.exec(text);
    let next = lineEnd + 1;
    if (match === null || head.lastIndex > lineEnd) {
      const content = text.slice(at, lineEnd).trim();
      if (content !== '' && !content.startsWith('#')) badLines.push(line);
    } else {
      const name = match[1] ?? '';
      const start = head.lastIndex;
      const quote = text.charAt(start);
      const close = isQuote(quote) && !unclosed.has(quote) ? findClosing(text, start + 1, quote) : -1;
      if (close >= 0) {
        entries.set(name, { name, value: text.slice(start + 1, close), raw: quote === "'" });
        next = endOfLine(text, close) + 1;
      } else {
        if (isQuote(quote)) unclosed.add(quote);
        const value = text.slice(start, lineEnd).replace(/(?:^|[ \t])#.*$/s, '');
        entries.set(name, { name, value: value.trim(), raw: false });
      }
    }
    line += countLines(text, at, next);
    at = next;
  }
  return { entries: [...entries.values()], badLines };
}

function isQuote(char: string): boolean {
  return char === '"' || char === "'" || char === '`';
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

function findClosing(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === quote) return at;
    if (char === '\\' && quote !== "'") at += 1;
  }
  return -1;
}

function countLines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
