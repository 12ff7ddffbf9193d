/**
 * A module in the parts that others can refer to: each statement, each name that is imported or passed on. What other modules can see of
 * such a part is made of the names it mentions; what stands in a body whose result is written down they do not see (decision 0018).
 *
 * Names are taken as they are spelled, whatever they mean there: too many rather than one too few. Where statements can change what
 * others mean without being mentioned (what runs, what is assigned again), a module has one part only.
 */

import { memberKinds } from '../../../languages/typescript/compiler/node-shape.ts';
import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';

const K = ts.SyntaxKind;

export type Mentions = {
  /** As they are spelled in this file. */
  readonly names: ReadonlySet<string>;
  /** Modules as a whole: the nodes that name them. */
  readonly modules: readonly ts.Node[];
  /** One name of another module. */
  readonly from?: { readonly module: ts.Node; readonly name: string };
};

export type Unit = {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  /** What its meaning is made of. */
  readonly shown: Mentions;
  /** What only its bodies mention. */
  readonly inner: Mentions;
  /** Where these bodies stand. */
  readonly bodies: readonly { readonly start: number; readonly end: number }[];
  /** It is seen without being mentioned: a script, `declare global`, an augmentation. */
  readonly isHeard: boolean;
};

export type Module = {
  readonly path: string;
  readonly units: readonly Unit[];
  /** All of it, and all that it passes on. */
  readonly whole: Unit;
  /** It has no other part, and any name may be its. */
  readonly isWhole: boolean;
  readonly declared: ReadonlyMap<string, readonly Unit[]>;
  readonly exported: ReadonlyMap<string, readonly Unit[]>;
  /** What `export * from` names. */
  readonly passedOn: readonly ts.Node[];
};

/** Every place where it names a module. */
export function listNamed({ imports, moduleAugmentations }: ts.SourceFile): readonly ts.Node[] {
  return [...imports, ...moduleAugmentations];
}

export function readWhole(path: string, file: ts.SourceFile, isHeard: boolean): Module {
  const shown: Mentions = { names: new Set(), modules: listNamed(file) };
  const whole = makeWhole(path, file, shown, isHeard);
  return { path, units: [whole], whole, isWhole: true, declared: new Map(), exported: new Map(), passedOn: [] };
}

function makeWhole(path: string, { text }: ts.SourceFile, shown: Mentions, isHeard: boolean): Unit {
  return { path, start: 0, end: text.length, shown, inner: nothing, bodies: [], isHeard };
}

/** What `export * from` exports. */
export const anyName = '*';

const nothing: Mentions = { names: new Set(), modules: [] };

/**
 * Undefined where its statements cannot be told apart. `factories`: what JSX is made with, which need not be spelled. `isAllDefault`:
 * modules of another format take all of it for its default.
 */
export function readUnits(
  path: string,
  file: ts.SourceFile,
  factories: readonly string[],
  isAllDefault: () => boolean,
): Module | undefined {
  const hasJsx = /x$/.test(path);
  if (!/\.[cm]?tsx?$/.test(path) || (hasJsx && file.text.includes('@jsx'))) return undefined;
  const named = new Map(listNamed(file).map((node) => [node.pos, node]));
  const units: Unit[] = [];
  const declared = new Map<string, Unit[]>();
  const exported = new Map<string, Unit[]>();
  const passedOn: ts.Node[] = [];
  const add = (
    statement: ts.Node,
    parts: Partial<Pick<Unit, 'shown' | 'inner' | 'bodies' | 'isHeard'>>,
    names: { readonly declares?: readonly string[]; readonly exports?: readonly string[] },
  ) => {
    const { pos: start, end } = statement;
    const unit: Unit = { path, start, end, shown: nothing, inner: nothing, bodies: [], isHeard: false, ...parts };
    units.push(unit);
    for (const name of names.declares ?? []) addTo(declared, name, unit);
    for (const name of names.exports ?? []) addTo(exported, name, unit);
  };
  // What it declares, whether it says so or not.
  const saysExports = file.statements.some((one) => ts.isExportDeclaration(one) || ts.isExportAssignment(one));
  const exportsAll = file.isDeclarationFile && !saysExports;
  for (const statement of file.statements) {
    if (ts.isImportDeclaration(statement)) {
      named.delete(statement.moduleSpecifier.pos);
      for (const { node, name, of } of listImported(statement)) {
        add(node, { shown: mention(statement.moduleSpecifier, of) }, { declares: name === null ? [] : [name] });
      }
    } else if (ts.isExportDeclaration(statement)) {
      const { exportClause: clause, moduleSpecifier: module } = statement;
      if (module !== undefined) named.delete(module.pos);
      if (clause === undefined) {
        if (module !== undefined) passedOn.push(module);
        add(statement, {}, { exports: [anyName] });
      } else if (!ts.isNamedExports(clause)) {
        add(statement, { shown: mention(module, null) }, { exports: [clause.name.text] });
      } else {
        for (const specifier of clause.elements) {
          const of = (specifier.propertyName ?? specifier.name).text;
          const shown = module === undefined ? { names: new Set([of]), modules: [] } : mention(module, of);
          add(specifier, { shown }, { exports: [specifier.name.text] });
        }
      }
    } else {
      const read = isDeclaration(statement) ? readMentions(statement, named, hasJsx ? factories : []) : undefined;
      if (read === undefined) return undefined;
      const { declares, exports } = listDeclared(statement);
      const names = { declares, exports: exportsAll ? [...new Set([...declares, ...exports])] : exports };
      add(statement, { ...read, isHeard: isAugmentation(statement) }, names);
    }
  }
  // A module that is named in none of them.
  if (named.size > 0) return undefined;
  // Beside `export =` nothing can be exported, and what another name stands for is not found by it.
  if (exported.size > 1 && file.statements.some((one) => ts.isExportAssignment(one) && one.isExportEquals))
    return undefined;
  // Two defaults are one, whatever each is called.
  if ((exported.get('default')?.length ?? 0) > 1) return undefined;
  // What is not found is all of the module.
  if (exported.has('default') && (exported.has('module.exports') || isAllDefault())) exported.delete('default');
  const whole = makeWhole(path, file, { names: new Set(), modules: passedOn }, false);
  return { path, units, whole, isWhole: false, declared, exported, passedOn };
}

