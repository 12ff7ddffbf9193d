/** Which grammar and which extractor read a language. A language that is not here is text only. */

import type { Extract } from './facts.ts';
import type { GrammarName } from './grammars.ts';
import { extractC } from './languages/c.ts';
import { extractCSharp } from './languages/csharp.ts';
import { extractGo } from './languages/go.ts';
import { extractJava } from './languages/java.ts';
import { extractJavaScript } from './languages/javascript.ts';
import { extractPhp } from './languages/php.ts';
import { extractPython } from './languages/python.ts';
import { extractRuby } from './languages/ruby.ts';
import { extractRust } from './languages/rust.ts';

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
