/** Modules that code has as values: their exports are part of a type, and a name of theirs can be looked up by a string. */

import { askInBatches } from '../../../languages/typescript/compiler/compiler-process.ts';
import {
  type Node,
  SyntaxKind,
  type Symbol as TsSymbol,
} from '../../../languages/typescript/compiler/typescript-api.ts';
import type { OpenProgram } from './job-types.ts';
import { listNameTokens } from './name-tokens.ts';

type Shape = Node & {
  readonly name?: Node;
  readonly importClause?: Shape;
  readonly namedBindings?: Node;
  readonly exportClause?: Node;
  readonly qualifier?: Node;
  readonly expression?: Node;
  readonly left?: Node;
  readonly right?: Node;
};

/** Is one of the names a property of a module that code has as a value? */
export function isTakenAsValue(program: OpenProgram, paths: readonly string[], names: ReadonlySet<string>): boolean {
  const taken = paths.flatMap((path) => {
    const imports = program.sourceFile(path)?.imports ?? [];
    return imports.flatMap((specifier) => {
      const takes = takesModule(specifier);
      return takes === 'names' || isQualifier(program, path, specifier) ? [] : { path, specifier, takes };
    });
  });
  try {
    const concerned = new Map<TsSymbol, boolean>();
    const isConcerned = (module: TsSymbol) => {
      const found = concerned.get(module) ?? [...names].some((name) => name !== '' && hasExport(program, module, name));
      concerned.set(module, found);
      return found;
    };
    const modules = askForModules(
      program,
      taken.map(({ specifier }) => specifier),
    );
    const holding = taken.filter(({ takes }, at) => {
      const module = modules[at];
      return (
        module !== undefined && isConcerned(module) && (takes !== 'default' || !hasExport(program, module, 'default'))
      );
    });
    if (holding.some(({ takes }) => takes !== 'passed on')) return true;
    return holding.length > 0 && isImported(program, new Set(holding.map(({ path }) => path)));
  } catch {
    // What could not be asked is not argued about.
    return true;
  }
}

/** What a file passes on counts only if it is imported. */
function isImported(program: OpenProgram, paths: ReadonlySet<string>): boolean {
  const files = program.files.flatMap((path) => program.sourceFile(path) ?? []);
  const imported = new Set(
    askForModules(
      program,
      files.flatMap(({ imports }) => imports),
    ),
  );
  const own = [...paths].flatMap((path) => program.sourceFile(path) ?? []);
  return askForModules(program, own).some((module) => module === undefined || imported.has(module));
}

export function hasExport({ project }: OpenProgram, module: TsSymbol, name: string): boolean {
  return project.checker.getMemberInModuleExports(module, name) !== undefined;
}

/** What specifiers lead to, and what files are; throws where one could not be asked about. */
export function askForModules({ project }: OpenProgram, nodes: readonly Node[]): readonly (TsSymbol | undefined)[] {
  return askInBatches(nodes, (batch) => project.checker.getSymbolAtLocation(batch)).map((answer) => {
    if (answer.kind === 'failed') throw new Error(answer.detail);
    return answer.value;
  });
}

/**
 * What an import makes of its module: an object of its exports, for itself or for its importers, its `default` (an object where it
 * has none), or single names.
 */
function takesModule(specifier: Node): 'whole' | 'passed on' | 'default' | 'names' {
  const parent = specifier.parent as Shape | undefined;
  switch (parent?.kind) {
    case SyntaxKind.ImportDeclaration: {
      const clause = parent.importClause;
      if (clause?.namedBindings?.kind === SyntaxKind.NamespaceImport) return 'whole';
      return clause?.name === undefined ? 'names' : 'default';
    }
    case SyntaxKind.ExportDeclaration:
      return parent.exportClause?.kind === SyntaxKind.NamespaceExport ? 'passed on' : 'names';
    case SyntaxKind.LiteralType: {
      const type = parent.parent as Shape | undefined;
      return type?.kind === SyntaxKind.ImportType && type.qualifier !== undefined ? 'names' : 'whole';
    }
    default:
      return 'whole';
  }
}

/** `import * as all`, and `all` stands nowhere but before a point: what follows is looked up by its name. */
function isQualifier(program: OpenProgram, path: string, specifier: Node): boolean {
  const clause = (specifier.parent as Shape | undefined)?.importClause;
  const bindings = clause?.namedBindings as Shape | undefined;
  if (bindings?.kind !== SyntaxKind.NamespaceImport || clause?.name !== undefined) return false;
  const { text } = bindings.name as Node & { readonly text: string };
  return listNameTokens(program, path).every(({ text: spelled, kind, node }) => {
    if (spelled !== text || kind === 'jsdoc') return true;
    const parent = node.parent as Shape | undefined;
    if (parent?.kind === SyntaxKind.PropertyAccessExpression) return parent.expression === node || parent.name === node;
    if (parent?.kind === SyntaxKind.QualifiedName) return parent.left === node || parent.right === node;
    return parent === bindings;
  });
}
