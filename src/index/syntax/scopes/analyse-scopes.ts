/** Which analyser reads the scopes of which language. A language that is not here has no scope model: its names are bound by nobody. */

import { assert } from '../../../kernel/base/assert.ts';
import type { SourceTree } from '../facts.ts';
import { analyseJavaScript } from './javascript.ts';
import { analysePython } from './python.ts';
import type { ScopeTree } from './scope-tree.ts';
import { analyseByTable } from './table.ts';
import type { ScopeTable } from './table-types.ts';
import { cppScopes, cScopes } from './tables/c.ts';
import { csharpScopes } from './tables/csharp.ts';
import { goScopes } from './tables/go.ts';
import { javaScopes } from './tables/java.ts';
import { phpScopes } from './tables/php.ts';
import { rubyScopes } from './tables/ruby.ts';
import { rustScopes } from './tables/rust.ts';

type Analyse = (source: SourceTree, language: string) => ScopeTree;

const analysers: Readonly<Record<string, Analyse>> = {
  typescript: analyseJavaScript,
  javascript: analyseJavaScript,
  python: analysePython,
  go: byTable(goScopes),
  rust: byTable(rustScopes),
  java: byTable(javaScopes),
  c: byTable(cScopes),
  cpp: byTable(cppScopes),
  csharp: byTable(csharpScopes),
  ruby: byTable(rubyScopes),
  php: byTable(phpScopes),
};

export function hasScopeModel(language: string): boolean {
  return Object.hasOwn(analysers, language);
}

/** `language` is a key of `syntaxLanguages`. Total: never throws, whatever the text. */
export function analyseScopes(source: SourceTree, language: string): ScopeTree {
  const analyse = analysers[language];
  assert(analyse !== undefined, `${language} has a scope model`);
  return analyse(source, language);
}

function byTable(table: ScopeTable): Analyse {
  return (source, language) => analyseByTable(source, language, table);
}
