import { expect, test } from 'vitest';
import { checkCandidates } from '../../../test/support/check-candidates.ts';
import fc from '../../../test/support/properties.ts';
import { requestOf, worldOf } from '../../../test/support/resolve-world.ts';
import type { ImportKind } from '../facts.ts';
import { type ImportRequest, maxCandidates } from '../resolving/resolution.ts';
import createJavaScriptResolve from './typescript-resolve.ts';

type Case = {
  readonly shows: string;
  readonly files: Readonly<Record<string, string | object>>;
  readonly from: string;
  /** Specifier to target, or to `reason` and `reason name` where there is none. A kind may stand before it: `require x`. */
  readonly gives: Readonly<Record<string, string>>;
};

const kinds: Readonly<Record<string, ImportKind>> = { require: 'require', dynamic: 'dynamic', reference: 'reference' };

function write(files: Case['files'], from?: string): Record<string, string> {
  const texts = Object.entries(files).map(([path, text]) => [
    path,
    typeof text === 'string' ? text : JSON.stringify(text),
  ]);
  return { ...(from === undefined ? {} : { [from]: '' }), ...Object.fromEntries(texts) };
}

/** Empty files by name. */
function empty(...paths: readonly string[]): Record<string, string> {
  return Object.fromEntries(paths.map((path) => [path, '']));
}

function check({ files, from, gives }: Case): void {
  const resolve = createJavaScriptResolve(worldOf(write(files, from)));
  const answers = Object.keys(gives).map((asked) => {
    const [word = '', specifier] = asked.split(' ', 2);
    const kind = specifier === undefined ? 'import' : (kinds[word] ?? 'import');
    const { targets, reason, external, candidates } = resolve(from, requestOf(specifier ?? asked, { kind }));
    if (reason === null) expect(candidates.at(-1), asked).toBe(targets[0]);
    expect(candidates.length).toBeLessThanOrEqual(maxCandidates);
    return [asked, targets[0] ?? (external === null ? reason : `${reason} ${external}`)];
  });
  expect(Object.fromEntries(answers)).toEqual(gives);
}

const modern = { compilerOptions: { module: 'esnext', moduleResolution: 'bundler', allowJs: true } };
const node16 = { compilerOptions: { module: 'nodenext', allowJs: true } };
const node10 = { compilerOptions: { module: 'commonjs', moduleResolution: 'node', allowJs: true } };

