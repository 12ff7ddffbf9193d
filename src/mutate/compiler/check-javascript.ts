/**
 * The text of a configuration with JavaScript checked, for a program that exists only in the overlay. The setting is written into the file
 * itself: one that extends it would lose its references. Whoever asks looks at the options afterwards; a text that is not understood
 * here leaves them as they were.
 */

export function checkJavascript(text: string): string {
  if (/"checkJs"\s*:\s*(?:true|false)/.test(text))
    return text.replaceAll(/("checkJs"\s*:\s*)false/g, (_, before: string) => `${before}true `);
  const options = /"compilerOptions"\s*:\s*\{/.exec(text);
  if (options !== null) return insert(text, options.index + options[0].length, '"checkJs":true', /^\s*\}/);
  const start = /^(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*\{/.exec(text.replace(/^\uFEFF/, ' '));
  return start === null ? text : insert(text, start[0].length, '"compilerOptions":{"checkJs":true}', /^\s*\}/);
}

function insert(text: string, at: number, what: string, isEmpty: RegExp): string {
  const rest = text.slice(at);
  return `${text.slice(0, at)}${what}${isEmpty.test(rest) ? '' : ','}${rest}`;
}
