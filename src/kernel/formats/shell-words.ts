/**
 * Words as a shell and a Dockerfile write them: quotes keep white space together, an escape character takes a character as it is.
 * Nothing is expanded, nothing fails, everything is linear.
 */

/** Raw words: quotes and escapes stay where they are, for a caller that expands variables. An open quote reaches to the end. */
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

/** The words of a command line as a program is given them. */
export function plainWords(text: string): readonly string[] {
  return splitWords(text, '\\').map((word) => unquoteWord(word));
}

/** Words as a shell would need them written. */
export function joinWords(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
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
