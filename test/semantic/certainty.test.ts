/** The axis beside freshness, as `refs` carries it (code-plane.md §8), with the real indexer. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCli } from '../support/run-cli.ts';

const order = `export interface Order {
  total: number;
  id: string;
}
export const sum = (order: Order) => order.total + order.id.length;
`;

let base = '';
beforeEach(() => {
  base = realpathSync(mkdtempSync(`${tmpdir()}/certainty-`));
  mkdirSync(`${base}/tree/src`, { recursive: true });
  write(
    'tsconfig.json',
    '{ "compilerOptions": { "strict": true, "lib": ["esnext"], "module": "nodenext" }, "include": ["src"] }\n',
  );
  write('src/a.ts', order);
  write('src/b.ts', 'export const pick = (o: any) => o.total;\n');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const write = (path: string, text: string) => writeFileSync(`${base}/tree/${path}`, text);
const cli = (...argv: string[]) =>
  runCli(argv, { cwd: `${base}/tree`, home: base, environment: { CODEGENIE_STATE_DIR: `${base}/state` } });

async function ask(at: string, ...flags: string[]): Promise<string> {
  const { count, certainty } = JSON.parse((await cli('refs', at, ...flags, '--json')).stdout);
  return `${certainty} ${count.relation}`;
}

test('T10 refs says of each symbol whether it is known which places mean it, and whether an indexer would tell', async () => {
  await cli('index', '--semantic');
  expect(await ask('src/a.ts:2:3')).toBe('ambiguous gte');
  // Its neighbour in the same type is asked for by nothing that has no type.
  expect(await ask('src/a.ts:3:3')).toBe('certain eq');
  expect(await ask('src/a.ts:5:14')).toBe('certain eq');
  expect((await cli('refs', 'src/a.ts:2:3')).stdout).toContain('in 1 file · ambiguous');
  expect((await cli('refs', 'src/a.ts:3:3')).stdout).not.toContain('·');

  write('src/a.ts', `${order}export const id = (order: Order) => order.id;\n`);
  expect(await ask('src/a.ts:3:3', '--as-indexed')).toBe('unknown gte');
  expect(await ask('src/a.ts:3:3')).toBe('certain eq');
});
