/**
 * Which files of a program the edits can reach at all. What the compiler says of a file depends on the file's own text, on what the names
 * in it stand for, on what the names in their declarations stand for in turn, and on what files put into the global scope or into each
 * other's modules. So a file from which no chain of mentions leads to an edited declaration cannot change, unless one that does depend on
 * it speaks for others: a script, a global augmentation, an ambient or augmented module. Then all files are taken (decision 0018).
 */

import { readFileSync } from 'node:fs';
import { countWhile } from '../../../kernel/base/count-while.ts';
import { askInBatches } from '../../../languages/typescript/compiler/compiler-process.ts';
import {
  type Node,
  type SourceFile,
  SymbolFlags,
  SyntaxKind,
} from '../../../languages/typescript/compiler/typescript-api.ts';
import type { OpenProgram, Programs } from '../job/job-types.ts';
import { isCompilerLibrary } from '../job/programs.ts';
import type { CompilerEdit, ProofSubject } from '../session/messages.ts';
import {
  addTo,
  anyName,
  listNamed,
  type Mentions,
  type Module,
  readUnits,
  readWhole,
  type Unit,
} from './module-parts.ts';

/** `start` absent: all of the file. */
export type Seed = { readonly path: string; readonly start?: number };

type Reaching = {
  readonly seeds: readonly Seed[];
  /** What changes its name, and what it is called then. */
  readonly names?: readonly string[];
  /** Names that scopes and modules come to have: a file that spells one may find it. */
  readonly appearing?: readonly string[];
  /** A module depends on all that it imports, whatever it mentions: what imports lead to may change as well. */
  readonly byImports?: boolean;
};

/** Root-relative and sorted; null: all files, also those outside the root. */
export function listAffected(
  programs: Programs,
  program: OpenProgram,
  { seeds, names = [], appearing = [], byImports = false }: Reaching,
): readonly string[] | null {
  const graph = readGraph(programs, program, byImports);
  if (graph === null || graph.implied.some((name) => names.includes(name))) return null;
  const affected = new Set<string>();
  const seen = new Set<Unit>();
  const pending: Unit[] = [];
  for (const seed of [...seeds, ...listSpelling(graph, appearing)]) {
    const module = graph.modules.get(seed.path);
    if (module === undefined) continue;
    affected.add(seed.path);
    pending.push(...unitsAt(module, seed.start));
  }
  for (let unit = pending.pop(); unit !== undefined; unit = pending.pop()) {
    if (seen.has(unit)) continue;
    seen.add(unit);
    if (unit.isHeard) return null;
    affected.add(unit.path);
    for (const { path } of graph.innerUsers.get(unit) ?? []) affected.add(path);
    pending.push(...(graph.users.get(unit) ?? []));
  }
  return program.files.filter((path) => affected.has(path));
}

/** What others see of what stands there: nothing, if it stands in a body. */
function unitsAt({ units }: Module, start: number | undefined): readonly Unit[] {
  if (start === undefined) return units;
  // Where one ends the next begins, and what stands there may belong to either.
  const at = countUntil(units, start);
  const own = units.slice(Math.max(0, at - 2), at).filter(({ end }) => start <= end);
  if (own.length === 0) return units;
  const isHidden = ({ bodies }: Unit) => bodies.some((body) => body.start < start && start < body.end);
  return own.filter((unit) => unit.isHeard || !isHidden(unit));
}

/** How many begin there or before; they are in the order of the text. */
function countUntil(units: readonly Unit[], start: number): number {
  return countWhile(units, (unit) => unit.start <= start);
}

function listSpelling({ files }: Graph, names: readonly string[]): readonly Seed[] {
  if (names.length === 0) return [];
  const isSpelled = maySpell(names);
  return [...files].flatMap(([path, { text }]) => (isSpelled(text) ? [{ path }] : []));
}

type Graph = {
  readonly files: ReadonlyMap<string, SourceFile>;
  readonly modules: ReadonlyMap<string, Module>;
  /** Files that are made of it, and files that only mention it in a body. */
  readonly users: ReadonlyMap<Unit, readonly Unit[]>;
  readonly innerUsers: ReadonlyMap<Unit, readonly Unit[]>;
  /** Names that are looked up where none is spelled. */
  readonly implied: readonly string[];
};

