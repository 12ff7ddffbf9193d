/** `codegenie schema`: the JSON Schema of a section, of the whole context, or of the configuration. */

import { defineCommand, printJson } from '../command.ts';

export default defineCommand({
  name: 'schema',
  says: 'Print the JSON Schema of a section, of the whole context (`envelope`) or of the configuration (`config`)',
  args: [
    {
      name: '<section>',
      says: 'a section path such as build_system or organizational.adrs, `envelope`, or `config`',
      words: 'sections',
    },
  ],
  flags: [],
  async run(invocation) {
    const { terminal, args } = invocation;
    const { schemaOf, schemaNames } = await import('../../serve/workspace/json-schemas.ts');
    const schema = schemaOf(args[0] ?? '');
    if (schema === undefined) {
      const { listNearest } = await import('../../kernel/base/text.ts');
      const { endWith } = await import('../ask.ts');
      const nearest = listNearest(args[0] ?? '', schemaNames(), 3).join(', ');
      return endWith(invocation, 'usage', `unknown section '${args[0]}'; did you mean ${nearest}?`);
    }
    printJson(terminal, schema, 2);
    return 'ok';
  },
});
