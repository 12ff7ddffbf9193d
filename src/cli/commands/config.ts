/** `codegenie config`: what the configuration of a tree comes to, and where each value is from. */

import type { ConfigKey } from '../../gather/config.ts';
import { defineCommand, printJson } from '../command.ts';

export default defineCommand({
  name: 'config show',
  says: 'Show the configuration that counts here, and where each value comes from',
  args: [
    {
      name: '[key]',
      says: 'one key, or how keys begin (`containers`); without it those that are not the default, and with --verbose all',
      words: 'config keys',
    },
  ],
  flags: [],
  async run(invocation) {
    const { args, globals, terminal } = invocation;
    const { endWith, locateForCommand, showConfigProblems } = await import('../ask.ts');
    const located = await locateForCommand(invocation, undefined);
    if (located.kind === 'ended') return located.ending;
    const { configKeys, loadConfig } = await import('../../gather/config.ts');
    const names = Object.keys(configKeys) as ConfigKey[];
    const [given] = args;
    const asked = given === undefined ? names : names.filter((name) => name === given || name.startsWith(`${given}.`));
    if (asked.length === 0) {
      const { didYouMean } = await import('../../kernel/base/text.ts');
      return endWith(invocation, 'usage', `there is no key '${given}'${didYouMean(given ?? '', names)}`);
    }
    const config = await loadConfig({ root: located.root, home: terminal.home, overrides: {} });
    if (config.kind === 'invalid') return showConfigProblems(invocation, config.problems);
    const keys = asked.map((key) => ({
      key,
      value: config.values[key],
      from: config.origins[key],
      user_only: configKeys[key].userOnly,
      says: configKeys[key].says,
    }));
    if (globals.json) {
      printJson(terminal, { outcome: 'ok', root: located.root, keys, warnings: config.warnings });
      return 'ok';
    }
    const { columns } = await import('../../serve/operations/answer-words.ts');
    const { visibleJson } = await import('../../kernel/secrets/outgoing.ts');
    const { stripControls } = await import('../../kernel/base/text.ts');
    const shown = given === undefined && !globals.verbose ? keys.filter(({ from }) => from !== 'default') : keys;
    const rows = shown.map(({ key, value, from, says, user_only }) => [
      key,
      visibleJson(value as object),
      `(${from})`,
      ...(given === undefined && !globals.verbose ? [] : [`${says}${user_only ? '; the user alone sets it' : ''}`]),
    ]);
    const rest = keys.length - shown.length;
    const more =
      rest === 0
        ? []
        : [
            `${rest} keys have their default; codegenie config show --verbose lists them, and \`config show <key>\` one`,
          ];
    terminal.stdout.write(`${stripControls([...columns(rows, ''), ...more].join('\n'))}\n`);
    for (const { id, detail } of config.warnings) terminal.stderr.write(`warning ${id}: ${detail}\n`);
    return 'ok';
  },
});
