/** `codegenie` alone: five lines of what to do first, here. The first says where one is and what there is; each of the others is a command. */

import { basename } from 'node:path';
import { type Invocation, printJson } from './command.ts';
import type { Ending } from './exit-codes.ts';

export async function sayFirstSteps(invocation: Invocation): Promise<Ending> {
  const { globals, terminal } = invocation;
  const { locateForCommand } = await import('./ask.ts');
  const located = await locateForCommand(invocation, undefined);
  if (located.kind === 'ended') return located.ending;
  const { root, isGit } = located;
  const { loadConfig } = await import('../gather/config.ts');
  const { readExtraExtensions } = await import('../languages/file-language.ts');
  const { lookAround } = await import('../serve/workspace/glance.ts');
  const config = await loadConfig({ root, home: terminal.home, overrides: {} });
  const { home, environment } = terminal;
  const extraExtensions = readExtraExtensions(
    config.kind === 'loaded' ? config.values['languages.extra_extensions'] : {},
  );
  const glance = lookAround({ root, home, environment, extraExtensions });
  const { gathered_at: gatheredAt, index, open_plans: open } = glance;
  const { formatAge } = await import('../kernel/base/quantities.ts');
  const { plural, quotedPath } = await import('../kernel/base/text.ts');
  const [plan] = open;
  const state = [
    ...(isGit ? [] : ['no git work tree (-C <dir> names one)']),
    gatheredAt === null ? 'not gathered yet' : `gathered ${formatAge(Date.parse(gatheredAt), terminal.nowMs())}`,
    index === null
      ? 'not indexed yet'
      : `${plural(index.files, 'file')} indexed${index.by_compilers === 0 ? ', none by a compiler yet' : ''}`,
    ...(open.length === 0 ? [] : [`${plural(open.length, 'plan')} open`]),
  ];
  const steps: readonly (readonly [command: string, says: string])[] = [
    gatheredAt === null
      ? ['codegenie gather', 'build, tests, CI, deployment, risks']
      : ['codegenie facts', 'what was found, with its evidence'],
    ['codegenie refs <name>', 'who uses it (also def, search, outline)'],
    plan === undefined
      ? ['codegenie rename <place> <new-name>', 'proven or asked about, then written']
      : [`codegenie plan commit ${plan}`, 'the plan left open'],
    ['codegenie setup claude-code', 'for your agent; --help lists the rest'],
  ];
  if (globals.json) {
    const next = steps.map(([command, says]) => ({ command, says }));
    printJson(terminal, { outcome: 'ok', root, git: isGit, ...glance, next });
    return 'ok';
  }
  const { columns } = await import('../serve/operations/answer-words.ts');
  terminal.stdout.write(
    `${[`${quotedPath(basename(root) || root)}: ${state.join(' · ')}`, ...columns(steps)].join('\n')}\n`,
  );
  return 'ok';
}
