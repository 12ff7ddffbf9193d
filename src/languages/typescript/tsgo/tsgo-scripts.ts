/**
 * CommonJS, as far as it can be read off the text: what a script exports by assigning to `exports`, what a `require` takes; and what else is
 * declared by assigning: members of a class by `this.a = …`, properties of a class or a function by `A.a = …`. scip-typescript has no symbols for any of them (locals that nothing defines, a new one in every document);
 * here an exported name is `exports/a.` below its file, and what is assigned to something is spelled as if that declared it.
 *
 * Version 7 also binds less than the version that tool is built on: nothing of `exports.a` in a file that says `exports = module.exports
 * = {}`, and no module at `require('…').a`. These are found here by their names.
 */

import { dirname, join } from 'node:path/posix';
import { type Shape, textOfName } from '../compiler/node-shape.ts';
import { type Node, type Project, type SourceFile, SyntaxKind } from '../compiler/typescript-api.ts';

export function isScript(fileName: string): boolean {
  return /\.[cm]?jsx?$/.test(fileName);
}

/** `exports.a = …`, `module.exports.a = …`; `this.a = …`; `A.a = …` and `A.prototype.a = …` as statements of the file. */
export type Assigned =
  | { readonly of: 'exports'; readonly name: Node }
  | { readonly of: 'this'; readonly name: Node }
  | { readonly of: 'named'; readonly name: Node; readonly owner: Node }
  | { readonly of: 'prototype'; readonly name: Node; readonly owner: Node };

export function readAssigned(node: Shape): Assigned | undefined {
  const left = node.left as Shape | undefined;
  if (node.kind !== SyntaxKind.BinaryExpression || node.operatorToken?.kind !== SyntaxKind.EqualsToken)
    return undefined;
  const name = left?.kind === SyntaxKind.PropertyAccessExpression ? left.name : undefined;
  if (name?.kind !== SyntaxKind.Identifier || left?.expression === undefined) return undefined;
  if (left.expression.kind === SyntaxKind.ThisKeyword) return { of: 'this', name };
  if (isExports(left.expression)) return { of: 'exports', name };
  const isStatement = node.parent?.parent?.kind === SyntaxKind.SourceFile;
  if (!isStatement) return undefined;
  const owner = left.expression as Shape;
  if (owner.kind === SyntaxKind.Identifier) return { of: 'named', name, owner };
  return owner.kind === SyntaxKind.PropertyAccessExpression && textOfName(owner.name) === 'prototype'
    ? { of: 'prototype', name, owner }
    : undefined;
}

/** What a statement of a file declares under a name: a class, a function, a variable. */
export function findDeclared(file: SourceFile, name: string): Node | undefined {
  let declared = declaredIn.get(file);
  if (declared === undefined) {
    declared = listDeclared(file);
    declaredIn.set(file, declared);
  }
  return declared.get(name);
}

const declaredIn = new WeakMap<SourceFile, ReadonlyMap<string, Node>>();

function listDeclared({ statements }: SourceFile): ReadonlyMap<string, Node> {
  const declared = new Map<string, Node>();
  const add = (declaration: Shape): void => {
    const name = textOfName(declaration.name);
    if (name !== '' && !declared.has(name)) declared.set(name, declaration);
  };
  for (const statement of statements) {
    switch (statement.kind) {
      case SyntaxKind.ClassDeclaration:
      case SyntaxKind.FunctionDeclaration:
        add(statement);
        break;
      case SyntaxKind.VariableStatement:
        for (const declaration of (statement as Shape).declarationList?.declarations ?? []) add(declaration);
        break;
    }
  }
  return declared;
}

/** `exports.A = class B {}`: to other files the class is what is exported, and to its own unless it has a name there. */
export function findExportOf(declaration: Shape, asked: Node): Node {
  const { kind, parent, name } = declaration;
  if (kind !== SyntaxKind.ClassExpression || parent === undefined || readAssigned(parent)?.of !== 'exports')
    return declaration;
  return name !== undefined && asked.getSourceFile() === declaration.getSourceFile() ? declaration : parent;
}

/** `exports`, `module.exports` */
export function isExports(node: Shape): boolean {
  if (node.kind === SyntaxKind.Identifier) return textOfName(node) === 'exports';
  if (node.kind !== SyntaxKind.PropertyAccessExpression) return false;
  return textOfName(node.name) === 'exports' && textOfName(node.expression) === 'module';
}

/** The class whose instances, or which itself, `this` is. */
export function findThisClass(node: Node): Node | undefined {
  for (let inner = node, outer = node.parent as Node | undefined; outer !== undefined; outer = inner.parent) {
    switch (outer.kind) {
      case SyntaxKind.ClassDeclaration:
      case SyntaxKind.ClassExpression:
        return inner.kind === SyntaxKind.HeritageClause ? undefined : outer;
      case SyntaxKind.FunctionDeclaration:
      case SyntaxKind.FunctionExpression:
      case SyntaxKind.ObjectLiteralExpression:
      case SyntaxKind.SourceFile:
        return undefined;
    }
    inner = outer;
  }
  return undefined;
}

