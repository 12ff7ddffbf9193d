/** Each rule of `npm run house` finds what it is there for. */

import { expect, test } from 'vitest';
import {
  findArrows,
  findCycles,
  findDoors,
  findJsonWriters,
  findNames,
  findPageImports,
  findTwins,
  type Import,
  judge,
  parseImports,
  type SourceFile,
} from '../scripts/house.ts';
import { exportsAt, rankTests } from '../scripts/test-near.ts';

const file = (path: string, imports: readonly (string | Import)[] = [], text = ''): SourceFile => ({
  path,
  text,
  lines: text.split('\n').length,
  imports: imports.map((one) => (typeof one === 'string' ? { target: one, isDynamic: false } : one)),
});

test('imports are read as they are written: types, several lines, re-exports, side effects, dynamic ones', () => {
  const text = [
    "import type { A } from './a.ts';",
    "import {\n  b,\n  type C,\n} from '../b.ts';",
    "export * from './c.ts';",
    "import 'node:fs';",
    "const d = await import('./d.ts');",
  ].join('\n');
  expect(parseImports('src/kernel/base/x.ts', text)).toEqual([
    { target: 'src/kernel/base/a.ts', isDynamic: false },
    { target: 'src/kernel/b.ts', isDynamic: false },
    { target: 'src/kernel/base/c.ts', isDynamic: false },
    { target: 'node:fs', isDynamic: false },
    { target: 'src/kernel/base/d.ts', isDynamic: true },
  ]);
});

test('an arrow that points up, out of src, or comes from no room', () => {
  const wrong = findArrows([
    file('src/kernel/base/a.ts', ['src/index/store/b.ts']),
    file('src/serve/a.ts', ['src/kernel/base/a.ts', 'test/support/x.ts']),
    file('src/attic/a.ts'),
  ]);
  expect(wrong.map(({ where }) => where)).toEqual([
    'src/kernel/base/a.ts → src/index/store/b.ts',
    'src/serve/a.ts → test/support/x.ts',
    'src/attic/a.ts',
  ]);
});

test('a door that is not theirs', () => {
  const wrong = findDoors([
    file('src/kernel/exec/process.ts', ['node:child_process']),
    file('src/serve/a.ts', ['node:child_process']),
    file('src/gather/a.ts', ['node:sqlite']),
    file('src/probes/ci/a.ts', ['fs', 'node:http']),
    file('src/probes/external-docs/a.ts', ['node:http']),
  ]);
  expect(wrong.map(({ where }) => where)).toEqual([
    'src/serve/a.ts → node:child_process',
    'src/gather/a.ts → node:sqlite',
    'src/probes/ci/a.ts → fs',
    'src/probes/ci/a.ts → node:http',
  ]);
});

test('JSON that is printed or served past its one writer', () => {
  const wrong = findJsonWriters([
    file('src/cli/commands/a.ts', [], 'terminal.stdout.write(JSON.stringify(answer));'),
    file('src/serve/mcp/b.ts', [], 'const schema = JSON.parse(JSON.stringify(shape));'),
    file('src/serve/http/c.ts', [], 'const write = JSON.stringify;'),
    file('src/index/store/d.ts', [], 'JSON.stringify(row)'),
  ]);
  expect(wrong.map(({ where }) => where)).toEqual(['src/cli/commands/a.ts', 'src/serve/http/c.ts']);
});

test('the page takes types and no code', () => {
  const wrong = findPageImports([
    { path: 'page/a.ts', text: "import type { A } from '../src/serve/a.ts';\nexport type { C } from '../src/c.ts';\n" },
    { path: 'page/rooms/b.tsx', text: "import {\n  B,\n} from '../../src/serve/b.ts';\n" },
  ]);
  expect(wrong.map(({ where }) => where)).toEqual(['page/rooms/b.tsx → src/serve/b.ts']);
});

