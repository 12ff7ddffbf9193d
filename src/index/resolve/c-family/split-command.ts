/** The words of a command line as a POSIX shell splits them: quotes and backslashes, no expansion of anything. Linear, never fails. */

export function splitCommand(command: string): readonly string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote = '';
  for (let at = 0; at < command.length; at += 1) {
    const char = command.charAt(at);
    if (quote !== '') {
      if (char === quote) quote = '';
      else if (char === '\\' && quote === '"' && /["\\$`]/.test(command.charAt(at + 1))) word += command.charAt(++at);
      else word += char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else {
      word = (word ?? '') + (char === '\\' ? command.charAt(++at) : char);
    }
  }
  if (word !== null) words.push(word);
  return words;
}
