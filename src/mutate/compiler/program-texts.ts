/** The texts of all files of a program, those of packages and of the compiler's own libraries among them. */

import { readFileSync } from 'node:fs';
import type { OpenProgram, Programs } from './in-job.ts';
import { isLibrary } from './proof/affected-files.ts';

export type ProgramText = {
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

function readText(program: OpenProgram, fileName: string, path: string | undefined): string | undefined {
  if (path !== undefined) return program.sourceFile(path)?.text;
  // They are ours and stay as they are; as trees they are large.
  if (isLibrary(fileName)) return readFileSync(fileName, 'utf8');
  return program.project.program.getSourceFile(fileName)?.text;
}
