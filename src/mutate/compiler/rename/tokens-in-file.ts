/** The tokens of one name in one file, bound, in every program that has the file. */

import { bindTokens } from '../bind-tokens.ts';
import type { BoundToken, Programs } from '../in-job.ts';
import { listNameTokens } from '../name-tokens.ts';

export function tokensInFile(programs: Programs, path: string, name: string): readonly BoundToken[] {
  return programs.open.flatMap((program) => {
    if (program.sourceFile(path) === undefined) return [];
    const tokens = listNameTokens(program, path).filter(({ text }) => text === name);
    const bindings = bindTokens(program, tokens);
    return tokens.map((token, at) => ({
      program,
      token,
      binding: bindings[at] ?? { kind: 'failed', detail: 'no answer' },
    }));
  });
}
