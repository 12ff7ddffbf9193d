import { expect, test } from 'vitest';
import { pathNamed, relativeTo } from './path-style.ts';
import { type ResolveAfter, writeSpecifier } from './write-specifier.ts';

/** Files found by path, with the endings a bundler tries; `aliases` are prefixes. */
function finder(files: readonly string[], aliases: Readonly<Record<string, string>> = {}): ResolveAfter {
  return (from, specifier) => {
    const [alias] = Object.keys(aliases).filter((prefix) => specifier.startsWith(prefix));
    const path =
      alias === undefined
        ? specifier.startsWith('.')
          ? pathNamed(from.includes('/') ? from.slice(0, from.lastIndexOf('/')) : '', specifier)
          : specifier
        : aliases[alias] + specifier.slice(alias.length);
    const stem = path.replace(/\.m?js$/, '');
    const tried = [path, `${stem}.ts`, `${stem}.tsx`, `${stem}.mts`, `${path}.ts`, `${path}.d.ts`, `${path}/index.ts`];
    return tried.map((one) => one.replace(/^\//, '')).find((one) => files.includes(one));
  };
}

const cases: readonly {
  readonly says: string;
  readonly specifier: string;
  readonly from: string;
  readonly fromAfter?: string;
  readonly target: string | null;
  readonly targetAfter?: string;
  readonly aliases?: Readonly<Record<string, string>>;
  readonly gives: string;
}[] = [
  { says: 'no ending', specifier: './a', from: 'm.ts', target: 'a.ts', targetAfter: 'x/b.ts', gives: './x/b' },
  { says: 'built', specifier: './a.js', from: 'm.ts', target: 'a.ts', targetAfter: 'x/b.ts', gives: './x/b.js' },
  { says: 'whole', specifier: './a.ts', from: 'm.ts', target: 'a.ts', targetAfter: 'x/b.ts', gives: './x/b.ts' },
  { says: 'built of JSX', specifier: './a.js', from: 'm.ts', target: 'a.ts', targetAfter: 'b.tsx', gives: './b.js' },
  {
    says: 'a module kind',
    specifier: './a.mjs',
    from: 'm.ts',
    target: 'a.mts',
    targetAfter: 'b.mts',
    gives: './b.mjs',
  },
  { says: 'a declaration', specifier: './a', from: 'm.ts', target: 'a.d.ts', targetAfter: 'x/a.d.ts', gives: './x/a' },
  {
    says: 'data',
    specifier: './a.json?raw',
    from: 'm.ts',
    target: 'a.json',
    targetAfter: 'x/a.json',
    gives: './x/a.json?raw',
  },
  {
    says: 'an index by its directory',
    specifier: '.',
    from: 'x/m.ts',
    target: 'x/index.ts',
    targetAfter: 'y/index.ts',
    gives: '../y',
  },
  {
    says: 'an index by name',
    specifier: './index',
    from: 'x/m.ts',
    target: 'x/index.ts',
    targetAfter: 'y/index.ts',
    gives: '../y/index',
  },
  {
    says: 'what becomes an index',
    specifier: './a',
    from: 'm.ts',
    target: 'a.ts',
    targetAfter: 'x/index.ts',
    gives: './x',
  },
  {
    says: 'what reaches anyway',
    specifier: './a',
    from: 'm.ts',
    target: 'a.ts',
    targetAfter: 'a/index.ts',
    gives: './a',
  },
  {
    says: 'from the file that moves',
    specifier: '../b',
    from: 'x/m.ts',
    fromAfter: 'x/y/m.ts',
    target: 'b.ts',
    gives: '../../b',
  },
  { says: 'its directory', specifier: '..', from: 'x/m.ts', fromAfter: 'm.ts', target: 'index.ts', gives: '.' },
  {
    says: 'itself',
    specifier: './m',
    from: 'x/m.ts',
    fromAfter: 'y/n.ts',
    target: 'x/m.ts',
    targetAfter: 'y/n.ts',
    gives: './n',
  },
  {
    says: 'nothing that is there',
    specifier: './gone',
    from: 'x/m.ts',
    fromAfter: 'm.ts',
    target: null,
    gives: './x/gone',
  },
  { says: 'beside the root', specifier: '../../out', from: 'x/m.ts', fromAfter: 'm.ts', target: null, gives: '../out' },
  { says: 'a package', specifier: 'react', from: 'x/m.ts', fromAfter: 'm.ts', target: null, gives: 'react' },
  {
    says: 'an alias',
    specifier: '@/a',
    from: 'm.ts',
    target: 'src/a.ts',
    targetAfter: 'src/x/b.ts',
    aliases: { '@/': 'src/' },
    gives: '@/x/b',
  },
  {
    says: 'an alias of a part',
    specifier: '@lib/a.js',
    from: 'm.ts',
    target: 'src/lib/a.ts',
    targetAfter: 'src/lib/b.ts',
    aliases: { '@lib/': 'src/lib/' },
    gives: '@lib/b.js',
  },
  {
    says: 'an alias left',
    specifier: '@lib/a',
    from: 'src/m.ts',
    target: 'src/lib/a.ts',
    targetAfter: 'src/b.ts',
    aliases: { '@lib/': 'src/lib/' },
    gives: './b',
  },
  {
    says: 'an alias that stays',
    specifier: '@/b',
    from: 'src/m.ts',
    fromAfter: 'src/x/m.ts',
    target: 'src/b.ts',
    aliases: { '@/': 'src/' },
    gives: '@/b',
  },
];

for (const { says, gives, aliases, ...given } of cases)
  test(`a specifier is written in its style: ${says}`, () => {
    const { target, targetAfter = target, fromAfter = given.from } = given;
    const move = { ...given, fromAfter, target, targetAfter };
    const files = [fromAfter, ...(targetAfter === null ? [] : [targetAfter])];
    const written = writeSpecifier(move, finder(files, aliases));
    expect(written.kind === 'same' ? given.specifier : written.specifier).toBe(gives);
  });

test('only a relative path is left where an alias does not reach, and that is said', () => {
  const move = {
    specifier: 'pkg',
    from: 'm.ts',
    fromAfter: 'm.ts',
    target: 'src/index.ts',
    targetAfter: 'src/main.ts',
  };
  expect(writeSpecifier(move, finder(['src/main.ts']))).toEqual({ kind: 'relative', specifier: './src/main' });
});

test('relative paths always show that they are', () => {
  expect(relativeTo('', 'a')).toBe('./a');
  expect(relativeTo('a/b', 'a')).toBe('..');
  expect(relativeTo('a', 'a')).toBe('.');
  expect(relativeTo('a', '../b')).toBe('../../b');
});
