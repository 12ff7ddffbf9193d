/**
 * `ambient_name`: what is renamed is only declared here, and something else defines it: the platform, the environment, a build step, a
 * package without types, the script or asset beside a declaration file. The compiler takes a declaration's word for it, so a proof over
 * it says nothing of what is there when the program runs. Types that merely stand in a declaration file are as any other types, and a
 * name that only declarations and types of code say is not there when the program runs: whatever it is called, the same runs.
 */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { lazy } from '../../../kernel/base/lazy.ts';
import { memberKinds } from '../../../languages/typescript/compiler/node-shape.ts';
import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';
import { declarationOf } from '../job/declarations.ts';
import { type BoundToken, type OpenProgram, type Programs, placeKey, type RenameWorld } from '../job/job-types.ts';
import { askOr } from '../job/name-tokens.ts';
import type { ItemDraft } from '../session/messages.ts';
import { site } from './doubted-family.ts';
import { hasModifier } from './member-types.ts';

const K = ts.SyntaxKind;

export function findAmbientNames(world: RenameWorld): readonly ItemDraft[] {
  if (world.oldName.startsWith('#')) return [];
  const isUnsaid = lazy(() => isErased(world));
  for (const bound of listDeclared(world)) {
    const found = askOr(() => findDefiner(world.programs, bound), undefined);
    if (found === undefined || (found.yieldsToCode && isDefinedInCode(world))) continue;
    if (!found.isThere && isUnsaid()) continue;
    const detail = `\`${world.oldName}\` is only declared here: ${found.words}, and keeps the old name.`;
    return [site('ambient_name', bound.token.path, bound.token.node, detail)];
  }
  return [];
}

/** A declaration file speaks of something that is there, whether or not code here does. */
function isErased(world: RenameWorld): boolean {
  return (
    listDeclared(world).every(({ token }) => !token.node.getSourceFile().isDeclarationFile) &&
    world.occurrences.every(({ token }) => token.kind === 'jsdoc' || isErasedAt(token.node))
  );
}

function isErasedAt(name: ts.Node): boolean {
  let isType = false;
  for (let at: ts.Node | undefined = name; at !== undefined && at.kind !== K.SourceFile; at = at.parent) {
    if (hasModifier(at, K.DeclareKeyword)) return true;
    // `emitDecoratorMetadata` writes the types of what is decorated as values.
    if (hasModifier(at, K.Decorator)) return false;
    isType ||= types.has(at.kind) || (at.kind >= K.FirstTypeNode && at.kind <= K.LastTypeNode) || isImplemented(at);
  }
  return isType;
}

/** `class A implements B`; what it extends is a value. */
function isImplemented(at: ts.Node): boolean {
  return ts.isHeritageClause(at) && at.token === K.ImplementsKeyword;
}

/** The names of the family where they are declared, below the root. */
export function listDeclared(world: RenameWorld): readonly RenameWorld['occurrences'][number][] {
  return world.occurrences.filter(({ token: { path, start } }) =>
    world.familyKeys.has(placeKey({ path, start, outside: false })),
  );
}

type Definer = {
  readonly words: string;
  /** Code here can be what defines it: it assigns to it, or has a class with it. */
  readonly yieldsToCode: boolean;
  /** What has it is known to be there, so that the declaration is about it even where nothing here says the name. */
  readonly isThere: boolean;
};

function findDefiner(programs: Programs, { program, token }: BoundToken): Definer | undefined {
  const declaration = declarationOf(token.node);
  if (!declares.has(declaration.kind)) return undefined;
  if (ts.isPropertyDeclaration(declaration) && hasModifier(declaration, K.DeclareKeyword))
    return { words: 'something else than this class sets the field', yieldsToCode: true, isThere: true };
  const file = token.node.getSourceFile();
  const isMember = isTypeMember(declaration);
  for (let at: ts.Node = declaration; at.kind !== K.SourceFile; at = at.parent) {
    if (ts.isModuleDeclaration(at)) {
      const { name } = at as ts.Node & { readonly name: ts.Node };
      if (ts.isStringLiteral(name)) return definerOfModule(programs, program, name);
      if (name.getText() === 'global') return { ...global, isThere: true };
    }
    const { parent } = at;
    if (parent.kind === K.SourceFile || parent.kind === K.ModuleBlock) {
      const isAmbientValue = !types.has(at.kind) && (hasModifier(at, K.DeclareKeyword) || file.isDeclarationFile);
      if (parent.kind === K.SourceFile && isAmbientValue) return definerOfFile(programs, token.path) ?? global;
      if (isMember && types.has(at.kind)) {
        if (isEnvironment.test(nameText(at))) return environment;
        if (mergesWithOutside(programs, program, at)) return { ...global, isThere: true };
        if (file.isDeclarationFile && isDescribed(programs, token.path, file, nameText(at)))
          return definerOfFile(programs, token.path) ?? outsideCode;
      }
    }
  }
  return undefined;
}

const declares: ReadonlySet<ts.SyntaxKind> = new Set([
  K.VariableDeclaration,
  K.FunctionDeclaration,
  K.ClassDeclaration,
  K.EnumDeclaration,
  K.EnumMember,
  K.ModuleDeclaration,
  ...memberKinds,
]);

const types: ReadonlySet<ts.SyntaxKind> = new Set([K.InterfaceDeclaration, K.TypeAliasDeclaration]);