export function addTo<K>(units: Map<K, Unit[]>, key: K, unit: Unit): void {
  const known = units.get(key);
  if (known === undefined) units.set(key, [unit]);
  else known.push(unit);
}

function mention(module: ts.Node | undefined, name: string | null): Mentions {
  if (module === undefined) return nothing;
  return name === null
    ? { names: new Set(), modules: [module] }
    : { names: new Set(), modules: [], from: { module, name } };
}

/** `of` null: the module as a whole. */
type Imported = { readonly node: ts.Node; readonly name: string | null; readonly of: string | null };

function listImported(statement: ts.ImportDeclaration): readonly Imported[] {
  const clause = statement.importClause;
  if (clause === undefined) return [{ node: statement, name: null, of: null }];
  const found: Imported[] = [];
  if (clause.name !== undefined) found.push({ node: clause.name, name: clause.name.text, of: 'default' });
  const bindings = clause.namedBindings;
  if (bindings === undefined) return found;
  if (!ts.isNamedImports(bindings)) return [...found, { node: bindings, name: bindings.name.text, of: null }];
  for (const node of bindings.elements)
    found.push({ node, name: node.name.text, of: (node.propertyName ?? node.name).text });
  // `import {} from`: nothing is mentioned, and the module is still asked for.
  return found.length === 0 ? [{ node: statement, name: null, of: null }] : found;
}

const declarations: ReadonlySet<ts.SyntaxKind> = new Set([
  K.FunctionDeclaration,
  K.ClassDeclaration,
  K.InterfaceDeclaration,
  K.TypeAliasDeclaration,
  K.EnumDeclaration,
  K.ModuleDeclaration,
  K.ImportEqualsDeclaration,
  K.ExportAssignment,
  K.EmptyStatement,
]);

/** It runs nothing that what follows could notice, and nothing assigns to what it declares. */
function isDeclaration(statement: ts.Node): boolean {
  if (declarations.has(statement.kind)) return true;
  if (!ts.isVariableStatement(statement)) return false;
  return (statement.declarationList.flags & ts.NodeFlags.BlockScoped) === ts.NodeFlags.Const;
}

function listDeclared(statement: ts.Node): {
  readonly declares: readonly string[];
  readonly exports: readonly string[];
} {
  const { modifiers = [], name } = statement as {
    readonly modifiers?: readonly ts.Node[];
    readonly name?: { readonly text?: string };
  };
  const has = (kind: ts.SyntaxKind) => modifiers.some((modifier) => modifier.kind === kind);
  // Also of `export =`: to take another name of it is to take all of the module.
  if (ts.isExportAssignment(statement)) return { declares: [], exports: ['default'] };
  const declares = ts.isVariableStatement(statement)
    ? statement.declarationList.declarations.flatMap((one) => listNames(one.name))
    : name?.text === undefined
      ? []
      : [name.text];
  if (!has(K.ExportKeyword)) return { declares, exports: [] };
  return { declares, exports: has(K.DefaultKeyword) ? ['default'] : declares };
}

