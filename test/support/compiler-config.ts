/** The TypeScript compiler's own reading of a configuration, over files that exist in memory only: what ours is held equal to. */

import { createRequire } from 'node:module';

export type CompilerReading = {
  /** Root-relative, as the compiler lists them. */
  readonly fileNames: readonly string[];
  readonly references: readonly string[];
  readonly allowJs: boolean;
  readonly errors: readonly string[];
};

type Host = {
  readonly useCaseSensitiveFileNames: boolean;
  fileExists(path: string): boolean;
  readFile(path: string): string | undefined;
  readDirectory(
    path: string,
    extensions: readonly string[],
    excludes: readonly string[] | undefined,
    includes: readonly string[],
    depth?: number,
  ): readonly string[];
  directoryExists(path: string): boolean;
  getCurrentDirectory(): string;
  realpath(path: string): string;
};
type Diagnostic = { readonly code: number; readonly messageText: string | { readonly messageText: string } };
/** Of the classic API, what is used here; `matchFiles` is its own internal walk. */
type Compiler = {
  readJsonConfigFile(path: string, readFile: (path: string) => string | undefined): unknown;
  parseJsonSourceFileConfigFileContent(
    source: unknown,
    host: Host,
    basePath: string,
    existing: object | undefined,
    configFileName: string,
  ): {
    readonly fileNames: readonly string[];
    readonly options: { readonly allowJs?: boolean; readonly checkJs?: boolean };
    readonly projectReferences?: readonly { readonly path: string }[];
    readonly errors: readonly Diagnostic[];
  };
  matchFiles(
    path: string,
    extensions: readonly string[],
    excludes: readonly string[] | undefined,
    includes: readonly string[],
    caseSensitive: boolean,
    currentDirectory: string,
    depth: number | undefined,
    list: (path: string) => { readonly files: readonly string[]; readonly directories: readonly string[] },
    realpath: (path: string) => string,
  ): readonly string[];
};

const require = createRequire(import.meta.url);
const indexer = createRequire(require.resolve('@sourcegraph/scip-typescript/package.json'));
const compiler = indexer('typescript') as Compiler;
const root = '/root/repository';

export function readWithCompiler(files: Readonly<Record<string, string>>, configPath: string): CompilerReading {
  const texts = new Map(Object.entries(files).map(([path, text]) => [`${root}/${path}`, text]));
  const directories = new Map<string, { files: string[]; directories: string[] }>();
  const directoryAt = (path: string): { files: string[]; directories: string[] } => {
    const known = directories.get(path);
    if (known !== undefined) return known;
    const made = { files: [], directories: [] };
    directories.set(path, made);
    if (path !== '' && path !== '/')
      directoryAt(parentOf(path)).directories.push(path.slice(parentOf(path).length + 1));
    return made;
  };
  directoryAt(root);
  for (const path of texts.keys()) directoryAt(parentOf(path)).files.push(path.slice(parentOf(path).length + 1));
  const empty = { files: [], directories: [] };
  const host: Host = {
    useCaseSensitiveFileNames: true,
    fileExists: (path) => texts.has(path),
    readFile: (path) => texts.get(path),
    directoryExists: (path) => directories.has(path),
    getCurrentDirectory: () => root,
    realpath: (path) => path,
    readDirectory: (path, extensions, excludes, includes, depth) =>
      compiler.matchFiles(
        path,
        extensions,
        excludes,
        includes,
        true,
        root,
        depth,
        (at) => directories.get(at.replace(/\/$/, '')) ?? empty,
        (at) => at.replace(/\/$/, ''),
      ),
  };
  const absolute = `${root}/${configPath}`;
  const source = compiler.readJsonConfigFile(absolute, host.readFile);
  const parsed = compiler.parseJsonSourceFileConfigFileContent(source, host, parentOf(absolute), undefined, absolute);
  const inRoot = (path: string) => path.slice(root.length + 1);
  return {
    fileNames: parsed.fileNames.map(inRoot),
    references: (parsed.projectReferences ?? []).map(({ path }) => inRoot(path)),
    allowJs: parsed.options.allowJs ?? parsed.options.checkJs ?? false,
    errors: parsed.errors.map(({ code, messageText }) => {
      return `${code} ${typeof messageText === 'string' ? messageText : messageText.messageText}`;
    }),
  };
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
