/** A command in one string → its words: a JSON list, or words with quotes and backslashes as a shell has them. Nothing is expanded. */

export function splitWords(text: string): readonly string[] {
  return readList(text) ?? readWords(text);
}

function readList(text: string): readonly string[] | undefined {
  if (!text.trimStart().startsWith('[')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every((word) => typeof word === 'string') ? value : undefined;
  } catch {
    return undefined;
  }
}

function readWords(text: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] as string;
    if (char === '\\' && quote !== "'" && at + 1 < text.length) {
      at += 1;
      word = (word ?? '') + text[at];
    } else if (quote !== '') {
      if (char === quote) quote = '';
      else word = (word ?? '') + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + char;
  }
  return word === undefined ? words : [...words, word];
}
