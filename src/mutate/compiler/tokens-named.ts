/** All tokens of one name in all programs, bound. A file whose text holds neither the name nor an escape is not looked at. */

import { bindTokens } from './bind-tokens.ts';
import type { BoundToken, OpenProgram, Programs } from './in-job.ts';
import { listNameTokens } from './name-tokens.ts';

const known = new WeakMap<OpenProgram, Map<string, readonly BoundToken[]>>();

/** By program, file and start. A file that several programs have is there once for each: they may bind it differently. */
export function tokensNamed(programs: Programs, name: string): readonly BoundToken[] {
  return programs.open.flatMap((program) => {
    const byName = known.get(program) ?? new Map<string, readonly BoundToken[]>();
    known.set(program, byName);
    const found = byName.get(name) ?? findInProgram(program, name);
    byName.set(name, found);
    return found;
  });
}

function findInProgram(program: OpenProgram, name: string): readonly BoundToken[] {
  const tokens = program.files.flatMap((path) => {
    const text = program.sourceFile(path)?.text ?? '';
    if (!text.includes(name) && !text.includes('\\')) return [];
    return listNameTokens(program, path).filter((token) => token.text === name);
  });
  const bindings = bindTokens(program, tokens);
  return tokens.map((token, at) => ({
    program,
    token,
    binding: bindings[at] ?? { kind: 'failed', detail: 'no answer' },
  }));
}
