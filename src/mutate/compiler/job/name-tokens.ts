/**
 * Every name that stands in a file (T of mutation.md §3.1): identifiers, private names, JSX names, labels, names in documentation
 * comments, and strings where a name could stand. Left out: module specifiers, names of tags (`@param` itself), `new.target`,
 * `import.meta` and `as const`. The tree is walked with a stack of our own: nesting is the repository's to choose.
 */

import {
  type Node,
  NodeFlags,
  type SourceFile,
  SyntaxKind,
} from '../../../languages/typescript/compiler/typescript-api.ts';
import { isStringLike } from './declarations.ts';
import type { NameToken, OpenProgram, RenameWorld, TokenKind } from './job-types.ts';

/** Tokens by file as the compiler parsed it: programs and snapshots that share a file share its tokens. */
const known = new WeakMap<SourceFile, readonly NameToken[]>();

/** Sorted by start, each span once. Empty for a file that the program does not have. */
export function listNameTokens(program: OpenProgram, path: string): readonly NameToken[] {
  const file = program.sourceFile(path);
  if (file === undefined) return [];
  const listed = known.get(file) ?? collectTokens(file, path);
  known.set(file, listed);
  return listed;
}

type Found = { readonly token: NameToken; readonly rank: number };

function collectTokens(file: SourceFile, path: string): readonly NameToken[] {
  const { text } = file;
  const mayHaveDocs = text.includes('/**');
  const found = new Map<number, Found>();
  const nodes: Node[] = [file];
  /** 1 for what hangs below a documentation comment. */
  const inDocs: number[] = [0];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    const inDoc = inDocs.pop() ?? 0;
    const token = readToken(node, path, text, inDoc === 1);
    if (token !== undefined) keepBest(found, token, inDoc === 1 ? 2 : isReparsed(node) ? 1 : 0);
    // Its two parts are one name.
    if (node.kind === SyntaxKind.JsxNamespacedName) continue;
    node.forEachChild((child) => {
      nodes.push(child);
      inDocs.push(inDoc);
    });
    if (!mayHaveDocs) continue;
    for (const doc of (node as Node & { readonly jsDoc?: readonly Node[] }).jsDoc ?? []) {
      nodes.push(doc);
      inDocs.push(1);
    }
  }
  return [...found.values()].map(({ token }) => token).sort((a, b) => a.start - b.start);
}

/**
 * In JavaScript, types of documentation comments stand in the tree a second time, as if they were written in the code. That second node
 * has the better neighbours; that it stands in a comment, the first one knows.
 */
function keepBest(found: Map<number, Found>, token: NameToken, rank: number): void {
  const other = found.get(token.start);
  if (other === undefined) {
    found.set(token.start, { token, rank });
    return;
  }
  const best = rank < other.rank ? token : other.token;
  const isDoc = token.kind === 'jsdoc' || other.token.kind === 'jsdoc';
  found.set(token.start, { token: isDoc ? { ...best, kind: 'jsdoc' } : best, rank: Math.min(rank, other.rank) });
}

function isReparsed(node: Node): boolean {
  return (node.flags & NodeFlags.Reparsed) !== 0;
}

function readToken(node: Node, path: string, text: string, inDoc: boolean): NameToken | undefined {
  const kind = kindOf(node, inDoc);
  if (kind === undefined) return undefined;
  const isQuoted = isStringLike(node);
  const start = node.getStart() + (isQuoted ? 1 : 0);
  // An unclosed string ends without its quote.
  const end = isQuoted && node.end > start && text[node.end - 1] === text[start - 1] ? node.end - 1 : node.end;
  // What the parser made up to go on after an error has no text.
  if (end <= start) return undefined;
  const name =
    node.kind === SyntaxKind.JsxNamespacedName ? text.slice(start, end) : ((node as { text?: string }).text ?? '');
  return { path, start, end, text: name, kind, node };
}

type Shape = Node & {
  readonly name?: Node;
  readonly propertyName?: Node;
  readonly tagName?: Node;
  readonly label?: Node;
  readonly expression?: Node;
  readonly argumentExpression?: Node;
  readonly indexType?: Node;
  readonly arguments?: readonly Node[];
};

