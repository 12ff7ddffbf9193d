/**
 * Another compiler than the one that plans and proves: the language service of TypeScript 5.9. What it binds a name to, and where it
 * would rename, are a second opinion about the same texts. It never reads a text that it was not shown: the tree is read once, and what
 * was changed since is told to it.
 */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isAbsolute, join, relative } from 'node:path';
import type ts from '../../node_modules/@sourcegraph/scip-typescript/node_modules/typescript/lib/typescript.d.ts';

export type OracleNode = ts.Node;

export type Place = { readonly path: string; readonly start: number };

export type OracleName = {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Where what it means is declared; outside the root, absolute. */
  readonly means: readonly Place[];
};

export type OracleEdit = Place & { readonly end: number; readonly text: string };

export type Oracle = {
  readonly compiler: typeof ts;
  /** Root-relative, sorted; without what was installed. */
  readonly files: readonly string[];
  text(path: string): string;
  tree(path: string): ts.SourceFile | undefined;
  names(path: string): readonly OracleName[];
  /** Everything that means the same as what stands there; outside the root, absolute. Empty where nothing is found. */
  references(at: Place): readonly (Place & { readonly isDeclared: boolean })[];
  /**
   * Where its checker finds what a name means declared. `byWhole`: in a package, in a file with `export =`, or in a module that a script takes
   * by `require`: what such a file exports the service does not follow from one importer to another, and of the last it leaves out the very
   * place it is asked at.
   */
  declarations(at: Place): readonly { readonly place: string; readonly byWhole: boolean }[];
  /** What it would edit; undefined where it would not. */
  rename(at: Place, newName: string, keepsLocal: boolean): readonly OracleEdit[] | undefined;
  /** Errors of these files: place and code. */
  errors(paths: readonly string[]): readonly (Place & { readonly code: number })[];
  /** From now on these texts, and the tree's for all others. */
  show(texts: ReadonlyMap<string, string>): void;
};

/** Parsed files, for oracles that are shown the same texts. */
type OracleFiles = ts.DocumentRegistry;

export const loadCompiler = (): typeof ts => {
  const scip = createRequire(import.meta.url).resolve('@sourcegraph/scip-typescript/package.json');
  return createRequire(scip)('typescript') as typeof ts;
};

