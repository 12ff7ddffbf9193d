/** What is set up before the first test, in this order, once: each project of vitest's configuration asks for it. */

import compileOnce from './compile-once.ts';
import installTools from './install-tools.ts';
import scratchInMemory from './scratch-in-memory.ts';

export default async function beforeAll(): Promise<(() => void) | undefined> {
  const mark = 'CODEGENIE_TEST_SET_UP';
  if (process.env[mark] !== undefined) return undefined;
  process.env[mark] = '1';
  await installTools();
  await compileOnce();
  return scratchInMemory();
}
