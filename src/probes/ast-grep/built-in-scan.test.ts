import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { withParsedSource } from '../../languages/parsing/parse-source.ts';
import { builtInVersion } from './ast-grep-catalog.ts';
import { findMatches, scanBuiltIn, startBuiltInScan } from './built-in-scan.ts';

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

/** What the rules are about, in odd spellings, and words that only look like it. */
const pieces = {
  typescript: [
    'try { go(); } catch {}',
    'try { go(); } catch (e) { }',
    'catch',
    'require',
    'import',
    ' ',
    '\n',
    '/* x */',
    '// y\n',
    '(name)',
    '("fixed")',
    `(\`$\{a}\`)`,
    'const m = ',
    'await ',
    'process.on',
    'process . once',
    "('SIGTERM', end)",
    '("SIGINT",end,1)',
    'document.write',
    'a.innerHTML = ',
    'b . outerHTML=',
    '.write',
    'text',
    ';',
    'throw ',
    'throw/**/',
    "'bad'",
    '`bad`',
    '7',
    '<any>',
    '?.',
    '{',
    '}',
  ],
  python: [
    'import os\n',
    'os.system',
    'os . popen',
    '(a)',
    '(a, b)',
    'subprocess.run',
    'run',
    '(a, shell=True)',
    '(a, shell = True)',
    '\n',
    ' ',
    'eval',
    'exec',
    "('x')",
    'pickle.load',
    'marshal.loads',
    'yaml.load',
    'yaml.unsafe_load',
    'get',
    '(u, verify=False)',
    '(u, verify = False)',
    'ssl._create_unverified_context',
    'try:\n  pass\n',
    'except:\n  pass\n',
    'except :\n  pass\n',
    'except E:\n  pass\n',
    '# c\n',
    '\\\n',
  ],
} as const;

test.each(['typescript', 'python'] as const)(
  'a file that no rule of %s mentions has nothing that a rule would find',
  async (grammar) => {
    await startBuiltInScan(grammar);
    let found = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...pieces[grammar]), { maxLength: 12 }), async (drawn) => {
        const text = drawn.join('');
        const all = findMatches(grammar, text, () => true);
        found += all.length;
        expect(await withParsedSource(grammar, text, scanBuiltIn)).toEqual(all);
      }),
      { numRuns: 2_000 },
    );
    expect(found).toBeGreaterThan(100);
  },
);
