/** Which grammar and which extractor read a language. A language that is not here is text only. */

import { extractC } from './c/c-facts.ts';
import { extractCSharp } from './csharp/csharp-facts.ts';
import type { Extract } from './facts.ts';
import { extractGo } from './go/go-facts.ts';
import { extractJava } from './java/java-facts.ts';
import { extractJavaScript } from './javascript/javascript-facts.ts';
import type { GrammarName } from './parsing/parse-source.ts';
import { extractPhp } from './php/php-facts.ts';
import { extractPython } from './python/python-facts.ts';
import { extractRuby } from './ruby/ruby-facts.ts';
import { extractRust } from './rust/rust-facts.ts';

export type SyntaxLanguage = {
  readonly grammar: (path: string) => GrammarName;
  readonly extract: Extract;
};

export const syntaxLanguages: Readonly<Record<string, SyntaxLanguage>> = {
  typescript: { grammar: (path) => (path.endsWith('.tsx') ? 'tsx' : 'typescript'), extract: extractJavaScript },
  javascript: { grammar: () => 'javascript', extract: extractJavaScript },
  python: { grammar: () => 'python', extract: extractPython },
  go: { grammar: () => 'go', extract: extractGo },
  rust: { grammar: () => 'rust', extract: extractRust },
  java: { grammar: () => 'java', extract: extractJava },
  c: { grammar: () => 'c', extract: extractC },
  cpp: { grammar: () => 'cpp', extract: extractC },
  csharp: { grammar: () => 'c-sharp', extract: extractCSharp },
  ruby: { grammar: () => 'ruby', extract: extractRuby },
  php: { grammar: () => 'php', extract: extractPhp },
};
