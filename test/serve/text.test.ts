/** Lines of a file: as they are on disk, secrets masked, what may not be opened not opened. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDaemonRepo, forbiddenPaths, type RunningDaemon, startTestDaemon } from '../support/daemon-world.ts';
import type { FixtureRepo } from '../support/fixture-repo.ts';
import { secretSamples } from '../support/secret-samples.ts';

let repo: FixtureRepo;
let daemon: RunningDaemon;
const secret = secretSamples.github_token[0]?.secret ?? '';

beforeAll(async () => {
  repo = createDaemonRepo({
    'src/a.ts': `const one = 1;\r\nconst key = '${secret}';\nconst three = 3;\n`,
    '.env': 'TOKEN=one\n',
    'long.txt': `${'x'.repeat(5_000)}\nend`,
  });
  daemon = await startTestDaemon(repo);
});
afterAll(async () => {
  await daemon.stop();
  repo.dispose();
});
const text = async (path: string, more: object = {}) => (await daemon.post('/v1/text', { path, ...more })).json;

test('a part of it, with the number of its first line and of all', async () => {
  expect(await text('src/a.ts', { from: 3, lines: 9 })).toMatchObject({
    from: 3,
    lines: ['const three = 3;'],
    total: 3,
  });
  expect(await text('src/a.ts', { lines: 1 })).toMatchObject({ from: 1, lines: ['const one = 1;'], total: 3 });
  expect(await text('src/a.ts', { from: 9 })).toMatchObject({ lines: [], total: 3 });
});

test('P8 a secret is masked by as many characters as it has', async () => {
  const answer = await text('src/a.ts');
  expect(JSON.stringify(answer)).not.toContain(secret);
  expect(answer).toMatchObject({ masked: true });
  expect((answer as { readonly lines?: readonly string[] }).lines?.[1]).toBe(
    `const key = '${'*'.repeat(secret.length)}';`,
  );
});

test('a line without an end is cut and says so', async () => {
  const [first = '', last] = ((await text('long.txt')) as { readonly lines: readonly string[] }).lines;
  expect([first.length, first.at(-1), last]).toEqual([2_000, '…', 'end']);
});

test('P1 what was written since is what is told', async () => {
  repo.write('src/late.ts', 'one\n');
  await text('src/late.ts');
  repo.write('src/late.ts', 'two\n');
  expect(await text('src/late.ts')).toMatchObject({ lines: ['two'] });
});

test('P9 files of secrets and files outside are not opened', async () => {
  expect(await text('.env')).toMatchObject({ lines: [], total: null });
  for (const path of forbiddenPaths) expect(JSON.stringify(await text(path)), path).not.toContain('root:');
});
