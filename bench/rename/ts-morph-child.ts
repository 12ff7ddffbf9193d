/** The other peer of a rename: ts-morph, if it is installed (`TS_MORPH` says where). It is no dependency of ours. */

import type { RenameAsk } from './language-service-child.ts';

export type MorphAnswer =
  | { readonly kind: 'renamed'; readonly version: string; readonly files: number; readonly firstMs: number }
  | { readonly kind: 'missing'; readonly why: string };

/** As much of it as is used. */
type Morph = {
  readonly ts: { readonly version: string };
  readonly Project: new (options: {
    tsConfigFilePath: string;
  }) => {
    getSourceFileOrThrow(path: string): {
      compilerNode: { getPositionOfLineAndCharacter(line: number, column: number): number };
      getDescendantAtPos(at: number): { rename(name: string): void } | undefined;
    };
    getSourceFiles(): readonly { isSaved(): boolean }[];
  };
};

const ask = JSON.parse(process.argv[2] as string) as RenameAsk;
console.log(JSON.stringify(await rename()));

async function rename(): Promise<MorphAnswer> {
  const name = process.env['TS_MORPH'] ?? 'ts-morph';
  let morph: Morph;
  try {
    morph = (await import(name)) as Morph;
  } catch (error) {
    return { kind: 'missing', why: (error as Error).message.split('\n', 1)[0] ?? '' };
  }
  const project = new morph.Project({ tsConfigFilePath: ask.config });
  const file = project.getSourceFileOrThrow(ask.file);
  file.getDescendantAtPos(file.compilerNode.getPositionOfLineAndCharacter(ask.line, ask.column))?.rename(ask.newName);
  const files = project.getSourceFiles().filter((one) => !one.isSaved()).length;
  return { kind: 'renamed', version: morph.ts.version, files, firstMs: performance.now() };
}
