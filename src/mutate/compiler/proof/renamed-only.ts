/**
 * Edits after which the program is the same under another name (docs/decisions/0018). Where a name stands in scopes and in the tables of
 * modules alone, and everything that is spelled like the old or the new one is bound as before, whatever else the compiler says it says
 * as before, and it is not asked. What a name decides by its mere spelling is left, and shows in the diagnostics: of the files that
 * declare it, that have the new one already, or that pass on all of a module. Of words of the language, and of names that the compiler
 * looks up by itself, none of this is said.
 */

import { type SourceFile, SymbolFlags } from '../../../kernel/compiler/typescript-api.ts';
import type { OpenProgram } from '../in-job.ts';
import type { CompilerEdit, ProofSubject } from '../types.ts';

/** Of `paths`, the files whose diagnostics can change; undefined where the argument does not hold. */
export function listChecked(
  program: OpenProgram,
  paths: readonly string[],
  { oldName, newName, edits }: ProofSubject,
  isDecisive: (path: string, file: SourceFile) => boolean,
): readonly string[] | undefined {
  // Whether a tag is a component or an element is decided by its first letter.
  const isLower = (name: string) => /^[a-z]/.test(name);
  const isPlain = [oldName, newName].every((name) => isOrdinary(program, name));
  if (!isPlain || isLower(oldName) !== isLower(newName)) return undefined;
  const isPlainEdit = ({ oldText, newText }: CompilerEdit) => oldText === oldName && newText === newName;
  const reshaped = new Set(edits.filter((edit) => !isPlainEdit(edit)).map(({ path }) => path));
  const mayHaveNew = maySpell([newName]);
  const isChecked = (path: string) => {
    const file = program.sourceFile(path);
    if (file === undefined || reshaped.has(path) || isDecisive(path, file)) return true;
    return mayHaveNew(file.text) || file.text.includes('@jsx');
  };
  return paths.filter(isChecked);
}

/** Whether one of the names may stand in a text as a word: an escape can spell any name. */
export function maySpell(names: readonly string[]): (text: string) => boolean {
  const part = String.raw`[\p{ID_Continue}$\u200c\u200d]`;
  const one = names.map((name) => name.replaceAll('$', '\\$')).join('|');
  const word = new RegExp(`(?<!${part})(?:${one})(?!${part})`, 'u');
  return (text) => word.test(text) || text.includes('\\u');
}

/**
 * No word of the language, nothing that the global scope has or that stands for itself (`_` for what is not used), and nothing that is
 * looked up where JSX is written.
 */
function isOrdinary(program: OpenProgram, name: string): boolean {
  const { checker } = program.project;
  if (!/^[A-Za-z$][\w$]*$/.test(name) || words.has(name) || listFactories(program).includes(name)) return false;
  const all = SymbolFlags.Value | SymbolFlags.Type | SymbolFlags.Namespace | SymbolFlags.Alias;
  try {
    return checker.resolveName(name, all) === undefined;
  } catch {
    return false;
  }
}

/** What JSX is made with, unless a comment says otherwise: the name that is looked up. */
export function listFactories({ project }: OpenProgram): readonly string[] {
  const { jsxFactory, jsxFragmentFactory, reactNamespace = 'React' } = project.compilerOptions;
  return [jsxFactory, jsxFragmentFactory, reactNamespace].flatMap((factory) => factory?.split('.')[0] ?? []);
}

/** Of TypeScript, also where only their place makes them so. */
const words: ReadonlySet<string> = new Set(
  `abstract accessor any arguments as asserts assert async await bigint boolean break case catch class const constructor continue debugger
  declare default defer delete do else enum eval export extends false finally for from function get global globalThis if implements import
  in infer instanceof interface intrinsic is keyof let module namespace never new null number object of out override package private
  protected prototype public readonly require exports return satisfies set static string super switch symbol this throw true try type
  typeof undefined unique unknown using var void while with yield`.split(/\s+/),
);