/** Several questions are asked about the same program. */
type Graphs = WeakMap<OpenProgram, Graph | null>;
const known = { byImports: new WeakMap() as Graphs, byMentions: new WeakMap() as Graphs };

/** Null where every file may depend on anything: what is imported could not be asked about, or is imported unnamed and in the repository. */
function readGraph(programs: Programs, program: OpenProgram, byImports: boolean): Graph | null {
  const kept = byImports ? known.byImports : known.byMentions;
  const read = kept.get(program);
  if (read !== undefined) return read;
  const graph = makeGraph(programs, program, byImports);
  kept.set(program, graph);
  return graph;
}

function makeGraph(programs: Programs, program: OpenProgram, byImports: boolean): Graph | null {
  const files = listFiles(programs, program);
  const targets = readTargets(programs, program, files);
  const texts = program.files.flatMap((path) => files.get(path) ?? []);
  const implied = hasImpliedFragments(program, texts) ? ['JSX', 'Fragment'] : ['JSX'];
  const runtimes = findRuntimes(programs, program, texts, implied);
  if (targets === undefined || runtimes === undefined || hasOwnHelpers(program, files)) return null;
  // What is imported without being named may be another file afterwards.
  if (byImports && runtimes.length > 0) return null;
  const inside = new Set(program.files);
  const factories = listFactories(program);
  const modules = new Map<string, Module>();
  for (const [path, file] of files) {
    const isHeard = file.externalModuleIndicator === undefined || isGlobalToo(file);
    const isWhole = byImports || isHeard || !inside.has(path);
    const module = isWhole ? undefined : readUnits(path, file, factories, () => isAllDefault(program, file));
    modules.set(path, module ?? readWhole(path, file, isHeard || speaksForOthers(file)));
  }
  return { files, modules, implied, ...linkUnits(modules, targets, runtimes) };
}

/** `ModuleKind`, which the interface does not name. */
const [esNext, node16, nodeNext] = [99, 100, 199];

/** Node gives a module that imports one in CommonJS all that it exports as its default. */
function isAllDefault({ project: { program, compilerOptions } }: OpenProgram, { fileName }: SourceFile): boolean {
  const { module = 0 } = compilerOptions;
  return (
    node16 <= module && module <= nodeNext && program.getSourceFileMetadata(fileName)?.impliedNodeFormat !== esNext
  );
}

/** Without the compiler's own libraries, which import nothing. */
function listFiles(programs: Programs, program: OpenProgram): ReadonlyMap<string, SourceFile> {
  const files = new Map<string, SourceFile>();
  for (const fileName of program.project.program.getSourceFileNames()) {
    if (isCompilerLibrary(fileName)) continue;
    const { path, outside } = programs.place(fileName);
    const file = outside ? program.project.program.getSourceFile(fileName) : program.sourceFile(path);
    if (file !== undefined) files.set(path, file);
  }
  return files;
}

type Targets = ReadonlyMap<Node, readonly string[]>;

/** The files that a module's name leads to. Undefined when one could not be asked about. */
function readTargets(
  programs: Programs,
  program: OpenProgram,
  files: ReadonlyMap<string, SourceFile>,
): Targets | undefined {
  const specifiers = [...files.values()].flatMap(listNamed);
  const answers = askInBatches(specifiers, (batch) => program.project.checker.getSymbolAtLocation(batch));
  const targets = new Map<Node, readonly string[]>();
  for (const [at, node] of specifiers.entries()) {
    const answer = answers[at];
    if (answer === undefined || answer.kind === 'failed') return undefined;
    targets.set(
      node,
      (answer.value?.declarations ?? []).map(({ path }) => programs.place(path).path),
    );
  }
  return targets;
}

function linkUnits(
  modules: ReadonlyMap<string, Module>,
  targets: Targets,
  runtimes: readonly string[],
): Pick<Graph, 'users' | 'innerUsers'> {
  const users = new Map<Unit, Unit[]>();
  const innerUsers = new Map<Unit, Unit[]>();
  const link = (into: typeof users, of: Unit, by: Unit) => {
    if (of !== by && into.get(of)?.at(-1) !== by) addTo(into, of, by);
  };
  const follow = createFollowing(modules, targets);
  for (const module of modules.values()) {
    for (const unit of module.units) {
      link(users, unit, module.whole);
      for (const of of follow(module, unit.shown)) link(users, of, unit);
      for (const of of follow(module, unit.inner)) link(innerUsers, of, unit);
    }
    for (const of of follow(module, module.whole.shown)) link(users, of, module.whole);
  }
  const making = runtimes.flatMap((path) => modules.get(path)?.whole ?? []);
  for (const { path, units, whole } of modules.values())
    if (mayHaveJsx.test(path)) for (const of of making) for (const unit of [...units, whole]) link(users, of, unit);
  return { users, innerUsers };
}