/** Of `const a = require('…')`, `const { a } = require('…')` and `const a = require('…').b`. */
type Required = {
  readonly specifier: Node;
  /** What of the module is taken; undefined: all of it. */
  readonly taken: Node | undefined;
};

export function readRequired(declaration: Shape): Required | undefined {
  if (declaration.kind === SyntaxKind.BindingElement) {
    const specifier = readRequire((declaration.parent?.parent as Shape | undefined)?.initializer);
    const taken = declaration.propertyName ?? declaration.name;
    return specifier === undefined ? undefined : { specifier, taken };
  }
  if (declaration.kind !== SyntaxKind.VariableDeclaration) return undefined;
  const initializer = declaration.initializer as Shape | undefined;
  if (initializer?.kind === SyntaxKind.PropertyAccessExpression) {
    const specifier = readRequire(initializer.expression);
    return specifier === undefined ? undefined : { specifier, taken: initializer.name };
  }
  const specifier = readRequire(initializer);
  return specifier === undefined ? undefined : { specifier, taken: undefined };
}

/** The specifier of `require('…')`. */
export function readRequire(node: Shape | undefined): Node | undefined {
  if (node?.kind !== SyntaxKind.CallExpression || textOfName(node.expression) !== 'require') return undefined;
  const [given] = node.arguments ?? [];
  return given?.kind === SyntaxKind.StringLiteral ? given : undefined;
}

/** `module.exports = …` around a literal, or the statement itself. */
export function isWholeExport(node: Shape): boolean {
  return (
    node.kind === SyntaxKind.BinaryExpression &&
    node.operatorToken?.kind === SyntaxKind.EqualsToken &&
    node.left !== undefined &&
    isExports(node.left)
  );
}

type Scripts = {
  /** The first assignment by which a file exports a name. */
  findExport(file: SourceFile, name: string): Node | undefined;
  /** What a relative specifier leads to, where the compiler does not say it. */
  findModule(specifier: Node): SourceFile | undefined;
};

const exportsOf = new WeakMap<SourceFile, ReadonlyMap<string, Node>>();
const filesOf = new WeakMap<Project, ReadonlySet<string>>();
const endings = ['', '.js', '.json', '.cjs', '.mjs', '.ts', '.d.ts', '.jsx', '.tsx', '/index.js', '/index.ts'];

export function createScripts(project: Project): Scripts {
  return {
    findExport(file, name) {
      let found = exportsOf.get(file);
      if (found === undefined) {
        found = isScript(file.fileName) ? listExports(file) : new Map();
        exportsOf.set(file, found);
      }
      return found.get(name);
    },
    findModule(specifier) {
      const path = textOfName(specifier);
      if (!/^\.\.?(?:\/|$)/.test(path)) return undefined;
      let files = filesOf.get(project);
      if (files === undefined) {
        files = new Set(project.program.getSourceFileNames());
        filesOf.set(project, files);
      }
      const base = join(dirname(specifier.getSourceFile().fileName), path);
      const fileName = endings.map((ending) => base + ending).find((name) => files.has(name));
      return fileName === undefined ? undefined : project.program.getSourceFile(fileName);
    },
  };
}

function listExports(file: SourceFile): ReadonlyMap<string, Node> {
  const found = new Map<string, Node>();
  if (!/\bexports\s*\.\s*[\w$]/.test(file.text)) return found;
  const pending: Node[] = [file];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const assigned = readAssigned(node);
    if (assigned?.of === 'exports' && !isShadowed(node)) {
      const name = textOfName(assigned.name);
      const before = found.get(name);
      if (before === undefined || node.pos < before.pos) found.set(name, node);
    }
    node.forEachChild((child) => {
      pending.push(child);
    });
  }
  return found;
}

/** `(function (exports) { exports.a = … })(…)` */
function isShadowed(node: Node): boolean {
  for (let around = node.parent as Shape | undefined; around !== undefined; around = around.parent as Shape | undefined)
    for (const parameter of around.parameters ?? [])
      if (/^(?:exports|module)$/.test(textOfName((parameter as Shape).name))) return true;
  return false;
}

/**
 * A member of what a function of a script makes with `new`: by `F.prototype.a = …`, by `F.prototype = { a: … }`, and by `this.a =
 * …` in the function or in one that is its member. Version 7 infers none of them, and what is read of an instance elsewhere stays
 * unknown; but what is said of `this` and of the prototype in the same file can be found by its name. Gives what first declares
 * it; of an access `this.a` or `F.prototype.a`, by its name.
 */
