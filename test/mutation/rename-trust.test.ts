/** Reasons that the user has decided once for a project (mutation.md §7). */

import { afterEach, expect, test } from 'vitest';
import type { Answer } from '../../src/mutate/answer.ts';
import rename from '../../src/serve/changes/rename.ts';
import { renderChange } from '../../src/serve/changes/render-change.ts';
import { createLocalWorkspace } from '../../src/serve/workspace/local-workspace.ts';
import { settingsFor } from '../support/daemon-world.ts';
import { createFixtureRepo, type FixtureRepo } from '../support/fixture-repo.ts';

let repo: FixtureRepo | undefined;
afterEach(() => repo?.dispose());

const files = {
  'tsconfig.json':
    '{"compilerOptions":{"module":"esnext","moduleResolution":"bundler","strict":true,"noEmit":true,"lib":["esnext"],"types":[]}}',
  'a.ts':
    'export interface Box { size: number }\nexport const text = (box: Box) => JSON.stringify(box);\nexport const read = () => JSON.parse("{}") as Box;\n',
};

async function ask(configs: (root: string) => Readonly<Record<string, string>>) {
  repo = createFixtureRepo(files);
  for (const [path, text] of Object.entries(configs(repo.root))) repo.write(path, text);
  const workspace = createLocalWorkspace(settingsFor(repo, new AbortController().signal));
  const options = { waitMs: 10_000, onProgress: () => {}, onStep: () => {} };
  return workspace.change(rename, { target: 'a.ts:1:24', new_name: 'width' }, options);
}

const trusting = (root: string, reasons: readonly string[]) => JSON.stringify({ 'rename.trust': { [root]: reasons } });

test('M40 a reason that is trusted is told and not asked about', async () => {
  const done = await ask((root) => ({
    '~/.codegenie/config.yaml': trusting(root, ['untyped_exit', 'untyped_boundary']),
  }));
  if (done.kind !== 'answered') throw new Error(JSON.stringify(done));
  const { outcome } = done.answer as Answer;
  expect(outcome).toMatchObject({ kind: 'ok', state: 'planned' });
  const notes = outcome.kind === 'ok' ? outcome.plan.notes : [];
  expect(notes.filter((note) => note.startsWith('trusted: '))).toEqual([
    expect.stringMatching(/^trusted: untyped_exit by your configuration, not proven: a\.ts:2:50 /),
    expect.stringMatching(/^trusted: untyped_boundary by your configuration, not proven: a\.ts:3:27 /),
  ]);
  const words = renderChange(done.answer as Answer, done.look);
  expect(words).toContain('data: trusted: untyped_exit, untyped_boundary, by your configuration (rename.trust)');
  expect(words).not.toContain('data: no place was found');
});

test('M40 what is not trusted is asked about beside it', async () => {
  const done = await ask((root) => ({ '~/.codegenie/config.yaml': trusting(root, ['untyped_exit']) }));
  const { outcome } = (done as { answer: Answer }).answer;
  expect(outcome).toMatchObject({ kind: 'needs_decision', plan: { questions: 1 } });
});

test.each([
  ['another project', (root: string) => ({ '~/.codegenie/config.yaml': trusting(`${root}-other`, ['untyped_exit']) })],
  [
    'the repository itself',
    (root: string) => ({ '.codegenie/config.yaml': trusting(root, ['untyped_exit', 'untyped_boundary']) }),
  ],
])('M40 %s gives no trust', async (_, configs) => {
  const done = await ask(configs);
  expect((done as { answer: Answer }).answer.outcome).toMatchObject({ kind: 'needs_decision', plan: { questions: 2 } });
});

test('M40 a reason that has to be chosen each time cannot be trusted', async () => {
  const done = await ask((root) => ({ '~/.codegenie/config.yaml': trusting(root, ['public_api']) }));
  expect(done).toMatchObject({
    kind: 'config_invalid',
    problems: [
      { key: 'rename.trust', message: expect.stringContaining('public_api is no reason that can be trusted') },
    ],
  });
});
