/** `codegenie setup` as its user runs it, in a home of its own: shown, asked, written whole, and taken back to the byte. */

import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Terminal } from '../../src/cli/command.ts';
import { runCommandLine } from '../../src/cli/main.ts';
import { applySetup } from '../../src/serve/setup/apply-setup.ts';
import { type ClientName, clientNames, clients } from '../../src/serve/setup/clients.ts';
import { planSetup, unifiedDiff } from '../../src/serve/setup/plan-setup.ts';

let base: string;
let home: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'codegenie-setup-')));
  home = join(base, 'home');
  mkdirSync(home);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

type Ran = { readonly ending: string; readonly stdout: string; readonly stderr: string };

/** `answer`: what a user types at a terminal. */
async function run(args: readonly string[], answer?: string): Promise<Ran> {
  let [stdout, stderr] = ['', ''];
  const isTTY = answer !== undefined;
  const write = (to: 'stdout' | 'stderr') => (text: string) => {
    if (to === 'stdout') stdout += text;
    else stderr += text;
  };
  const stdin = (async function* () {
    if (answer !== undefined) yield answer;
  })();
  const terminal: Terminal = {
    cwd: base,
    home,
    environment: { HOME: home, PATH: process.env['PATH'] },
    stdout: { write: write('stdout'), isTTY },
    stderr: { write: write('stderr'), isTTY },
    stdin: Object.assign(stdin, { isTTY }),
    signal: new AbortController().signal,
    nowMs: Date.now,
  };
  const ending = await runCommandLine(['setup', ...args], terminal);
  return { ending, stdout, stderr };
}

function fileOf(client: ClientName): string {
  return clients[client].file({ home, platform: process.platform, environment: {} }).path;
}

function put(path: string, text: string | Buffer, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
}

const jsonText = '{\r\n  // mine\r\n  "theme": "dark",\r\n  "mcpServers": { "other": { "command": "x" } },\r\n}\r\n';
const tomlText = '# mine\nmodel = "x"\n\n[mcp_servers.other]\ncommand = "y"';

describe.each(clientNames.map((name) => [name]))('%s', (name) => {
  const text = clients[name].format === 'toml' ? tomlText : jsonText;

  test('written with --yes, once; taken back to the byte, mode and all', async () => {
    const path = fileOf(name);
    put(path, text, 0o640);
    const first = await run([name, '--yes']);
    expect(first.ending).toBe('ok');
    expect(first.stdout).toContain('+++ ');
    const written = readFileSync(path, 'utf8');
    expect(written).toContain('mine');
    expect(written).toContain('other');
    expect(written).toMatch(/codegenie\.mjs/);
    expect(statSync(path).mode & 0o777).toBe(0o640);
    const again = await run([name, '--yes']);
    expect(again.stdout).toContain('it is set up already');
    expect(readFileSync(path, 'utf8')).toBe(written);
    expect((await run([name, '--remove', '--yes'])).ending).toBe('ok');
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect((await run([name, '--remove', '--yes'])).stdout).toContain('there is no such entry');
  });

  test('a file that is not there is made for its user alone, and goes again', async () => {
    const path = fileOf(name);
    expect((await run([name, '--yes'])).ending).toBe('ok');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect((await run([name, '--remove', '--yes'])).ending).toBe('ok');
    expect(existsSync(path)).toBe(false);
  });

  test('an empty file', async () => {
    const path = fileOf(name);
    put(path, '');
    expect((await run([name, '--yes'])).ending).toBe('ok');
    expect(readFileSync(path, 'utf8')).toContain('codegenie');
    expect((await run([name, '--remove', '--yes'])).ending).toBe('ok');
    expect(readFileSync(path, 'utf8')).toBe('');
  });

  test('what others wrote meanwhile stays when the entry is taken out', async () => {
    const path = fileOf(name);
    put(path, text);
    await run([name, '--yes']);
    const later = clients[name].format === 'toml' ? '\n[later]\nx = 1\n' : '';
    const edited =
      later === '' ? readFileSync(path, 'utf8').replace('"dark"', '"light"') : `${readFileSync(path, 'utf8')}${later}`;
    put(path, edited);
    expect((await run([name, '--remove', '--yes'])).ending).toBe('ok');
    const left = readFileSync(path, 'utf8');
    expect(left).not.toContain('codegenie');
    expect(left).toContain(later === '' ? '"light"' : '[later]');
    expect(left).toContain('other');
  });

  test('a broken file is refused, with the place, and is as it was', async () => {
    const path = fileOf(name);
    const broken = clients[name].format === 'toml' ? 'a = = 1\n' : '{\n  "a" 1\n}\n';
    put(path, broken);
    const { ending, stderr } = await run([name, '--yes']);
    expect(ending).toBe('output_refused');
    expect(stderr).toMatch(/line \d+, column \d+/);
    expect(readFileSync(path, 'utf8')).toBe(broken);
  });

  test('a link out of the home is not followed', async () => {
    const path = fileOf(name);
    const outside = join(base, 'outside');
    put(outside, text);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(outside, path);
    const { ending, stderr } = await run([name, '--yes']);
    expect(ending).toBe('output_refused');
    expect(stderr).toContain(outside);
    expect(readFileSync(outside, 'utf8')).toBe(text);
  });

  test('--print says what to write and where, and touches nothing', async () => {
    const { ending, stdout } = await run([name, '--print']);
    expect(ending).toBe('ok');
    expect(stdout).toContain(fileOf(name));
    expect(stdout).toContain('codegenie');
    expect(existsSync(fileOf(name))).toBe(false);
  });
});

