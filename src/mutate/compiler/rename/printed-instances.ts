/** Instances that are printed: the name of their class is printed with them. What a program prints is read once for all classes asked about. */

import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';
import type { OpenProgram, RenameWorld } from '../job/job-types.ts';
import { askOr } from '../job/name-tokens.ts';
import { typesAt, walkNodes } from './doubted-family.ts';

const K = ts.SyntaxKind;

type Declared = { readonly node: ts.Node };

export const prints =
  /^(?:console\s*\.\s*(?:log|info|dir|table)|(?:util\s*\.\s*)?(?:inspect|format|formatWithOptions))$/;

type Printed = {
  readonly program: OpenProgram;
  readonly path: string;
  readonly node: ts.Node;
  readonly type: ts.Type | undefined;
};

const knownPrinted = new WeakMap<OpenProgram, readonly Printed[]>();

export function listPrinted({ programs }: RenameWorld): readonly Printed[] {
  return programs.open.flatMap((program) => {
    const known = knownPrinted.get(program) ?? program.files.flatMap((path) => printedIn(program, path));
    knownPrinted.set(program, known);
    return known;
  });
}

function printedIn(program: OpenProgram, path: string): readonly Printed[] {
  const file = program.sourceFile(path);
  if (file === undefined || !/\bconsole\b|\b(?:inspect|format)\b/.test(file.text)) return [];
  const nodes: ts.Node[] = [];
  walkNodes(file, (node) => {
    if (!ts.isCallExpression(node) || !prints.test(node.expression.getText())) return;
    for (const value of node.arguments) if (!isPlain(value.kind)) nodes.push(value);
  });
  const types = typesAt(program, nodes);
  return nodes.map((node, at) => ({ program, path, node, type: types[at] }));
}

function isPlain(kind: ts.SyntaxKind): boolean {
  return (
    kind === K.StringLiteral ||
    kind === K.TemplateExpression ||
    kind === K.NoSubstitutionTemplateLiteral ||
    kind === K.NumericLiteral
  );
}

/** Itself, or one level down in a list or an object. */
export function holdsInstance(subjects: readonly Declared[], { program, type }: Printed): boolean {
  const { checker } = program.project;
  const isIt = (each: ts.Type | undefined) =>
    partsOfType(program, each).some((part) => isOneOf(program, subjects, part));
  return askOr(() => {
    if (isIt(type)) return true;
    return partsOfType(program, type).some((part) => {
      if (!part.isObjectType()) return false;
      if (part.isTypeReference()) return checker.getTypeArguments(part).some(isIt);
      const isLiteral = part.getSymbol()?.declarations.some(({ kind }) => kind === K.ObjectLiteralExpression) === true;
      return isLiteral && checker.getPropertiesOfType(part).some((property) => isIt(checker.getTypeOfSymbol(property)));
    });
  }, false);
}

function isOneOf({ project }: OpenProgram, subjects: readonly Declared[], type: ts.Type): boolean {
  return (type.getSymbol()?.declarations ?? []).some((handle) => {
    const node = handle.resolve(project);
    return node !== undefined && subjects.some((subject) => subject.node === node);
  });
}

export function partsOfType({ project: { checker } }: OpenProgram, type: ts.Type | undefined): readonly ts.Type[] {
  if (type === undefined) return [];
  const bare = checker.getNonNullableType(type) ?? type;
  return bare.isUnionType() ? (bare.getTypes() ?? []) : [bare];
}
