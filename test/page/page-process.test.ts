/** `codegenie ui` as it is started: what it prints and leaves behind, and a page whose daemon is killed. */

import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDaemonRepo, stateDirOf } from '../support/daemon-world.ts';
import type { FixtureRepo } from '../support/fixture-repo.ts';
import { hasBrowser, openPageWorld } from '../support/page-world.ts';
import { quickPath } from '../support/tools.ts';

const program = fileURLToPath(new URL('../../bin/codegenie.mjs', import.meta.url));
let repo: FixtureRepo;

beforeAll(() => {
  repo = createDaemonRepo();
});
afterAll(async () => {
  await run('daemon', 'stop', '--quiet');
  repo.dispose();
});

async function run(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], {
    cwd: repo.root,
    env: { PATH: quickPath(), HOME: repo.home },
  });
  return stdout;
}
const statusOf = async () =>
  JSON.parse(await run('daemon', 'status', '--json')) as { readonly pid: number; readonly port: number };

test('U1 the address is all that is printed, a browser would be started with a file of the user alone, and asked twice it is the same', async () => {
  const printed = await run('ui');
  expect(printed).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#[\w-]{43}\.[0-9a-f]{16}\n$/);
  expect(await run('ui', '--no-open')).toBe(printed);
  expect(JSON.parse(await run('ui', '--json'))).toEqual({ outcome: 'ok', root: repo.root, address: printed.trim() });
  const launcher = join(stateDirOf(repo), 'run/page.html');
  expect(readFileSync(launcher, 'utf8')).toContain(printed.trim());
  expect(statSync(launcher).mode & 0o777).toBe(0o600);
  const { pid } = await statusOf();
  expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain(printed.trim().split('#')[1]);
});

test.skipIf(!hasBrowser)(
  'U5 a daemon that is killed is missed, and the page goes on with the next one (needs chromium)',
  async () => {
    const world = await openPageWorld();
    const address = (await run('ui')).trim();
    const { page, complaints, close } = await world.open(address.replace('/#', '/ask?q=add#'));
    await page.getByRole('link', { name: /add/ }).first().waitFor();
    const { pid, port } = await statusOf();
    process.kill(pid, 'SIGKILL');
    await page.getByRole('alert').filter({ hasText: 'does not answer' }).waitFor();
    // What was there stays to be read.
    expect(await page.getByRole('link', { name: /add/ }).count()).toBeGreaterThan(0);
    await run('daemon', 'start', '--quiet');
    expect((await statusOf()).port).toBe(port);
    await page.locator('.standing.good').waitFor();
    await page.getByRole('searchbox').fill('Square');
    await page
      .getByRole('link', { name: /Square/ })
      .first()
      .waitFor();
    expect(complaints).toEqual([]);
    await close();
    await world.close();
    await run('daemon', 'stop', '--quiet');
    expect(existsSync(join(stateDirOf(repo), 'run/page.html'))).toBe(false);
  },
);
