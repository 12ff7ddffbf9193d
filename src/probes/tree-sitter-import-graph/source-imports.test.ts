import { expect, test } from 'vitest';
import type { GrammarName } from '../../languages/languages.ts';
import { withParsedSource } from '../../languages/parsing/parse-source.ts';
import { extractImports } from './source-imports.ts';

const importsOf = async (grammar: GrammarName, text: string) =>
  (await withParsedSource(grammar, text, extractImports)).imports.map(
    ({ line, kind, specifier, typeOnly }) => `${line} ${kind}${typeOnly ? ' type' : ''} ${specifier}`,
  );

test('every way to import, by line', async () => {
  const text = [
    "import a, { b } from './a';",
    "import type { T } from './t';",
    "export * from './c';",
    "import d = require('d');",
    "import './side.css';",
    '',
    "const e = require('./e'), f = await import('./f');",
  ].join('\n');
  expect(await importsOf('typescript', text)).toEqual([
    '1 import ./a',
    '2 import type ./t',
    '3 reexport ./c',
    '4 require d',
    '5 side_effect ./side.css',
    '7 require ./e',
    '7 dynamic ./f',
  ]);
});

test('what lies in a part that does not parse is left out, the rest counts', async () => {
  const text = "import a from './a';\nfunction ( { ] import b from './b' ) }\nimport c from './c';\n";
  const found = await importsOf('javascript', text);
  expect(found).toContain('1 import ./a');
  expect(found.filter((each) => each.includes('./b'))).toEqual([]);
});

test('names that other files import it by', async () => {
  const { provides } = await withParsedSource('java', 'package a.b;\npublic class C {}\n', extractImports);
  expect(provides).toContain('java:a.b.C');
});
