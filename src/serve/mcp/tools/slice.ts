/** `slice`: an extract for reading. */

import { z } from '../../../kernel/base/schema.ts';
import { strictInput } from '../../operations/input.ts';
import slice from '../../operations/slice.ts';
import { askForTool } from '../ask-for-tool.ts';
import { defineTool, fieldsOf, readTarget } from '../tool.ts';

export default defineTool({
  name: 'slice',
  says: 'Only the lines that matter, instead of whole files: where a variable gets and gives its values (def-use), a file’s imports, exports and top level (imports), what a definition leans on (dependency-chain).',
  readsOnly: true,
  input: strictInput({ ...fieldsOf(slice, ['kind', 'target']), continue: z.string().optional() }),
  run: ({ continue: token, target, ...others }, world) =>
    askForTool(
      slice,
      {
        input: { ...others, target: readTarget(target) },
        token,
        lists: ['definitions', 'uses', 'escapes', 'flow', 'imports', 'exports', 'locals', 'links'],
        next: ({ truncated }) =>
          truncated ? 'The slice reached its limits: slice from a nearer place.' : 'Read the places it names.',
      },
      world,
    ),
});