describe('asking', () => {
  test('no terminal and no --yes: the change is shown, nothing is written', async () => {
    const { ending, stdout, stderr } = await run(['cursor']);
    expect(ending).toBe('usage');
    expect(stdout).toContain('+++ ');
    expect(stderr).toContain('--yes');
    expect(existsSync(fileOf('cursor'))).toBe(false);
  });

  test.each([
    ['y\n', true],
    ['Yes\n', true],
    ['\n', false],
    ['n\n', false],
    ['yolo\n', false],
  ])('%j', async (answer, isWritten) => {
    const { ending, stderr } = await run(['cursor'], answer);
    expect(stderr).toContain('[y/N]');
    expect(ending).toBe(isWritten ? 'ok' : 'usage');
    expect(existsSync(fileOf('cursor'))).toBe(isWritten);
  });

  test('--json is one document, whether it was written or not', async () => {
    const asked = await run(['cursor', '--json']);
    expect(asked.ending).toBe('usage');
    expect(JSON.parse(asked.stdout)).toMatchObject({ outcome: 'usage', written: false, diff: expect.any(String) });
    const written = await run(['cursor', '--yes', '--json']);
    expect(JSON.parse(written.stdout)).toMatchObject({ outcome: 'ok', written: true, path: fileOf('cursor') });
    expect(JSON.parse((await run(['cursor', '--yes', '--json'])).stdout)).toMatchObject({
      outcome: 'ok',
      written: false,
    });
  });

  test('an unknown client names the nearest', async () => {
    const { ending, stderr } = await run(['vs-code']);
    expect(ending).toBe('usage');
    expect(stderr).toContain('did you mean vscode?');
  });
});

describe('files', () => {
  const machine = () => ({ home, platform: 'linux' as const, environment: {} });
  const server = { command: '/node', args: ['/x.mjs'] };

  test('a link inside the home is followed, and stays a link', async () => {
    const real = join(home, 'dotfiles', 'mcp.json');
    put(real, '{}\n');
    const path = fileOf('cursor');
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(real, path);
    const { ending, stdout } = await run(['cursor', '--yes']);
    expect(ending).toBe('ok');
    expect(stdout).toContain(`is a link to ${real}`);
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, 'utf8')).toContain('codegenie');
  });

  test('a directory that leads out of the home is not followed either', async () => {
    mkdirSync(join(base, 'elsewhere'));
    symlinkSync(join(base, 'elsewhere'), join(home, '.cursor'));
    expect((await run(['cursor', '--yes'])).ending).toBe('output_refused');
    expect(existsSync(join(base, 'elsewhere', 'mcp.json'))).toBe(false);
  });

  test('a file that changed after it was shown is not written', async () => {
    const path = fileOf('cursor');
    put(path, '{}\n');
    const ask = { client: 'cursor' as const, remove: false, machine: machine(), server };
    const plan = await planSetup(ask);
    if (plan.kind !== 'planned') throw new Error(plan.kind);
    put(path, '{"mine": 1}\n');
    expect(applySetup(ask, plan)).toMatchObject({ kind: 'refused', why: expect.stringContaining('meanwhile') });
    expect(readFileSync(path, 'utf8')).toBe('{"mine": 1}\n');
  });

  test('a byte order mark stays, bytes that are no text are refused', async () => {
    const path = fileOf('cursor');
    put(path, '\ufeff{}\n');
    expect((await run(['cursor', '--yes'])).ending).toBe('ok');
    expect(readFileSync(path, 'utf8').startsWith('\ufeff{')).toBe(true);
    put(path, Buffer.from([0x7b, 0xff, 0x7d]));
    expect((await run(['cursor', '--yes'])).stderr).toContain('is not UTF-8 text');
  });

  test('where each client keeps it, on each system', () => {
    const at = (client: ClientName, platform: NodeJS.Platform, environment = {}) =>
      clients[client].file({ home: platform === 'win32' ? 'C:\\Users\\a' : '/home/a', platform, environment }).path;
    expect(at('claude-code', 'linux')).toBe('/home/a/.claude.json');
    expect(at('codex', 'linux')).toBe('/home/a/.codex/config.toml');
    expect(at('codex', 'linux', { CODEX_HOME: '/data/codex' })).toBe('/data/codex/config.toml');
    expect(at('cursor', 'win32')).toBe('C:\\Users\\a\\.cursor\\mcp.json');
    expect(at('vscode', 'linux')).toBe('/home/a/.config/Code/User/mcp.json');
    expect(at('vscode', 'linux', { XDG_CONFIG_HOME: '/home/a/cfg' })).toBe('/home/a/cfg/Code/User/mcp.json');
    expect(at('vscode', 'darwin')).toBe('/home/a/Library/Application Support/Code/User/mcp.json');
    expect(at('vscode', 'win32', { APPDATA: 'C:\\Users\\a\\AppData\\Roaming' })).toBe(
      'C:\\Users\\a\\AppData\\Roaming\\Code\\User\\mcp.json',
    );
  });

  test('P8: keys in the lines around are not shown', () => {
    const key = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    const before = `{\n  "token": "${key}"\n}\n`;
    const diff = unifiedDiff('f', before, before.replace('\n}', ',\n  "b": 1\n}'));
    expect(diff).not.toContain(key);
    expect(diff).toContain('+  "b": 1');
    expect(diff).toMatch(/^--- f\n\+\+\+ f\n@@ -1,3 \+1,4 @@\n/);
  });
});