/** Each was answered the same by `ts.resolveModuleName` of TypeScript 5.9.3. */
const relative: readonly Case[] = [
  {
    shows: 'a JavaScript extension stands for its TypeScript twins',
    files: {
      'tsconfig.json': modern,
      ...empty('a.ts', 'a.js', 'b.tsx', 'b.jsx', 'c.d.ts', 'c.js', 'd.mts', 'e.d.cts', 'f.js', 'g.cts', 'g.ts'),
    },
    from: 'main.ts',
    gives: {
      './a.js': 'a.ts',
      './b.js': 'b.tsx',
      './b.jsx': 'b.tsx',
      './c.js': 'c.d.ts',
      './d.mjs': 'd.mts',
      './e.cjs': 'e.d.cts',
      './f.js': 'f.js',
      './g.cjs': 'g.cts',
      './a.ts': 'a.ts',
      './c.d.ts': 'c.d.ts',
    },
  },
  {
    shows: 'names without extension are completed, directories have an index',
    files: {
      'tsconfig.json': modern,
      ...empty('a.d.ts', 'a.js', 'a/index.ts', 'dir/index.tsx', 'x.y.ts', 'index.ts', 'sub/index.js'),
    },
    from: 'sub/main.ts',
    gives: {
      '../a': 'a.d.ts',
      '../a/': 'a/index.ts',
      '../dir': 'dir/index.tsx',
      '../x.y': 'x.y.ts',
      '..': 'index.ts',
      '.': 'sub/index.js',
      './': 'sub/index.js',
      '../missing': 'not_found',
      '../../x': 'outside_root',
    },
  },
  {
    shows: 'types everywhere before JavaScript anywhere is node10 alone',
    files: { 'tsconfig.json': node10, ...empty('a.js', 'a/index.ts') },
    from: 'main.ts',
    gives: { './a': 'a/index.ts' },
  },
  {
    shows: 'ES modules of Node name files, CommonJS may leave things out',
    files: {
      'tsconfig.json': node16,
      'package.json': { type: 'module' },
      'cjs/package.json': {},
      ...empty('a.ts', 'b/index.ts', 'cjs/c.ts'),
    },
    from: 'cjs/main.ts',
    gives: { './c': 'cjs/c.ts', '../a.js': 'a.ts', '../b': 'b/index.ts', '../b/index.js': 'b/index.ts' },
  },
  {
    shows: 'JSON as it is, with a declaration before it',
    files: { 'tsconfig.json': modern, ...empty('a.json', 'b.json', 'b.d.json.ts') },
    from: 'main.ts',
    gives: { './a.json': 'a.json', './b.json': 'b.d.json.ts' },
  },
  {
    shows: 'moduleSuffixes come before the extension, in order',
    files: {
      'tsconfig.json': { compilerOptions: { ...modern.compilerOptions, moduleSuffixes: ['.ios', '.native', ''] } },
      ...empty('a.ts', 'a.native.ts', 'a.ios.tsx', 'b.ts', 'b.ios.js'),
    },
    from: 'main.ts',
    gives: { './a': 'a.native.ts', './b': 'b.ts', './b.js': 'b.ts' },
  },
  {
    shows: 'rootDirs are one directory',
    files: {
      'tsconfig.json': { compilerOptions: { ...modern.compilerOptions, rootDirs: ['src', 'gen'] } },
      ...empty('src/views/a.ts', 'gen/views/b.ts', 'gen/index.ts'),
    },
    from: 'src/views/main.ts',
    gives: { './a': 'src/views/a.ts', './b': 'gen/views/b.ts', '../': 'gen/index.ts' },
  },
  {
    shows: 'a directory is what its package.json says, without exports',
    files: {
      'tsconfig.json': modern,
      'a/package.json': { types: './lib/t.d.ts', main: './lib/m.js', exports: './lib/e.js' },
      'b/package.json': { main: 'lib' },
      'c/package.json': { typings: 'gone.d.ts' },
      'd/package.json': { typesVersions: { '<4': { '*': ['old/*'] }, '>=4': { '*': ['new/*'] } } },
      ...empty(
        'a/lib/t.d.ts',
        'a/lib/m.js',
        'a/lib/e.js',
        'b/lib/index.ts',
        'c/index.ts',
        'd/new/index.d.ts',
        'd/index.ts',
      ),
    },
    from: 'main.ts',
    gives: { './a': 'a/lib/t.d.ts', './b': 'b/lib/index.ts', './c': 'c/index.ts', './d': 'd/new/index.d.ts' },
  },
];
test.each(relative)('S4: relative: $shows', check);

const beyond: readonly Case[] = [
  {
    shows: 'what only a bundler or a runner finds is still an edge',
    files: {
      'tsconfig.json': node16,
      'package.json': { type: 'module' },
      ...empty('a.ts', 'b/index.ts', 'style.css', 'App.vue', 'icon.svg', 'worker.ts', 'data.json', 'm.mts'),
    },
    from: 'main.ts',
    gives: {
      './a': 'a.ts',
      './b': 'b/index.ts',
      './style.css': 'style.css',
      './App.vue': 'App.vue',
      './icon.svg?react': 'icon.svg',
      './worker?worker': 'worker.ts',
      '!!raw-loader!./style.css': 'style.css',
      './data': 'data.json',
      './m': 'm.mts',
    },
  },
  {
    shows: 'JavaScript that no configuration covers goes by Node: as written first, then TypeScript',
    files: {
      'tsconfig.json': { include: ['src'] },
      'dir/package.json': { main: 'lib/main', types: 'main.d.ts' },
      ...empty(
        'a.js',
        'a.ts',
        'a.d.ts',
        'b.ts',
        'c.cjs',
        'd/index.js',
        'd/index.ts',
        'dir/lib/main.js',
        'dir/main.d.ts',
      ),
    },
    from: 'scripts.js',
    gives: {
      './a': 'a.js',
      './a.js': 'a.js',
      './b': 'b.ts',
      './b.js': 'b.ts',
      'require ./c': 'c.cjs',
      './d': 'd/index.js',
      './dir': 'dir/lib/main.js',
    },
  },
  {
    shows: 'names of other worlds',
    files: {
      'package.json': { name: 'me', devDependencies: { '@types/mocha': '1' } },
      ...empty('local.d.ts', 'env/index.d.ts'),
    },
    from: 'main.ts',
    gives: {
      'node:fs/promises': 'external node:fs/promises',
      fs: 'external fs',
      'fs/promises': 'external fs',
      react: 'external react',
      'react-dom/client': 'external react-dom',
      '@scope/name/deep/file.js': 'external @scope/name',
      'https://esm.sh/x@1': 'external https://esm.sh/x@1',
      'data:text/javascript,1': 'external data:',
      'virtual:pages': 'external virtual:pages',
      '@/alias': 'not_found',
      '~/alias': 'not_found',
      '$lib/alias': 'not_found',
      '#private': 'not_found',
      '/absolute': 'outside_root',
      '../up': 'outside_root',
      'reference local.d.ts': 'local.d.ts',
      'reference ./env': 'env/index.d.ts',
      'reference ./gone.d.ts': 'not_found',
      'reference mocha': 'external @types/mocha',
      'reference vite/client': 'external vite',
    },
  },
];
test.each(beyond)('S4: $shows', check);

