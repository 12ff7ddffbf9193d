/**
 * The names of one file, in the order in which they stand: identifiers, private names, strings that can name something, and `constructor`;
 * those that documentation comments link to; in scripts also those of types in such comments, beside what they are about.
 * Each with what can be said of it by its place alone: whether it declares something, is a key whose meaning its contextual type decides,
 * or has to be asked about. Left out is what never has a symbol: most strings, and what the parser made up to go on after an error.
 */

import { isAsciiWord } from '../../../kernel/base/text.ts';
import type { Shape } from '../compiler/node-shape.ts';
import { type Node, NodeFlags, type SourceFile, SyntaxKind } from '../compiler/typescript-api.ts';
import { isOwnAlias, reverseTail } from './spell-declarations.ts';
import { isScript, readAssigned } from './tsgo-scripts.ts';

export type FileName = {
  readonly node: Node;
  readonly start: number;
  readonly end: number;
  /** What this is the name of; of `constructor`, the constructor. Undefined where it names something declared elsewhere. */
  readonly declares: Node | undefined;
  /** The assignment that may declare it: `A.a = …`, in a script also `exports.a = …` and `this.a = …`. */
  readonly assigns: Node | undefined;
  /** The object literal or JSX attributes whose contextual type says what this key is. */
  readonly holder: Node | undefined;
};

export function listNames(file: SourceFile): readonly FileName[] {
  const { text } = file;
  const inScript = isScript(file.fileName);
  const hasLinks = /\{\s*@link|@see\b/.test(text);
  const names: FileName[] = [];
  const inComments = new Set<number>();
  const pending: Node[] = [file];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const name = readName(node, text, inScript);
    if (name !== undefined && isNew(name, inComments)) names.push(name);
    const from = pending.length;
    if (hasLinks) pending.push(...listLinked(node));
    node.forEachChild((child) => {
      pending.push(child);
    });
    reverseTail(pending, from);
  }
  return names;
}

/** `{@link a}`, `@see a`: what the comments of a node name. The types that they state are the compiler's in scripts alone. */
function listLinked(node: Node): readonly Node[] {
  const linked: Node[] = [];
  const pending: Node[] = [...((node as Node & { readonly jsDoc?: readonly Node[] }).jsDoc ?? [])].reverse();
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (isLink(part)) {
      // Not by its name: where a link has none, something else is taken for it.
      part.forEachChild((child) => {
        if (child.kind === SyntaxKind.Identifier || child.kind === SyntaxKind.QualifiedName) linked.push(child);
      });
      continue;
    }
    const from = pending.length;
    part.forEachChild((child) => {
      pending.push(child);
    });
    reverseTail(pending, from);
  }
  return linked;
}

export function isLink({ kind }: Node): boolean {
  switch (kind) {
    case SyntaxKind.JSDocLink:
    case SyntaxKind.JSDocLinkCode:
    case SyntaxKind.JSDocLinkPlain:
    case SyntaxKind.JSDocNameReference:
      return true;
    default:
      return false;
  }
}

/** What a script says in documentation comments stands in the tree where it counts, and sometimes twice. */
function isNew({ node, start }: FileName, inComments: Set<number>): boolean {
  if ((node.flags & NodeFlags.Reparsed) === 0) return true;
  if (inComments.has(start)) return false;
  inComments.add(start);
  return true;
}

function readName(node: Node, text: string, inScript: boolean): FileName | undefined {
  switch (node.kind) {
    case SyntaxKind.Identifier:
    case SyntaxKind.PrivateIdentifier: {
      const start = findWordStart(node, text);
      return start < node.end ? placeName(node, start, inScript) : undefined;
    }
    case SyntaxKind.StringLiteral:
    case SyntaxKind.NoSubstitutionTemplateLiteral:
      // One that never ends names whatever follows it.
      if (text[node.end - 1] !== text[node.getStart()]) return undefined;
      return canName(node, node.parent as Shape) ? placeName(node, node.getStart(), inScript) : undefined;
    case SyntaxKind.Constructor: {
      const word = /\bconstructor\b/g;
      word.lastIndex = skipModifiers(node);
      const at = word.exec(text)?.index ?? node.getStart();
      return { node, start: at, end: at + 'constructor'.length, declares: node, assigns: undefined, holder: undefined };
    }
    default:
      return undefined;
  }
}

function skipModifiers(node: Node): number {
  const { modifiers } = node as Node & { readonly modifiers?: readonly Node[] };
  return modifiers?.at(-1)?.end ?? node.getStart();
}

/** Identifiers are nearly always what stands before their end; the scanner knows the rest. */
function findWordStart(node: Node, text: string): number {
  const { pos, end } = node;
  let at = end;
  for (; at > pos; at -= 1) {
    const code = text.charCodeAt(at - 1);
    // Escapes, other alphabets, and the hyphens of `<my-element data-x>`.
    if (code > 127 || code === 92 || code === 125 || (code === 45 && isJsxName(node))) return node.getStart();
    // `$`, and the sign of `#private`.
    if (!isAsciiWord(code) && code !== 36 && code !== 35) break;
  }
  return at;
}

