/**
 * Membership is the compiler's, not a glob guess (code-plane.md §5): over generated trees and configurations, and over the
 * configurations of this repository, our reading lists exactly the files that the compiler lists.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { joinInRoot } from '../../src/languages/resolving/root-paths.ts';
import {
  createFindPackagedConfig,
  createFindRepositoryPackage,
  createPackages,
} from '../../src/languages/typescript/js-packages.ts';
import { createReadConfigFile } from '../../src/languages/typescript/read-tsconfig.ts';
import { buildSourceTree, compileConfigInputs, listRootFiles } from '../../src/languages/typescript/tsconfig-files.ts';
import { readWithCompiler } from '../support/compiler-config.ts';
import fc from '../support/properties.ts';
import { worldOf } from '../support/resolve-world.ts';

type Files = Readonly<Record<string, string>>;

function readOurselves(files: Files, configPath: string) {
  const world = worldOf(files);
  const packages = createPackages(world);
  const findPackaged = createFindPackagedConfig(world, packages, createFindRepositoryPackage(world, packages));
  const config = createReadConfigFile(world, findPackaged)(configPath);
  if (config === undefined) throw new Error(`${configPath} is not there`);
  const inputs = compileConfigInputs(config);
  const tree = buildSourceTree(world.allFiles(), () => true);
  return {
    fileNames: listRootFiles(inputs, tree)
      .map(({ path }) => path)
      .sort(),
    allowJs: inputs.readsJavaScript,
    covers: tree.files.filter(({ path }) => inputs.covers(path)).map(({ path }) => path),
    problems: config.problems,
  };
}

function checkAgreement(files: Files, configPath: string): void {
  const theirs = readWithCompiler(files, configPath);
  const ours = readOurselves(files, configPath);
  expect(ours.allowJs, configPath).toBe(theirs.allowJs);
  // `files` may name what is not there, what is JSON, or JavaScript that is not allowed: the compiler lists it and cannot read it.
  const readable = theirs.allowJs ? /\.[cm]?[jt]s$|\.[jt]sx$/ : /\.[cm]?ts$|\.tsx$/;
  const listed = theirs.fileNames
    .map((path) => findReadable(path, (at) => Object.hasOwn(files, at) && readable.test(at)))
    .filter((path) => path !== undefined);
  expect(ours.fileNames, files[configPath]).toEqual([...new Set(listed)].sort());
  // What an import asks (`covers`) may be more, by those files for which another one stands, and never less.
  expect(ours.fileNames.filter((path) => !ours.covers.includes(path))).toEqual([]);
}

/** A name without an extension is completed when the program is made, which is not done here. */
function findReadable(path: string, isReadable: (path: string) => boolean): string | undefined {
  const ends = /(?:^|\/)[^./]+$/.test(path) ? ['.ts', '.tsx', '.d.ts', '.js', '.jsx'] : [''];
  return ends.map((end) => path + end).find(isReadable);
}

const directoryNames = ['src', 'lib', 'test', '.hidden', 'node_modules', 'out', 'a.b', 'x.min.js'];
const stems = ['a', 'b', 'index', '.dot', 'x.min', 'a.test', 'node_modules', ''];
const extensions = '.ts .tsx .d.ts .js .jsx .mts .d.mts .mjs .cts .d.cts .cjs .json'.split(' ');

const directories = fc.array(fc.constantFrom(...directoryNames), { maxLength: 3 });
const sourceFile = fc
  .tuple(directories, fc.constantFrom(...stems), fc.constantFrom(...extensions))
  .map(([parents, stem, extension]) => [...parents, stem + extension].join('/'));

const commonSegments = ['**', '*', '*.ts', 'src', 'lib'];
const rareSegments = (
  '? test a* **x . .. .hidden .* node_modules node_* *.min.js x.min.* a.?s *.* a.b ?.ts **.ts a.ts *.js *.d.ts *.json a.* ' +
  'i?dex* *?* ?*.js x.min.js'
).split(' ');
const segment = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...commonSegments) },
  { weight: 2, arbitrary: fc.constantFrom(...rareSegments) },
);
const specification = fc
  .tuple(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how a configuration writes it.
    fc.constantFrom('', '', '', './', '../', '${configDir}/', '${configDir}', 'src\\'),
    fc.array(segment, { maxLength: 4 }),
    fc.constantFrom('', '', '', '/'),
  )
  .map(([prefix, segments, suffix]) => prefix + segments.join('/') + (segments.length === 0 ? '' : suffix));
