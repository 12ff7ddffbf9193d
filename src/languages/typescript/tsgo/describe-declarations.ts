/**
 * What is said of a declaration besides its places: a signature, from which the file's interface is hashed. What is written is taken as it
 * is written; only where something that others can see is inferred is the checker asked for its type. Of locals nothing is asked: no other
 * file can observe them.
 */

import { createHash } from 'node:crypto';
import { cutDots } from '../../../kernel/formats/scip.ts';
import type { Shape } from '../compiler/node-shape.ts';
import { type Node, NodeFlags, SyntaxKind } from '../compiler/typescript-api.ts';
import type { Questions } from './ask-compiler.ts';
import type { FileName } from './list-names.ts';
import { local, type SpellDeclaration } from './spell-declarations.ts';
import { isScript, readAssigned } from './tsgo-scripts.ts';

export type Describer = {
  /** Asks for all types of a document at once. */
  prepare(names: readonly FileName[]): void;
  /** Undefined for what no other file can observe. */
  signatureOf(declaration: Node): string | undefined;
};

const longestSignature = 4_000;
const keptOfLonger = 1_000;
/** As long as the compiler's own texts become. */
const longestValue = 160;

/**
 * Where the compiler cut a type. What is inferred counts in the file's syntactic interface with all its text, and with all it is
 * inferred from; here it is for reading only, and must not look like a signature that was cut and so tells nothing.
 */
const everyCut = new RegExp(cutDots, 'gu');

export function createDescriber(questions: Questions, spell: SpellDeclaration, root: string): Describer {
  const inferred = new Map<Node, string>();
  return {
    prepare(names) {
      inferred.clear();
      const asked = names.flatMap(({ declares, assigns }) => {
        const declaration = declares ?? assigns;
        return declaration !== undefined && isInferred(declaration) && spell(declaration) !== local
          ? [declaration]
          : [];
      });
      for (const [at, type] of questions.typesAt(asked).entries()) {
        const declaration = asked[at] as Node;
        const text = type === undefined ? undefined : questions.textOf(type);
        if (text !== undefined) inferred.set(declaration, text.replaceAll(root, '').replace(everyCut, '…'));
      }
    },
    signatureOf: (declaration) =>
      isHiddenKey(declaration) ? undefined : render(declaration, inferred.get(declaration)),
  };
}

/** A long type is told from another by its hash. */
function shorten(text: string): string {
  if (text.length <= longestSignature) return text;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 32);
  return `${text.slice(0, keptOfLonger)} #${hash}`;
}

/** Does the checker have to work out a type that others can see? */
function isInferred(declaration: Shape): boolean {
  switch (declaration.kind) {
    case SyntaxKind.VariableDeclaration:
    case SyntaxKind.PropertyDeclaration:
      return declaration.type === undefined && !isWritten(declaration.initializer);
    case SyntaxKind.FunctionDeclaration:
    case SyntaxKind.MethodDeclaration:
      return (declaration.type === undefined && declaration.body !== undefined) || hasInferredParameter(declaration);
    case SyntaxKind.GetAccessor:
      return declaration.type === undefined;
    case SyntaxKind.BinaryExpression:
      return true;
    case SyntaxKind.SetAccessor:
    case SyntaxKind.Constructor:
      return hasInferredParameter(declaration);
    default:
      return false;
  }
}

/** A value that says its type itself: asking for the types of tables of constants takes longer than anything else that is asked here. */
function isWritten(value: Node | undefined): boolean {
  switch (value?.kind) {
    case SyntaxKind.ArrayLiteralExpression:
    case SyntaxKind.AsExpression:
    case SyntaxKind.BigIntLiteral:
    case SyntaxKind.NoSubstitutionTemplateLiteral:
    case SyntaxKind.NumericLiteral:
    case SyntaxKind.ObjectLiteralExpression:
    case SyntaxKind.RegularExpressionLiteral:
    case SyntaxKind.SatisfiesExpression:
    case SyntaxKind.StringLiteral:
    case SyntaxKind.TemplateExpression:
    case SyntaxKind.TrueKeyword:
    case SyntaxKind.FalseKeyword:
      return true;
    default:
      return false;
  }
}

function hasInferredParameter({ parameters }: Shape): boolean {
  return parameters?.some((parameter) => (parameter as Shape).type === undefined) === true;
}

