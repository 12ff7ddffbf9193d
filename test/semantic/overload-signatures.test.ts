/** What an indexer says of a function with overloads is said of the one it is true of. */

import { afterAll, expect, test } from 'vitest';
import index from '../../src/serve/operations/index.ts';
import symbols from '../../src/serve/operations/symbols.ts';
import { createLocalWorkspace } from '../../src/serve/workspace/local-workspace.ts';
import { createDaemonRepo, daemonFiles, settingsFor } from '../support/daemon-world.ts';

const repo = createDaemonRepo({
  'tsconfig.json': daemonFiles['tsconfig.json'],
  'src/pick.ts':
    'export function pick(of: string): string;\nexport function pick(of: number, or: boolean): number;\nexport function pick(of: unknown): unknown {\n  return of;\n}\n',
});
afterAll(() => repo.dispose());

test('a signature is of the first declaration, and not repeated for the others', async () => {
  const workspace = createLocalWorkspace(settingsFor(repo, new AbortController().signal));
  const options = { onProgress: () => {}, waitMs: 0 };
  await workspace.ask(index, {}, { ...options, refresh: { waitMs: null } });
  const found = await workspace.ask(symbols, { query: 'pick', exact: true }, options);
  const listed = found.kind === 'answered' ? found.answer.symbols : [];
  expect(listed.map(({ line, overload, signature }) => [line, overload, signature])).toEqual([
    [1, 0, expect.stringContaining('pick(of: string): string')],
    [2, 1, null],
    [3, 2, null],
  ]);
  expect(listed.every(({ provenance }) => provenance === 'resolved')).toBe(true);
});
