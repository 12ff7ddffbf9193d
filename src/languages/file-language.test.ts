import { describe, expect, test } from 'vitest';
import { createLanguageResolver, knownLanguages, languageOf, readExtraExtensions } from './file-language.ts';

describe('languageOf', () => {
  test.each([
    ['src/a.ts', 'typescript'],
    ['a.d.mts', 'typescript'],
    ['A.JSX', 'javascript'],
    ['model.R', 'r'],
    ['x.hpp', 'cpp'],
    ['schema.gql', 'graphql'],
    ['notes.mdx', 'markdown'],
    ['Dockerfile', 'dockerfile'],
    ['docker/Dockerfile.dev', 'dockerfile'],
    ['api.dockerfile', 'dockerfile'],
    ['Containerfile', 'dockerfile'],
    ['Makefile', 'make'],
    ['build/rules.mk', 'make'],
    ['LICENSE', null],
    ['.gitignore', null],
    ['.ts', null],
    ['trailing.', null],
    ['photo.png', null],
    ['a.constructor', null],
    ['a.__proto__', null],
  ])('%s is %s', (path, language) => {
    expect(languageOf(path)).toBe(language);
  });

  test('every language of the table has a name or an extension that leads to it', () => {
    const sample = (language: string) =>
      ({ dockerfile: 'Dockerfile', make: 'Makefile' })[language] ?? `a.${firstExtension[language] ?? language}`;
    const firstExtension: Record<string, string> = {
      javascript: 'js',
      typescript: 'ts',
      python: 'py',
      rust: 'rs',
      kotlin: 'kt',
      csharp: 'cs',
      fsharp: 'fs',
      cpp: 'cc',
      objc: 'mm',
      ruby: 'rb',
      elixir: 'ex',
      erlang: 'erl',
      haskell: 'hs',
      ocaml: 'ml',
      julia: 'jl',
      perl: 'pm',
      shell: 'sh',
      powershell: 'ps1',
      terraform: 'tf',
      markdown: 'md',
    };
    expect(knownLanguages.filter((language) => languageOf(sample(language)) !== language)).toEqual([]);
  });

  test('configuration adds extensions and overrules the table; what is no name of a language is not taken', () => {
    const extra = readExtraExtensions({ '.BAL': 'ballerina', inc: 'php', h: 'cpp', x: 'No Name', y: '__proto__' });
    expect(languageOf('a.bal', extra)).toBe('ballerina');
    expect(languageOf('a.inc', extra)).toBe('php');
    expect(languageOf('a.h', extra)).toBe('cpp');
    expect(languageOf('a.x', extra)).toBe(null);
    expect(languageOf('a.y', extra)).toBe(null);
  });
});

describe('shared extensions', () => {
  const resolveIn = (paths: readonly string[]) => createLanguageResolver(paths);

  test('a header follows the files beside it', () => {
    const resolve = resolveIn(['a/x.cpp', 'a/x.h', 'b/y.c', 'b/y.h', 'c/z.mm', 'c/z.h']);
    expect(['a/x.h', 'b/y.h', 'c/z.h'].map(resolve)).toEqual(['cpp', 'c', 'objc']);
  });

  test('a directory of headers alone follows the nearest directory that says something', () => {
    const resolve = resolveIn(['lib/include/x.h', 'lib/src/x.cc', 'other/y.c', 'other/z.c']);
    expect(resolve('lib/include/x.h')).toBe('cpp');
  });

  test('headers do not vote, a tie goes to C, and so does silence', () => {
    expect(resolveIn(['a.h', 'b.h'])('a.h')).toBe('c');
    expect(resolveIn(['a.h', 'b.cpp', 'c.c'])('a.h')).toBe('c');
  });

  test('the order of names does not matter', () => {
    const paths = ['a/x.h', 'a/x.cpp', 'x.c', 'y.c'];
    expect(resolveIn(paths)('a/x.h')).toBe(resolveIn([...paths].reverse())('a/x.h'));
  });

  test('a configured language can claim its own shared extension', () => {
    const extra = readExtraExtensions({ mlx: 'matlab', pro: 'prolog' });
    const resolve = createLanguageResolver(['a.m', 'b.mlx', 'c.pl', 'd.pro', 'e.pro', 'f.pm'], extra);
    expect(resolve('a.m')).toBe('matlab');
    expect(resolve('c.pl')).toBe('prolog');
  });
});
