/**
 * Which part of a program a declaration's name is visible in, as TypeScript's binder has it: a function's parameters and the top of its
 * body are one scope, a namespace's exports are in scope in all its parts, a script's top level is the whole program's. Compared by
 * walking up from a reference: the scope met first is the nearer one.
 */

import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';
import type { OpenProgram, Programs } from '../job/job-types.ts';
import { nameOf } from './name-positions.ts';

const K = ts.SyntaxKind;

export type Scope = {
  /** The nodes that make it up; none: the program itself. */
  readonly nodes: readonly ts.Node[];
  /** The name a function or class expression gives itself is one step outside its locals. */
  readonly isSelfName: boolean;
};

export const globalScope: Scope = { nodes: [], isSelfName: false };

/** Undefined: not a name that scopes decide about. */
export function scopeOfDeclaration(program: OpenProgram, declaration: ts.Node): Scope | undefined {
  switch (declaration.kind) {
    case K.Parameter:
      return local(declaration.parent);
    case K.BindingElement:
      return scopeOfDeclaration(program, rootOfBinding(declaration));
    case K.VariableDeclaration:
      return scopeOfVariable(program, declaration);
    case K.FunctionExpression:
    case K.ClassExpression:
      return { nodes: [declaration], isSelfName: true };
    case K.TypeParameter:
      return scopeOfTypeParameter(declaration);
    case K.EnumMember:
      return partsOf(program, declaration.parent);
    case K.FunctionDeclaration:
    case K.ClassDeclaration:
    case K.InterfaceDeclaration:
    case K.TypeAliasDeclaration:
    case K.EnumDeclaration:
    case K.ModuleDeclaration:
      return isGlobalAugmentation(declaration)
        ? undefined
        : scopeOfContainer(program, declaration, blockContainer(declaration));
    case K.ImportClause:
    case K.NamespaceImport:
    case K.ImportSpecifier:
    case K.ImportEqualsDeclaration:
    case K.JSDocTypedefTag:
    case K.JSDocCallbackTag:
    case K.JSTypeAliasDeclaration:
      return scopeOfContainer(program, declaration, functionContainer(declaration));
    case K.NamespaceExportDeclaration:
      return globalScope;
    default:
      return undefined;
  }
}

/** Of all declarations of a symbol, those outside the root taken for global: nothing else of theirs is in scope by name. */
export function scopesOfSymbol(programs: Programs, program: OpenProgram, symbol: ts.Symbol): readonly Scope[] {
  const scopes: Scope[] = [];
  for (const handle of symbol.declarations) {
    if (programs.place(handle.path).outside) {
      scopes.push(globalScope);
      continue;
    }
    const node = handle.resolve(program.project);
    const scope = node === undefined ? undefined : scopeOfDeclaration(program, node);
    if (scope !== undefined) scopes.push(scope);
  }
  return scopes;
}

/** Which of two scopes a name at `from` is looked up in first; null: it is in neither. */
export function nearerScope(from: ts.Node, a: readonly Scope[], b: readonly Scope[]): 'a' | 'b' | 'same' | null {
  const holds = (scopes: readonly Scope[], node: ts.Node, isSelfName: boolean): boolean =>
    scopes.some((scope) => scope.isSelfName === isSelfName && scope.nodes.includes(node));
  for (let node: ts.Node | undefined = from; node !== undefined; node = node.parent) {
    for (const isSelfName of [false, true]) {
      const inA = holds(a, node, isSelfName);
      const inB = holds(b, node, isSelfName);
      if (inA || inB) return inA && inB ? 'same' : inA ? 'a' : 'b';
    }
  }
  const [globalA, globalB] = [a.some(isGlobal), b.some(isGlobal)];
  return globalA && globalB ? 'same' : globalA ? 'a' : globalB ? 'b' : null;
}

export function isGlobal(scope: Scope): boolean {
  return scope.nodes.length === 0;
}

export function isSameScope(a: Scope, b: Scope): boolean {
  if (isGlobal(a) || isGlobal(b)) return isGlobal(a) && isGlobal(b);
  return a.isSelfName === b.isSelfName && a.nodes.some((node) => b.nodes.includes(node));
}

export function holdsNode(scope: Scope, node: ts.Node): boolean {
  return isGlobal(scope) || nearerScope(node, [scope], []) === 'a';
}

export function wordForScope(scope: Scope): string {
  const node = scope.nodes[0];
  if (node === undefined) return 'globally';
  if (node.kind === K.SourceFile) return 'in the same file';
  if (node.kind === K.ModuleDeclaration) return 'in the same namespace';
  if (node.kind === K.EnumDeclaration) return 'in the same enum';
  return isFunctionLike(node) ? 'in the same function' : 'in the same scope';
}

function local(node: ts.Node): Scope {
  return { nodes: [node], isSelfName: false };
}