function isTypeMember({ kind }: ts.Node): boolean {
  return kind === K.PropertySignature || kind === K.MethodSignature || kind === K.GetAccessor || kind === K.SetAccessor;
}

const global: Definer = {
  words: 'the platform, a build step or another script defines the global',
  yieldsToCode: true,
  isThere: false,
};
const environment: Definer = {
  words: 'the environment that the program is run or built in sets it',
  yieldsToCode: false,
  isThere: true,
};
const outsideCode: Definer = {
  words: 'code that the declaration file describes defines it',
  yieldsToCode: false,
  isThere: true,
};
const isEnvironment = /^(?:ProcessEnv|ImportMetaEnv)$/;

function nameText(node: ts.Node): string {
  return (node as { readonly name?: ts.Node }).name?.getText() ?? '';
}

/** Undefined where the module is one of the repository's and typed, so that the augmentation speaks of code that the compiler reads. */
function definerOfModule(programs: Programs, program: OpenProgram, name: ts.Node & { readonly text: string }) {
  const module = program.project.checker.getSymbolAtLocation(name);
  const sources = (module?.declarations ?? []).filter(({ kind }) => kind === K.SourceFile);
  const own = sources.map(({ path }) => programs.place(path)).filter(({ outside }) => !outside);
  if (own.some(({ path }) => !isUncheckedModule(path))) return undefined;
  return {
    words: `the module '${name.text}' defines it`,
    yieldsToCode: sources.length > 0 && own.length === 0,
    isThere: sources.length > 0,
  };
}

/** What a script does is not checked against what others say of it. */
function isUncheckedModule(path: string): boolean {
  return /\.(?:d\.[cm]?ts|[cm]?jsx?)$/.test(path);
}

/** The script or asset of which the file says what it is: `a.js` of `a.d.ts`, `a.css` of `a.css.d.ts`. */
function definerOfFile({ root }: Programs, path: string): Definer | undefined {
  const beside = listBeside(path).find((one) => isFile(join(root, one)));
  return beside === undefined ? undefined : { words: `${beside} defines it`, yieldsToCode: false, isThere: true };
}

function listBeside(path: string): readonly string[] {
  const [, stem, ending] = /^(.*)\.d\.([cm]?)ts$/.exec(path) ?? [];
  if (stem === undefined) return [];
  return [stem, `${stem}.${ending}js`, `${stem}.jsx`, `${stem}.js`];
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** `interface Window { … }`: the library, or a package, has the rest of it. */
function mergesWithOutside(programs: Programs, { project }: OpenProgram, owner: ts.Node): boolean {
  const { name } = owner as { readonly name?: ts.Node };
  const symbol = name === undefined ? undefined : project.checker.getSymbolAtLocation(name);
  return symbol?.declarations.some(({ path }) => programs.place(path).outside) ?? false;
}

/** Does a declaration file say this type of a value, by way of whichever other types? All of it, where it stands beside its script. */
function isDescribed(programs: Programs, path: string, file: ts.SourceFile, type: string): boolean {
  if (definerOfFile(programs, path) !== undefined) return true;
  const said = new Map<string, readonly string[]>();
  const reached = new Set<string>();
  for (const statement of file.statements) {
    const words = statement.getText().split(/[^\p{ID_Continue}$]+/u);
    if (types.has(statement.kind)) said.set(nameText(statement), [...(said.get(nameText(statement)) ?? []), ...words]);
    else if (!moduleSyntax.has(statement.kind)) for (const word of words) reached.add(word);
  }
  // A set may grow while it is walked.
  for (const word of reached) for (const next of said.get(word) ?? []) reached.add(next);
  return reached.has(type);
}

const moduleSyntax: ReadonlySet<ts.SyntaxKind> = new Set([
  K.ImportDeclaration,
  K.ExportDeclaration,
  K.ImportEqualsDeclaration,
]);

/** Written to, or had by a class or a function that is more than declared. What literals of a test bring along defines nothing. */
function isDefinedInCode(world: RenameWorld): boolean {
  return world.occurrences.some(({ token: { node } }) => {
    if (isAssigned(node)) return true;
    const declaration = declarationOf(node);
    const isDefinition =
      (ts.isFunctionDeclaration(declaration) ||
        ts.isMethodDeclaration(declaration) ||
        ts.isPropertyDeclaration(declaration) ||
        ts.isClassDeclaration(declaration) ||
        (ts.isVariableDeclaration(declaration) && declaration.initializer !== undefined)) &&
      (declaration as { readonly name?: ts.Node }).name === node &&
      declaration.parent.kind !== K.ObjectLiteralExpression;
    return isDefinition && !isWithoutCode(declaration);
  });
}

function isAssigned(node: ts.Node): boolean {
  const target = ts.isPropertyAccessExpression(node.parent) && node.parent.name === node ? node.parent : node;
  const { parent } = target;
  return ts.isBinaryExpression(parent) && parent.left === target && assignments.has(parent.operatorToken.kind);
}

const assignments: ReadonlySet<ts.SyntaxKind> = new Set([
  K.EqualsToken,
  K.QuestionQuestionEqualsToken,
  K.BarBarEqualsToken,
  K.AmpersandAmpersandEqualsToken,
]);

function isWithoutCode(declaration: ts.Node): boolean {
  for (let at: ts.Node | undefined = declaration; at !== undefined; at = at.parent) {
    if (ts.isSourceFile(at)) return at.isDeclarationFile;
    if (hasModifier(at, K.DeclareKeyword)) return true;
  }
  return false;
}