test('a cycle, but not through a dynamic import', () => {
  const dynamic = { target: 'src/a.ts', isDynamic: true };
  expect(
    findCycles([file('src/a.ts', ['src/b.ts']), file('src/b.ts', ['src/c.ts']), file('src/c.ts', [dynamic])]),
  ).toEqual([]);
  const [cycle] = findCycles([
    file('src/a.ts', ['src/b.ts']),
    file('src/b.ts', ['src/c.ts']),
    file('src/c.ts', ['src/a.ts']),
  ]);
  expect(cycle?.where).toBe('src/a.ts ↔ src/b.ts ↔ src/c.ts');
});

test('a name that occurs twice, unless a surface repeats its operation; no drawer of types', () => {
  const paths = [
    'src/index/a.ts',
    'src/gather/a.ts',
    'src/index/types.ts',
    'src/cli/commands/refs.ts',
    'src/index/navigate/refs.ts',
  ];
  expect(findNames(paths.map((path) => file(path))).map(({ where }) => where)).toEqual([
    'src/index/a.ts src/gather/a.ts',
    'src/index/types.ts',
  ]);
});

test('the same body twice', () => {
  const body = (name: string) =>
    `export function ${name}(a: number): number {\n  const b = a;\n  const c = b;\n  const d = c;\n  return d;\n}\n`;
  const [twins] = findTwins([file('src/a.ts', [], body('one')), file('src/b.ts', [], body('two'))]);
  expect(twins?.where).toBe('src/a.ts#one src/b.ts#two');
});

test('an exception that covers nothing is a problem too', () => {
  const problem = { rule: 'names', where: 'src/a.ts', advice: '' };
  const exception = { rule: 'names', where: 'src/a.ts', because: 'it is an example' };
  expect(judge([problem], undefined, [exception])).toEqual([]);
  expect(judge([], undefined, [exception])).toMatchObject([{ rule: 'exceptions', where: 'names: src/a.ts' }]);
});

test('near tests: of the file, then those that name what changed, then over few imports, a few of every part; slow ones only of the file', () => {
  const changed = 'src/kernel/base/x.ts';
  const files = [
    file('src/kernel/base/x.test.ts', [changed], 'quote();'),
    file('src/kernel/base/x.part.test.ts', []),
    file('src/kernel/tree/a.test.ts', [changed], 'other();'),
    file('src/mutate/plans/m.ts', [changed], 'quote();'),
    file('src/mutate/plans/commit-processes.test.ts', ['src/mutate/plans/m.ts'], 'quote();'),
    file('src/index/view/v.ts', [changed], 'quote();'),
    file('src/index/view/v.test.ts', ['src/index/view/v.ts']),
    file('src/index/view/w.test.ts', ['src/index/view/v.ts']),
    file('src/probes/ci/c.test.ts', ['src/mutate/plans/m.ts']),
    file('src/serve/http/far.test.ts', ['src/index/view/v.test.ts'], "expect(quote('a'));"),
    file('src/cli/none.test.ts', ['src/kernel/base/y.ts'], 'quote();'),
  ];
  const ranked = [
    'src/kernel/base/x.test.ts',
    'src/serve/http/far.test.ts',
    'src/index/view/v.test.ts',
    'src/probes/ci/c.test.ts',
    'src/index/view/w.test.ts',
    'src/kernel/tree/a.test.ts',
  ];
  expect(rankTests(files, new Map([[changed, new Set(['quote'])]]))).toEqual(ranked);
  expect(
    rankTests(
      files,
      new Map([
        ['src/mutate/plans/commit-processes.ts', undefined],
        ['src/mutate/plans/commit-processes.test.ts', undefined],
      ]),
    ),
  ).toEqual(['src/mutate/plans/commit-processes.test.ts']);
});

test('near tests: a changed line is of the exports that it stands in or that use what it stands in', () => {
  const text = [
    "import { a } from './a.ts';",
    'const inner = 1;',
    'export function one() {',
    '  return inner;',
    '}',
    'export const two = () => one();',
    'export type Three = string;',
  ].join('\n');
  expect(exportsAt(text, [2])).toEqual(new Set(['one', 'two']));
  expect(exportsAt(text, [6])).toEqual(new Set(['two']));
  expect(exportsAt(text, [7])).toEqual(new Set(['Three']));
  expect(exportsAt(text, [1, 7])).toBeUndefined();
});
