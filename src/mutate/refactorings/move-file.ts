/** Moving a file or a directory, with every import of it and every relative path in it. */

import { findByImports } from '../move/find-by-imports.ts';
import { findMoveTarget } from '../move/find-move-target.ts';
import { MoveInput } from '../move/request.ts';
import { defineRefactoring } from '../refactoring.ts';

export default defineRefactoring({
  kind: 'move_file',
  says: 'move a file, or the files of a directory, and write every path that leads to it, or from it, anew',
  input: MoveInput,
  languages: ['typescript', 'javascript', 'python', 'go'],
  async find(world, input) {
    const target = findMoveTarget(world, input);
    return target.kind === 'answer' ? target : findByImports(world, target);
  },
});
