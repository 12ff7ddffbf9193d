/** Which analyser reads the scopes of which language. A language that is not here has no scope model: its names are bound by nobody. */

import { assert } from '../../kernel/base/assert.ts';
import { cppScopes, cScopes } from '../c/c-scopes.ts';
import { csharpScopes } from '../csharp/csharp-scopes.ts';
import type { SourceTree } from '../facts.ts';
import { goScopes } from '../go/go-scopes.ts';
import { javaScopes } from '../java/java-scopes.ts';
import { analyseJavaScript } from '../javascript/javascript-scopes.ts';
import { phpScopes } from '../php/php-scopes.ts';
import { analysePython } from '../python/python-scopes.ts';
import { rubyScopes } from '../ruby/ruby-scopes.ts';
import { rustScopes } from '../rust/rust-scopes.ts';
import { analyseByTable, type ScopeTable } from './scope-table.ts';
import type { ScopeTree } from './scope-tree.ts';

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