/** What mentions lead to. */
function createFollowing(
  modules: ReadonlyMap<string, Module>,
  targets: Targets,
): (module: Module, mentions: Mentions) => Generator<Unit> {
  const listTargets = (node: Node) => (targets.get(node) ?? []).flatMap((path) => modules.get(path) ?? []);
  const tables = new Map<Module, ReturnType<typeof readTable>>();
  const tableOf = (module: Module) => {
    const table = tables.get(module) ?? readTable(module, listTargets);
    tables.set(module, table);
    return table;
  };
  return function* follow({ declared }, mentions) {
    for (const name of mentions.names) yield* declared.get(name) ?? [];
    for (const node of mentions.modules) for (const { whole } of listTargets(node)) yield whole;
    const { from } = mentions;
    for (const module of from === undefined ? [] : listTargets(from.module)) {
      const { byName, others } = tableOf(module);
      const found = byName.get(from?.name ?? '');
      // Whatever it may be that is not found: all of the module.
      yield* found === undefined ? [module.whole] : [...found, ...others, ...(byName.get(anyName) ?? [])];
    }
  };
}

/** What a module exports by itself and by passing it on; `others`: modules of which it is not known what they export. */
function readTable(
  module: Module,
  listTargets: (node: Node) => readonly Module[],
): { readonly byName: ReadonlyMap<string, readonly Unit[]>; readonly others: readonly Unit[] } {
  const byName = new Map<string, Unit[]>();
  const others: Unit[] = [];
  const seen = new Set<Module>();
  const pending = [module];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    if (next.isWhole) others.push(next.whole);
    for (const [name, units] of next.exported) {
      if (name === 'default' && next !== module) continue;
      for (const unit of units) addTo(byName, name, unit);
    }
    pending.push(...next.passedOn.flatMap(listTargets));
  }
  return { byName, others };
}

/** What it declares or says can be seen without importing it. */
export function speaksForOthers(file: SourceFile): boolean {
  if (file.externalModuleIndicator === undefined) return true;
  if (file.moduleAugmentations.length > 0 || file.ambientModuleNames.length > 0) return true;
  return isGlobalToo(file);
}

/** A module that every file has as a value, without importing it. */
export function isGlobalToo({ text, statements }: SourceFile): boolean {
  if (!text.includes('namespace')) return false;
  return statements.some(({ kind }) => kind === SyntaxKind.NamespaceExportDeclaration);
}