const bare: readonly Case[] = [
  {
    shows: 'paths: exact, then the longest prefix, then the listed order; relative to their own file',
    files: {
      'config/tsconfig.base.json': {
        compilerOptions: {
          paths: {
            '@/*': ['../src/*', '../gen/*'],
            '@/deep/*': ['../deep/*'],
            '@/one': ['../one.ts'],
            'v*x': ['../v/*'],
          },
        },
      },
      'tsconfig.json': { extends: './config/tsconfig.base', ...modern },
      ...empty('src/a.ts', 'gen/b.ts', 'src/deep/c.ts', 'deep/d.ts', 'one.ts', 'src/one.ts', 'v/mid.ts'),
    },
    from: 'app/main.ts',
    gives: {
      '@/a': 'src/a.ts',
      '@/b.js': 'gen/b.ts',
      '@/deep/d': 'deep/d.ts',
      '@/deep/c': 'not_found',
      '@/one': 'one.ts',
      vmidx: 'v/mid.ts',
    },
  },
  {
    shows: 'baseUrl; a name that paths speaks of is not looked up there',
    files: {
      'tsconfig.json': {
        compilerOptions: { ...modern.compilerOptions, baseUrl: 'src', paths: { 'lib/*': ['other/*'] } },
      },
      ...empty('src/util/index.ts', 'src/lib/a.ts', 'src/other/b.ts'),
    },
    from: 'src/main.ts',
    gives: { util: 'src/util/index.ts', 'lib/b': 'src/other/b.ts', 'lib/a': 'not_found', react: 'external react' },
  },
  {
    shows: 'a catch-all in paths leaves packages outside what they are',
    files: {
      'tsconfig.json': { compilerOptions: { ...modern.compilerOptions, paths: { '*': ['./types/*'] } } },
      ...empty('types/legacy.d.ts'),
    },
    from: 'main.ts',
    gives: { legacy: 'types/legacy.d.ts', react: 'external react' },
  },
  {
    shows: 'exports: conditions in written order, the longest pattern, null closes, arrays try on',
    files: {
      'tsconfig.json': { compilerOptions: { ...node16.compilerOptions, customConditions: ['acme'] } },
      'package.json': { type: 'module' },
      'packages/core/package.json': {
        name: '@acme/core',
        exports: {
          '.': { 'types@<4': './old.d.ts', require: './main.cts', import: './main.mts' },
          './custom': { acme: './acme.ts', default: './plain.ts' },
          './both': [{ deno: './never.ts' }, './gone.ts', './plain.ts'],
          './lib/*': './src/*.ts',
          './lib/inner/*.js': './inner/*.ts',
          './lib/closed/*': null,
        },
      },
      ...empty(
        'packages/core/main.cts',
        'packages/core/main.mts',
        'packages/core/old.d.ts',
        'packages/core/acme.ts',
        'packages/core/plain.ts',
        'packages/core/src/a.ts',
        'packages/core/inner/a.ts',
        'packages/core/src/closed/a.ts',
      ),
    },
    from: 'app/main.ts',
    gives: {
      '@acme/core': 'packages/core/main.mts',
      'require @acme/core': 'packages/core/main.cts',
      '@acme/core/custom': 'packages/core/acme.ts',
      '@acme/core/both': 'packages/core/plain.ts',
      '@acme/core/lib/a': 'packages/core/src/a.ts',
      '@acme/core/lib/inner/a.js': 'packages/core/inner/a.ts',
      '@acme/core/lib/closed/a': 'not_found',
    },
  },
  {
    shows: 'imports of the own package, to files, to packages of the repository and outside',
    files: {
      'tsconfig.json': node16,
      'package.json': {
        name: 'me',
        type: 'module',
        imports: { '#a': './src/a.js', '#lib/*': { types: './src/*.ts' }, '#dep': 'other', '#out': { node: 'chalk' } },
      },
      'other/package.json': { name: 'other', types: 'o.d.ts' },
      ...empty('src/a.ts', 'src/b.ts', 'other/o.d.ts'),
    },
    from: 'src/main.ts',
    gives: {
      '#a': 'src/a.ts',
      '#lib/b': 'src/b.ts',
      '#dep': 'other/o.d.ts',
      '#out': 'external chalk',
      '#none': 'not_found',
    },
  },
  {
    shows: 'a package without exports: types before main, its files by path',
    files: {
      'tsconfig.json': node10,
      'p/package.json': { name: 'p', types: 'types/index.d.ts', main: 'main.js', exports: './never.js' },
      'q/package.json': { name: 'q', main: './lib/q.js' },
      ...empty('p/types/index.d.ts', 'p/main.js', 'p/never.js', 'p/util.ts', 'q/lib/q.ts', 'q/deep/index.js'),
    },
    from: 'main.ts',
    gives: {
      p: 'p/types/index.d.ts',
      'p/util': 'p/util.ts',
      q: 'q/lib/q.ts',
      'q/deep': 'q/deep/index.js',
      'q/none': 'not_found',
    },
  },
  {
    shows: 'the own name, and node_modules where they are in scope',
    files: {
      'tsconfig.json': modern,
      'package.json': { name: 'me', exports: { './x': './src/x.ts' } },
      'node_modules/dep/package.json': { main: 'd.js' },
      'node_modules/@types/dep/package.json': { types: 't.d.ts' },
      'src/node_modules/near/package.json': {},
      'node_modules/near/package.json': {},
      ...empty(
        'src/x.ts',
        'node_modules/dep/d.js',
        'node_modules/@types/dep/t.d.ts',
        'src/node_modules/near/index.js',
        'node_modules/near/index.js',
      ),
    },
    from: 'src/main.ts',
    gives: { 'me/x': 'src/x.ts', dep: 'node_modules/@types/dep/t.d.ts', near: 'src/node_modules/near/index.js' },
  },
  {
    shows: 'the nearest of several claims; a range that a claim does not satisfy means the registry',
    files: {
      'packages/a/package.json': {
        name: 'a',
        dependencies: { far: '^2', linked: 'link:../../vendor/linked', aliased: 'npm:real@1' },
      },
      'packages/core/package.json': { name: 'core', main: 'i.ts' },
      'packages/core/test/fixture/package.json': { name: 'core', main: 'i.ts' },
      'x/far/package.json': { name: 'far', version: '1.0.0', main: 'i.ts' },
      'vendor/linked/package.json': { name: 'other-name', main: 'i.ts' },
      'x/aliased/package.json': { name: 'aliased', main: 'i.ts' },
      'x/fs/package.json': { name: 'fs', main: 'i.ts' },
      ...empty(
        'packages/core/i.ts',
        'packages/core/test/fixture/i.ts',
        'x/far/i.ts',
        'vendor/linked/i.ts',
        'x/aliased/i.ts',
        'x/fs/i.ts',
      ),
    },
    from: 'packages/a/main.ts',
    gives: {
      core: 'packages/core/i.ts',
      far: 'external far',
      linked: 'vendor/linked/i.ts',
      aliased: 'external aliased',
      fs: 'external fs',
    },
  },
];
test.each(bare)('S4: bare: $shows', check);

