/**
 * Edits that change how functions and variables of modules are called, and nothing else (docs/decisions/0018). Such a name stands in scopes
 * and in the tables of modules, where it is looked up by whoever spells it; no type has it as a part, and types are not ordered by it. So
 * only files that spell one of the names can change, and files that pass on whatever another module exports, which may then clash.
 *
 * It is part of a type where a module is taken as a value (`import * as`, `import()`, …): if such a module exports one of the names, files
 * are not chosen this way.
 */

import { askInBatches } from '../../../kernel/compiler/ask-in-batches.ts';
import {
  type Node,
  type SourceFile,
  SyntaxKind,
  type Symbol as TsSymbol,
  TypeFlags,
} from '../../../kernel/compiler/typescript-api.ts';
import type { NameToken, OpenProgram } from '../in-job.ts';
import { listNameTokens } from '../name-tokens.ts';
import type { ProofSubject } from '../types.ts';
import { isGlobalToo, speaksForOthers } from './affected-files.ts';
import { isValueModule, valueLookups } from './found-by-name.ts';

type Shape = Node & {
  readonly name?: Node;
  readonly left?: Node;
  readonly expression?: Node;
  readonly importClause?: Shape;
  readonly namedBindings?: Node;
  readonly exportClause?: Node;
  readonly qualifier?: Node;
};

/** Those of `reached` that can change; undefined where the argument does not hold. */
export function chooseByName(
  program: OpenProgram,
  reached: readonly string[],
  question: ProofSubject,
  names: ReadonlySet<string>,
): readonly string[] | undefined {
  if (question.isMember || !isAboutNames(program, question)) return undefined;
  const files = reached.flatMap((path) => program.sourceFile(path) ?? []);
  if (files.length !== reached.length || reached.some((path) => isValueModule(program, path))) return undefined;
  if (files.some(isGlobalToo) || isTakenAsValue(program, files, names)) return undefined;
  // Between the two names of a specifier it is a word of the language, and nearly every file has it somewhere.
  const isWord = (name: string) => name === 'as' && question.oldName !== name && question.newName !== name;
  const written = [...names].filter((name) => name !== '' && !isWord(name));
  return reached.filter((_, at) => {
    const file = files[at];
    if (file === undefined) return true;
    // An escape can spell any name.
    return written.some((name) => file.text.includes(name)) || file.text.includes('\\u') || passesAllOn(file);
  });
}

/** Every declaration is a function or variable of a module, and every edit stands where one is named or looked up. */
function isAboutNames(program: OpenProgram, { family, edits }: ProofSubject): boolean {
  const tokens = createLookup(program);
  const isDeclared = family.every((place) => {
    const token = place.outside ? undefined : tokens(place.path, place.start);
    const file = program.sourceFile(place.path);
    if (token === undefined || file === undefined || speaksForOthers(file)) return false;
    return isModuleValue(program, token.node);
  });
  return (
    isDeclared &&
    edits.every(({ path, start }) => {
      const token = tokens(path, start);
      return token !== undefined && (token.kind === 'jsdoc' || isValuePosition(token.node));
    })
  );
}

function createLookup(program: OpenProgram): (path: string, start: number) => NameToken | undefined {
  const known = new Map<string, ReadonlyMap<number, NameToken>>();
  return (path, start) => {
    const ofFile = known.get(path) ?? new Map(listNameTokens(program, path).map((token) => [token.start, token]));
    known.set(path, ofFile);
    return ofFile.get(start);
  };
}

function isModuleValue(program: OpenProgram, name: Node): boolean {
  const declaration = name.parent as Shape | undefined;
  switch (declaration?.kind) {
    case SyntaxKind.ImportSpecifier:
    case SyntaxKind.ExportSpecifier:
    case SyntaxKind.ImportClause:
      return true;
    case SyntaxKind.FunctionDeclaration:
      return declaration.parent?.kind === SyntaxKind.SourceFile;
    case SyntaxKind.VariableDeclaration:
      return declaration.parent?.parent?.parent?.kind === SyntaxKind.SourceFile && !isUniqueSymbol(program, name);
    default:
      return false;
  }
}