/** The variable or parameter that a pattern is the name of. */
export function rootOfBinding(element: ts.Node): ts.Node {
  let at = element;
  while (ts.isBindingElement(at)) at = at.parent.parent;
  return at;
}

function scopeOfVariable(program: OpenProgram, declaration: ts.Node): Scope | undefined {
  if (declaration.parent.kind === K.CatchClause) return local(declaration.parent);
  const isBlockScoped = (declaration.parent.flags & (ts.NodeFlags.Let | ts.NodeFlags.Const | ts.NodeFlags.Using)) !== 0;
  const container = isBlockScoped ? blockContainer(declaration) : functionContainer(declaration);
  return scopeOfContainer(program, declaration, container);
}

function scopeOfTypeParameter(declaration: ts.Node): Scope | undefined {
  const parent = declaration.parent;
  if (parent.kind !== K.InferType) return local(parent);
  for (let at: ts.Node = parent; at.parent !== undefined; at = at.parent) {
    // What `infer` names is in scope in the branch that is taken, and nowhere else.
    if (ts.isConditionalTypeNode(at.parent) && at.parent.extendsType === at) return local(at.parent.trueType);
  }
  return undefined;
}

const knownModules = new WeakMap<OpenProgram, Map<ts.Node, boolean>>();

function isModule(program: OpenProgram, file: ts.Node): boolean {
  const known = knownModules.get(program) ?? new Map<ts.Node, boolean>();
  knownModules.set(program, known);
  const isOne = known.get(file) ?? program.project.checker.getSymbolAtLocation(file) !== undefined;
  known.set(file, isOne);
  return isOne;
}

function scopeOfContainer(program: OpenProgram, declaration: ts.Node, container: ts.Node): Scope {
  if (container.kind === K.SourceFile) return isModule(program, container) ? local(container) : globalScope;
  if (container.kind !== K.ModuleDeclaration) return local(container);
  if (isGlobalAugmentation(container)) return globalScope;
  return isExported(declaration) ? partsOf(program, container) : local(container);
}

/** All declarations of a namespace or enum: what one exports is in scope in the others. */
function partsOf(program: OpenProgram, container: ts.Node): Scope {
  const name = nameOf(container);
  const symbol = name === undefined ? undefined : program.project.checker.getSymbolAtLocation(name);
  const nodes = [container];
  for (const handle of symbol?.declarations ?? []) {
    if (handle.kind !== container.kind) continue;
    const node = handle.resolve(program.project);
    if (node !== undefined && node !== container) nodes.push(node);
  }
  return { nodes, isSelfName: false };
}

function isGlobalAugmentation(node: ts.Node): boolean {
  return ts.isModuleDeclaration(node) && ts.isIdentifier(node.name) && node.name.text === 'global';
}

function isExported(declaration: ts.Node): boolean {
  for (let at = rootOfBinding(declaration); at !== undefined; at = at.parent) {
    const modifiers = (at as { readonly modifiers?: readonly ts.Node[] }).modifiers;
    if (modifiers?.some((modifier) => modifier.kind === K.ExportKeyword)) return true;
    if (at.kind === K.ModuleBlock || at.kind === K.SourceFile) return (at.flags & ts.NodeFlags.Ambient) !== 0;
  }
  return false;
}

function functionContainer(node: ts.Node): ts.Node {
  let at = node.parent;
  while (!isFunctionLike(at) && !isOuterContainer(at)) at = at.parent;
  return at;
}

function blockContainer(node: ts.Node): ts.Node {
  let at = node.parent;
  while (!isFunctionLike(at) && !isOuterContainer(at) && !isBlockContainer(at)) at = at.parent;
  return at;
}

function isOuterContainer(node: ts.Node): boolean {
  return node.kind === K.SourceFile || node.kind === K.ModuleDeclaration || node.kind === K.ClassStaticBlockDeclaration;
}

function isBlockContainer(node: ts.Node): boolean {
  switch (node.kind) {
    case K.ForStatement:
    case K.ForInStatement:
    case K.ForOfStatement:
    case K.CaseBlock:
    case K.CatchClause:
      return true;
    case K.Block:
      // A function's own block is the function's scope, and a handler's that of what it catches.
      return (
        !isFunctionLike(node.parent) &&
        node.parent.kind !== K.ClassStaticBlockDeclaration &&
        node.parent.kind !== K.CatchClause
      );
    default:
      return false;
  }
}

export function isFunctionLike(node: ts.Node): boolean {
  switch (node.kind) {
    case K.FunctionDeclaration:
    case K.FunctionExpression:
    case K.ArrowFunction:
    case K.MethodDeclaration:
    case K.Constructor:
    case K.GetAccessor:
    case K.SetAccessor:
    case K.MethodSignature:
    case K.CallSignature:
    case K.ConstructSignature:
    case K.IndexSignature:
    case K.FunctionType:
    case K.ConstructorType:
      return true;
    default:
      return false;
  }
}
