/** Modules that somebody has as values: of those, what they export is part of a type, and a name can be looked up by a string. */

import { askInBatches } from '../../kernel/compiler/ask-in-batches.ts';
import { type Node, SyntaxKind, type Symbol as TsSymbol } from '../../kernel/compiler/typescript-api.ts';
import type { OpenProgram } from './in-job.ts';
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

/** Is one of the names a property of a module that somebody has as a value? */
export function isTakenAsValue(program: OpenProgram, paths: readonly string[], names: ReadonlySet<string>): boolean {
  const { checker } = program.project;
  const taken = paths.flatMap((path) => {
    const imports = program.sourceFile(path)?.imports ?? [];
    return imports.filter((specifier) => takesModule(specifier) !== 'names' && !isQualifier(program, path, specifier));
  });
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

/** `import * as all`, and `all` stands nowhere but before a point: what follows is looked up by its name. */
function isQualifier(program: OpenProgram, path: string, specifier: Node): boolean {
  const bindings = (specifier.parent as Shape | undefined)?.importClause?.namedBindings as Shape | undefined;
  if (bindings?.kind !== SyntaxKind.NamespaceImport) return false;
  const { text } = bindings.name as Node & { readonly text: string };
  return listNameTokens(program, path).every(({ text: spelled, kind, node }) => {
    if (spelled !== text || kind === 'jsdoc') return true;
    const parent = node.parent as Shape | undefined;
    if (parent?.kind === SyntaxKind.PropertyAccessExpression) return parent.expression === node || parent.name === node;
    if (parent?.kind === SyntaxKind.QualifiedName) return parent.left === node || parent.right === node;
    return parent === bindings;
  });
}