function kindOf(node: Node, inDoc: boolean): TokenKind | undefined {
  const parent = node.parent as Shape | undefined;
  switch (node.kind) {
    case SyntaxKind.Identifier:
      return parent === undefined ? undefined : kindOfIdentifier(node, parent, inDoc);
    case SyntaxKind.PrivateIdentifier:
      return inDoc ? 'jsdoc' : 'private';
    case SyntaxKind.JsxNamespacedName:
      return 'jsx';
    case SyntaxKind.StringLiteral:
      return parent !== undefined && isNamePosition(node, parent) ? (inDoc ? 'jsdoc' : 'string') : undefined;
    case SyntaxKind.NoSubstitutionTemplateLiteral:
      return parent !== undefined && isNamePosition(node, parent) ? (inDoc ? 'jsdoc' : 'template') : undefined;
    default:
      return undefined;
  }
}

function kindOfIdentifier(node: Node, parent: Shape, inDoc: boolean): TokenKind | undefined {
  switch (parent.kind) {
    case SyntaxKind.MetaProperty:
      return undefined;
    // `as const`
    case SyntaxKind.TypeReference:
      if ((node as { text?: string }).text === 'const') return undefined;
      break;
    case SyntaxKind.LabeledStatement:
    case SyntaxKind.BreakStatement:
    case SyntaxKind.ContinueStatement:
      return parent.label === node ? 'label' : 'identifier';
    case SyntaxKind.JsxAttribute:
      return parent.name === node ? 'jsx' : 'identifier';
    case SyntaxKind.JsxOpeningElement:
    case SyntaxKind.JsxClosingElement:
    case SyntaxKind.JsxSelfClosingElement:
      return parent.tagName === node ? 'jsx' : 'identifier';
  }
  if (!inDoc) return 'identifier';
  return isDocTag(parent) && parent.tagName === node ? undefined : 'jsdoc';
}

function isDocTag({ kind }: Node): boolean {
  return kind >= SyntaxKind.FirstJSDocTagNode && kind <= SyntaxKind.LastJSDocTagNode;
}

/** Could a name stand where this string stands, and mean the same? */
function isNamePosition(node: Node, parent: Shape): boolean {
  switch (parent.kind) {
    case SyntaxKind.PropertyAssignment:
    case SyntaxKind.PropertySignature:
    case SyntaxKind.PropertyDeclaration:
    case SyntaxKind.MethodDeclaration:
    case SyntaxKind.MethodSignature:
    case SyntaxKind.GetAccessor:
    case SyntaxKind.SetAccessor:
    case SyntaxKind.EnumMember:
    case SyntaxKind.NamespaceExport:
      return parent.name === node;
    case SyntaxKind.BindingElement:
      return parent.propertyName === node;
    case SyntaxKind.ImportSpecifier:
    case SyntaxKind.ExportSpecifier:
      return parent.name === node || parent.propertyName === node;
    case SyntaxKind.ComputedPropertyName:
      return parent.expression === node;
    case SyntaxKind.ElementAccessExpression:
      return parent.argumentExpression === node;
    case SyntaxKind.LiteralType: {
      const holder = parent.parent as Shape | undefined;
      return holder?.kind === SyntaxKind.IndexedAccessType && holder.indexType === parent;
    }
    case SyntaxKind.CallExpression:
      return parent.arguments?.[1] === node && isDefineProperty(parent.expression);
    default:
      return false;
  }
}

function isDefineProperty(callee: Shape | undefined): boolean {
  if (callee?.kind !== SyntaxKind.PropertyAccessExpression) return false;
  const object = callee.expression as (Node & { readonly text?: string }) | undefined;
  return (
    object?.kind === SyntaxKind.Identifier &&
    object.text === 'Object' &&
    (callee.name as { text?: string } | undefined)?.text === 'defineProperty'
  );
}

// Where a name stands today, unbound: binding is the dear part, and most rules about names ask the syntax around them first. Of a name
// that the language confines to its file, only the files of the rename are looked at.

export type UnboundName = { readonly program: OpenProgram; readonly token: NameToken };

const knownNames = new WeakMap<RenameWorld, Map<string, readonly UnboundName[]>>();

export function listUnboundNames(world: RenameWorld, name: string): readonly UnboundName[] {
  const byName = knownNames.get(world) ?? new Map<string, readonly UnboundName[]>();
  knownNames.set(world, byName);
  const listed = byName.get(name) ?? findAll(world, name);
  byName.set(name, listed);
  return listed;
}

function findAll(world: RenameWorld, name: string): readonly UnboundName[] {
  const own = new Set(world.occurrences.map(({ token }) => token.path));
  return world.programs.open.flatMap((program) =>
    program.files.flatMap((path) => {
      if (world.reach === 'file' && !own.has(path)) return [];
      const text = program.sourceFile(path)?.text ?? '';
      if (!text.includes(name) && !text.includes('\\')) return [];
      return listNameTokens(program, path).flatMap((token) => (token.text === name ? [{ program, token }] : []));
    }),
  );
}