const specifications = fc.array(specification, { maxLength: 4 });
const listOption = fc.oneof(
  { weight: 8, arbitrary: specifications },
  { weight: 1, arbitrary: fc.constantFrom(null, {}, 7, true) },
);

const flag = fc.constantFrom(true, true, false, null, 'yes');
const outDirectory = fc.constantFrom(
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how a configuration writes it.
  ...['dist', 'out', './src', 'lib/', 'src/../lib', '${configDir}/lib', './', '', null, 5, 'a.b'],
);
const compilerOptions = fc.record(
  { allowJs: flag, checkJs: flag, resolveJsonModule: flag, outDir: outDirectory, declarationDir: outDirectory },
  { requiredKeys: [] },
);
const base = fc.constantFrom(
  ...[
    './tsconfig.base.json',
    './tsconfig.base',
    '../tsconfig.json',
    './tsconfig.json',
    './jsconfig.json',
    './src/tsconfig',
  ],
  ...[
    '../lib/tsconfig.base.json',
    './nowhere.json',
    './nowhere',
    '',
    '..',
    '.\\tsconfig.base.json',
    '@acme/config/base',
  ],
  ...['@acme/config', '@acme/nowhere', '../src/tsconfig.base', 'bare', 'bare/base', 'bare/base.json'],
);
const configuration = fc
  .record(
    {
      extends: fc.oneof(base, fc.array(base, { maxLength: 3 }), fc.constantFrom(null, 7)),
      files: fc.oneof(fc.array(sourceFile, { maxLength: 3 }), listOption),
      include: listOption,
      exclude: listOption,
      compilerOptions,
      references: fc.constantFrom([], [{ path: './src' }]),
    },
    { requiredKeys: [] },
  )
  .map((value) => value as Readonly<Record<string, unknown>>);

const configPaths = [
  ...['tsconfig.json', 'tsconfig.base.json', 'jsconfig.json', 'src/tsconfig.json', 'src/tsconfig.base.json'],
  ...['lib/tsconfig.base.json', 'src/lib/tsconfig.json', 'packages/config/base.json', 'packages/config/tsconfig.json'],
];
const configurations = fc.uniqueArray(fc.tuple(fc.constantFrom(...configPaths), configuration), {
  selector: ([path]) => path,
  minLength: 1,
  maxLength: 5,
});

/** Paths that lead out of the repository and back into it are beyond what its files can tell. */
function staysInside(directory: string, value: unknown): boolean {
  if (typeof value === 'string') {
    const [path, from] = value.startsWith('$') ? [value.replace(/^.*?\}/, './'), ''] : [value, directory];
    return joinInRoot(from, path.replaceAll('\\', '/')) !== null;
  }
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every((each) => staysInside(directory, each));
}

test('the files of generated configurations are those that the compiler lists', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(sourceFile, { minLength: 3, maxLength: 40 }),
      configurations,
      fc.array(fc.constantFrom('src', 'src/lib', 'lib'), { maxLength: 2 }),
      (sources, configs, more) => {
        const places = more.flatMap((directory) => sources.map((path) => `${directory}/${path}`));
        const written = configs.filter(([path, config]) => staysInside(parentOf(path), config));
        const files: Files = {
          'packages/config/package.json': '{"name":"@acme/config"}',
          'node_modules/@acme/config/package.json': '{"name":"@acme/config"}',
          ...Object.fromEntries([...sources, ...places].map((path) => [path, ''])),
          ...Object.fromEntries(written.map(([path, config]) => [path, JSON.stringify(config)])),
          'node_modules/bare/base.json': '{"exclude":["../../src/lib"]}',
          'node_modules/bare/tsconfig.json': '{"compilerOptions":{"checkJs":true}}',
          'node_modules/@acme/config/base.json': '{"compilerOptions":{"allowJs":true},"exclude":["../../../lib"]}',
          'node_modules/@acme/config/tsconfig.json': '{"include":["../../../**/*"]}',
        };
        for (const [path] of written) checkAgreement(files, path);
      },
    ),
    { numRuns: 400 },
  );
});

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

