import { expect, test } from 'vitest';
import { parseDockerfile } from '../dockerfile/parse-dockerfile.ts';
import { findDockerfile, findStage } from './dockerfile-view.ts';
import { normaliseDockerfile, selectDockerfiles } from './select-dockerfiles.ts';

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
