/** What indexers are asked to look at again: by files, packages, a moment or a context, by the command line and over HTTP. */

import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startTestDaemon } from '../support/daemon-world.ts';
import { createSemanticRepo, type SemanticRepo } from '../support/semantic-repo.ts';

const compilerOptions =
  '{"strict":true,"noEmit":true,"target":"esnext","module":"esnext","moduleResolution":"bundler","lib":["esnext"],"types":[]}';
const files = {
  'package.json': '{"name":"shop","version":"1.0.0"}',
  'one/tsconfig.json': `{"compilerOptions":${compilerOptions}}`,
  'two/tsconfig.json': `{"compilerOptions":${compilerOptions}}`,
  'one/a.ts': 'export const a: number = 1;\n',
  'one/use.ts': "import { a } from './a';\nexport const sum: number = a + 1;\n",
  'two/deep/b.ts': 'export const b: number = 1;\n',
};

let repo: SemanticRepo | undefined;
afterEach(async () => {
  await repo?.dispose();
  repo = undefined;
});

test('R3 a scope of files, of a package, of a context or of what changed since a moment runs the indexers of that alone', async () => {
  const made = createSemanticRepo(files);
  repo = made;
  await made.index();
  let version = 1;
  /** Contexts whose indexer ran; the files of the others are dirty afterwards. A question in between would queue them too. */
  const refresh = async (scope: object) => {
    await made.index();
    version += 1;
    for (const path of ['one/a.ts', 'two/deep/b.ts'] as const)
      made.write(path, files[path].replace('number = 1', `number = ${version}`));
    const longAgo = new Date('2020-01-01T00:00:00Z');
    utimesSync(join(made.root, 'two/deep/b.ts'), longAgo, longAgo);
    const { refreshed } = await made.index('--scope', JSON.stringify(scope));
    const ran = refreshed.jobs.map(({ context }) => context).sort();
    const left = Object.keys(await made.unsettled()).map((path) => `ts:${path.split('/')[0]}/tsconfig.json`);
    expect([...ran, ...left].sort()).toEqual([one, two]);
    return ran;
  };
  const [one, two] = ['ts:one/tsconfig.json', 'ts:two/tsconfig.json'];
  expect(await refresh({ files: ['one/a.ts'] })).toEqual([one]);
  expect(await refresh([{ context: two, packages: ['two/deep'] }])).toEqual([two]);
  expect(await refresh({ context: one, files: ['two/deep/b.ts', 'one/a.ts'] })).toEqual([one]);
  expect(await refresh([{ packages: ['two/deep'] }, { files: ['one/a.ts'] }])).toEqual([one, two]);
  // What was written before the moment is left as it is.
  expect(await refresh({ changed_since: '2021-01-01T00:00:00Z' })).toEqual([one]);
  expect(await refresh({ changed_since: 1_500_000_000 })).toEqual([one, two]);
  expect(await refresh({ context: two })).toEqual([two]);

  for (const [scope, why] of [
    ['{', 'it is no JSON'],
    ['{"file":["one/a.ts"]}', "unknown field 'file'"],
    ['{"changed_since":"yesterday"}', 'changed_since'],
  ] as const)
    expect(await made.run('index', '--scope', scope)).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
  const unknown = await made.run('index', '--scope', '{"context":"ts:nowhere"}');
  expect(unknown.stdout).toContain('scope: there is no context ts:nowhere');
});

test('M8 what a blocked change suggests is taken as it is by the index, over HTTP too', async () => {
  const made = createSemanticRepo({
    'pyproject.toml': '[project]\nname = "shop"\nversion = "1.0.0"\n',
    'app/util.py': 'def helper():\n    return 1\n',
    'app/main.py': 'from .util import helper\n\nprint(helper())\n',
  });
  repo = made;
  const planned = await made.run('--json', 'rename', 'app/util.py:1:5', 'assist', '--wait', '0');
  const { outcome } = JSON.parse(planned.stdout) as { outcome: { kind: string; suggested_refresh_scope?: object[] } };
  expect(outcome).toMatchObject({ kind: 'blocked', suggested_refresh_scope: [{ files: expect.any(Array) }] });
  const daemon = await startTestDaemon({ root: made.root, home: made.base });
  try {
    const scope = outcome.suggested_refresh_scope;
    const { status, json } = await daemon.post('/v1/index', { scope });
    expect(status).toBe(200);
    expect(json).toMatchObject({ refreshed: { jobs: [{ context: expect.any(String) }] } });
    expect(await daemon.post('/v1/index', { scope: { since: 1 } })).toMatchObject({ status: 400 });
  } finally {
    await daemon.stop();
  }
});

test('P1 no answer says `clean` above hits that are `pending_check`: compiler facts of older bytes', async () => {
  const made = createSemanticRepo(files);
  repo = made;
  await made.index();
  const asIndexed = ['refs', 'one/use.ts:2:28', '--as-indexed'] as const;
  const refs = async () => JSON.parse((await made.run('--json', ...asIndexed)).stdout);
  expect(await refs()).toMatchObject({ freshness: { state: 'clean' } });
  made.write('one/a.ts', 'export const a: bigint = 1n;\n');
  const asked = await refs();
  expect(JSON.stringify(asked.files)).toContain('"state":"pending_check"');
  expect(asked.freshness.state).toBe('facts_behind');
  expect((await made.run(...asIndexed)).stderr).toContain('compilers have not seen all these files');
  await made.index();
  expect(await refs()).toMatchObject({ freshness: { state: 'clean' } });
});