test('S4: two packages that claim a name equally near are ambiguous, and both are candidates', () => {
  const files = { 'x/p/package.json': { name: 'p' }, 'y/p/package.json': { name: 'p' }, ...empty('main.ts') };
  const resolve = createJavaScriptResolve(worldOf(write(files)));
  expect(resolve('main.ts', requestOf('p'))).toEqual({
    targets: [],
    reason: 'ambiguous',
    external: null,
    candidates: ['x/p/package.json', 'y/p/package.json'],
  });
});

const built: readonly Case[] = [
  {
    shows: 'what a configuration builds comes from below its rootDir, for packages and for paths',
    files: {
      'packages/core/package.json': {
        name: 'core',
        types: './dist/index.d.ts',
        exports: { '.': { types: './dist/index.d.ts' }, './*': './dist/*.js', './esm': './dist/esm.mjs' },
      },
      'packages/core/tsconfig.build.json': { compilerOptions: { outDir: 'dist', rootDir: 'src' } },
      'packages/ui/package.json': { name: 'ui', main: 'out/js/index.js' },
      'packages/ui/tsconfig.json': {
        compilerOptions: { outDir: 'out/js', declarationDir: 'out/types' },
        include: ['source/**/*'],
      },
      ...empty(
        'packages/core/src/index.tsx',
        'packages/core/src/a.ts',
        'packages/core/src/esm.mts',
        'packages/ui/source/index.ts',
      ),
    },
    from: 'app/main.ts',
    gives: {
      core: 'packages/core/src/index.tsx',
      'core/a': 'packages/core/src/a.ts',
      'core/esm': 'packages/core/src/esm.mts',
      ui: 'packages/ui/source/index.ts',
      '../packages/core/dist/a.js': 'packages/core/src/a.ts',
      '../packages/core/dist/a': 'packages/core/src/a.ts',
      '../packages/core/dist': 'packages/core/src/index.tsx',
      '../packages/ui/out/types/index.d.ts': 'packages/ui/source/index.ts',
    },
  },
  {
    shows: 'a declaration map says it best',
    files: {
      'lib/x.d.ts.map': { version: 3, sources: ['../src/deep/x.ts'] },
      'lib/bundle.d.ts.map': { version: 3, sources: ['../src/a.ts', '../src/b.ts'] },
      'lib/gone.d.ts.map': { version: 3, sourceRoot: '../src', sources: ['gone.ts'] },
      'lib/away.d.ts.map': { version: 3, sources: ['../../elsewhere.ts'] },
      ...empty(
        'lib/x.d.ts',
        'lib/bundle.d.ts',
        'lib/gone.d.ts',
        'lib/away.d.ts',
        'src/deep/x.ts',
        'src/a.ts',
        'src/b.ts',
      ),
    },
    from: 'main.ts',
    gives: {
      './lib/x': 'src/deep/x.ts',
      './lib/bundle': 'lib/bundle.d.ts',
      './lib/gone': 'lib/gone.d.ts',
      './lib/away': 'lib/away.d.ts',
    },
  },
  {
    shows: 'without a configuration that builds it, src or the package itself is a good guess',
    files: {
      'p/package.json': {
        name: 'p',
        exports: { '.': { import: './dist/esm/index.mjs' }, './sub/*': './dist/sub/*.js' },
      },
      'q/package.json': { name: 'q', main: 'build/q.js' },
      'r/package.json': { name: 'r', source: 'lib/r.ts', main: 'dist/r.umd.js' },
      ...empty('p/src/index.ts', 'p/src/sub/a.tsx', 'q/q.ts', 'r/lib/r.ts'),
    },
    from: 'main.ts',
    gives: { p: 'p/src/index.ts', 'p/sub/a': 'p/src/sub/a.tsx', q: 'q/q.ts', r: 'r/lib/r.ts' },
  },
  {
    shows: 'built files ask for built files',
    files: {
      'tsconfig.json': { compilerOptions: { outDir: 'dist', rootDir: 'src', allowJs: true } },
      ...empty('dist/b.js', 'src/b.ts'),
    },
    from: 'dist/a.js',
    gives: { './b.js': 'dist/b.js', '../src/b': 'src/b.ts' },
  },
];
test.each(built)('S4: built: $shows', check);

