/** JavaScript and JSX. Its readers serve TypeScript too. */

import { defineLanguage, type TokenTable } from '../language.ts';

export const javascriptTokens: TokenTable = {
  names: {
    identifier: 'name',
    undefined: 'name',
    property_identifier: 'property',
    private_property_identifier: 'private',
    shorthand_property_identifier: 'shorthand',
    shorthand_property_identifier_pattern: 'shorthand',
    type_identifier: 'type',
    statement_identifier: 'label',
  },
  strings: new Set(['string', 'template_string', 'template_literal_type', 'jsx_text']),
  comments: new Set(['comment', 'html_comment', 'hash_bang_line']),
  regexes: new Set(['regex']),
  insertions: new Set(['template_substitution', 'template_type']),
};

/** Used as syntax, in every mode or in the modes that modules have. */
export const javascriptKeywords = `break case catch class const continue debugger default delete do else enum export extends false
  finally for function if import in instanceof new null return super switch this throw true try typeof var void while with yield await`;

export const javascriptWords = {
  always: `${javascriptKeywords} implements interface let package private protected public static eval arguments undefined`,
  // A class member of that name is its constructor; in an object literal the other sets the prototype.
  members: 'constructor __proto__',
};

export default defineLanguage({
  name: 'javascript',
  title: 'JavaScript',
  extensions: ['js', 'mjs', 'cjs', 'jsx'],
  grammars: {
    javascript: {
      wasm: '@vscode/tree-sitter-wasm/wasm/tree-sitter-javascript.wasm',
      pin: { version: '0.3.1', blake3: 'f032a9022d2ea8f12084da5bc87c481149a72d496c2377288c18c8ee24c24425' },
    },
  },
  resolvesLike: 'typescript',
  tokens: javascriptTokens,
  names: { shape: /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u, escapes: true },
  reserved: javascriptWords,
  family: 'typescript',
});
