/** `codegenie explain`: what a word of the program means, and what to do about it. */

import { defineCommand, printJson } from '../command.ts';

export default defineCommand({
  name: 'explain',
  says: 'Say what a warning, a reason, an outcome, a kind of question, a state or an exit code means, and what to do about it',
  args: [{ name: '<id>', says: 'as it was printed: ci.multi_provider, untyped_exit, files_changed, 7', words: 'ids' }],
  flags: [],
  async run(invocation) {
    const { args, globals, terminal } = invocation;
    const { explainId, listExplained } = await import('../explained-ids.ts');
    const given = args[0] ?? '';
    const found = explainId(given);
    if (found.length === 0) {
      const { endWith } = await import('../ask.ts');
      const { didYouMean } = await import('../../kernel/base/text.ts');
      const ids = [...new Set(listExplained().map(({ id }) => id))];
      return endWith(
        invocation,
        'usage',
        `'${given}' is no id that is declared${didYouMean(given, ids)} (what a fact id means: codegenie facts <id> --explain)`,
      );
    }
    if (globals.json) {
      printJson(terminal, { outcome: 'ok', id: given, meanings: found });
      return 'ok';
    }
    const plain = (text: string) => text.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1');
    const lines = found.flatMap(({ id, of, means, remedy }) => [
      `${id} · ${of}`,
      `  ${plain(means)}`,
      ...(remedy === '' ? [] : [`  what to do: ${plain(remedy)}`]),
    ]);
    terminal.stdout.write(`${lines.join('\n')}\n`);
    return 'ok';
  },
});
