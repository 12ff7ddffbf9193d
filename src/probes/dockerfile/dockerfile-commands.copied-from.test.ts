import { expect, test } from 'vitest';
import { findHeredocCopy, listCopySources } from './dockerfile-commands.ts';
import { parseDockerfile } from './dockerfile-stages.ts';

function sources(path: string, file: string, ...lines: readonly string[]): readonly string[] {
  return listCopySources({ path: file, ...parseDockerfile(lines.join('\n')).facts }, path);
}

test.each([
  ['/app/run.sh', ['WORKDIR /app', 'COPY . .'], ['run.sh']],
  ['./run.sh', ['WORKDIR /app', 'COPY scripts/ ./'], ['scripts/run.sh']],
  ['/run.sh', ['COPY docker/run.sh /'], ['docker/run.sh', 'docker/run.sh/run.sh']],
  ['/run.sh', ['COPY docker/start.sh /run.sh'], ['docker/start.sh']],
  ['run.sh', ['COPY docker/*.sh /usr/local/bin/'], ['docker/run.sh']],
  ['/x/run.sh', ['COPY a.sh /run.sh'], []],
  ['/run.sh', ['COPY --from=nginx:1 /run.sh /'], []],
  ['/run.sh', ['ADD https://example.com/run.sh /'], []],
  ['/run.sh', ['COPY ../run.sh /'], []],
])('%s after %j comes from %j', (path, lines, expected) => {
  expect(sources(path, 'Dockerfile', 'FROM a', ...lines)).toEqual(expected);
});

test('a file is followed through the stages it went through', () => {
  const lines = [
    'FROM a AS build',
    'WORKDIR /src',
    'COPY . .',
    'FROM b AS base',
    'COPY --from=build /src/bin/ /opt/',
    'FROM base',
  ];
  expect(sources('/opt/run.sh', 'services/api/Dockerfile', ...lines)).toEqual([
    'bin/run.sh',
    'services/api/bin/run.sh',
  ]);
});

test('a script may stand in the Dockerfile itself', () => {
  const facts = parseDockerfile('FROM a\nCOPY <<EOF /run.sh\nexec "$@"\nEOF\nENTRYPOINT ["/run.sh"]\n').facts;
  expect(findHeredocCopy({ path: 'Dockerfile', ...facts }, '/run.sh')?.line).toBe(2);
  expect(findHeredocCopy({ path: 'Dockerfile', ...facts }, '/other.sh')).toBe(undefined);
});
