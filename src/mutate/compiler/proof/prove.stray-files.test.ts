import { afterEach, expect, test } from 'vitest';
import { closePrograms, openTree, renderConfig } from '../../../../test/support/open-programs.ts';
import type { CompilerEdit, ProgramSpec, ProofReport } from '../session/messages.ts';
import { prove } from './prove.ts';

afterEach(closePrograms);

const about = { kind: 'prove', oldName: '', newName: '', reach: 'repo', family: [], isMember: false } as const;
const options = { module: 'esnext', moduleResolution: 'bundler' };
const packages: readonly ProgramSpec[] = ['one', 'two'].map((name) => ({ key: name, config: `${name}/tsconfig.json` }));
const moves = [{ from: 'one/a.ts', to: 'two/a.ts' }];

function edit(path: string, text: string, oldText: string, newText: string): CompilerEdit {
  const start = text.indexOf(oldText);
  return { path, start, end: start + oldText.length, oldText, newText, form: 'specifier' };
}

function verdict(report: ProofReport): string {
  return report.kind === 'disproved' ? `${report.reason}: ${report.places[0]?.after}` : report.kind;
}

const tree = {
  'one/tsconfig.json': renderConfig(options),
  'one/a.ts': 'export const a = 1;\nexport const unused = (x: number) => 1;\n',
  'one/b.ts': 'export const b = 1;\n',
  'two/tsconfig.json': renderConfig(options),
  'two/c.ts': 'export const c = 1;\n',
};

test('M15 a file that changes programs is compared with what it was in the other', () => {
  expect(prove(openTree(tree, packages), { ...about, edits: [], moves })).toMatchObject({ kind: 'proven', files: 1 });
  const stricter = { ...tree, 'two/tsconfig.json': renderConfig({ ...options, noUnusedParameters: true }) };
  const report = prove(openTree(stricter, packages), { ...about, edits: [], moves });
  expect(verdict(report)).toMatch(/^new_diagnostics: TS6133/);
  const captured = {
    ...tree,
    'one/a.ts': 'declare const unknown1: typeof shared;\nexport const a = unknown1;\n',
    'one/globals.d.ts': 'declare const shared: 1;\n',
    'two/globals.d.ts': 'declare const shared: 1;\n',
  };
  expect(verdict(prove(openTree(captured, packages), { ...about, edits: [], moves }))).toMatch(/^bindings_change/);
});

test('M15 a file that no program would have is not proven', () => {
  const away = [{ from: 'one/a.ts', to: 'three/a.ts' }];
  expect(verdict(prove(openTree(tree, packages), { ...about, edits: [], moves: away }))).toBe(
    'bindings_change: no project includes three/a.ts, and one had the file',
  );
});

test('M15 a configuration that is edited decides what the program is afterwards', () => {
  const config = renderConfig({ ...options, paths: { lib: ['./lib/a.ts'] } }, { files: ['use.ts'] });
  const files = {
    'tsconfig.json': config,
    'lib/a.ts': 'export const a = 1;\n',
    'use.ts': "export { a } from 'lib';\n",
  };
  const asked = { ...about, moves: [{ from: 'lib/a.ts', to: 'core/a.ts' }] };
  const renamed = [edit('tsconfig.json', config, './lib/a.ts', './core/a.ts')];
  expect(prove(openTree(files), { ...asked, edits: renamed })).toMatchObject({ kind: 'proven' });
  expect(verdict(prove(openTree(files), { ...asked, edits: [] }))).toMatch(/^bindings_change/);
});

test('M15 files that no configuration covers move within their program', () => {
  const files = { 'lib/a.js': 'export const a = 1;\n', 'use.js': "export { a } from './lib/a';\n" };
  const loose: readonly ProgramSpec[] = [{ key: 'loose', config: null, files: ['lib/a.js', 'use.js'] }];
  const edits = [edit('use.js', files['use.js'], './lib/a', './core/b')];
  const report = prove(openTree(files, loose), { ...about, edits, moves: [{ from: 'lib/a.js', to: 'core/b.js' }] });
  expect(report).toMatchObject({ kind: 'proven', files: 2 });
});

test('M15 an error that quotes a path or a specifier is the same error after the move', () => {
  const text = "import { x } from './gone';\nimport a from './data.json';\nexport const y = [x, a];\n";
  const files = { 'tsconfig.json': renderConfig(options), 'lib/a.ts': text };
  const edits = [
    edit('lib/a.ts', text, './gone', '../lib/gone'),
    edit('lib/a.ts', text, './data.json', '../lib/data.json'),
  ];
  const asked = { ...about, edits, moves: [{ from: 'lib/a.ts', to: 'core/a.ts' }] };
  expect(prove(openTree(files), asked)).toMatchObject({ kind: 'proven', diagnostics: 2 });
});

test('M15 an error that says why a file is in the program says it of the file that moved', () => {
  const [main, other] = [
    "import { a } from './deep/a';\nexport const m = a;\n",
    "import { a } from './a';\nexport const o = a;\n",
  ];
  const files = {
    // The files lie outside of what it takes for the root of them all.
    'tests/tsconfig.json': renderConfig({ ...options, rootDir: '.' }, { include: ['../src'] }),
    'src/deep/a.ts': "import { b } from '../b';\nexport const a = b;\n",
    'src/deep/other.ts': other,
    'src/b.ts': 'export const b = 1;\n',
    'src/main.ts': main,
  };
  const edits = [
    edit('src/main.ts', main, './deep/a', './z'),
    edit('src/deep/other.ts', other, './a', '../z'),
    edit('src/deep/a.ts', files['src/deep/a.ts'], '../b', './b'),
  ];
  const tests: readonly ProgramSpec[] = [{ key: 'tests', config: 'tests/tsconfig.json' }];
  const asked = { ...about, edits, moves: [{ from: 'src/deep/a.ts', to: 'src/z.ts' }] };
  expect(verdict(prove(openTree(files, tests), asked))).toBe('proven');
});
