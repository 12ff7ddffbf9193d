/**
 * Names that modules and namespaces show (mutation.md §2.7): does one that shows the renamed symbol show another of the new name, its own
 * or through `export *`? Where the same scope declares both, that is told as a collision and not again.
 */

import * as ts from '../../../kernel/compiler/typescript-api.ts';
import type { OpenProgram, RenameWorld } from '../in-job.ts';
import type { Clash } from '../types.ts';
import { makeClash, placeOfSymbol, tellPlace } from './clash-words.ts';
import type { Write } from './list-writes.ts';

export function findExportClashes(world: RenameWorld, writes: readonly Write[]): readonly Clash[] {
  return world.programs.open.flatMap((program) => {
    const own = writes.filter((write) => write.program === program);
    if (own.length === 0) return [];
    return [...findModuleClashes(world, program, own), ...own.flatMap((write) => findNamespaceClash(world, write))];
  });
}

function findModuleClashes(world: RenameWorld, program: OpenProgram, writes: readonly Write[]): readonly Clash[] {
  const byPlace = new Map(writes.map((write) => [`${write.token.path}\0${write.token.start}`, write]));
  const touched = new Set(writes.map(({ token }) => token.path));
  // What the language confines to its file is shown by no other.
  const paths = world.reach === 'file' ? program.files.filter((path) => touched.has(path)) : program.files;
  return paths.flatMap((path) => {
    const file = program.sourceFile(path);
    if (file === undefined || !(touched.has(path) || passesOn(file))) return [];
    return findModuleClash(world, program, file, byPlace);
  });
}

function findModuleClash(
  world: RenameWorld,
  program: OpenProgram,
  file: ts.SourceFile,
  byPlace: ReadonlyMap<string, Write>,
): readonly Clash[] {
  const { programs, question, oldName } = world;
  const { checker } = program.project;
  const module = checker.getSymbolAtLocation(file);
  if (module === undefined) return [];
  const shown = checker.getMemberInModuleExports(module, oldName);
  const place = shown === undefined ? null : placeOfSymbol(programs, program.project, shown);
  const write = place === null ? undefined : byPlace.get(`${place.path}\0${place.start}`);
  // `export { b as a }` goes on showing the old name.
  if (write === undefined || write.edit.form === 'export_keeps_public') return [];
  if (question.newName === 'then' && program.files.some((each) => program.sourceFile(each)?.text.includes('import('))) {
    const detail = '`import()` calls what a module exports as `then`, and its importers would get the result instead.';
    return [makeClash('capture', write.token, null, detail)];
  }
  const other = checker.getMemberInModuleExports(module, question.newName);
  if (other === undefined) return [];
  const { path } = programs.place(file.fileName);
  const otherPlace = placeOfSymbol(programs, program.project, other);
  const where = otherPlace === null ? '' : `, from ${tellPlace(programs, otherPlace)}`;
  const detail = `\`${path}\` already exports \`${question.newName}\`${where}, and would export the renamed \`${oldName}\` under the same name.`;
  return [makeClash('export_clash', write.token, otherPlace, detail)];
}

/** `export * from`: shows names that it does not say. The text is asked first, because most files need not be looked into. */
function passesOn(file: ts.SourceFile): boolean {
  if (!/\bexport\s*(?:type\s*)?(?:\/|\*)/.test(file.text)) return false;
  return file.statements.some((statement) => ts.isExportDeclaration(statement) && statement.exportClause === undefined);
}

/** Statics of a class and exports of the namespace it is merged with are one list. */
function findNamespaceClash({ programs, question }: RenameWorld, write: Write): readonly Clash[] {
  if (write.declares === null && !write.isMember) return [];
  const { program, token } = write;
  const symbol = program.project.checker.getSymbolAtLocation(token.node);
  const owner = symbol?.getParent();
  if (owner === undefined || (owner.flags & (ts.SymbolFlags.Module | ts.SymbolFlags.Class)) === 0) return [];
  if (owner.declarations.some(({ kind }) => kind === ts.SyntaxKind.SourceFile)) return [];
  const other = owner.getExports().get(ts.escapeLeadingUnderscores(question.newName));
  if (other === undefined || symbol === undefined || !isAmongExports(owner, symbol)) return [];
  const place = placeOfSymbol(programs, program.project, other);
  const where = place === null ? '' : ` at ${tellPlace(programs, place)}`;
  return [
    makeClash('export_clash', token, place, `\`${owner.name}\` already has \`${question.newName}\`, declared${where}.`),
  ];
}

function isAmongExports(owner: ts.Symbol, symbol: ts.Symbol): boolean {
  return owner.getExports().get(symbol.escapedName)?.id === symbol.getExportSymbol().id;
}
