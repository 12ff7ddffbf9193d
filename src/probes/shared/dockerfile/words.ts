/** The words of an instruction: quotes keep white space together and stay where they are, for whoever expands variables later. */

export type Flag = { readonly name: string; readonly value: string | null };

/** Raw words, quotes and escapes included. Total: an open quote reaches to the end. */
export function splitWords(text: string, escapeChar: string): readonly string[] {
  const words: string[] = [];
  let start = -1;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (quote === '' && /\s/.test(char)) {
      if (start >= 0) words.push(text.slice(start, at));
      start = -1;
      continue;
    }
    if (start < 0) start = at;
    if (char === escapeChar && quote !== "'") at += 1;
    else if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
  }
  if (start >= 0) words.push(text.slice(start));
  return words;
}

/** `"a b"c` → `a bc`; escapes as a shell reads them. */
export function unquoteWord(word: string, escapeChar = '\\'): string {
  let plain = '';
  let quote = '';
  for (let at = 0; at < word.length; at += 1) {
    const char = word.charAt(at);
    if (char === escapeChar && quote !== "'" && at + 1 < word.length) {
      const next = word.charAt(at + 1);
      // Between double quotes a backslash stays one unless it escapes something.
      if (quote === '"' && next !== '"' && next !== '$' && next !== escapeChar) plain += char;
      plain += next;
      at += 1;
    } else if (quote !== '' ? char === quote : char === '"' || char === "'") quote = quote === '' ? char : '';
    else plain += char;
  }
  return plain;
}

/** Takes the leading `--name[=value]` words; `--` ends them. */
export function takeFlags(text: string): { readonly flags: readonly Flag[]; readonly rest: string } {
  const flags: Flag[] = [];
  const word = /\s*(\S+)/y;
  let at = 0;
  for (;;) {
    word.lastIndex = at;
    const raw = word.exec(text)?.[1];
    if (raw === undefined || !raw.startsWith('--')) break;
    at = word.lastIndex;
    if (raw === '--') break;
    const split = raw.indexOf('=');
    flags.push({
      name: (split < 0 ? raw.slice(2) : raw.slice(2, split)).toLowerCase(),
      value: split < 0 ? null : raw.slice(split + 1),
    });
  }
  return { flags, rest: text.slice(at).trim() };
}

export function flagValue(flags: readonly Flag[], name: string): string | null {
  return flags.find((flag) => flag.name === name)?.value ?? null;
}

export type JsonForm =
  | { readonly kind: 'array'; readonly words: readonly string[] }
  /** Meant as an array, and none. */
  | { readonly kind: 'malformed' }
  | { readonly kind: 'text' };

/** The exec form is a JSON array of strings; everything else is text to the builder, whatever its author meant. */
export function readJsonForm(text: string): JsonForm {
  if (!text.startsWith('[')) return { kind: 'text' };
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value) && value.every((word) => typeof word === 'string')) return { kind: 'array', words: value };
    return { kind: 'malformed' };
  } catch {
    return looksLikeArray(text) ? { kind: 'malformed' } : { kind: 'text' };
  }
}

/** `["a", 'b']`, `[node, index.js]`; but `[ -f x ] && y` and `[[ … ]]` are tests of the shell. */
function looksLikeArray(text: string): boolean {
  if (/^\[\s{0,80}(?:"[^"]{0,2000}"|'[^']{0,2000}')\s{0,80}(?:,|\]\s{0,80}$)/.test(text)) return true;
  return /^\[["']/.test(text) || (/^\[[^\s[]/.test(text) && text.endsWith(']'));
}

/** White space outside quotes as one blank: a command of many lines as one that can be read. */
export function collapseSpace(text: string): string {
  let line = '';
  let quote = '';
  let space = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (quote === '' && /\s/.test(char)) {
      space = true;
      continue;
    }
    if (space && line !== '') line += ' ';
    space = false;
    line += char;
    if (char === '\\' && quote !== "'" && at + 1 < text.length) {
      at += 1;
      line += text.charAt(at);
    } else if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
  }
  return line;
}

/** Words as a shell would need them written. */
export function joinWords(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}
