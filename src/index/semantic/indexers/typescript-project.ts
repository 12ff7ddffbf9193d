/** A context as a TypeScript project that an indexer can open from anywhere. */

import { basename, dirname, join } from 'node:path/posix';
import type { IndexerContext, ProgramRoots } from './adapter.ts';

export type ProjectShape = {
  /** Files that are enough for what is asked; null: all members. */
  readonly roots?: ProgramRoots | null;
  /** Projects that are other contexts, root-relative: what is imported of them means their sources, whether or not they were built. */
  readonly references?: readonly string[];
};

/**
 * The configuration in the job dir: it `extends` the real one and names the members, so that files the program holds through imports are
 * its own.
 */
export function renderProject(context: IndexerContext, root: string, shape: ProjectShape = {}): string {
  const { roots = null, references = [] } = shape;
  const files = [...(roots?.members ?? context.members).map((member) => join(root, member)), ...(roots?.others ?? [])];
  const named = context.configPath;
  if (named === null) {
    return JSON.stringify({ compilerOptions: { ...looseOptions, typeRoots: listTypeRoots(context, root) }, files });
  }
  // A jsconfig.json is a tsconfig.json with these on; the tool goes by the file's name, which is another one here.
  const compilerOptions = basename(named) === 'jsconfig.json' ? { ...scriptOptions, maxNodeModuleJsDepth: 2 } : {};
  // `include` and `exclude` are inherited where the config states them, so files that it means and git ignores stay in the program.
  // Of a part of the program they are named where they matter.
  const include = roots === null ? {} : { include: [] };
  return JSON.stringify({
    extends: join(root, named),
    compilerOptions,
    files,
    ...include,
    references: references.map((path) => ({ path: join(root, path) })),
  });
}

const scriptOptions = { allowJs: true, allowSyntheticDefaultImports: true, skipLibCheck: true, noEmit: true };

/** What a program of files without any configuration most likely means. */
const looseOptions = {
  ...scriptOptions,
  target: 'esnext',
  module: 'esnext',
  moduleResolution: 'bundler',
  jsx: 'preserve',
  esModuleInterop: true,
  resolveJsonModule: true,
  allowImportingTsExtensions: true,
  experimentalDecorators: true,
};

/** Where the compiler would look from the directory, within the repository. */
export function listTypeRoots(context: Pick<IndexerContext, 'root'>, root: string): string[] {
  const roots: string[] = [];
  for (let directory = context.root; ; directory = dirname(directory)) {
    const at = directory === '.' ? '' : directory;
    roots.push(join(root, at, 'node_modules/@types'));
    if (at === '') return roots;
  }
}