/** `config`: a file of the root, or the text of one that stands nowhere. */
export function createOracle(
  root: string,
  config: string | { readonly text: string },
  registry: OracleFiles = loadCompiler().createDocumentRegistry(),
): Oracle {
  const compiler = loadCompiler();
  const parsed =
    typeof config === 'string'
      ? compiler.getParsedCommandLineOfConfigFile(join(root, config), {}, {
          ...compiler.sys,
          onUnRecoverableConfigFileDiagnostic: () => {},
        } as ts.ParseConfigFileHost)
      : compiler.parseJsonConfigFileContent(JSON.parse(config.text), compiler.sys, root);
  if (parsed === undefined) throw new Error(`${config} cannot be read`);
  const inside = (fileName: string) => {
    const path = relative(root, fileName);
    return path.startsWith('..') || path.includes('node_modules') ? fileName : path;
  };
  let shown: ReadonlyMap<string, string> = new Map();
  let shows = 0;
  const versions = new Map<string, number>();
  const disk = new Map<string, string | undefined>();
  const read = (fileName: string) => {
    if (!disk.has(fileName)) disk.set(fileName, compiler.sys.readFile(fileName));
    return shown.get(inside(fileName)) ?? disk.get(fileName);
  };
  const service = compiler.createLanguageService(
    {
      useCaseSensitiveFileNames: () => true,
      // Without it every question compares the versions of all files.
      getProjectVersion: () => String(shows),
      directoryExists: compiler.sys.directoryExists,
      getDirectories: compiler.sys.getDirectories,
      readDirectory: compiler.sys.readDirectory,
      // Packages of one repository are links to each other.
      ...(compiler.sys.realpath === undefined ? {} : { realpath: compiler.sys.realpath }),
      getCompilationSettings: () => ({ ...parsed.options, ignoreDeprecations: '6.0' }),
      getScriptFileNames: () => parsed.fileNames,
      getProjectReferences: () => parsed.projectReferences,
      // Not part of the interface; the server's own host has it.
      ...{ useSourceOfProjectReferenceRedirect: () => true },
      getScriptVersion: (fileName) => String(versions.get(inside(fileName)) ?? 0),
      getScriptSnapshot: (fileName) => {
        const text = read(fileName);
        return text === undefined ? undefined : compiler.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => root,
      getDefaultLibFileName: (options) => compiler.getDefaultLibFilePath(options),
      readFile: read,
      fileExists: compiler.sys.fileExists,
    },
    registry,
  );
  const program = () => service.getProgram() as ts.Program;
  const nodeAt = (file: ts.SourceFile, start: number): ts.Node => {
    let node: ts.Node = file;
    for (let child: ts.Node | undefined = node; child !== undefined; ) {
      node = child;
      child = compiler.forEachChild(child, (one) => (one.getStart(file) <= start && start < one.end ? one : undefined));
    }
    return node;
  };
  /** By a pattern: the variable is one thing, the property another. */
  const isTaken = (file: ts.SourceFile | undefined, start: number): boolean => {
    const parent = file === undefined ? undefined : nodeAt(file, start).parent;
    return (
      parent !== undefined && (compiler.isBindingElement(parent) || compiler.isShorthandPropertyAssignment(parent))
    );
  };
  /** `{ a }` declares a property and names a variable: asked there, the service tells of both. */
  const isTwofold = (at: string, start: number): boolean => {
    const file = program().getSourceFile(at);
    return file !== undefined && compiler.isShorthandPropertyAssignment(nodeAt(file, start).parent ?? file);
  };
  /** `export = a` */
  const isAssigned = (declaration: ts.Declaration) =>
    declaration
      .getSourceFile()
      .statements.some((one) => compiler.isExportAssignment(one) && one.isExportEquals === true);
  let required: ReadonlySet<ts.SourceFile> | undefined;
  /** `const a = require('./a')`, of a file that exports by `export`. */
  const isRequired = (declaration: ts.Declaration) => {
    required ??= listRequired(compiler, program());
    return required.has(declaration.getSourceFile());
  };
  type Found = { readonly at: string; readonly start: number; readonly isDeclared: boolean };
  /** Where a thing is declared is asked about again for each of its names. */
  const asked = new Map<string, readonly Found[]>();
  const ask = (at: string, from: number): readonly Found[] => {
    const known = asked.get(`${at} ${from}`);
    if (known !== undefined) return known;
    const found = (service.findReferences(at, from) ?? []).flatMap(({ definition, references }) => [
      ...references.map((one) => ({ at: one.fileName, start: one.textSpan.start, isDeclared: false })),
      { at: definition.fileName, start: definition.textSpan.start, isDeclared: true },
    ]);
    asked.set(`${at} ${from}`, found);
    return found;
  };
  const files = program()
    .getSourceFiles()
    .map(({ fileName }) => inside(fileName))
    .filter((path) => !path.startsWith('/') && !path.endsWith('.json'))
    .sort();
  const tree = (path: string) => program().getSourceFile(join(root, path));
  return {
    compiler,
    files,
    tree,
    text: (path) => tree(path)?.text ?? readFileSync(join(root, path), 'utf8'),
    names(path) {
      const file = tree(path);
      return file === undefined ? [] : listNames(compiler, program().getTypeChecker(), file, inside);
    },
    references({ path, start }) {
      const fileName = isAbsolute(path) ? path : join(root, path);
      const file = program().getSourceFile(fileName);
      if (file === undefined) return [];
      const found = [...ask(fileName, start)];
      // From some places of a thing the service does not see all of it (a parameter that is also a property, a default export that another
      // file passes on by its name), and from where it is declared it does.
      const has = (all: readonly Found[], { at, start: from }: Found) =>
        all.some((one) => one.at === at && one.start === from);
      for (const { fileName: at, textSpan, name } of service.getDefinitionAtPosition(fileName, start) ?? []) {
        const isOther = file.text.slice(start).match(/^[\w$#]+/)?.[0] !== name;
        if (isOther || isTaken(program().getSourceFile(at), textSpan.start)) continue;
        const more = ask(at, textSpan.start);
        if (found.every((one) => has(more, one))) found.push(...more.filter((one) => !has(found, one)));
      }
      return found.flatMap(({ at, ...place }) => {
        const text = program().getSourceFile(at)?.text ?? '';
        const isOut = isWord(text, place.start) || (place.isDeclared && isTwofold(at, place.start));
        return isOut ? [] : [{ ...place, path: inside(at) }];
      });
    },
    declarations({ path, start }) {
      const file = tree(path);
      const checker = program().getTypeChecker();
      const symbol = file === undefined ? undefined : checker.getSymbolAtLocation(nodeAt(file, start));
      if (symbol === undefined) return [];
      const isAlias = (symbol.flags & compiler.SymbolFlags.Alias) !== 0;
      return ((isAlias ? checker.getAliasedSymbol(symbol) : symbol).declarations ?? []).map((declaration) => {
        const place = placeOf(compiler, declaration, inside);
        const isAway = isAbsolute(inside(declaration.getSourceFile().fileName));
        const byWhole = isAway || isAssigned(declaration) || isRequired(declaration);
        return { place: `${place.path} ${place.start}`, byWhole };
      });
    },
    rename({ path, start }, newName, keepsLocal) {
      const found = service.findRenameLocations(join(root, path), start, false, false, {
        providePrefixAndSuffixTextForRename: keepsLocal,
      });
      return found?.map(({ fileName, textSpan, prefixText = '', suffixText = '' }) => {
        const { start: at, length } = textSpan;
        return { path: inside(fileName), start: at, end: at + length, text: `${prefixText}${newName}${suffixText}` };
      });
    },
    errors: (paths) =>
      paths.flatMap((path) => {
        const file = tree(path);
        if (file === undefined) return [];
        return [...program().getSyntacticDiagnostics(file), ...program().getSemanticDiagnostics(file)].map(
          ({ start = 0, code }) => ({ path, start, code }),
        );
      }),
    show(texts) {
      for (const path of new Set([...shown.keys(), ...texts.keys()]))
        if (shown.get(path) !== texts.get(path)) versions.set(path, (versions.get(path) ?? 0) + 1);
      shown = texts;
      shows += 1;
      required = undefined;
      asked.clear();
    },
  };
}

/** Modules that scripts of the program load by `require`. */
function listRequired(compiler: typeof ts, program: ts.Program): ReadonlySet<ts.SourceFile> {
  type Imports = { readonly imports?: readonly ts.StringLiteralLike[] };
  const checker = program.getTypeChecker();
  const loaded = program.getSourceFiles().flatMap((file) =>
    ((file as Imports).imports ?? []).flatMap((specifier) => {
      const { parent } = specifier;
      const isLoad = compiler.isCallExpression(parent) && parent.expression.getText(file) === 'require';
      return isLoad ? (checker.getSymbolAtLocation(specifier)?.declarations ?? []) : [];
    }),
  );
  return new Set(loaded.flatMap((one) => (compiler.isSourceFile(one) && compiler.isExternalModule(one) ? [one] : [])));
}

/** Words of the language stand for things without naming them, but in the clauses of imports and exports. */
function isWord(text: string, start: number): boolean {
  const [word] = /^(?:default|constructor|export|exports|module|this|super|import|require|function|class)\b/.exec(
    text.slice(start, start + 12),
  ) ?? [undefined];
  return word !== undefined && (word !== 'default' || /\bexport\s+$/.test(text.slice(Math.max(0, start - 20), start)));
}

function listNames(
  compiler: typeof ts,
  checker: ts.TypeChecker,
  file: ts.SourceFile,
  inside: (fileName: string) => string,
): readonly OracleName[] {
  const found: OracleName[] = [];
  const nodes: ts.Node[] = [file];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (compiler.isIdentifier(node) || compiler.isPrivateIdentifier(node)) {
      const means = symbolsAt(compiler, checker, node).flatMap((symbol) =>
        (symbol.declarations ?? []).map((declaration) => placeOf(compiler, declaration, inside)),
      );
      if (node.end > node.getStart(file))
        found.push({ start: node.getStart(file), end: node.end, text: node.text, means });
    }
    compiler.forEachChild(node, (child) => {
      nodes.push(child);
    });
  }
  return found.sort((a, b) => a.start - b.start);
}

type Alias = { getImmediateAliasedSymbol?: (symbol: ts.Symbol) => ts.Symbol | undefined };

/** Both sides of what stands for two names: shorthands, patterns, specifiers. */
function symbolsAt(
  compiler: typeof ts,
  checker: ts.TypeChecker,
  node: ts.Identifier | ts.PrivateIdentifier,
): readonly ts.Symbol[] {
  const { parent } = node;
  const symbols: (ts.Symbol | undefined)[] = [checker.getSymbolAtLocation(node)];
  if (compiler.isShorthandPropertyAssignment(parent)) symbols.push(checker.getShorthandAssignmentValueSymbol(parent));
  // What an array's pattern takes it takes by its place.
  const isTaken = compiler.isBindingElement(parent) && compiler.isObjectBindingPattern(parent.parent);
  if (isTaken && parent.name === node && parent.propertyName === undefined)
    symbols.push(checker.getTypeAtLocation(parent.parent).getProperty(node.text));
  const [own] = symbols;
  if (
    own !== undefined &&
    (own.flags & compiler.SymbolFlags.Alias) !== 0 &&
    // Of the two names of `{ a as b }` the first is already what the second stands for.
    (compiler.isImportSpecifier(parent) || compiler.isExportSpecifier(parent)) &&
    parent.name === node
  )
    symbols.push((checker as Alias).getImmediateAliasedSymbol?.(own));
  return symbols.filter((symbol) => symbol !== undefined);
}

function placeOf(compiler: typeof ts, declaration: ts.Declaration, inside: (fileName: string) => string): Place {
  const name = compiler.getNameOfDeclaration(declaration) ?? declaration;
  const file = declaration.getSourceFile();
  return { path: inside(file.fileName), start: name.getStart(file) };
}
