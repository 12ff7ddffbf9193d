/**
 * Which files of a program the edits can reach at all. What the compiler says of a file depends on the file's own text, on the modules it
 * imports and what they import in turn, and on what files put into the global scope or into each other's modules. So a file from which no
 * chain of imports leads to an edited file cannot change, unless a file that does depend on one speaks for others: a script, a global
 * augmentation, an ambient or augmented module. Then all files are taken (docs/decisions/0018).
 */

import { askInBatches } from '../../../kernel/compiler/ask-in-batches.ts';
import { type Node, type SourceFile, SyntaxKind } from '../../../kernel/compiler/typescript-api.ts';
import type { OpenProgram, Programs } from '../in-job.ts';

/** Root-relative and sorted; null: all files, also those outside the root. */
export function listAffected(
  programs: Programs,
  program: OpenProgram,
  seeds: readonly string[],
  names: readonly string[],
): readonly string[] | null {
  const files = listFiles(programs, program);
  const importers = readImporters(programs, program, files);
  if (importers === undefined || dependsByJsx(program, files, names)) return null;
  const affected = new Set<string>();
  const pending = seeds.filter((seed) => files.has(seed));
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const file = files.get(path);
    if (affected.has(path) || file === undefined) continue;
    affected.add(path);
    if (speaksForOthers(file)) return null;
    pending.push(...(importers.get(path) ?? []));
  }
  return program.files.filter((path) => affected.has(path));
}

/** One of the compiler's own. */
export function isLibrary(fileName: string): boolean {
  return /\/node_modules\/@typescript\/[^/]+\/lib\/lib\.[^/]*\.d\.ts$/.test(fileName);
}

/** Without the compiler's own libraries, which import nothing. */
function listFiles(programs: Programs, program: OpenProgram): ReadonlyMap<string, SourceFile> {
  const files = new Map<string, SourceFile>();
  for (const fileName of program.project.program.getSourceFileNames()) {
    if (isLibrary(fileName)) continue;
    const { path, outside } = programs.place(fileName);
    const file = outside ? program.project.program.getSourceFile(fileName) : program.sourceFile(path);
    if (file !== undefined) files.set(path, file);
  }
  return files;
}

/** By file, who imports it. Undefined when one import could not be asked about. */
function readImporters(
  programs: Programs,
  program: OpenProgram,
  files: ReadonlyMap<string, SourceFile>,
): ReadonlyMap<string, readonly string[]> | undefined {
  const specifiers: { readonly path: string; readonly node: Node }[] = [];
  for (const [path, file] of files) for (const node of file.imports) specifiers.push({ path, node });
  const modules = askInBatches(specifiers, (batch) =>
    program.project.checker.getSymbolAtLocation(batch.map(({ node }) => node)),
  );
  const importers = new Map<string, string[]>();
  for (const [at, { path }] of specifiers.entries()) {
    const answer = modules[at];
    if (answer === undefined || answer.kind === 'failed') return undefined;
    for (const { path: fileName } of answer.value?.declarations ?? []) {
      const target = programs.place(fileName).path;
      const list = importers.get(target) ?? [];
      if (list.length === 0) importers.set(target, list);
      list.push(path);
    }
  }
  return importers;
}

/** What it declares or says can be seen without importing it. */
export function speaksForOthers(file: SourceFile): boolean {
  if (file.externalModuleIndicator === undefined) return true;
  if (file.moduleAugmentations.length > 0 || file.ambientModuleNames.length > 0) return true;
  return isGlobalToo(file);
}

/** A module that everybody has as a value, without importing it. */
export function isGlobalToo({ text, statements }: SourceFile): boolean {
  if (!/\bexport\s+as\s+namespace\b/.test(text)) return false;
  return statements.some(({ kind }) => kind === SyntaxKind.NamespaceExportDeclaration);
}

/**
 * Under the automatic JSX transform every file with JSX imports a runtime module that it does not name, and of that module only the
 * namespace `JSX` matters. It is ours to change only if a file of the program declares or exports one by whatever means, or if it is what
 * is renamed. Which of these modules is the runtime is decided by options, comments and resolution; each is taken for one.
 */
function dependsByJsx(program: OpenProgram, files: ReadonlyMap<string, SourceFile>, names: readonly string[]): boolean {
  if (names.includes('JSX')) return true;
  const saying = program.files.flatMap((path) => {
    const file = files.get(path);
    return file !== undefined && /\bJSX\b|\\u/.test(file.text) ? [file] : [];
  });
  if (saying.some(({ text }) => /\bnamespace\s+JSX\b/.test(text))) return true;
  const { checker } = program.project;
  return askInBatches(saying, (batch) => checker.getSymbolAtLocation(batch)).some((answer) => {
    if (answer.kind === 'failed') return true;
    return answer.value !== undefined && checker.getMemberInModuleExports(answer.value, 'JSX') !== undefined;
  });
}