function render(declaration: Shape, inferred: string | undefined): string {
  const name = declaration.name?.getText() ?? '';
  const type = (): string => inferred ?? textOf(declaration.type);
  const typeOrValue = (): string => after(': ', type()) || after(' = ', readValue(declaration.initializer));
  switch (declaration.kind) {
    case SyntaxKind.InterfaceDeclaration:
      return `interface ${name}`;
    case SyntaxKind.ClassDeclaration:
      return `class ${name}`;
    case SyntaxKind.EnumDeclaration:
      return `enum ${name}`;
    case SyntaxKind.TypeAliasDeclaration:
    case SyntaxKind.JSTypeAliasDeclaration:
      return `type ${name}`;
    case SyntaxKind.EnumMember:
      return `(enum member) ${name}${after(' = ', textOf(declaration.initializer))}`;
    case SyntaxKind.VariableDeclaration:
      return `${variableWord(declaration)} ${name}${typeOrValue()}`;
    case SyntaxKind.BindingElement:
      return `var ${name}`;
    case SyntaxKind.Parameter:
      return `(parameter) ${name}${after(': ', type())}`;
    case SyntaxKind.TypeParameter:
      return `${name}: ${name}`;
    case SyntaxKind.PropertyDeclaration:
    case SyntaxKind.PropertySignature:
      return `(property) ${name}${typeOrValue()}`;
    case SyntaxKind.PropertyAssignment:
    case SyntaxKind.ShorthandPropertyAssignment:
      return `(property) ${name}`;
    case SyntaxKind.BinaryExpression:
      return `(property) ${textOf(readAssigned(declaration)?.name)}${after(': ', type())}`;
    case SyntaxKind.FunctionDeclaration:
      return inferred === undefined ? `function ${headOf(declaration)}` : `function ${name}: ${inferred}`;
    case SyntaxKind.MethodDeclaration:
    case SyntaxKind.MethodSignature:
      return inferred === undefined ? `(method) ${headOf(declaration)}` : `(method) ${name}: ${inferred}`;
    case SyntaxKind.Constructor:
      return inferred === undefined ? headOf(declaration) : `constructor: ${inferred}`;
    case SyntaxKind.GetAccessor:
      return `get ${name}${after(': ', type())}`;
    case SyntaxKind.SetAccessor:
      return `set ${inferred === undefined ? headOf(declaration) : `${name}: ${inferred}`}`;
    case SyntaxKind.ModuleDeclaration:
      return `namespace ${name}`;
    default:
      return name;
  }
}

function variableWord(declaration: Node): string {
  const flags = declaration.parent?.flags ?? 0;
  if ((flags & NodeFlags.Const) !== 0) return 'const';
  return (flags & NodeFlags.Let) !== 0 ? 'let' : 'var';
}

/** From the name to where the body begins. */
function headOf(declaration: Shape): string {
  const from = declaration.name?.getStart() ?? declaration.parameters?.[0]?.pos ?? declaration.getStart();
  const to = declaration.body?.pos ?? declaration.end;
  const head = collapse(declaration.getSourceFile().text.slice(from, to)).replace(/;$/, '');
  return declaration.kind === SyntaxKind.Constructor ? `constructor(${head}` : head;
}

function after(sign: string, text: string): string {
  return text === '' ? '' : sign + text;
}

function textOf(node: Node | undefined): string {
  return node === undefined ? '' : collapse(node.getText());
}

/** Whole or not at all: half a secret would not be recognised as one when this is stored, nor would one in a template. */
function readValue(node: Node | undefined): string {
  if (node === undefined || !isWritten(node)) return '';
  const text = node.getText();
  return text.length > longestValue || text.includes('`') ? '' : collapse(text).replaceAll('...', '…');
}

function collapse(text: string): string {
  return shorten(text.replace(/\s+/g, ' ').trim());
}

/**
 * A key of an object literal that no other file can see. A literal leaves a function only as what it returns; where that is
 * written, others see what is written. In JavaScript an assignment may declare what it assigns to, so nothing is hidden there.
 */
function isHiddenKey(declaration: Node): boolean {
  if (declaration.kind !== SyntaxKind.PropertyAssignment && declaration.kind !== SyntaxKind.ShorthandPropertyAssignment)
    return false;
  let node: Shape = declaration;
  for (let parent = node.parent as Shape | undefined; parent !== undefined; parent = node.parent as Shape | undefined) {
    if (parent.body === node && parent.type !== undefined) return !isScript(node.getSourceFile().fileName);
    node = parent;
  }
  return false;
}

/**
 * What the documentation comment before a declaration says, without its tags; empty where there is none. For readers of an index,
 * who have no other way to it. Read off the text, because asking the compiler would cost a request for each declaration.
 */
export function readDocumentation(declaration: Node): string {
  const documented = findDocumented(declaration);
  if (documented === undefined) return '';
  const before = documented.getSourceFile().text.slice(documented.pos, documented.getStart());
  const begin = before.lastIndexOf('/**');
  const end = before.indexOf('*/', begin + 3);
  if (begin === -1 || end === -1) return '';
  const lines: string[] = [];
  for (const line of before.slice(begin + 3, end).split(/\r\n|\n|\r/)) {
    const said = line.replace(/^\s*\*? ?/, '').trimEnd();
    if (/^\s*@[a-z]/i.test(said)) break;
    lines.push(said);
  }
  return lines.join('\n').trim();
}

/** The comment of a variable stands before its statement, and is that of the first. */
function findDocumented(declaration: Node): Node | undefined {
  switch (declaration.kind) {
    case SyntaxKind.VariableDeclaration: {
      const list = declaration.parent;
      const statement = list?.parent;
      if (statement?.kind !== SyntaxKind.VariableStatement) return undefined;
      return (list as Node & { readonly declarations?: readonly Node[] }).declarations?.[0] === declaration
        ? statement
        : undefined;
    }
    case SyntaxKind.BinaryExpression:
      return declaration.parent?.kind === SyntaxKind.ExpressionStatement ? declaration.parent : undefined;
    case SyntaxKind.Parameter:
    case SyntaxKind.TypeParameter:
    case SyntaxKind.BindingElement:
      return undefined;
    default:
      return declaration;
  }
}