test('S4: a built file and its source are both candidates', () => {
  const files = {
    'p/package.json': { name: 'p', types: 'dist/index.d.ts' },
    'p/tsconfig.json': { compilerOptions: { outDir: 'dist', rootDir: 'src' } },
    ...empty('p/src/index.ts', 'main.ts'),
  };
  const { candidates } = createJavaScriptResolve(worldOf(write(files)))('main.ts', requestOf('p'));
  expect(candidates).toContain('p/dist/index.d.ts');
  expect(candidates.at(-1)).toBe('p/src/index.ts');
});

const governed: readonly Case[] = [
  {
    shows: 'a solution leads to the project that includes the file',
    files: {
      'tsconfig.json': { files: [], references: [{ path: './tsconfig.node.json' }, { path: './app' }] },
      'tsconfig.node.json': { include: ['vite.config.ts'], compilerOptions: { paths: { '@/*': ['./node/*'] } } },
      'app/tsconfig.json': {
        include: ['../src'],
        references: [{ path: '..' }],
        compilerOptions: { paths: { '@/*': ['../src/*'] } },
      },
      ...empty('src/a.ts', 'node/a.ts'),
    },
    from: 'src/deep/main.ts',
    gives: { '@/a': 'src/a.ts' },
  },
  {
    shows: 'a configuration that does not cover the file gives way to one further up that does',
    files: {
      'tsconfig.json': { compilerOptions: { paths: { '@/*': ['./up/*'] } } },
      'src/tsconfig.json': { include: ['only.ts'], compilerOptions: { paths: { '@/*': ['./near/*'] } } },
      ...empty('up/a.ts', 'src/near/a.ts'),
    },
    from: 'src/main.ts',
    gives: { '@/a': 'up/a.ts' },
  },
  {
    shows: 'where none covers it, the nearest counts',
    files: {
      'tsconfig.json': { include: ['src'], compilerOptions: { paths: { '@/*': ['./src/*'] } } },
      ...empty('src/a.ts'),
    },
    from: 'test/main.ts',
    gives: { '@/a': 'src/a.ts' },
  },
  {
    shows: 'later bases win, the file itself over all, and null takes back',
    files: {
      'a.json': { compilerOptions: { baseUrl: './a', paths: { x: ['./a.ts'] } } },
      'b/b.json': `{ // comments\n "compilerOptions": { "paths": { "x": ["$\{configDir}/b.ts"], } } }`,
      'tsconfig.json': { extends: ['./a', './b/b.json'], compilerOptions: { baseUrl: null } },
      ...empty('a.ts', 'a/a.ts', 'b.ts', 'b/b.ts'),
    },
    from: 'main.ts',
    gives: { x: 'b.ts' },
  },
  {
    shows: 'bases in packages of the repository',
    files: {
      'packages/tsconfig/package.json': { name: '@acme/tsconfig' },
      'packages/tsconfig/tsconfig.json': { compilerOptions: { baseUrl: '../../lib' } },
      'packages/exported/package.json': { name: 'exported', exports: { './web': './conf/web.json' } },
      'packages/exported/conf/web.json': { compilerOptions: { paths: { w: ['../web.ts'] } } },
      'tsconfig.json': { extends: ['@acme/tsconfig', 'exported/web', '@published/base'] },
      ...empty('lib/inner.ts', 'web.ts'),
    },
    from: 'main.ts',
    gives: { inner: 'lib/inner.ts', w: 'web.ts' },
  },
];
test.each(governed)('S4: configuration: $shows', check);

