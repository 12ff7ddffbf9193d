/** `search`: text, found by the index and verified against the disk. */

import { strictInput } from '../../operations/input.ts';
import search from '../../operations/search.ts';
import { askForTool } from '../ask-for-tool.ts';
import { defineTool, fieldsOf } from '../tool.ts';

const fields = fieldsOf(search, ['query', 'regex', 'ignore_case', 'word', 'path', 'lang', 'limit', 'continue']);

export default defineTool({
  name: 'search',
  says: 'Full-text search of the repository. Use it instead of grep for text, comments and config; for a declaration use symbols, for uses of a name navigate refs. outcome ok with count eq 0: it is nowhere.',
  readsOnly: true,
  input: strictInput({
    ...fields,
    regex: fields.regex.describe('query is a JavaScript regex'),
    path: fields.path.describe('globs; ! excludes'),
  }),
  run: ({ continue: token, ...input }, world) =>
    askForTool(
      search,
      {
        input,
        token,
        lists: ['files[].hits'],
        next: ({ count }) =>
          count.value > 0
            ? 'Read around a hit, or ask navigate with its path:line:col.'
            : count.relation === 'eq'
              ? 'It occurs nowhere in scope; try ignore_case, or another spelling.'
              : 'Nothing was found where it could be looked for; see count.unresolved.',
      },
      world,
    ),
});
