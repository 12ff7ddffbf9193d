/**
 * The package as npm would publish it, installed into an empty project by the machine's own npm and Node: nothing is warned of, and the
 * program does its work. Skipped by name where npm can bring no packages.
 */

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import type { WorkspaceEdit } from 'vscode-languageserver-protocol';
import { packageDirectory } from '../../src/kernel/base/package-files.ts';
import { createFixtureRepo } from '../support/fixture-repo.ts';
import { applyEdits, connectLsp, editsOf } from '../support/lsp-client.ts';
import { connectStdio } from '../support/mcp-clients.ts';
import { quickPath } from '../support/tools.ts';

/** As outside of a script of npm: the Node that the machine has. */
const machinePath = quickPath()
  .split(delimiter)
  .filter((directory) => !directory.includes('node_modules'))
  .join(delimiter);

function npm(cwd: string, args: readonly string[]) {
  const inherited = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  const config = process.env['npm_config_userconfig'];
  const env = {
    ...Object.fromEntries(inherited),
    ...(config === undefined ? {} : { npm_config_userconfig: config }),
    PATH: machinePath,
    HOME: homedir(),
  };
  const { status, stdout, stderr } = spawnSync('npm', [...args, '--no-audit', '--no-fund'], {
    cwd,
    encoding: 'utf8',
    env,
  });
  return { code: status, stdout, stderr };
}

/** What npm would put into the tarball, built elsewhere: a `dist` in the checkout would be taken for the user's. */
function pack(base: string): string {
  const stage = join(base, 'stage');
  mkdirSync(stage);
  const { files } = JSON.parse(readFileSync(join(packageDirectory, 'package.json'), 'utf8')) as { files: string[] };
  for (const name of ['package.json', ...files.filter((file) => file !== 'dist')])
    cpSync(join(packageDirectory, name), join(stage, name), { recursive: true });
  const built = spawnSync(process.execPath, [join(packageDirectory, 'scripts/build.ts'), stage], {
    cwd: packageDirectory,
    encoding: 'utf8',
  });
  expect(built).toMatchObject({ status: 0 });
  expect(npm(stage, ['pack', '--ignore-scripts', '--pack-destination', base])).toMatchObject({ code: 0 });
  const [tarball] = readdirSync(base).filter((name) => name.endsWith('.tgz'));
  return join(base, tarball ?? '');
}

/** What a user of the library writes, with its types: checked by the compiler, and run. */
const programOf = (root: string) => `
import { type Changed, openWorkspace, type Problem } from 'codegenie';
const workspace = await openWorkspace(${JSON.stringify(root)});
const refs = await workspace.refs({ target: 'src/sum.ts:1:14' });
const missing = await workspace.def({ target: 'Nowhere' });
const facts = await workspace.facts({ id: 'language.primary', scope: '.' });
const shown = (changed: Changed | Problem) =>
  'next' in changed ? [changed.outcome.kind, changed.outcome.state] : [changed.outcome];
const planned = await workspace.rename({ target: 'src/sum.ts:1:14', new_name: 'plus' });
const plan = 'next' in planned ? planned.outcome.plan : null;
const edits = plan?.groups.flatMap((group) => group.edits).length;
const plan_id = plan?.id ?? '';
const applied = await workspace.commit({ plan_id });
const undone = await workspace.undo({ plan_id });
workspace.close();
console.log(JSON.stringify({
  refs: refs.outcome === 'ok' ? [refs.outcome, refs.count.value, refs.count.relation] : refs,
  missing: missing.outcome,
  fact: 'facts' in facts ? facts.facts[0]?.value : facts,
  planned: [...shown(planned), edits],
  applied: shown(applied),
  undone: shown(undone),
}));
`;

