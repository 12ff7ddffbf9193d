/**
 * What names of a script mean besides what the compiler says: a name that a `require` brings is a variable of its own *and* what it leads to,
 * a key of `module.exports = { a }` is also the variable it takes, and what the compiler does not bind is found by its name (`commonjs.ts`).
 */

import {
  type Node,
  type SourceFile,
  SymbolFlags,
  SyntaxKind,
  type Symbol as TsSymbol,
} from '../../../languages/typescript/compiler/typescript-api.ts';
import { failed } from './ask-compiler.ts';
import { createScripts, isExports, isWholeExport, readAssigned, readRequire, readRequired } from './commonjs.ts';
import type { Answers, DocumentWorld } from './index-document.ts';
import { findInstanceMember } from './instance-members.ts';
import { local } from './spell-declarations.ts';
import { textOfName } from './text-of-name.ts';

type Shape = Node & { readonly name?: Node; readonly expression?: Node };

export function createScriptMeanings(
  file: SourceFile,
  world: DocumentWorld,
  answers: Answers,
  resolveImport: (declaration: Node, symbol: TsSymbol) => Node,
) {
  const { questions, declarationsOf } = world;
  const scripts = createScripts(world.project);
  const taken = new Map<Node, readonly Node[]>();
  const values = new Map<Node, readonly Node[]>();

  const findModule = (specifier: Node): SourceFile | undefined => {
    const symbol = specifier.getSourceFile() === file ? answers.get(specifier) : undefined;
    const [found] = symbol === undefined || symbol === failed ? [] : declarationsOf(symbol);
    return found?.kind === SyntaxKind.SourceFile ? (found as SourceFile) : scripts.findModule(specifier);
  };
  const findExport = (module: SourceFile | undefined, name: Node): readonly Node[] => {
    const found = module === undefined ? undefined : scripts.findExport(module, textOfName(name));
    return found === undefined ? [] : [found];
  };
  const findTaken = (specifier: Node, name: Node, declaration: Node): readonly Node[] => {
    const [symbol] = questions.symbolsAt([name]);
    const said = symbol === undefined || symbol === failed ? [] : declarationsOf(symbol);
    const others = said.filter((one) => one !== declaration);
    return others.length > 0 ? others : findExport(findModule(specifier), name);
  };
  /** `const a = require('…').b` is a variable to this compiler, and was an alias before. */
  const takenBy = (declaration: Node): readonly Node[] => {
    let found = taken.get(declaration);
    if (found === undefined) {
      const required = readRequired(declaration);
      found = required?.taken === undefined ? [] : findTaken(required.specifier, required.taken, declaration);
      taken.set(declaration, found);
    }
    return found;
  };
  /** Of a shorthand of `module.exports = { a }`, the variable. */
  const valueBehind = (key: Node): readonly Node[] => {
    let found = values.get(key);
    if (found === undefined) {
      const literal = key.kind === SyntaxKind.ShorthandPropertyAssignment ? key.parent?.parent : undefined;
      const symbol = literal !== undefined && isWholeExport(literal) ? questions.shorthandValue(key) : undefined;
      found = symbol === undefined ? [] : declarationsOf(symbol);
      values.set(key, found);
    }
    return found;
  };

  const isBound = (name: Node): boolean => answers.get(name) !== undefined;

  return {
    /** Is this the assignment that exports the name, or gives instances a member that the compiler does not know? */
    isFirst(assigns: Node): boolean {
      const assigned = readAssigned(assigns);
      if (assigned?.of === 'exports') return scripts.findExport(file, textOfName(assigned.name)) === assigns;
      return assigned !== undefined && !isBound(assigned.name) && findInstanceMember(assigned.name) === assigns;
    },
    /** Besides what a name means by itself. */
    alsoMeant(node: Node, symbol: TsSymbol, meant: TsSymbol, found: readonly Node[]): readonly Node[] {
      const own = declarationsOf(symbol);
      const more = meant === symbol ? [] : [...own];
      for (const declaration of own) {
        if (meant === symbol && readRequired(declaration) !== undefined) more.push(...takenBy(declaration));
        if (declaration.kind !== SyntaxKind.BinaryExpression || (symbol.flags & SymbolFlags.Alias) === 0) continue;
        const target = questions.aliased(symbol);
        const led = target === undefined ? [] : declarationsOf(target).map((one) => resolveImport(one, target));
        // What is exported under another name is that there, and something else to whoever reads it.
        const isThere = readAssigned(declaration)?.name === node || target?.name === symbol.name;
        more.push(...led.filter((one) => isThere || world.spell(one) === local));
      }
      for (const key of found) more.push(...valueBehind(key));
      return more.filter((one) => !isModuleAlias(one));
    },
    /** Names that the compiler does not know. */
    findByName(node: Node): readonly Node[] {
      const parent = node.parent as Shape | undefined;
      if (parent?.kind === SyntaxKind.CallExpression) {
        const module = readRequire(parent) === node ? findModule(node) : undefined;
        return module === undefined ? [] : [module];
      }
      if (parent?.kind === SyntaxKind.BindingElement) {
        const required = readRequired(parent);
        return required === undefined ? [] : findExport(findModule(required.specifier), node);
      }
      if (parent?.kind !== SyntaxKind.PropertyAccessExpression || parent.name !== node) return [];
      const owner = parent.expression as Shape;
      if (isExports(owner)) return findExport(file, node);
      const member = findInstanceMember(node);
      if (member !== undefined) return [member];
      const specifier = readRequire(owner);
      if (specifier !== undefined) return findExport(findModule(specifier), node);
      const symbol = answers.get(owner);
      if (symbol === undefined || symbol === failed) return [];
      const required = declarationsOf(symbol)
        .map(readRequired)
        .find((one) => one !== undefined);
      return required === undefined || required.taken !== undefined
        ? []
        : findExport(findModule(required.specifier), node);
    },
  };
}

/** Import clauses stand for something else and have no symbols. */
function isModuleAlias({ kind }: Node): boolean {
  return (
    kind === SyntaxKind.ImportSpecifier ||
    kind === SyntaxKind.ImportClause ||
    kind === SyntaxKind.NamespaceImport ||
    kind === SyntaxKind.ImportEqualsDeclaration ||
    kind === SyntaxKind.ExportSpecifier
  );
}
