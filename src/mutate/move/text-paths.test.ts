import { expect, test } from 'vitest';
import type { ResolveWorld } from '../../languages/resolving/resolution.ts';
import { baseNameOf } from '../../languages/resolving/root-paths.ts';
import type { Ground } from './code-paths.ts';
import { lookAtWords } from './text-paths.ts';

const files = ['scripts/a.js', 'scripts/b.js', 'src/index.ts', 'src/x/y.ts', 'test/setup.ts', 'tools/c.js'];

function ask(path: string, text: string, from: string, to: string): readonly string[] {
  const world = {
    hasFile: (one: string) => files.includes(one),
    hasDirectory: (one: string) => files.some((file) => file.startsWith(`${one}/`)),
  } as ResolveWorld;
  const ground: Ground = {
    moves: new Map([[from, to]]),
    directory: null,
    world,
    workingDirectories: () => [''],
    countNamed: (name) => files.filter((file) => baseNameOf(file) === name).length,
  };
  return lookAtWords(path, text, ground, new Set()).map(({ kind, start, end, edits }) => {
    const [edit] = edits['rename'] ?? [];
    return `${kind} ${text.slice(start, end)}${edit === undefined ? '' : ` → ${edit.newText}`}`;
  });
}

const script = (path: string, text: string) => ask(path, text, 'scripts/a.js', 'tools/a.js');

test('M36 a path behind a variable, without its ending, or from another directory is a question', () => {
  expect(script('go.sh', 'node $D/a.js\n')).toEqual(['computed_path $D/a.js']);
  expect(script('Makefile', '\tnode $(S)/a.js\n')).toEqual(['computed_path $(S)/a.js']);
  expect(script('package.json', '{"scripts":{"a":"node scripts/a"}}')).toEqual([
    'string_reference scripts/a → tools/a',
  ]);
  expect(script('package.json', '{"scripts":{"a":"node a.js"}}')).toEqual(['computed_path a.js']);
  expect(ask('jest.config.json', '{"setupFiles":["<rootDir>/test/setup.ts"]}', 'test/setup.ts', 'test/x/s.ts')).toEqual(
    ['string_reference <rootDir>/test/setup.ts → <rootDir>/test/x/s.ts'],
  );
  expect(ask('package.json', '{"scripts":{"a":"tsx src"}}', 'src/index.ts', 'src/main.ts')).toEqual([
    'computed_path src',
  ]);
  expect(ask('package.json', '{"exports":{"./y":"./dist/x/y.js"}}', 'src/x/y.ts', 'src/y.ts')).toEqual([
    'dist_boundary ./dist/x/y.js',
  ]);
});

test('M36 a path with a part that is filled in elsewhere is a question where what moves fits it', () => {
  expect(script('go.sh', 'for s in a b; do node "scripts/$s.js"; done\n')).toEqual(['computed_path scripts/$s.js']);
  expect(script('Makefile', '\tnode scripts/$(S).js\n')).toEqual(['computed_path scripts/$(S).js']);
  expect(script('go.sh', 'node $D/scripts/$s\n')).toEqual(['computed_path $D/scripts/$s']);
  expect(script('go.sh', 'node lib/$s.js; cat $s.js; node {scripts,tools}/$s.js\n')).toEqual([]);
});

test('M38 a piece of paths in the configuration of a tool is a question where one of the two places has it', () => {
  const ignoring = (piece: string) => `{"jest":{"testPathIgnorePatterns":["/node_modules/","${piece}"]}}`;
  expect(script('package.json', ignoring('/tools/'))).toEqual(['file_listing /tools/']);
  expect(script('test/jest.config.json', ignoring('/scripts/'))).toEqual(['file_listing /scripts/']);
  expect(script('package.json', ignoring('/lib/'))).toEqual([]);
  expect(script('routes.json', ignoring('/tools/'))).toEqual([]);
  expect(ask('package.json', ignoring('/tools/'), 'tools/c.js', 'tools/d.js')).toEqual([]);
});

test('M38 a directory or a pattern that holds one of the two places alone is a question', () => {
  expect(script('package.json', '{"files":["scripts"]}')).toEqual(['file_listing scripts']);
  expect(script('package.json', '{"scripts":{"lint":"eslint scripts"}}')).toEqual(['file_listing scripts']);
  expect(script('Dockerfile', 'COPY scripts /app\n')).toEqual(['file_listing scripts']);
  expect(script('.github/workflows/ci.yml', 'working-directory: scripts\n')).toEqual(['file_listing scripts']);
  expect(script('tsconfig.json', '{"include":["scripts/**/*.js"]}')).toEqual(['file_listing scripts/**/*.js']);
  expect(script('.npmignore', 'scripts/\n')).toEqual(['file_listing ']);
});

test('M38 words that only look like it, and what holds both places, are not asked about', () => {
  for (const [path, text] of [
    ['package.json', '{"scripts":{"scripts":"npm run scripts"},"name":"scripts","dependencies":{"a.js":"1"}}'],
    ['package.json', '{"imports":{"#s/*":"./scripts/*"},"files":["{scripts,tools}/*.js"]}'],
    ['tsconfig.json', '{"compilerOptions":{"paths":{"s/*":["./scripts/*"]}}}'],
    ['ci.yml', '# see scripts\nname: scripts\nrun: npm test\n'],
    ['CODEOWNERS', 'scripts/ @a\n'],
  ] as const)
    expect(script(path, text)).toEqual([]);
  expect(ask('package.json', '{"files":["src"],"scripts":{"a":"eslint src"}}', 'src/x/y.ts', 'src/y.ts')).toEqual([]);
});
