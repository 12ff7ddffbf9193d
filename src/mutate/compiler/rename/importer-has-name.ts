/**
 * Does an importing file say this name already (mutation.md §2.8)? Then its import keeps the old local name, `import { b as a }`, and its
 * uses stay: under any other form one of the two would have to give way. Any use in a scope of the file counts, declared there or not.
 */

import type { Programs } from '../in-job.ts';
import { listNameTokens } from '../name-tokens.ts';
import { positionOf } from './name-positions.ts';

export function importerHasName(programs: Programs, path: string, newName: string): boolean {
  return programs.open.some((program) => {
    const text = program.sourceFile(path)?.text;
    if (text === undefined || !(text.includes(newName) || text.includes('\\'))) return false;
    return listNameTokens(program, path).some((token) => {
      if (token.text !== newName) return false;
      const { kind } = positionOf(token.node);
      return kind === 'declares' || kind === 'refers';
    });
  });
}
