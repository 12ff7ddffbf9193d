/** Edit, then rename, in one call each, without a run of the whole project (mutation.md §2.5). */

import { afterEach, expect, test } from 'vitest';
import { createSemanticRepo, type SemanticRepo } from '../support/semantic-repo.ts';

const files = {
  'package.json': '{"name":"shop","version":"1.0.0"}',
  'tsconfig.json': '{"compilerOptions":{"strict":true,"noEmit":true,"lib":["esnext"]},"include":["src"]}',
  'src/price.ts': 'export function priceOf(cents: number): string {\n  return String(cents);\n}\n',
  'src/cart.ts': "import { priceOf } from './price';\nexport const total: string = priceOf(1);\n",
  'src/alone.ts': 'export const alone: number = 1;\n',
};

let repo: SemanticRepo | undefined;
afterEach(async () => {
  await repo?.dispose();
  repo = undefined;
});

test('M2 R14 a rename right after an edit is planned in one call, by place and by name, and what it made stale is a run of few files', async () => {
  const made = createSemanticRepo(files);
  repo = made;
  expect((await made.index()).refreshed.jobs).toMatchObject([{ status: 'completed', accepted: 3 }]);

  made.write(
    'src/price.ts',
    `${files['src/price.ts']}export const twice = (cents: number): string => priceOf(2 * cents);\n`,
  );
  for (const target of ['src/price.ts:1:17', 'priceOf']) {
    const { code, stdout } = await made.run('rename', target, 'costOf', '--wait', '20', '--json');
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({
      code: 0,
      outcome: {
        kind: 'ok',
        plan: {
          files: [
            { path: 'src/cart.ts', edits: 2 },
            { path: 'src/price.ts', edits: 2 },
          ],
        },
      },
    });
  }

  const applied = await made.run('rename', 'src/price.ts:1:17', 'costOf', '--apply', '--json');
  expect(JSON.parse(applied.stdout).outcome).toMatchObject({ kind: 'ok', state: 'applied' });
  const { refreshed, semantic } = await made.index();
  expect(refreshed.jobs).toMatchObject([{ status: 'completed', by: 'indexer', accepted: 2 }]);
  expect(semantic.files.by_freshness['clean']).toBe(3);
  expect(await made.refs('src/price.ts:1:17')).toEqual([
    'src/cart.ts:1:10',
    'src/cart.ts:2:30',
    'src/price.ts:1:17',
    'src/price.ts:4:49',
  ]);
});
