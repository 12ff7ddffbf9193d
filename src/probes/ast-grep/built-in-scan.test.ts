import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withParsedSource } from '../../languages/parsing/parse-source.ts';
import { builtInVersion } from './ast-grep-catalog.ts';
import { scanBuiltIn, startBuiltInScan } from './built-in-scan.ts';

async function scan(grammar: 'typescript' | 'python' | 'rust', text: string) {
  await startBuiltInScan(grammar);
  return withParsedSource(grammar, text, scanBuiltIn);
}

test('the version that findings are kept by is that of the package', () => {
  const { devDependencies } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  expect(builtInVersion).toBe(devDependencies['@ast-grep/wasm']);
});

test('lines are counted from one, in file after file, also where characters take several bytes and a file has errors', async () => {
  const found = [{ rule: 'script-swallowed-error', line: 2 }];
  expect(await scan('typescript', '// é 😀\ntry { go(); } catch {}\n')).toEqual(found);
  expect(await scan('typescript', 'const 1 = ;\ntry { go(); } catch {}\n')).toEqual(found);
  expect(await scan('python', 'import os\n\nos.system("ls " + name)\n')).toEqual([{ rule: 'python-shell', line: 3 }]);
});

test('a language that no rule is for has no findings', async () => {
  expect(await scan('rust', 'fn main() {}\n')).toEqual([]);
});
