/** `codegenie schema`: the JSON Schema of a section, or of the whole context. */

import { defineCommand, printJson } from '../command.ts';

export default defineCommand({
  name: 'schema',
  says: 'Print the JSON Schema of a section, or of the whole context with `envelope`',
  args: [{ name: '<section>', says: 'a section path such as build_system or organizational.adrs, or `envelope`' }],
  flags: [],
  async run(invocation) {
    const { terminal, args } = invocation;
    const { schemaOf, sectionNames } = await import('../../serve/workspace/json-schemas.ts');
    const schema = schemaOf(args[0] ?? '');
    if (schema === undefined) {
      const { listNearest } = await import('../../kernel/base/text.ts');
      const { endWith } = await import('../ask.ts');
      const nearest = listNearest(args[0] ?? '', sectionNames(), 3).join(', ');
      return endWith(invocation, 'usage', `unknown section '${args[0]}'; nearest: ${nearest}`);
    }
    printJson(terminal, schema, 2);
    return 'ok';
  },
});
