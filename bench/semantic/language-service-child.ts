/** The peer of `refs`: TypeScript's own language service, in the version that the indexer uses, asked for the references at one place. */

import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type ts from '../../node_modules/@sourcegraph/scip-typescript/node_modules/typescript/lib/typescript.d.ts';

export type ServiceAsk = {
  readonly config: string;
  readonly file: string;
  /** 0-based, in UTF-16 units. */
  readonly line: number;
  readonly column: number;
  readonly asks: number;
};
export type ServiceAnswer = {
  readonly version: string;
  readonly references: number;
  /** From the start of the process to its first answer, and for each later one. */
  readonly firstMs: number;
  readonly warmMs: readonly number[];
  readonly rssMb: number;
};

const ask = JSON.parse(process.argv[2] as string) as ServiceAsk;
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

const references = find();
const firstMs = performance.now();
const warmMs: number[] = [];
for (let at = 0; at < ask.asks; at += 1) {
  const started = performance.now();
  find();
  warmMs.push(performance.now() - started);
}
const rssMb = process.resourceUsage().maxRSS / 1024;
console.log(JSON.stringify({ version: compiler.version, references, firstMs, warmMs, rssMb } satisfies ServiceAnswer));

function find(): number {
  const source = service.getProgram()?.getSourceFile(ask.file);
  if (source === undefined) throw new Error(`${ask.file} is not in the program`);
  const at = source.getPositionOfLineAndCharacter(ask.line, ask.column);
  const found = service.findReferences(ask.file, at) ?? [];
  return found.reduce((sum, symbol) => sum + symbol.references.length, 0);
}