test('S4: an expression is dynamic', () => {
  const resolve = createJavaScriptResolve(worldOf(empty('main.ts', 'a.ts')));
  expect(resolve('main.ts', requestOf('./a', { literal: false })).reason).toBe('dynamic');
});

const universe = ['', 'src/', 'lib/', 'p/', 'p/dist/', 'p/src/'].flatMap((directory) =>
  ['a.ts', 'a.tsx', 'a.d.ts', 'a.js', 'a.mts', 'a.css', 'a/index.ts', 'a/index.js', 'a.json'].map(
    (name) => directory + name,
  ),
);
const anyPresent = fc.oneof(fc.subarray(universe), fc.subarray(universe, { maxLength: 3 }));
const anyFrom = fc.constantFrom('src/main.ts', 'src/main.js', 'lib/main.mts', 'p/src/main.tsx');
const anyRequest = fc
  .constantFrom(
    './a',
    './a.js',
    './a/',
    '../a',
    '../p/dist/a',
    './a.css',
    './a.json',
    'a',
    '@/a',
    'p',
    'p/a',
    'me/a',
    '.',
  )
  .map((specifier) => requestOf(specifier));

test('S4, R5: answers change when a candidate comes or goes, and never otherwise', () => {
  const configs = [
    {},
    { 'tsconfig.json': modern },
    { 'tsconfig.json': node16, 'package.json': { type: 'module', name: 'me', exports: { './*': './lib/*.js' } } },
    { 'tsconfig.json': { compilerOptions: { ...node10.compilerOptions, baseUrl: 'src', rootDirs: ['src', 'lib'] } } },
    {
      'tsconfig.json': { compilerOptions: { ...modern.compilerOptions, paths: { '@/*': ['./src/*', './lib/*'] } } },
      'p/package.json': { name: 'p', exports: { '.': { types: './a.d.ts', default: './a.js' }, './*': './dist/*.js' } },
    },
  ].map((files) => write(files));
  const reasons = new Set<string | null>();
  const property = fc.property(
    fc.constantFrom(...configs),
    anyPresent,
    anyFrom,
    anyRequest,
    (files, present, from, request) => {
      const given = { create: createJavaScriptResolve, configs: files, present, universe, from };
      reasons.add(checkCandidates({ ...given, request }).reason);
    },
  );
  fc.assert(property, { numRuns: 200 });
  expect(reasons.size).toBeGreaterThan(2);
});