test('the tarball installs without a warning, and gathers, answers, renames and serves agents and editors', async (context) => {
  const base = mkdtempSync(join(tmpdir(), 'codegenie-tarball-'));
  const repo = createFixtureRepo({
    'package.json': '{"name":"shop","private":true}',
    'tsconfig.json': '{"include":["src"]}',
    'src/sum.ts': 'export const sum = (a: number, b: number) => a + b;\n',
    'src/main.ts': "import { sum } from './sum.ts';\nsum(1, 2);\ntry { sum(3, 4); } catch {}\n",
  });
  try {
    const tarball = pack(base);
    const user = join(base, 'user');
    mkdirSync(user);
    writeFileSync(join(user, 'package.json'), '{"private":true}');
    const installed = npm(user, ['install', tarball, '--prefer-offline']);
    if (/ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ENOTCACHED|ETIMEDOUT|network/.test(installed.stderr))
      context.skip('npm brings no packages here');
    expect(installed).toMatchObject({ code: 0 });
    expect(
      installed.stderr.split('\n').filter((line) => /EBADENGINE|install-scripts|deprecated|ERESOLVE|peer/.test(line)),
    ).toEqual([]);

    const entry = join(user, 'node_modules/codegenie/bin/codegenie.mjs');
    const run = (...args: string[]) => {
      const options = { cwd: repo.root, encoding: 'utf8', env: { PATH: machinePath, HOME: repo.home } } as const;
      const { status, stdout, stderr } = spawnSync('node', [entry, ...args], options);
      return { code: status, stdout, stderr };
    };
    const gathered = run('gather', '.', '--json');
    expect(gathered).toMatchObject({ code: 0 });
    const document = readFileSync(join(repo.root, '.codegenie/context/repo-context.yaml'), 'utf8');
    // What is carried beside the code is found: grammars, and the rules that ast-grep runs.
    expect(document).toContain('script-swallowed-error');
    expect(run('refs', 'src/sum.ts:1:14')).toMatchObject({ code: 0, stdout: expect.stringContaining('src/main.ts') });
    expect(run('rename', 'src/sum.ts:1:14', 'total', '--apply')).toMatchObject({ code: 0 });
    expect(readFileSync(join(repo.root, 'src/main.ts'), 'utf8')).toContain('total(1, 2)');
    const program = join(user, 'program.mts');
    writeFileSync(program, programOf(repo.root));
    const asked = spawnSync(process.execPath, [program], {
      ...{ cwd: user, encoding: 'utf8' },
      env: { PATH: machinePath, HOME: repo.home },
    });
    expect(asked).toMatchObject({ status: 0, stderr: expect.not.stringContaining('Error') });
    expect(JSON.parse(asked.stdout)).toEqual({
      refs: ['ok', 4, 'eq'],
      missing: 'not_found',
      fact: 'TypeScript',
      planned: ['ok', 'planned', 4],
      applied: ['ok', 'applied'],
      undone: ['ok', 'undone'],
    });
    const tsc = join(packageDirectory, 'node_modules/.bin/tsc');
    const types = ['--noEmit', '--strict', '--module', 'nodenext', '--types', 'node', '--typeRoots'];
    const checked = spawnSync(tsc, [...types, join(packageDirectory, 'node_modules/@types'), program], {
      ...{ cwd: user, encoding: 'utf8' },
    });
    expect({ code: checked.status, said: checked.stdout }).toEqual({ code: 0, said: '' });
    const agent = await connectStdio(repo, ['--no-daemon'], entry);
    try {
      expect((await agent.client.listTools()).tools.map(({ name }) => name)).toContain('plan_refactor');
      expect(await agent.client.callTool({ name: 'search', arguments: { query: 'total' } })).toMatchObject({
        content: [{ text: expect.stringContaining('src/main.ts') }],
      });
    } finally {
      await agent.close();
    }
    const editor = await connectLsp({ ...repo, entry });
    const edited = "// not saved\nimport { total } from './sum.ts';\ntotal(1, 2);\n";
    await editor.open('src/main.ts', edited);
    const at = editor.at('src/main.ts', { line: 2, character: 1 });
    const edits = editsOf(await editor.ask<WorkspaceEdit>('textDocument/rename', { ...at, newName: 'add' }));
    expect(applyEdits(edited, edits.get(editor.uri('src/main.ts')) ?? [])).toBe(edited.replaceAll('total', 'add'));
    expect(await editor.end()).toBe(0);
  } finally {
    repo.dispose();
    rmSync(base, { recursive: true, force: true });
  }
});
