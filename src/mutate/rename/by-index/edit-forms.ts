/**
 * How a token of the family is written anew (mutation.md §2.8), from the syntax around it. Only JavaScript and TypeScript have forms in
 * which one token is two names; Python and JavaScript have imports that can keep their local name.
 */

import { type FileFacts, withSourceTree } from '../../../index/navigate/read-file-facts.ts';
import type { TextSpan } from '../../../languages/facts.ts';
import { isJavaScript } from '../../../languages/language-family.ts';
import type { Node } from '../../../languages/parsing/syntax-node.ts';
import type { EditForm } from '../../vocabulary.ts';

/** Where a token stands, as far as forms go. */
export type Place =
  | 'plain'
  /** `{ a }` of an object. */
  | 'shorthand'
  /** `const { a } = o`, `({ a } = o)`, `function f({ a = 1 })`. */
  | 'pattern'
  /** `import { a }`, `from m import a`: without another name. */
  | 'import'
  /** `import a from`: a name of the file's own. */
  | 'default_import'
  /** `export { a }`. */
  | 'export'
  /** `export { a } from`. */
  | 'reexport'
  /** The name that an import or export gives: `as a`. */
  | 'alias'
  /** A name that is also a member's, in a language whose long form is not written here: `new { a }` of C#. */
  | 'implied'
  | 'string';

/** Could the token be anything but a plain name? Asked of the text alone, before anything is parsed: yes is the safe answer. */
export function mayHaveForm(text: string, { start, end }: TextSpan, language: string): boolean {
  if (language === 'go') return false;
  if (language === 'rust' || language === 'csharp') return true;
  const before = /(\S)\s*$/.exec(text.slice(Math.max(0, start - 200), start))?.[1] ?? '';
  const after = /^\s*(\S{0,2})/.exec(text.slice(end, end + 200))?.[1] ?? '';
  if (/['"`]/.test(before) && /^['"`]/.test(after)) return true;
  const word = /\b(import|from|as|type|typeof)\s*$/.exec(text.slice(Math.max(0, start - 200), start))?.[1];
  if (word !== undefined || /\/$/.test(before)) return true;
  if (language === 'python') return /[,(]/.test(before) && /\bimport\b/.test(lineOf(text, start));
  return /[{,]/.test(before) && (/^[,}]/.test(after) || /^=[^=>]?$/.test(after) || /^as/.test(after) || after === '');
}

function lineOf(text: string, at: number): string {
  // An import in brackets may run over many lines.
  const from = text.lastIndexOf('import', at);
  return from < 0 ? '' : text.slice(from, at).includes('\n\n') ? '' : text.slice(from, at);
}

const clauseStart = /^(?:import|export)\s+(?:type\s+)?(?:[\w$]+\s*,\s*)?\{[\w$\s,]*$/;

/**
 * A specifier of an import or export, and not the name it gives: written anew as it stands. Of a token that is known to be code this
 * needs no tree, and the files that import something are most of those that use it.
 */
export function isPlainSpecifier(text: string, { start }: TextSpan): boolean {
  const from = Math.max(text.lastIndexOf('\nimport', start), text.lastIndexOf('\nexport', start)) + 1;
  const before = text.slice(from, start);
  return before.length < 2_000 && clauseStart.test(before) && !/\bas\s+$/.test(before);
}

export async function readPlaces(
  path: string,
  language: string,
  text: string,
  spans: readonly TextSpan[],
): Promise<readonly Place[]> {
  if (!isJavaScript(language) && !['python', 'rust', 'csharp'].includes(language)) return spans.map(() => 'plain');
  if (!spans.some((span) => mayHaveForm(text, span, language))) return spans.map(() => 'plain');
  return withSourceTree(path, language, text, ({ root }) =>
    spans.map(({ start, end }) => {
      const node = root.descendantForIndex(start, Math.max(start, end - 1));
      return node === null ? 'plain' : placeOf(node, language);
    }),
  );
}

function placeOf(node: Node, language: string): Place {
  const { type, parent } = node;
  if (/string/.test(type) || type === 'string_fragment') return 'string';
  if (type === 'shorthand_property_identifier') return 'shorthand';
  if (type === 'shorthand_property_identifier_pattern' || type === 'shorthand_field_identifier') return 'pattern';
  if (parent === null) return 'plain';
  if (parent.type === 'shorthand_field_initializer') return 'shorthand';
  if (language === 'rust') return 'plain';
  if (language === 'csharp') {
    const around = parent.type === 'argument' ? parent.parent : parent;
    return /^(?:anonymous_object_creation_expression|tuple_expression)$/.test(around?.type ?? '') ? 'implied' : 'plain';
  }
  return language === 'python' ? pythonPlace(node, parent) : javascriptPlace(node, parent);
}

function pythonPlace(node: Node, parent: Node): Place {
  const isImport = (one: Node | null) => one?.type === 'import_from_statement';
  if (parent.type === 'aliased_import')
    return node.equals(parent.childForFieldName('alias') ?? node) ? 'alias' : 'plain';
  if (parent.type !== 'dotted_name' || parent.namedChildCount !== 1 || !isImport(parent.parent)) return 'plain';
  const module = parent.parent?.childForFieldName('module_name') ?? null;
  return module?.equals(parent) === true ? 'plain' : 'import';
}

function javascriptPlace(node: Node, parent: Node): Place {
  if (parent.type === 'import_specifier' || parent.type === 'export_specifier') {
    const alias = parent.childForFieldName('alias');
    if (alias?.equals(node) === true) return 'alias';
    if (alias !== null) return 'plain';
    if (parent.type === 'import_specifier') return 'import';
    return parent.parent?.parent?.childForFieldName('source') == null ? 'export' : 'reexport';
  }
  if (parent.type === 'import_clause') return 'default_import';
  if (parent.type === 'namespace_import') return 'alias';
  return 'plain';
}

export type Written = { readonly newText: string; readonly form: EditForm };

/** Which sides of a token with two are renamed. */
export type Sides = { readonly value: boolean; readonly property: boolean };

export function writeAnew(place: Place, oldName: string, newName: string, sides: Sides): Written {
  const plain: Written = { newText: newName, form: 'plain' };
  if (place === 'string') return { newText: newName, form: 'string' };
  if (place !== 'shorthand' && place !== 'pattern') return plain;
  if (sides.value && sides.property) return plain;
  const isPattern = place === 'pattern';
  if (sides.property)
    return { newText: `${newName}: ${oldName}`, form: isPattern ? 'destructured_property' : 'shorthand_property' };
  return { newText: `${oldName}: ${newName}`, form: isPattern ? 'destructured_local' : 'shorthand_value' };
}

/** Is it a local's name and a member's at once, with no form to tell them apart? */
export function isImplied(
  place: Place,
  facts: Pick<FileFacts, 'boundAt' | 'memberAt' | 'language'>,
  at: number,
): boolean {
  if (place === 'implied') return true;
  const isBoth = facts.boundAt.has(at) && facts.memberAt.has(at);
  return isBoth && place === 'plain' && !isJavaScript(facts.language);
}