export function findInstanceMember(name: Node): Node | undefined {
  const access = name.parent as Shape | undefined;
  if (access?.kind !== SyntaxKind.PropertyAccessExpression || access.name !== name) return undefined;
  const receiver = access.expression as Shape;
  const owner = receiver.kind === SyntaxKind.ThisKeyword ? findMaker(access) : findPrototypeOwner(receiver);
  return owner === undefined ? undefined : listMembers(name.getSourceFile()).get(owner)?.get(textOfName(name));
}

/** `F` in `F.prototype`: what the file declares under that name. */
export function findPrototypeOwner(node: Shape): Node | undefined {
  if (node.kind !== SyntaxKind.PropertyAccessExpression || textOfName(node.name) !== 'prototype') return undefined;
  const { expression } = node;
  if (expression?.kind !== SyntaxKind.Identifier) return undefined;
  return findDeclared(node.getSourceFile(), textOfName(expression));
}

/** The function that makes what `this` is here. */
export function findMaker(node: Node): Node | undefined {
  for (let around = node.parent as Shape | undefined; around !== undefined; around = around.parent as Shape | undefined)
    switch (around.kind) {
      case SyntaxKind.FunctionDeclaration:
        return isKnownMaker(around) ? around : undefined;
      case SyntaxKind.FunctionExpression:
      case SyntaxKind.MethodDeclaration:
      case SyntaxKind.GetAccessor:
      case SyntaxKind.SetAccessor:
        return findMakerOf(around);
      case SyntaxKind.ClassDeclaration:
      case SyntaxKind.ClassExpression:
      case SyntaxKind.SourceFile:
        return undefined;
    }
  return undefined;
}

/** Of a member's function, or of a function that a variable holds. */
function findMakerOf(made: Shape): Node | undefined {
  const around = made.parent as Shape | undefined;
  if (around?.kind === SyntaxKind.VariableDeclaration) return isKnownMaker(around) ? around : undefined;
  if (around?.kind === SyntaxKind.BinaryExpression && around.right === made) {
    const access = around.left as Shape | undefined;
    return access?.kind === SyntaxKind.PropertyAccessExpression
      ? findPrototypeOwner(access.expression as Shape)
      : undefined;
  }
  const literal = made.kind === SyntaxKind.FunctionExpression ? around?.parent : around;
  const assignment = literal?.parent as Shape | undefined;
  return assignment?.kind === SyntaxKind.BinaryExpression && assignment.right === literal
    ? findPrototypeOwner(assignment.left as Shape)
    : undefined;
}

/** A function that gives its prototype something is one that makes instances; what `this` is in others is unknown. */
function isKnownMaker(declaration: Shape): boolean {
  const file = declaration.getSourceFile();
  const name = textOfName(declaration.name);
  return findDeclared(file, name) === declaration && makersIn(file).has(name);
}

const makers = new WeakMap<SourceFile, ReadonlySet<string>>();

function makersIn(file: SourceFile): ReadonlySet<string> {
  let found = makers.get(file);
  if (found === undefined) {
    const said = file.text.matchAll(/([\w$]+)\s*\.\s*prototype\s*(?:\.\s*[\w$]+\s*)?=(?!=)/g);
    found = new Set([...said].map(([, name = '']) => name));
    makers.set(file, found);
  }
  return found;
}

type Members = ReadonlyMap<Node, ReadonlyMap<string, Node>>;

const members = new WeakMap<SourceFile, Members>();

function listMembers(file: SourceFile): Members {
  let found = members.get(file);
  if (found === undefined) {
    found = makersIn(file).size === 0 ? new Map() : collectMembers(file);
    members.set(file, found);
  }
  return found;
}

function collectMembers(file: SourceFile): Members {
  const found = new Map<Node, Map<string, Node>>();
  const add = (owner: Node | undefined, name: Node, declaration: Node): void => {
    if (owner === undefined) return;
    const own = found.get(owner) ?? new Map<string, Node>();
    found.set(owner, own);
    const before = own.get(textOfName(name));
    if (before === undefined || declaration.pos < before.pos) own.set(textOfName(name), declaration);
  };
  const pending: Node[] = [file];
  for (let node = pending.pop() as Shape | undefined; node !== undefined; node = pending.pop() as Shape | undefined) {
    const assigned = readAssigned(node);
    if (assigned?.of === 'this') add(findMaker(node), assigned.name, node);
    else if (assigned?.of === 'prototype') add(findPrototypeOwner(assigned.owner), assigned.name, node);
    else if (assigned?.of === 'named' && node.right?.kind === SyntaxKind.ObjectLiteralExpression) {
      const owner = findPrototypeOwner(node.left as Shape);
      for (const property of (node.right as Shape).properties ?? []) {
        const { name } = property as Shape;
        if (name?.kind === SyntaxKind.Identifier) add(owner, name, property);
      }
    }
    node.forEachChild((child) => {
      pending.push(child);
    });
  }
  return found;
}