function listNames(name: ts.Node): readonly string[] {
  const found: string[] = [];
  const pending = [name];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (ts.isIdentifier(node)) found.push(node.text);
    node.forEachChild((child) => {
      // Not what it reads and falls back to: what is exported under such a name is something else.
      if (!ts.isBindingElement(child)) pending.push(child);
      else if (child.name !== undefined) pending.push(child.name);
    });
  }
  return found;
}

/** Undefined where something runs at once that what follows could notice. */
function readMentions(
  statement: ts.Node,
  /** Modules by where they are named; those that are found are taken out. */
  named: Map<number, ts.Node>,
  factories: readonly string[],
): Pick<Unit, 'shown' | 'inner' | 'bodies'> | undefined {
  const shown = { names: new Set<string>(factories), modules: [] as ts.Node[] };
  const inner = { names: new Set<string>(factories), modules: [] as ts.Node[] };
  const bodies: { readonly start: number; readonly end: number }[] = [];
  // `isApart`: in a function or a namespace, whose statements follow each other and nothing outside.
  const pending = [{ node: statement, into: shown, isApart: false }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, into, isApart } = next;
    if (ts.isIdentifier(node) && !isKey(node)) into.names.add(node.text);
    const module = named.get(node.pos);
    if (module !== undefined && module.kind === node.kind) {
      into.modules.push(module);
      named.delete(node.pos);
    }
    // Nothing of a body is noticed outside, except by what is written in it.
    if (into === shown && (ts.isClassStaticBlockDeclaration(node) || isCalledAtOnce(node))) return undefined;
    if (!isApart && isNoticed(node)) return undefined;
    const body = into === shown ? hiddenBody(node) : undefined;
    // Whether a variable around it is assigned to in a body is noticed where that variable is narrowed.
    if (body !== undefined && !isApart) bodies.push(spanInside(body));
    const isInside = isApart || ts.isFunctionLikeDeclaration(node) || ts.isModuleBlock(node);
    node.forEachChild((child) => {
      pending.push({ node: child, into: child === body ? inner : into, isApart: isInside });
    });
  }
  return { shown, inner, bodies };
}

const members: ReadonlySet<ts.SyntaxKind> = new Set([
  ...memberKinds,
  K.PropertyAssignment,
  K.PropertyAccessExpression,
  K.JsxAttribute,
]);

/** Looked up in a type, or the name of one of its members: in no scope. */
function isKey(node: ts.Node): boolean {
  const parent = node.parent as ts.Node & { readonly name?: ts.Node; readonly right?: ts.Node };
  if (members.has(parent.kind)) return parent.name === node;
  return parent.kind === K.QualifiedName && parent.right === node;
}

/** The body of what says its result, and of what has none. A constructor's can say what properties are. */
function hiddenBody(node: ts.Node): ts.Node | undefined {
  const { body, type } = node as { readonly body?: ts.Node; readonly type?: ts.Node };
  if (body === undefined || !ts.isFunctionLikeDeclaration(node) || ts.isConstructorDeclaration(node)) return undefined;
  return type !== undefined || node.kind === K.SetAccessor ? body : undefined;
}

/** Without its braces: what stands right before or after a body is none of it. */
function spanInside(body: ts.Node): Unit['bodies'][number] {
  return { start: body.getStart() + (ts.isBlock(body) ? 1 : 0), end: body.end - 1 };
}

/** It assigns, asserts (a call before or after a comma) or fills: what a property or a list is from there on, or that a function has one. */
function isNoticed(node: ts.Node): boolean {
  if (ts.isCallExpression(node)) {
    const { expression: called } = node;
    return ts.isPropertyAccessExpression(called) && /^(?:push|unshift)$/.test(called.name.text);
  }
  const { operator, operatorToken } = node as { readonly operator?: ts.SyntaxKind; readonly operatorToken?: ts.Node };
  const kind = operator ?? operatorToken?.kind ?? node.kind;
  return writing.has(kind) || (kind >= K.FirstAssignment && kind <= K.LastAssignment);
}

const writing: ReadonlySet<ts.SyntaxKind> = new Set([
  K.CommaToken,
  K.PlusPlusToken,
  K.MinusMinusToken,
  K.DeleteExpression,
]);

function isCalledAtOnce(node: ts.Node): boolean {
  if (!ts.isCallExpression(node)) return false;
  let called: ts.Node = node.expression;
  while (ts.isParenthesizedExpression(called)) called = called.expression;
  return ts.isFunctionExpression(called) || ts.isArrowFunction(called);
}

/** `declare global`, `declare module 'x'`. */
function isAugmentation(statement: ts.Node): boolean {
  if (!ts.isModuleDeclaration(statement)) return false;
  return !ts.isIdentifier(statement.name) || statement.name.text === 'global';
}
