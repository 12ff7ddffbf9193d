/** The peer of `refs` and of a rename: TypeScript's own language service, in the version that the indexer uses, over one project. */

import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type ts from '../node_modules/@sourcegraph/scip-typescript/node_modules/typescript/lib/typescript.d.ts';

export type ServicePlace = {
  readonly config: string;
  readonly file: string;
  /** 0-based, in UTF-16 units. */
  readonly line: number;
  readonly column: number;
};

/** `position`: of the place in its file, once the service has its program. */
export function openLanguageService(place: ServicePlace) {
  const load = createRequire(createRequire(import.meta.url).resolve('@sourcegraph/scip-typescript/package.json'));
  const compiler = load('typescript') as typeof ts;
  const { config } = compiler.readConfigFile(place.config, compiler.sys.readFile);
  const parsed = compiler.parseJsonConfigFileContent(config, compiler.sys, dirname(place.config));
  const service = compiler.createLanguageService({
    getCompilationSettings: () => parsed.options,
    getScriptFileNames: () => parsed.fileNames,
    getScriptVersion: () => '1',
    getScriptSnapshot(path) {
      const text = compiler.sys.readFile(path);
      return text === undefined ? undefined : compiler.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => dirname(place.config),
    getDefaultLibFileName: compiler.getDefaultLibFilePath,
    fileExists: compiler.sys.fileExists,
    readFile: compiler.sys.readFile,
    readDirectory: compiler.sys.readDirectory,
    directoryExists: compiler.sys.directoryExists,
    getDirectories: compiler.sys.getDirectories,
  });
  const position = (): number => {
    const source = service.getProgram()?.getSourceFile(place.file);
    if (source === undefined) throw new Error(`${place.file} is not in the program`);
    return source.getPositionOfLineAndCharacter(place.line, place.column);
  };
  return { version: compiler.version, service, position };
}