// A built file is a candidate beside its source, though its coming changes nothing while the source is there.
test('S4, R5: with built files, too, what is no candidate changes no answer', () => {
  const configs = write({
    'p/package.json': {
      name: 'p',
      exports: { '.': { types: './dist/a.d.ts', default: './dist/a.js' }, './*': './*.js' },
    },
    'p/tsconfig.json': { compilerOptions: { outDir: 'dist' } },
  });
  const ask = (present: readonly string[], from: string, request: ImportRequest) =>
    createJavaScriptResolve(worldOf({ ...empty(...present, from), ...configs }))(from, request);
  const property = fc.property(anyPresent, anyFrom, anyRequest, (present, from, request) => {
    const resolution = ask(present, from, request);
    for (const path of universe) {
      if (resolution.candidates.includes(path)) continue;
      const others = present.filter((file) => file !== path);
      const changed = others.length === present.length ? [...present, path] : others;
      expect(ask(changed, from, request), path).toEqual(resolution);
    }
  });
  fc.assert(property, { numRuns: 100 });
});

const hostile: readonly Case[] = [
  {
    shows: 'bases in a circle, a base of itself, a base outside the root',
    files: {
      'tsconfig.json': { extends: ['./a', './tsconfig.json', '../../outside', './a'], ...modern },
      'a.json': { extends: './b.json', compilerOptions: { baseUrl: 'src' } },
      'b.json': { extends: './a.json', compilerOptions: { paths: { x: ['./x.ts'] } } },
      ...empty('src/x.ts'),
    },
    from: 'main.ts',
    gives: { x: 'src/x.ts' },
  },
  {
    shows: 'bases that double at every step',
    files: {
      'tsconfig.json': { extends: ['./c0', './c0'], compilerOptions: { baseUrl: 'src' } },
      ...Object.fromEntries(
        Array.from({ length: 60 }, (_, at) => [`c${at}.json`, { extends: [`./c${at + 1}`, `./c${at + 1}`] }]),
      ),
      ...empty('src/x.ts'),
    },
    from: 'main.ts',
    gives: { x: 'src/x.ts' },
  },
  {
    shows: 'references in a circle',
    files: {
      'tsconfig.json': { files: [], references: [{ path: 'a' }, { path: '.' }, { path: '../..' }, {}, 7] },
      'a/tsconfig.json': { files: [], references: [{ path: '..' }, { path: '.' }] },
      ...empty('x.ts'),
    },
    from: 'main.ts',
    gives: { './x': 'x.ts' },
  },
  {
    shows: 'exports of 100,000 subpaths and patterns',
    files: {
      'p/package.json': {
        name: 'p',
        exports: Object.fromEntries(
          Array.from({ length: 100_000 }, (_, at) => (at % 2 === 0 ? [`./k${at}`, './a.ts'] : [`./k${at}*`, './*.ts'])),
        ),
      },
      ...empty('p/a.ts'),
    },
    from: 'main.ts',
    gives: { 'p/k1a': 'p/a.ts', 'p/k99998': 'p/a.ts', 'p/none': 'not_found' },
  },
  {
    shows: 'exports of 100,000 conditions, none of which leads anywhere',
    files: {
      'p/package.json': {
        name: 'p',
        exports: [Array.from({ length: 100_000 }, (_, at) => ({ types: `./t${at}.js`, default: [`./d${at}.js`] }))],
      },
    },
    from: 'main.ts',
    gives: { p: 'not_found' },
  },
  {
    shows: 'exports nested deeper than any reader goes',
    files: { 'p/package.json': `{"name":"p","exports":${'{"default":'.repeat(5_000)}"./a.ts"${'}'.repeat(5_000)}}` },
    from: 'main.ts',
    gives: { p: 'external p' },
  },
  {
    shows: 'imports that lead to themselves, a hundred times over',
    files: { 'package.json': { imports: { '#a': Array(100).fill('#a'), '#*': Array(100).fill('#a/*') } } },
    from: 'main.ts',
    gives: { '#a': 'not_found', '#b': 'not_found' },
  },
  {
    shows: 'targets that leave the package',
    files: {
      'p/package.json': {
        name: 'p',
        exports: {
          './a': './../x.ts',
          './b': '../x.ts',
          './c': '/x.ts',
          './d/*': './*.ts',
          './e': './node_modules/y/i.ts',
        },
        main: '../../../../x.ts',
      },
      ...empty('x.ts', 'p/node_modules/y/i.ts'),
    },
    from: 'main.ts',
    gives: {
      'p/a': 'not_found',
      'p/b': 'not_found',
      'p/c': 'not_found',
      'p/d/../../x': 'not_found',
      'p/e': 'not_found',
    },
  },
  {
    shows: 'values of every wrong type',
    files: {
      'tsconfig.json': {
        extends: [1, null, {}],
        files: 'x',
        include: [1, {}],
        exclude: {},
        references: 'x',
        compilerOptions: {
          paths: { '*': 'x', y: [1] },
          baseUrl: 7,
          rootDirs: 'x',
          moduleSuffixes: [{}],
          moduleResolution: 4,
          outDir: [],
        },
      },
      'package.json': {
        name: ['n'],
        exports: 7,
        imports: [],
        main: {},
        types: 1,
        typesVersions: { '>=4': 7 },
        dependencies: ['x'],
      },
      'p/package.json': '[]',
      'p/tsconfig.json': '',
      'q/package.json': '{ broken',
      ...empty('x.ts', 'q/x.ts'),
    },
    from: 'q/main.ts',
    gives: { './x': 'q/x.ts', '../x': 'x.ts', y: 'not_found', z: 'external z', '#z': 'not_found' },
  },
  {
    shows: 'an empty configuration is one, with all defaults',
    files: {
      'tsconfig.json': { compilerOptions: { paths: { y: ['./x'] } } },
      'q/tsconfig.json': '',
      ...empty('x.ts', 'q/x.ts'),
    },
    from: 'q/main.ts',
    gives: { './x': 'q/x.ts', y: 'external y' },
  },
  {
    shows: 'names that are properties of every object',
    files: {
      'tsconfig.json': { compilerOptions: { paths: {} } },
      'package.json': { name: 'me', exports: { './a': './a.ts' }, imports: {} },
    },
    from: 'main.ts',
    gives: {
      constructor: 'external constructor',
      __proto__: 'external __proto__',
      'me/toString': 'not_found',
      '#constructor': 'not_found',
    },
  },
];
test.each(hostile)('C8 $shows', check);

