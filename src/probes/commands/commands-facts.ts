/** Commands, as facts. */

import { type Claim, type FactRule, factsOf, known, type Statement } from '../../gather/facts/fact.ts';
import { z } from '../../kernel/base/schema.ts';
import { plainWords } from '../../kernel/formats/shell-words.ts';
import type { CommandRole } from '../shared/command-deeds.ts';
import { type CommandRow, type CommandSource, type CommandsSection, commandsSection } from './commands-section.ts';

const from =
  'CI, scripts, Makefile, justfile, Taskfile, tox, shell scripts, guides for developers, the toolchain’s convention';

const sources: Readonly<Record<CommandSource, string>> = {
  ci: 'CI runs it',
  task: 'a script or target of the repository',
  inside_task: 'part of a script or target of the repository',
  script: 'a shell script of the repository',
  release_ci: 'CI runs it for releases',
  documentation: 'a guide of the repository says so',
  convention: 'what the toolchain does where nothing says otherwise',
};

/** A convention follows from a file, and where the file names the tool, from that line. */
function claimOf({ path, line, shows, source, cmd }: CommandRow): Claim {
  if (source !== 'convention' || shows !== null) return { path, line: line ?? undefined, shows };
  const tools = plainWords(cmd).flatMap((word) => {
    const tool = /^(?![.-])@?[a-z][a-z0-9-]+/.exec(word)?.[0];
    return tool === undefined || genericWords.has(tool) ? [] : [tool];
  });
  return { path, shows: tools.length === 0 ? null : [...tools, null] };
}

/** Of commands that toolchains give: who runs it, and what every tool can do. */
const genericWords: ReadonlySet<string> = new Set(
  `uv run poetry pdm hatch pipenv npm npx pnpm yarn bun bunx exec bundle bin check test tests build install sync ci mod download fetch compile
  package vendor mvn gradle gradlew go cargo dotnet mix pip python manage analyse eslint src vet all-files rails swift sbt deno`.split(
    /\s+/,
  ),
);

const plainCall = /^(?:CI=1 )?(?:npm|pnpm|yarn|bun|make|just|task)(?: run)? ([\w:-]+)$/;
const plainName: Readonly<Record<CommandRole, string>> = {
  install: 'install',
  build: 'build',
  'test.unit': 'test',
  'test.e2e': 'e2e',
  lint: 'lint',
  typecheck: 'typecheck',
  format_check: 'format:check',
  start: 'start',
};

/** `rivals`: other commands for the same, said at the same kind of place: which of them is meant is a choice. */
function becauseOf({ source, by_name, role, cmd }: CommandRow, rivals: number) {
  if (by_name && source !== 'ci') return 'resembles' as const;
  // Among many that CI runs, the script that is called `test` is the one.
  if (rivals > 3 && !(source === 'ci' && plainCall.exec(cmd)?.[1] === plainName[role])) return 'resembles' as const;
  if (source === 'ci' || source === 'task') return rivals > 0 ? ('follows' as const) : ('declared' as const);
  return source === 'convention' ? ('convention' as const) : ('follows' as const);
}

function rivalsOf(row: CommandRow, commands: readonly CommandRow[]): number {
  const others = commands.filter(
    (one) => one.role === row.role && one.component === row.component && one.source === row.source && one !== row,
  );
  return new Set(others.filter(({ cwd }) => cwd === row.cwd).map(({ cmd }) => cmd)).size;
}

function firstOf(role: CommandRole) {
  return ({ commands }: CommandsSection): readonly Statement[] => {
    const first = new Map<string, CommandRow>();
    for (const row of commands) if (row.role === role && !first.has(row.component)) first.set(row.component, row);
    // A directory that is no part has the command that is run in it.
    for (const row of commands) if (row.role === role && !first.has(row.cwd)) first.set(row.cwd, row);
    return [...first].map(([component, row]) =>
      known(
        component,
        { cmd: row.cmd.replace(/^CI=1 /, ''), cwd: row.cwd },
        {
          because: becauseOf(row, rivalsOf(row, commands)),
          how: [
            sources[row.source],
            ...(rivalsOf(row, commands) > 0 ? [`chosen among ${rivalsOf(row, commands) + 1}`] : []),
            ...(row.cmd.startsWith('CI=1 ') ? ['on a terminal it waits for changes unless CI=1 is set'] : []),
            ...(row.effects.length === 0 ? [] : [row.effects.join(', ')]),
          ].join('; '),
          evidence: [claimOf(row)],
        },
      ),
    );
  };
}

const value = z.strictObject({ cmd: z.string(), cwd: z.string() });
const of = 'the repository, or a component';
const commandFact = (id: string, role: CommandRole, says: string) => ({
  id,
  says,
  of,
  value,
  from,
  state: firstOf(role),
});

export const commandFacts: readonly FactRule[] = factsOf('commands', commandsSection, [
  commandFact('install.command', 'install', 'What brings the dependencies.'),
  commandFact('build.command', 'build', 'What builds it, and where it is run.'),
  commandFact('test.unit.command', 'test.unit', 'What runs the tests that need no running system.'),
  commandFact('test.e2e.command', 'test.e2e', 'What runs the tests of the running system.'),
  commandFact(
    'lint.command',
    'lint',
    'What checks the code, without changing it where there is such a command; a check of the formatting where that is all there is.',
  ),
  commandFact('typecheck.command', 'typecheck', 'What checks the types.'),
  commandFact('format_check.command', 'format_check', 'What checks the formatting without changing it.'),
  commandFact('start.command', 'start', 'What starts it.'),
  {
    id: 'ci.test_command',
    says: 'The commands with which a job runs tests, as they are written.',
    of: 'a job (`file#job`), a file, a directory of them',
    value: z.array(z.string()),
    from: 'the steps of jobs; actions and workflows of the repository, scripts, targets and shell scripts are followed',
    rollup: 'union',
    state: ({ ci_tests: tests }) =>
      [...new Set(tests.map(({ file, job }) => `${file}#${job}`))].map((scope) => {
        const own = tests.filter(({ file, job }) => `${file}#${job}` === scope);
        const evidence = own.map(({ path, line, shows }) => ({ path, line: line ?? undefined, shows }));
        const found = [...new Set(own.map(({ run }) => run))];
        // What a step does is known by its words.
        return known(scope, found, { because: 'follows', how: 'steps of the job that run tests', evidence });
      }),
  },
  {
    id: 'validation.safe',
    says: 'The commands that show a change to be right and do no harm, in the order to run them.',
    of: 'the repository, or a component; the commands that are run in that directory',
    value: z.array(z.string()),
    from,
    state: ({ plan, commands }) => {
      const directories = [...new Set(plan.map(({ cwd }) => cwd))];
      return directories.map((directory) => {
        const steps = plan.filter(({ cwd }) => cwd === directory);
        const evidence = steps.flatMap(({ cmd, cwd }) => {
          const row = commands.find((one) => one.cmd === cmd && one.cwd === cwd);
          return row === undefined ? [] : [claimOf(row)];
        });
        return known(directory, [...new Set(steps.map(({ cmd }) => cmd))], {
          because: 'follows',
          how: 'each was followed to what runs in the end',
          evidence,
        });
      });
    },
  },
]);
