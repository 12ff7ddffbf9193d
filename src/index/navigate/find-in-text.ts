/** Names in text that is not parsed, and whether a text can hold one at all: the question to ask before parsing. */

import type { TextSpan } from '../../languages/facts.ts';
import { listIdentifierRuns } from '../../languages/identifiers.ts';
import { isJavaScript } from '../../languages/language-family.ts';
import type { SourceText } from '../view/code-view.ts';

/** False only if no token of the text can be compared equal to one of the names. */
export function mayHold(source: SourceText, names: ReadonlySet<string>, language: string): boolean {
  const { text } = source;
  for (const name of names) if (text.includes(name)) return true;
  return mayRespell(source, language);
}

/** Escapes or normalisation can spell a name in other ways than its own. */
export function mayRespell({ text, isAscii }: SourceText, language: string): boolean {
  return text.includes('\\u') || text.includes('\\U') || (!isAscii && !isJavaScript(language));
}

/** Every run of identifier characters that is one of the names, in order. */
export function findNames(source: SourceText, names: ReadonlySet<string>, language: string): readonly TextSpan[] {
  if (mayRespell(source, language)) {
    return listIdentifierRuns(source.text, language)
      .filter(({ name }) => names.has(name))
      .map(({ start, end }) => ({ start, end }));
  }
  return findPlainNames(source.text, names);
}

/** As they are written. */
export function findPlainNames(text: string, names: ReadonlySet<string>): readonly TextSpan[] {
  const spans: TextSpan[] = [];
  for (const name of names) {
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
      const end = at + name.length;
      if (!continues.test(text.slice(end, end + 2)) && !precedes.test(text.slice(Math.max(0, at - 2), at)))
        spans.push({ start: at, end });
    }
  }
  return spans.sort((a, b) => a.start - b.start);
}

const continues = /^[\p{ID_Continue}$\u200c\u200d]/u;
const precedes = /[\p{ID_Continue}$\u200c\u200d]$/u;

/** Is the name that an import gives to a module written anywhere but before a dot? Comments and strings count: yes is the safe answer. */
export function mayPassOn(text: string, alias: string, outside: TextSpan): boolean {
  for (let at = text.indexOf(alias); at >= 0; at = text.indexOf(alias, at + alias.length)) {
    if (at >= outside.start && at < outside.end) continue;
    const end = at + alias.length;
    const isWord = !continues.test(text.slice(end, end + 2)) && !precedes.test(text.slice(Math.max(0, at - 2), at));
    if (isWord && !/^\s*(?:\?\.|\.(?!\.))/.test(text.slice(end, end + 50))) return true;
  }
  return false;
}