test('C8 include patterns made to run for ever do not', () => {
  const stars = `${'*a'.repeat(200)}b`;
  const files = {
    'tsconfig.json': {
      include: [stars, `${'**/'.repeat(40)}x`, `${'**/a*/'.repeat(20)}*b.ts`],
      exclude: [`**/${stars}`],
    },
    ...empty(`${'a/'.repeat(100)}${'a'.repeat(200)}.ts`, `${'a/'.repeat(100)}x.ts`),
  };
  const resolve = createJavaScriptResolve(worldOf(write(files)));
  expect(resolve(`${'a/'.repeat(100)}${'a'.repeat(200)}.ts`, requestOf('./x')).targets).toEqual([
    `${'a/'.repeat(100)}x.ts`,
  ]);
});

test('C8 a specifier of any size and any characters has an answer', () => {
  const files = write({
    'tsconfig.json': { compilerOptions: { baseUrl: '.', paths: { '*a*': ['x'], 'b*': ['*/**'] } } },
    ...empty('main.ts'),
  });
  const resolve = createJavaScriptResolve(worldOf(files));
  const specifiers = [
    '',
    ' ',
    '.',
    '..',
    './',
    '//',
    '@',
    '@/',
    '@a',
    '@a/',
    '#',
    '#/',
    '\0',
    '../'.repeat(2_000),
    'a'.repeat(1 << 20),
  ];
  for (const specifier of specifiers)
    expect(resolve('main.ts', requestOf(specifier)).reason, specifier.slice(0, 9)).not.toBeNull();
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (specifier) => {
      const { targets, reason, candidates } = resolve('main.ts', requestOf(specifier));
      return (
        (targets.length === 0) === (reason !== null) && candidates.every((path) => !path.split('/').includes('..'))
      );
    }),
    { numRuns: 100 },
  );
});