test('every pair of components means what the compiler says it means', () => {
  const names = [
    'a.ts',
    'a.js',
    '.dot.ts',
    '.ts',
    'x.min.js',
    'x.y.min.js',
    'index.d.ts',
    'node_modules.ts',
    'a.test.tsx',
  ];
  const places = [
    '',
    'src/',
    'lib/',
    '.hidden/',
    'node_modules/',
    'a.b/',
    'x.min.js/',
    'src/lib/',
    'src/node_modules/',
    'lib/.a/',
  ];
  const tree = Object.fromEntries(places.flatMap((place) => names.map((name) => [place + name, ''])));
  const segments = [...commonSegments, ...rareSegments];
  const pairs = segments.flatMap((first) => segments.map((second) => `${first}/${second}`));
  const specs = [...segments, ...pairs].filter((spec) => joinInRoot('', spec) !== null);
  for (const spec of specs) {
    for (const lists of [{ include: [spec] }, { exclude: [spec] }]) {
      const config = JSON.stringify({ ...lists, compilerOptions: { allowJs: true } });
      checkAgreement({ ...tree, 'tsconfig.json': config }, 'tsconfig.json');
    }
  }
});

test('the files of this repository are those that the compiler lists', () => {
  const root = join(import.meta.dirname, '../..');
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => !/^(?:node_modules|\.git)\//.test(path));
  const files = Object.fromEntries(
    paths.map((path) => [path, path.endsWith('.json') ? readFileSync(join(root, path), 'utf8') : '']),
  );
  checkAgreement(files, 'tsconfig.json');
  expect(readOurselves(files, 'tsconfig.json').fileNames.length).toBeGreaterThan(100);
});

const sources = Object.fromEntries(
  ['a.ts', 'b.js', 'src/a.ts', 'src/b.js', 'lib/a.ts', 'dist/a.ts'].map((path) => [path, '']),
);

test.each([
  ['nothing at all', ''],
  ['comments only', '// nothing\n/* here */'],
  ['comments and trailing commas', '{ /* a */ "include": ["src",], // b\n }'],
  ['a byte order mark', '\uFEFF{"include":["src"]}'],
  ['an object that does not end', '{"include":["src"], "compilerOptions":{"allowJs":true'],
  ['a list that does not end', '{"compilerOptions":{"allowJs":true}, "include":["src"'],
  ['a list that its object ends', '{"include":["src", "compilerOptions":{"allowJs":true}}'],
  ['a missing comma', '{"include":["src"] "compilerOptions":{"allowJs":true}}'],
  ['a missing comma in a list', '{"include":["src" "lib"]}'],
  ['commas too many', '{"include":["src",,"lib"],,}'],
  ['a missing colon', '{"include" ["src"]}'],
  ['single quotes', "{'include':['src']}"],
  ['keys without quotes', '{include:["src"], compilerOptions: { allowJs: true } }'],
  ['something behind', '{"include":["src"]} }'],
  ['two objects', '{"include":["src"]} {"include":["lib"]}'],
  ['a list of objects', '[{"include":["src"]},{"include":["lib"]}]'],
  ['no braces', '"include":["src"]'],
  ['a string', '"include"'],
  ['a number', '7'],
  ['null', 'null'],
  ['a merge conflict', '{\n<<<<<<< HEAD\n"include":["src"]\n=======\n"include":["lib"]\n>>>>>>> other\n}'],
  ['a comment that does not end', '{"include":["src"]} /* and so on'],
  ['a string that does not end', '{"include":["src"], "exclude": ["lib\n]}'],
  ['a byte that belongs nowhere', '{"include":["src"] \u0001 }'],
])('C8 broken JSON is read as far as the compiler reads it: %s', (_, text) => {
  checkAgreement({ ...sources, 'tsconfig.json': text }, 'tsconfig.json');
});

test.each([
  ['nothing at all', ''],
  ['comments and trailing commas', '{ /* a */ "include": ["src",], // b\n }'],
  ['a missing comma', '{"include":["src"] "compilerOptions":{"allowJs":true}}'],
  ['an object that does not end', '{"include":["src"], "compilerOptions":{"allowJs":true'],
])('C8 a broken base is passed over, as the compiler does: %s', (_, text) => {
  checkAgreement({ ...sources, 'base.json': text, 'tsconfig.json': '{"extends":"./base.json"}' }, 'tsconfig.json');
});
