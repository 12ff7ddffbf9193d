/** Modules that somebody has as values: of those, what they export is part of a type, and a name can be looked up by a string. */

import { askInBatches } from '../../kernel/compiler/ask-in-batches.ts';
import {
  type Node,
  type SourceFile,
  SyntaxKind,
  type Symbol as TsSymbol,
} from '../../kernel/compiler/typescript-api.ts';
import type { OpenProgram } from './in-job.ts';

type Shape = Node & {
  readonly name?: Node;
  readonly importClause?: Shape;
  readonly namedBindings?: Node;
  readonly exportClause?: Node;
  readonly qualifier?: Node;
};

/** Is one of the names a property of a module that somebody has as a value? */
export function isTakenAsValue(
  program: OpenProgram,
  files: readonly SourceFile[],
  names: ReadonlySet<string>,
): boolean {
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