function isJsxName({ parent }: Node): boolean {
  switch (parent?.kind) {
    case SyntaxKind.JsxAttribute:
    case SyntaxKind.JsxNamespacedName:
    case SyntaxKind.JsxOpeningElement:
    case SyntaxKind.JsxClosingElement:
    case SyntaxKind.JsxSelfClosingElement:
      return true;
    default:
      return false;
  }
}

function placeName(node: Node, start: number, inScript: boolean): FileName {
  const parent = node.parent as Shape;
  const holder = findHolder(node, parent);
  // `{ ['a']: 1 }` and `class { ['a'] = 1 }` declare `a`.
  const member = parent.kind === SyntaxKind.ComputedPropertyName ? findBracketed(node, parent) : undefined;
  const declares = isNamedByName(parent) && parent.name === node ? parent : member;
  const assigns =
    parent.kind === SyntaxKind.PropertyAccessExpression ? findAssigning(node, parent, inScript) : undefined;
  return { node, start, end: node.end, declares, assigns, holder };
}

function findBracketed(node: Node, name: Shape): Node | undefined {
  const member = name.parent as Shape | undefined;
  const isMember = node.kind !== SyntaxKind.Identifier && member !== undefined && isNamedByName(member);
  return isMember && member.name === name ? member : undefined;
}

function findAssigning(node: Node, { parent }: Shape, inScript: boolean): Node | undefined {
  const assigned = parent === undefined ? undefined : readAssigned(parent);
  return assigned?.name === node && (inScript || assigned.of === 'named') ? parent : undefined;
}

/** Declarations whose name is a definition. */
function isNamedByName(node: Shape): boolean {
  switch (node.kind) {
    case SyntaxKind.ImportEqualsDeclaration:
      return isOwnAlias(node);
    case SyntaxKind.BindingElement:
    case SyntaxKind.EnumDeclaration:
    case SyntaxKind.EnumMember:
    case SyntaxKind.VariableDeclaration:
    case SyntaxKind.PropertyDeclaration:
    case SyntaxKind.GetAccessor:
    case SyntaxKind.SetAccessor:
    case SyntaxKind.MethodSignature:
    case SyntaxKind.MethodDeclaration:
    case SyntaxKind.PropertySignature:
    case SyntaxKind.FunctionDeclaration:
    case SyntaxKind.ModuleDeclaration:
    case SyntaxKind.PropertyAssignment:
    case SyntaxKind.ShorthandPropertyAssignment:
    case SyntaxKind.Parameter:
    case SyntaxKind.TypeParameter:
    case SyntaxKind.TypeAliasDeclaration:
    case SyntaxKind.JSTypeAliasDeclaration:
    case SyntaxKind.InterfaceDeclaration:
    case SyntaxKind.ClassDeclaration:
      return true;
    default:
      return false;
  }
}

function findHolder(node: Node, parent: Shape): Node | undefined {
  const isBracketed = parent.kind === SyntaxKind.ComputedPropertyName && node.kind !== SyntaxKind.Identifier;
  const member = (isBracketed ? parent.parent : parent) as Shape;
  switch (member.kind) {
    case SyntaxKind.PropertyAssignment:
    case SyntaxKind.ShorthandPropertyAssignment:
    case SyntaxKind.MethodDeclaration:
    case SyntaxKind.GetAccessor:
    case SyntaxKind.SetAccessor: {
      const isKey = member.name === (isBracketed ? parent : node);
      return isKey && member.parent?.kind === SyntaxKind.ObjectLiteralExpression ? member.parent : undefined;
    }
    case SyntaxKind.JsxAttribute:
      return member.name === node ? member.parent : undefined;
    default:
      return undefined;
  }
}

/** Can a string that stands here have a symbol? */
function canName(node: Node, parent: Shape): boolean {
  switch (parent.kind) {
    case SyntaxKind.ImportDeclaration:
    case SyntaxKind.JSImportDeclaration:
    case SyntaxKind.ExportDeclaration:
    case SyntaxKind.ExternalModuleReference:
      return true;
    case SyntaxKind.LiteralType: {
      const around = parent.parent?.kind;
      return around === SyntaxKind.IndexedAccessType || around === SyntaxKind.ImportType;
    }
    case SyntaxKind.ElementAccessExpression:
      return parent.argumentExpression === node;
    case SyntaxKind.ComputedPropertyName:
    case SyntaxKind.ImportSpecifier:
    case SyntaxKind.ExportSpecifier:
    case SyntaxKind.NamespaceExport:
      return true;
    case SyntaxKind.BindingElement:
      return parent.propertyName === node;
    case SyntaxKind.CallExpression:
      return parent.arguments?.includes(node) === true && mayNameModule(node, parent);
    default:
      return isNamedByName(parent) && parent.name === node;
  }
}

/** `import('…')`, `require('…')`, `Object.defineProperty(o, '…', …)` */
function mayNameModule(node: Node, { expression, arguments: given }: Shape): boolean {
  switch (expression?.kind) {
    case SyntaxKind.ImportKeyword:
      return given?.[0] === node;
    case SyntaxKind.Identifier:
      return given?.[0] === node && (expression as { text?: string }).text === 'require';
    case SyntaxKind.PropertyAccessExpression:
      return given?.[1] === node && (expression as Shape).name?.getText() === 'defineProperty';
    default:
      return false;
  }
}
