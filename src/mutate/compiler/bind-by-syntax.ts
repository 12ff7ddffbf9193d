/** Names that the language binds and the checker does not: labels, names of tuple members, import attributes, parts of `@param a.b`. */

import { type Node, SyntaxKind, type Symbol as TsSymbol } from '../../kernel/compiler/typescript-api.ts';
import { nameStart } from './declaration-name.ts';
import type { Binding, NameToken } from './in-job.ts';

export function bindBySyntax(token: NameToken): Binding | undefined {
  const { node, kind } = token;
  if (kind === 'label') {
    const label = findLabel(node, token.text);
    return label === undefined ? { kind: 'none' } : bindTo(token, label);
  }
  const parent = node.parent as (Node & { readonly name?: Node }) | undefined;
  const namesItself = parent?.kind === SyntaxKind.NamedTupleMember || parent?.kind === SyntaxKind.ImportAttribute;
  return namesItself && parent.name === node ? bindTo(token, node) : undefined;
}

type Doc = Node & { readonly name?: Node; readonly left?: Node; readonly text?: string };

/** The `a` of `@param a.b` is the parameter that another tag of the same comment names: that tag's name can be asked about. */
export function findMentionedParameter(node: Doc): Node | undefined {
  if (node.parent?.kind !== SyntaxKind.QualifiedName || (node.parent as Doc).left !== node) return undefined;
  let outer: Node = node.parent;
  while (outer.parent?.kind === SyntaxKind.QualifiedName) outer = outer.parent;
  if (outer.parent?.kind !== SyntaxKind.JSDocParameterTag) return undefined;
  // Tags of properties hang below the tag of their object, or beside it.
  for (let at: Doc | undefined = outer.parent.parent; at !== undefined; at = at.parent) {
    if (namesParameter(at, node.text)) return at.name;
    if (at.kind === SyntaxKind.JSDoc) return findTag(at, node.text)?.name;
  }
  return undefined;
}

function findTag(comment: Node, text: string | undefined): Doc | undefined {
  let found: Doc | undefined;
  comment.forEachChild((tag) => {
    if (namesParameter(tag, text)) found ??= tag;
    return undefined;
  });
  return found;
}

function namesParameter({ kind, name }: Doc, text: string | undefined): boolean {
  return kind === SyntaxKind.JSDocParameterTag && name?.kind === SyntaxKind.Identifier && (name as Doc).text === text;
}

type Statement = Node & { readonly label?: Node & { readonly text?: string } };

/** A label is visible below its statement, up to the next function. */
function findLabel(node: Node, text: string): Node | undefined {
  for (let at: Statement | undefined = node.parent; at !== undefined; at = at.parent) {
    if (at.kind === SyntaxKind.LabeledStatement && at.label?.text === text) return at.label;
    if (isFunctionBoundary(at)) return undefined;
  }
  return undefined;
}

function isFunctionBoundary({ kind }: Node): boolean {
  switch (kind) {
    case SyntaxKind.FunctionDeclaration:
    case SyntaxKind.FunctionExpression:
    case SyntaxKind.ArrowFunction:
    case SyntaxKind.MethodDeclaration:
    case SyntaxKind.Constructor:
    case SyntaxKind.GetAccessor:
    case SyntaxKind.SetAccessor:
    case SyntaxKind.ClassStaticBlockDeclaration:
    case SyntaxKind.PropertyDeclaration:
    case SyntaxKind.ModuleDeclaration:
      return true;
    default:
      return false;
  }
}

function bindTo({ path, text }: NameToken, name: Node): Binding {
  const place = { path, start: nameStart(name), outside: false };
  return { kind: 'bound', links: [{ role: 'symbol', symbol: makeSymbol(text), places: [place] }] };
}

/** The checker has none; this one has no flags, which none of its own has. */
function makeSymbol(name: string): TsSymbol {
  const none = {
    id: 0,
    name,
    escapedName: name,
    flags: 0,
    checkFlags: 0,
    declarations: [],
    valueDeclaration: undefined,
    getParent: () => undefined,
    getMembers: () => new Map(),
    getExports: () => new Map(),
    getExportSymbol: () => none,
    getJsDocTags: () => [],
    getDocumentationComment: () => '',
  };
  return none as unknown as TsSymbol;
}
