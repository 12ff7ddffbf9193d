/** What parses and analyses the files of a language. Loads every extractor, so only what parses imports it. */

import { assert } from '../kernel/base/assert.ts';
import type { RawFacts, SourceTree } from './facts.ts';
import type { Reader } from './language.ts';
import { readers } from './readers.gen.ts';
import type { ScopeTree } from './scopes/scope-tree.ts';

const byName: Readonly<Record<string, Reader>> = readers;

/** What one file says about itself. */
export function extractFacts(source: SourceTree, language: string): RawFacts {
  return getReader(language).facts(source);
}

/** The lexical scopes of one file. */
export function analyseScopes(source: SourceTree, language: string): ScopeTree {
  return getReader(language).scopes(source, language);
}

/** `language` is one that is parsed. */
export function getReader(language: string): Reader {
  const reader = Object.hasOwn(byName, language) ? byName[language] : undefined;
  assert(reader !== undefined, `${language} has a reader`);
  return reader;
}