/** The name of such a variable is part of the keys that are made of it. */
function isUniqueSymbol(program: OpenProgram, name: Node): boolean {
  const type = program.project.checker.getTypeAtLocation(name);
  return type === undefined || (type.flags & TypeFlags.UniqueESSymbol) !== 0;
}

const valuePositions: ReadonlySet<SyntaxKind> = new Set([
  ...valueLookups,
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.VariableDeclaration,
  SyntaxKind.ImportSpecifier,
  SyntaxKind.ExportSpecifier,
  SyntaxKind.ImportClause,
  SyntaxKind.ShorthandPropertyAssignment,
  SyntaxKind.TypeQuery,
]);

function isValuePosition(node: Node): boolean {
  const parent = node.parent as Shape | undefined;
  switch (parent?.kind) {
    case undefined:
      return false;
    case SyntaxKind.PropertyAssignment:
    case SyntaxKind.Parameter:
    case SyntaxKind.BindingElement:
    case SyntaxKind.PropertyDeclaration:
      // Only as the value that is put there.
      return parent.name !== node && (parent as { readonly propertyName?: Node }).propertyName !== node;
    case SyntaxKind.PropertyAccessExpression:
      return parent.expression === node;
    case SyntaxKind.QualifiedName:
      return parent.left === node && isInTypeQuery(parent);
    default:
      return valuePositions.has(parent?.kind ?? SyntaxKind.Unknown);
  }
}

function isInTypeQuery(name: Node): boolean {
  let at: Node | undefined = name;
  while (at?.kind === SyntaxKind.QualifiedName) at = at.parent;
  return at?.kind === SyntaxKind.TypeQuery;
}

/** Is one of the names a property of a module that somebody has as a value? */
function isTakenAsValue(program: OpenProgram, files: readonly SourceFile[], names: ReadonlySet<string>): boolean {
  const { checker } = program.project;
  const taken = files.flatMap((file) => file.imports.filter((specifier) => takesModule(specifier) !== 'names'));
  const modules = new Map<TsSymbol, boolean>();
  const answers = askInBatches(taken, (batch) => checker.getSymbolAtLocation(batch));
  for (const [at, answer] of answers.entries()) {
    if (answer.kind === 'failed') return true;
    const specifier = taken[at];
    if (answer.value === undefined || specifier === undefined) continue;
    const isWhole = takesModule(specifier) === 'whole';
    modules.set(answer.value, isWhole || (modules.get(answer.value) ?? false));
  }
  const has = (module: TsSymbol, name: string) => checker.getMemberInModuleExports(module, name) !== undefined;
  try {
    for (const [module, isWhole] of modules)
      if ((isWhole || !has(module, 'default')) && [...names].some((name) => name !== '' && has(module, name)))
        return true;
  } catch {
    // What could not be asked is not argued about.
    return true;
  }
  return false;
}

/** What an import makes of its module: an object of its exports, its `default` (an object where it has none), or single names. */
function takesModule(specifier: Node): 'whole' | 'default' | 'names' {
  const parent = specifier.parent as Shape | undefined;
  switch (parent?.kind) {
    case SyntaxKind.ImportDeclaration: {
      const clause = parent.importClause;
      if (clause?.namedBindings?.kind === SyntaxKind.NamespaceImport) return 'whole';
      return clause?.name === undefined ? 'names' : 'default';
    }
    case SyntaxKind.ExportDeclaration:
      return parent.exportClause?.kind === SyntaxKind.NamespaceExport ? 'whole' : 'names';
    case SyntaxKind.LiteralType: {
      const type = parent.parent as Shape | undefined;
      return type?.kind === SyntaxKind.ImportType && type.qualifier !== undefined ? 'names' : 'whole';
    }
    default:
      return 'whole';
  }
}

function passesAllOn(file: SourceFile): boolean {
  return file.imports.some(({ parent }) => {
    const statement = parent as Shape | undefined;
    return statement?.kind === SyntaxKind.ExportDeclaration && statement.exportClause === undefined;
  });
}
