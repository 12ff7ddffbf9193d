/** The peer of a rename: TypeScript's own language service, in the version that the indexer uses, asked for the places to rename. */

import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type ts from '../../node_modules/@sourcegraph/scip-typescript/node_modules/typescript/lib/typescript.d.ts';

export type RenameAsk = {
  readonly config: string;
  readonly file: string;
  /** 0-based, in UTF-16 units. */
  readonly line: number;
  readonly column: number;
  readonly newName: string;
};
export type RenameAnswer = {
  readonly version: string;
  readonly locations: number;
  /** From the start of the process to the answer, and for a second one. */
  readonly firstMs: number;
  readonly warmMs: number;
};

const ask = JSON.parse(process.argv[2] as string) as RenameAsk;
const load = createRequire(createRequire(import.meta.url).resolve('@sourcegraph/scip-typescript/package.json'));
const compiler = load('typescript') as typeof ts;

const { config } = compiler.readConfigFile(ask.config, compiler.sys.readFile);
const parsed = compiler.parseJsonConfigFileContent(config, compiler.sys, dirname(ask.config));
const service = compiler.createLanguageService({
  getCompilationSettings: () => parsed.options,
  getScriptFileNames: () => parsed.fileNames,
  getScriptVersion: () => '1',
  getScriptSnapshot(path) {
    const text = compiler.sys.readFile(path);
    return text === undefined ? undefined : compiler.ScriptSnapshot.fromString(text);
  },
  getCurrentDirectory: () => dirname(ask.config),
  getDefaultLibFileName: compiler.getDefaultLibFilePath,
  fileExists: compiler.sys.fileExists,
  readFile: compiler.sys.readFile,
  readDirectory: compiler.sys.readDirectory,
  directoryExists: compiler.sys.directoryExists,
  getDirectories: compiler.sys.getDirectories,
});

const locations = find();
const firstMs = performance.now();
find();
const warmMs = performance.now() - firstMs;
console.log(JSON.stringify({ version: compiler.version, locations, firstMs, warmMs } satisfies RenameAnswer));

function find(): number {
  const source = service.getProgram()?.getSourceFile(ask.file);
  if (source === undefined) throw new Error(`${ask.file} is not in the program`);
  const at = source.getPositionOfLineAndCharacter(ask.line, ask.column);
  const found = service.findRenameLocations(ask.file, at, false, false, {
    providePrefixAndSuffixTextForRename: false,
  });
  return found?.length ?? 0;
}
