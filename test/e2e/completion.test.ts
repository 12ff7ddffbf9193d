/** Completion in the shells themselves: each loads its script as a person's start file does, and is asked for candidates. */

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.gen.ts';
import { completeLine, splitLine } from '../../src/cli/complete-line.ts';
import { shells } from '../../src/cli/shell-scripts.ts';
import { createIndexedTree, type IndexedTree } from '../support/indexed-tree.ts';
import { runCli } from '../support/run-cli.ts';
import { quickPath } from '../support/tools.ts';

let tree: IndexedTree;
let plan: string;
beforeAll(async () => {
  tree = createIndexedTree({
    'tsconfig.json': '{"compilerOptions":{"strict":true,"lib":["esnext"],"types":[]},"include":["src"]}',
    'src/a.ts': 'const total = 1;\nconsole.log(total);\nexport {};\n',
  });
  const where = { cwd: tree.root, home: tree.base };
  const { stdout } = await runCli(['rename', 'src/a.ts:1:7', 'sum', '--json'], where);
  plan = JSON.parse(stdout).outcome.plan.id;
  const entry = join(import.meta.dirname, '../../bin/codegenie.mjs');
  const starter = join(tree.base, 'codegenie');
  writeFileSync(starter, `#!/bin/sh\nexec '${process.execPath}' '${entry}' "$@"\n`);
  chmodSync(starter, 0o755);
});
afterAll(() => tree.dispose());

const words = async (line: string): Promise<readonly string[]> => {
  const found = await completeLine(line, { cwd: tree.root, home: tree.base, environment: {} });
  return found.map(({ word }) => word);
};

describe('what could stand at the end of a line', () => {
  test('every command, each flag of it, and the flags of all', async () => {
    expect(await words('codegenie ')).toEqual([...new Set(commands.map(({ name }) => name.split(' ')[0]))]);
    for (const { name, flags } of commands) {
      const found = await words(`codegenie ${name} -`);
      for (const flag of flags) expect(found).toContain(/--[a-z-]+/.exec(flag.flags)?.[0]);
      expect(found).toEqual(expect.arrayContaining(['--json', '--repo', '-C', '--help']));
    }
  });

  test.each([
    ['codegenie pla', ['plan']],
    ['codegenie plan c', ['commit', 'cancel']],
    ['codegenie gather --only ci,lic', ['ci,licence']],
    ['codegenie gather --only ci,ci', []],
    ['codegenie gather --only=lic', ['--only=licence']],
    ['codegenie gather --format ', ['sarif', 'github', 'junit']],
    ['codegenie --json -C . probes show lic', ['licence']],
    ['codegenie facts docker.us', ['docker.user']],
    ['codegenie schema conf', ['config']],
    ['codegenie explain untyped_e', ['untyped_exit']],
    ['codegenie config show containers.en', ['containers.engine']],
    ['codegenie setup cu', ['cursor']],
    ['codegenie slice x --kind dep', ['dependency-chain']],
    ['codegenie plan commit p-1 --accept dynamic_access,name_as', ['dynamic_access,name_as_data']],
    // Files are the shell's; so is what follows a word that is no command.
    ['codegenie refs src/', []],
    ['codegenie facts docker.user .', []],
    ['codegenie gathr --', []],
  ])('%s', async (line, expected) => {
    expect((await words(line)).toSorted()).toEqual(expected.toSorted());
  });

  test('plans of this tree, and only open ones where one is to be committed', async () => {
    expect(await words('codegenie plan show ')).toEqual([plan]);
    expect(await words(`codegenie -C '${tree.root}' plan commit p`)).toEqual([plan]);
    await runCli(['plan', 'cancel', plan], { cwd: tree.root, home: tree.base });
    expect(await words('codegenie plan show ')).toEqual([plan]);
    expect(await words('codegenie plan commit ')).toEqual([]);
  });

  test('words are parted as a shell parts them', () => {
    expect(splitLine(`codegenie "a b" c\\ d 'e'f  `)).toEqual(['codegenie', 'a b', 'c d', 'ef', '']);
    expect(splitLine('')).toEqual(['']);
  });
});

/** A line, and what the shell itself offers for it, as a script that prints `<line> → <candidates>`. */
const asked: Readonly<Record<keyof typeof shells, (lines: readonly string[]) => readonly [string, ...string[]]>> = {
  bash: (lines) => [
    'bash',
    '--norc',
    '-c',
    `source <(codegenie completion bash)
     ask() { COMP_LINE=$1 COMP_POINT=\${#1} COMP_WORDS=(codegenie) COMP_CWORD=1; COMPREPLY=(); _codegenie; echo "$1 → \${COMPREPLY[*]}"; }
     ${lines.map((line) => `ask '${line}'`).join('\n')}`,
  ],
  zsh: (lines) => [
    'zsh',
    '-f',
    '-c',
    `autoload -U compinit; compinit -u -D; source <(codegenie completion zsh)
     _describe() { local one; for one in $words_said; do said+=("\${one%%:*}"); done }
     _files() { said+=(files) }
     ask() { local -a words said; words=(\${(z)1}); [[ $1 != *' ' ]] || words+=(''); CURRENT=\${#words}; _codegenie; echo "$1 → $said"; }
     ${lines.map((line) => `ask '${line}'`).join('\n')}`,
  ],
  fish: (lines) => [
    'fish',
    '--no-config',
    '-c',
    `codegenie completion fish | source
     ${lines.map((line) => `echo '${line} →' (complete -C '${line}' | string split -f1 \\t)`).join('\n')}`,
  ],
};

describe.each(Object.keys(shells) as (keyof typeof shells)[])('in %s', (shell) => {
  const isThere = spawnSync(shell, ['--version']).status === 0;

  test.skipIf(!isThere)(`commands, flags, values behind a comma and an equals sign, and files (${shell})`, () => {
    const lines = {
      'codegenie pla': 'plan',
      'codegenie gather --cac': '--cache-only',
      'codegenie gather --only ci,lic': 'ci,licence',
      'codegenie facts docker.us': 'docker.user',
      // Readline takes what follows the equals sign for the word.
      'codegenie gather --format=s': shell === 'bash' ? 'sarif' : '--format=sarif',
      'codegenie refs tsc': { bash: '', zsh: 'files', fish: 'tsconfig.json' }[shell],
    };
    const [program, ...args] = asked[shell](Object.keys(lines));
    const said = execFileSync(program, args, {
      cwd: tree.root,
      encoding: 'utf8',
      env: { PATH: `${tree.base}:${quickPath()}`, HOME: tree.base, TERM: 'dumb' },
    });
    expect(
      said
        .trim()
        .split('\n')
        .map((line) => line.trimEnd()),
    ).toEqual(Object.entries(lines).map(([line, words]) => `${line} → ${words}`.trimEnd()));
  });
});
