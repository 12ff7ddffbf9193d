/** How clashes are told: both places, and one sentence a person understands. */

import type * as ts from '../../../kernel/compiler/typescript-api.ts';
import type { Programs } from '../in-job.ts';
import type { Clash, DeclarationPlace } from '../types.ts';

type At = { readonly path: string; readonly start: number; readonly end: number };

export function makeClash(reason: Clash['reason'], at: At, other: DeclarationPlace | null, detail: string): Clash {
  return { path: at.path, start: at.start, end: at.end, reason, detail, other };
}

export function placeOfNode(programs: Programs, node: ts.Node): DeclarationPlace {
  return { ...programs.place(node.getSourceFile().fileName), start: node.getStart() };
}

/** `src/a.ts:3:7`, 1-based. */
export function tellPlace(
  programs: Programs,
  { path, start }: { readonly path: string; readonly start: number },
): string {
  for (const program of programs.open) {
    const file = program.sourceFile(path);
    if (file === undefined) continue;
    const { line, character } = file.getLineAndCharacterOfPosition(Math.max(0, start));
    return `${path}:${line + 1}:${character + 1}`;
  }
  return path.replace(/^.*\/node_modules\//, '');
}

/** The first declaration of a symbol, or null where the compiler brings it along. Texts outside the root are not loaded for it. */
export function placeOfSymbol(programs: Programs, project: ts.Project, symbol: ts.Symbol): DeclarationPlace | null {
  const handle = symbol.declarations[0];
  if (handle === undefined) return null;
  const place = programs.place(handle.path);
  if (place.outside) return { ...place, start: 0 };
  const node = handle.resolve(project);
  const name = (node as { readonly name?: ts.Node } | undefined)?.name ?? node;
  return { ...place, start: name?.getStart() ?? 0 };
}