/** Every module imports `tslib` without naming it where `importHelpers` says so, and configuration can make it a file of the repository. */
function hasOwnHelpers({ project }: OpenProgram, files: ReadonlyMap<string, SourceFile>): boolean {
  if (project.compilerOptions['importHelpers'] !== true) return false;
  return ![...files.keys()].some((path) => /(?:^|\/)node_modules\/tslib\//.test(path));
}

/** By its ending: JavaScript is always read so that it may. */
const mayHaveJsx = /\.(?:[cm]?js|[jt]sx)$/;

/**
 * Under the automatic JSX transform every file with JSX imports a runtime module that it does not name, and of that module only the
 * namespace `JSX` matters, and sometimes `Fragment`. It is ours to change only if a file of the program declares or exports one by
 * whatever means, or if it is what is renamed. Which of these modules is the runtime is decided by options, comments and resolution; each
 * is taken for one. Undefined when one could not be asked about.
 */
function findRuntimes(
  programs: Programs,
  program: OpenProgram,
  texts: readonly SourceFile[],
  implied: readonly string[],
): readonly string[] | undefined {
  const isSaid = new RegExp(String.raw`\b(?:${implied.join('|')})\b|\\u`);
  const saying = texts.filter(({ text }) => isSaid.test(text));
  const { checker } = program.project;
  const answers = askInBatches(saying, (batch) => checker.getSymbolAtLocation(batch));
  const runtimes: string[] = [];
  for (const [at, { fileName, text }] of saying.entries()) {
    const answer = answers[at];
    if (answer === undefined || answer.kind === 'failed') return undefined;
    const { value } = answer;
    const exports = (name: string) =>
      value !== undefined && checker.getMemberInModuleExports(value, name) !== undefined;
    if (/\bnamespace\s+JSX\b/.test(text) || implied.some(exports)) runtimes.push(programs.place(fileName).path);
  }
  return runtimes;
}

/** `JsxEmit`, which the interface does not name. */
const [react, reactJsx] = [3, 4];

/** What fragments are made with is looked up under the classic transform, or where it is named; also in a runtime that a comment names. */
function hasImpliedFragments({ project }: OpenProgram, texts: readonly SourceFile[]): boolean {
  const { jsx = 0, jsxFragmentFactory, jsxImportSource } = project.compilerOptions;
  if (jsx !== react && jsxFragmentFactory === undefined) return false;
  return jsx >= reactJsx || jsxImportSource !== undefined || texts.some(({ text }) => text.includes('@jsx'));
}

// Edits after which the program is the same under another name (docs/decisions/0018). Where a name stands in scopes and in the tables of
// modules alone, and everything that is spelled like the old or the new one is bound as before, whatever else the compiler says it says
// as before, and it is not asked. What a name decides by its mere spelling is left, and shows in the diagnostics: of the files that
// declare it, that have the new one already, or that pass on all of a module. Of words of the language, and of names that the compiler
// looks up by itself, none of this is said.

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

/** Whether one of the names may stand in a text as a word. A name that is spelled with escapes stands in it once they are read. */
export function maySpell(names: readonly string[]): (text: string) => boolean {
  const part = String.raw`[\p{ID_Continue}$\u200c\u200d]`;
  const one = names.map((name) => name.replaceAll('$', '\\$')).join('|');
  const word = new RegExp(`(?<!${part})(?:${one})(?!${part})`, 'u');
  return (text) => word.test(text) || (text.includes('\\u') && word.test(text.replace(escaped, readEscape)));
}

const escaped = /\\u(?:\{0*([0-9a-f]{1,6})\}|([0-9a-f]{4}))/gi;

function readEscape(whole: string, braced: string | undefined, plain: string | undefined): string {
  const code = Number.parseInt(braced ?? plain ?? '', 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
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
function listFactories({ project }: OpenProgram): readonly string[] {
  const { jsxFactory, jsxFragmentFactory, reactNamespace = 'React' } = project.compilerOptions;
  return [jsxFactory, jsxFragmentFactory, reactNamespace].flatMap((factory) => factory?.split('.')[0] ?? []);
}

export function isWord(name: string): boolean {
  return words.has(name);
}

/** Of TypeScript, also where only their place makes them so. */
const words: ReadonlySet<string> = new Set(
  `abstract accessor any arguments as asserts assert async await bigint boolean break case catch class const constructor continue debugger
  declare default defer delete do else enum eval export extends false finally for from function get global globalThis if implements import
  in infer instanceof interface intrinsic is keyof let module namespace never new null number object of out override package private
  protected prototype public readonly require exports return satisfies set static string super switch symbol this throw true try type
  typeof undefined unique unknown using var void while with yield`.split(/\s+/),
);

// The texts of all files of a program, those of packages and of the compiler's own libraries among them.

type ProgramText = {
  readonly fileName: string;
  /** Root-relative, or absolute and outside. */
  readonly path: string;
  readonly outside: boolean;
  /** Undefined: the compiler has it and does not give it. */
  readonly text: string | undefined;
};

export function* listTexts(programs: Programs, program: OpenProgram): Generator<ProgramText> {
  for (const fileName of program.project.program.getSourceFileNames()) {
    const { path, outside } = programs.place(fileName);
    yield { fileName, path, outside, text: readText(program, fileName, outside ? undefined : path) };
  }
}

/** Every program has them. */
const libraries = new Map<string, string>();

function readText(program: OpenProgram, fileName: string, path: string | undefined): string | undefined {
  if (path !== undefined) return program.sourceFile(path)?.text;
  // They are ours and stay as they are; as trees they are large.
  if (isCompilerLibrary(fileName)) {
    const text = libraries.get(fileName) ?? readFileSync(fileName, 'utf8');
    libraries.set(fileName, text);
    return text;
  }
  return program.project.program.getSourceFile(fileName)?.text;
}
