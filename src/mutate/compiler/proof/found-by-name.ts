/**
 * Which names need not be asked what they stand for one step further, because that is found by a name that the edits do not touch
 * (docs/decisions/0018): the variable of a shorthand property is looked up in scopes, what a specifier imports or exports in the tables of
 * modules, and edits that only change how other names are spelled change neither. Not so where modules are what a value is: in JavaScript
 * and behind `export =`.
 */

import type { OpenProgram } from '../in-job.ts';
import { type Node, SyntaxKind } from '../typescript-api.ts';

type Specifier = Node & { readonly name?: Named; readonly propertyName?: Named };
type Named = Node & { readonly text?: string };

/** `names`: those that the edits change, as they were and as they will be. */
export function createByName(
  program: OpenProgram,
  paths: readonly string[],
  names: ReadonlySet<string>,
): (node: Node) => boolean {
  if (paths.some((path) => isValueModule(program, path))) return () => false;
  const isOther = (name: Named | undefined) => name === undefined || !names.has(name.text ?? '');
  return ({ parent }) => {
    switch (parent?.kind) {
      case SyntaxKind.ImportSpecifier:
      case SyntaxKind.ExportSpecifier: {
        const { name, propertyName } = parent as Specifier;
        return isOther(name) && isOther(propertyName);
      }
      case SyntaxKind.ImportClause:
      case SyntaxKind.ShorthandPropertyAssignment:
        return isOther((parent as Specifier).name);
      default:
        return false;
    }
  };
}

function isValueModule(program: OpenProgram, path: string): boolean {
  if (/\.[cm]?jsx?$/.test(path)) return true;
  return /\bexport\s*=|\bmodule\s*\.\s*exports\b/.test(program.sourceFile(path)?.text ?? '');
}
