import { expect, test } from 'vitest';
import type { GrammarName } from '../../languages/languages.ts';
import { withParsedSource } from '../../languages/parsing/parse-source.ts';
import { extractDefinitions } from './source-definitions.ts';

/** `path kind startLine-endLine@line:column`, exported ones with a plus. */
async function listed(grammar: GrammarName, text: string): Promise<string[]> {
  const { definitions } = await withParsedSource(grammar, text, extractDefinitions);
  return definitions.map(
    ({ namePath, kind, exported, line, column, startLine, endLine }) =>
      `${exported ? '+' : ''}${namePath} ${kind} ${startLine}-${endLine}@${line}:${column}`,
  );
}

test('functions, classes with members and values, with the lines of their decorators', async () => {
  const source =
    '@sealed\nexport class Cart {\n  add(x: number) {\n    return x;\n  }\n}\nexport const mul = (a: number) => {\n  return a;\n};\nconst k = 1;\n';
  expect(await listed('typescript', source)).toEqual([
    '+Cart class 1-6@2:13',
    '+Cart/add method 3-5@3:2',
    '+mul function 7-9@7:13',
    'k constant 10-10@10:6',
  ]);
});

test('Python and Go', async () => {
  expect(await listed('python', 'class A:\n    @property\n    def m(self):\n        return 1\n')).toEqual([
    '+A class 1-4@1:6',
    '+A/m getter 2-4@3:8',
  ]);
  expect(await listed('go', 'package a\n\nfunc (c *Cart) Add() {\n}\n\ntype Cart struct{}\n')).toEqual([
    '+Cart struct 6-6@6:5',
    '+Cart/Add method 3-4@3:15',
  ]);
});

test('an empty file has one line and nothing in it; broken code is read as far as it goes', async () => {
  expect(await withParsedSource('javascript', '', extractDefinitions)).toEqual({ lines: 1, definitions: [] });
  expect(await listed('javascript', 'function a() {}\nfunction (')).toEqual(['a function 1-1@1:9']);
});
