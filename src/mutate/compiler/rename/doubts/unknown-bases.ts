/** `unknown_inherited`: an owner extends something whose members the compiler cannot list, so the new name may be one of them. */

import * as ts from '../../../../kernel/compiler/typescript-api.ts';
import type { OpenProgram, RenameWorld } from '../../in-job.ts';
import type { CompilerItem } from '../../types.ts';
import { attempt } from '../attempt.ts';
import { isUntyped, type Owner } from './doubted-family.ts';
import { site } from './sites.ts';

const depthMax = 20;

export function findUnknownBases(world: RenameWorld, owners: readonly Owner[]): readonly CompilerItem[] {
  if (world.oldName.startsWith('#')) return [];
  const found = new Map<ts.Node, CompilerItem>();
  const seen = new Set<ts.Node>();
  let level = owners.map(({ program, node }) => ({ program, node }));
  for (let depth = 0; depth < depthMax && level.length > 0; depth++) {
    level = level.flatMap(({ program, node }) => {
      if (seen.has(node)) return [];
      seen.add(node);
      return basesOf(node).flatMap((base) => {
        const type = attempt(() => program.project.checker.getTypeAtLocation(base), undefined);
        const declared = declarationsOf(
          world,
          program,
          isUntyped(type) ? namedSymbol(program, base) : type?.getSymbol(),
        );
        if (!isUntyped(type) || declared.length > 0) return declared;
        const { path } = world.programs.place(base.getSourceFile().fileName);
        const detail = `The members of \`${base.getText().slice(0, 60)}\` cannot be listed; \`${world.question.newName}\` may be one.`;
        found.set(base, site('unknown_inherited', path, base, detail));
        return [];
      });
    });
  }
  return [...found.values()];
}

function basesOf(node: ts.Node): readonly ts.Node[] {
  const clauses = (node as { readonly heritageClauses?: readonly ts.HeritageClause[] }).heritageClauses ?? [];
  return clauses.flatMap(({ types }) => [...types]);
}

/** A class that extends itself by way of others has an error for a type; its members stand there all the same. */
function namedSymbol({ project: { checker } }: OpenProgram, base: ts.Node): ts.Symbol | undefined {
  const { expression } = base as { readonly expression?: ts.Node };
  const symbol = expression === undefined ? undefined : checker.getSymbolAtLocation(expression);
  return symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0
    ? checker.getAliasedSymbol(symbol)
    : symbol;
}

/** In the root; a base outside it has members that can be listed, or it would be untyped. */
function declarationsOf(
  { programs }: RenameWorld,
  program: OpenProgram,
  symbol: ts.Symbol | undefined,
): readonly { readonly program: OpenProgram; readonly node: ts.Node }[] {
  const kinds = [ts.SyntaxKind.ClassDeclaration, ts.SyntaxKind.ClassExpression, ts.SyntaxKind.InterfaceDeclaration];
  const handles = (symbol?.declarations ?? []).filter(({ kind }) => kinds.includes(kind));
  return handles.flatMap((handle) => {
    const node = programs.place(handle.path).outside ? undefined : handle.resolve(program.project);
    return node === undefined ? [] : [{ program, node }];
  });
}
