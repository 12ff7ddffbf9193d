/**
 * Every place of a TypeScript or JavaScript file in which a text can name another file, with what makes it one: an import in all its
 * forms, a call that tools resolve as one, a reference, a type in a comment. Strings that only look like a path are listed apart, as
 * `string`: only the program itself resolves them. Syntax alone; whether a file is there is not looked at.
 */

import { withSourceTree } from '../../index/navigate/read-file-facts.ts';
import type { ImportKind, TextSpan } from '../../languages/facts.ts';
import type { Node } from '../../languages/parsing/syntax-node.ts';
import { walkTree } from '../../languages/parsing/walk-tree.ts';

const specifierRoles = ['module', 'mock', 'url', 'reference', 'jsdoc', 'pattern', 'string'] as const;
type SpecifierRole = (typeof specifierRoles)[number];

/** The span is what is between the quotes; of a path that is computed, its fixed beginning (`pattern`). */
export type Specifier = TextSpan & {
  readonly text: string;
  readonly role: SpecifierRole;
  /** How it is to be resolved. */
  readonly kind: ImportKind;
};

type Meaning = Pick<Specifier, 'role' | 'kind'>;

/** In the order of the text. */
export async function listSpecifiers(path: string, language: string, text: string): Promise<readonly Specifier[]> {
  return withSourceTree(path, language, text, ({ root }) => {
    const found: Specifier[] = [];
    const addQuoted = (node: Node) => {
      const [start, end] = [node.startIndex + 1, node.endIndex - 1];
      const own = text.slice(start, end);
      // What is escaped in it is not worth knowing: no path needs it.
      if (own === '' || /[\\\n]/.test(own)) return;
      const hole = node.type === 'template_string' ? own.indexOf('${') : -1;
      const computed = hole >= 0 ? meaningOf(node) : meaningOfSum(node);
      if (computed !== undefined && computed.role !== 'url') {
        const length = hole < 0 ? own.length : hole;
        const fixed = own.slice(0, length);
        if (length > 0) found.push({ start, end: start + length, text: fixed, role: 'pattern', kind: computed.kind });
      } else if (hole < 0)
        found.push({ start, end, text: own, ...(meaningOf(node) ?? meaningByText(text, node.startIndex)) });
    };
    walkTree(root, {
      string: (node) => void addQuoted(node),
      template_string: (node) => void addQuoted(node),
      comment: (node) => void found.push(...listInComment(text.slice(node.startIndex, node.endIndex), node.startIndex)),
    });
    return found.sort((a, b) => a.start - b.start);
  });
}

const computedPath: Meaning = { role: 'pattern', kind: 'dynamic' };
const plain: Meaning = { role: 'string', kind: 'import' };
const statements: Readonly<Record<string, ImportKind>> = {
  import_statement: 'import',
  export_statement: 'reexport',
  import_require_clause: 'require',
};

/** Undefined where the tree does not make it anything. */
function meaningOf(node: Node): Meaning | undefined {
  const { parent } = node;
  if (parent === null) return undefined;
  const statement = statements[parent.type];
  if (statement !== undefined) {
    const isSource = parent.childForFieldName('source')?.id === node.id;
    return isSource ? { role: 'module', kind: statement } : undefined;
  }
  if (parent.type === 'array') return meaningOf(parent)?.role === 'pattern' ? computedPath : undefined;
  // An augmentation of that module: `declare module './a' {}`.
  if (parent.type === 'module') return { role: 'module', kind: 'import' };
  if (parent.type !== 'arguments' || parent.namedChildren.find(({ isExtra }) => !isExtra)?.id !== node.id)
    return undefined;
  const call = parent.parent;
  if (call?.type === 'call_expression') return meaningOfCall(call.childForFieldName('function')?.text ?? '');
  const isUrl = call?.type === 'new_expression' && call.childForFieldName('constructor')?.text === 'URL';
  return isUrl && /,\s*import\.meta\.url\b/.test(parent.text) ? { role: 'url', kind: 'dynamic' } : undefined;
}

/** `'./pages/' + name` where an import's specifier stands. */
function meaningOfSum(node: Node): Meaning | undefined {
  let sum = node;
  while (sum.parent?.type === 'binary_expression' && sum.parent.childForFieldName('left')?.id === sum.id)
    sum = sum.parent;
  return sum.id === node.id ? undefined : meaningOf(sum);
}

/** What the grammar does not know: attributes behind `export … from`, a type query among the type arguments of a call. */
function meaningByText(text: string, at: number): Meaning {
  const before = text.slice(Math.max(0, at - 300), at);
  if (/[\s*}]from\s*$/.test(before)) return { role: 'module', kind: 'reexport' };
  const callee = /\b([\w.]+)<[^;()]*(?:\([^;()]*\)[^;()]*)?>\s*\(\s*$/.exec(before)?.[1];
  return (callee === undefined ? undefined : meaningOfCall(callee)) ?? plain;
}

const patterns = /^(?:import\.meta\.glob(?:Eager)?|require\.context)$/;
const mocks =
  /^(?:jest|vi|vitest)\.(?:mock|unmock|doMock|doUnmock|dontMock|deepUnmock|setMock|requireActual|requireMock|importActual|importMock|createMockFromModule|genMockFromModule|unstable_mockModule|unstable_unmockModule)(?:<.*>)?$/s;

function meaningOfCall(callee: string): Meaning | undefined {
  if (callee === 'import' || callee === 'import.meta.resolve') return { role: 'module', kind: 'dynamic' };
  if (callee === 'require' || callee === 'require.resolve') return { role: 'module', kind: 'require' };
  if (patterns.test(callee)) return computedPath;
  return mocks.test(callee) ? { role: 'mock', kind: 'import' } : undefined;
}

const referencePath = /^\/\/\/\s*<reference\s+path\s*=\s*(["'])([^"'\n]+)\1/;
const importType = /\bimport\(\s*(["'])([^"'\n]+)\1\s*\)/g;
const importTag = /@import\b[^@]*?\bfrom\s*(["'])([^"'\n]+)\1/g;

function listInComment(comment: string, at: number): readonly Specifier[] {
  const reference = referencePath.exec(comment);
  if (reference !== null) return [inMatch(reference, at, { role: 'reference', kind: 'reference' })];
  if (!comment.startsWith('/**')) return [];
  return [...comment.matchAll(importType), ...comment.matchAll(importTag)].map((match) =>
    inMatch(match, at, { role: 'jsdoc', kind: 'import' }),
  );
}

/** The second group is the specifier, and the last of its kind in the match. */
function inMatch(match: RegExpExecArray, at: number, meaning: Meaning): Specifier {
  const text = match[2] ?? '';
  const start = at + match.index + match[0].lastIndexOf(text);
  return { start, end: start + text.length, text, ...meaning };
}
