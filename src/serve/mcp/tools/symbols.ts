/** `symbols`: declarations by name, or those of one file. */

import { oneOf, strictInput, targetFields } from '../../operations/input.ts';
import outline from '../../operations/outline.ts';
import symbols from '../../operations/symbols.ts';
import { askForTool } from '../ask-for-tool.ts';
import { defineTool, fieldsOf, loose } from '../tool.ts';

const ops = ['find', 'outline'] as const;
/** More than an answer has room for: what is not sent need not be described. */
const fitting = 50;
const fields = fieldsOf(symbols, ['query', 'kind', 'path', 'exact', 'limit', 'continue']);

export default defineTool({
  name: 'symbols',
  says: 'Declarations: op find by name or name path (Class/method), op outline those of one file. Use it instead of grepping for "class X" or reading a whole file. Its path:line:col is a target for navigate and plan_refactor.',
  readsOnly: true,
  input: strictInput({
    op: oneOf(ops).optional().describe('default find'),
    ...fields,
    query: loose(fields.query),
    path: fields.path.describe('globs, for find'),
    file: loose(targetFields.path).describe('for outline'),
  }),
  run: ({ op = 'find', continue: token, ...given }, world) => {
    if (op === 'find') {
      const next = ({ count }: { readonly count: { readonly value: number } }) =>
        count.value === 0
          ? 'No symbol has this name; try a part of it, or search for the text.'
          : 'Ask navigate or plan_refactor with the path:line:col of the one you mean.';
      return askForTool(symbols, { input: { limit: fitting, ...given }, token, lists: ['symbols'], next }, world);
    }
    const { file, ...others } = given;
    const input = { ...others, ...(file === undefined ? {} : { path: file }) };
    const next = () => 'Ask navigate with path:line:col of a symbol, or read from_line to to_line.';
    return askForTool(outline, { input, token, names: { path: 'file' }, lists: ['symbols'], next }, world);
  },
});
