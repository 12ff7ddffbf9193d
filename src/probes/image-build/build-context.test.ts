import { expect, test } from 'vitest';
import type { ProbeRepo } from '../../gather/contract.ts';
import { parseDockerfile } from '../dockerfile/dockerfile-stages.ts';
import { deriveContextInputs, findDockerfile, findStage, unseenSources } from './build-context.ts';
import { normaliseDockerfile, selectDockerfiles } from './image-build-section.ts';

function repoOf(paths: readonly string[], ignore: string | null): ProbeRepo {
  const read = async () =>
    ignore === null ? { kind: 'absent' } : { kind: 'read', bytes: Buffer.from(ignore), hash: '' };
  return { scope: { files: paths.map((path) => ({ path })) }, inputs: { read } } as unknown as ProbeRepo;
}

test('without .dockerignore all files are inputs, and what COPY names besides', async () => {
  expect(await deriveContextInputs(repoOf(['a'], null), ['.', './out.bin', '/dist/'])).toEqual([
    '**',
    'out.bin',
    'dist',
  ]);
});

test('what .dockerignore leaves out is no input, also when COPY names it', async () => {
  const repo = repoOf(['a.txt', 'docs/b.md'], '**/*.md\nsecret\n');
  expect(await deriveContextInputs(repo, ['secret', 'kept'])).toEqual(['a.txt', 'kept']);
});

test('G28 names that mean something to the grammar of inputs are escaped', async () => {
  const names = ['a[1].txt', 'user:x', 'b{c}', 'back\\slash'];
  expect(await deriveContextInputs(repoOf(names, 'x'), [])).toEqual([
    '\\a\\[1\\].txt',
    '\\user:x',
    '\\b\\{c\\}',
    '\\back\\\\slash',
  ]);
});

test('sources that are patterns, variables, here-documents, addresses or outside name no file', async () => {
  const sources = ['*.js', '$X', '<<EOF', 'https://example.com/a', '../up', '.git', '.codegenie/x', '.'];
  expect(await deriveContextInputs(repoOf([], null), sources)).toEqual(['**']);
});

test('a source that is neither an input nor a folder of inputs is unseen', () => {
  const ids = ['src/deep/a.js', 'b.txt'];
  expect(unseenSources(['src', 'src/deep', 'b.txt', '.', 'dist', 'b'], ids)).toEqual(['dist', 'b']);
});

function viewOf(...lines: string[]) {
  const { facts } = parseDockerfile(`${lines.join('\n')}\n`);
  const slice = { containerization: { dockerfiles: [{ path: 'Dockerfile', ...facts }] } };
  return findDockerfile(selectDockerfiles(JSON.parse(JSON.stringify(slice))), 'Dockerfile');
}

test('stages are found by name, by number, and the last one without either', () => {
  const view = viewOf('FROM node:24 AS build', 'FROM scratch', 'COPY --from=build /a /', 'COPY b c /');
  expect(view?.stages.map(({ name, base }) => [name, base])).toEqual([
    ['build', 'node:24'],
    [null, null],
  ]);
  expect(findStage(view, 'BUILD')?.index).toBe(0);
  expect(findStage(view, '1')?.index).toBe(1);
  expect(findStage(view, null)?.index).toBe(1);
  expect(findStage(view, 'nothing')).toBeUndefined();
  expect(view?.sources).toEqual(['b', 'c']);
});

test('a health check is what an image would hold', () => {
  const checkOf = (line: string) => findStage(viewOf('FROM a', line), null)?.healthcheck;
  expect(checkOf('HEALTHCHECK CMD ["/a b", "it\'s", "c"]')).toEqual(['CMD', '/a b', "it's", 'c']);
  expect(checkOf('HEALTHCHECK --interval=5s CMD curl -f x || exit 1')).toEqual(['CMD-SHELL', 'curl -f x || exit 1']);
  expect(checkOf('HEALTHCHECK NONE')).toEqual(['NONE']);
  expect(checkOf('USER 1')).toBeNull();
});

test('a path outside the repository names no Dockerfile', () => {
  expect(normaliseDockerfile('./docker//Dockerfile')).toBe('docker/Dockerfile');
  for (const path of ['/etc/passwd', '../Dockerfile', 'a/../../b', '.']) expect(normaliseDockerfile(path)).toBeNull();
});
