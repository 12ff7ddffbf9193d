/** A gather at a daemon: indexers are run by the one who keeps the store, and only for what is not clean. */

import { afterEach, expect, test } from 'vitest';
import type { RefreshEvent } from '../../src/index/refresh/refresher.ts';
import type { GatherAsk } from '../../src/serve/workspace/workspace.ts';
import { createDaemonRepo, type RunningDaemon, startTestDaemon } from '../support/daemon-world.ts';
import type { FixtureRepo } from '../support/fixture-repo.ts';

let repo: FixtureRepo | undefined;
let daemon: RunningDaemon | undefined;
afterEach(async () => {
  await daemon?.stop();
  repo?.dispose();
});

const ask: GatherAsk = {
  task: null,
  only: ['scip_index'],
  skip: [],
  mode: 'default',
  maxConcurrency: null,
  onProgress: () => {},
};

test('a gather has the indexers of the daemon run, and after an edit only for the file that is not clean', async () => {
  repo = createDaemonRepo({
    'package.json': '{"name":"shop","version":"1.0.0"}',
    'tsconfig.json': '{"compilerOptions":{"strict":true,"lib":["esnext"],"types":[]},"include":["src"]}',
    'src/price.ts': 'export const free: number = 0;\n',
    'src/cart.ts': "import { free } from './price';\nexport const total: number = free;\n",
  });
  const started: unknown[] = [];
  const onRefresh = (event: RefreshEvent) => void (event.kind === 'job_started' && started.push(event.scope));
  daemon = await startTestDaemon(repo, { onRefresh });
  const first = await daemon.workspace().gather(ask);
  expect(covered(first)).toEqual([2, 2]);
  expect(started).toEqual([null]);
  repo.write('src/cart.ts', "import { free } from './price';\n\nexport const total: number = free;\n");
  const second = await daemon.workspace().gather(ask);
  expect(covered(second)).toEqual([2, 2]);
  expect(started).toEqual([null, { files: ['src/cart.ts'], packages: [] }]);
});

function covered(outcome: object): readonly unknown[] {
  const { envelope } = outcome as { envelope: { semantic_index?: { files_indexed: number; files_in_repo: number } } };
  return [envelope.semantic_index?.files_indexed, envelope.semantic_index?.files_in_repo];
}
