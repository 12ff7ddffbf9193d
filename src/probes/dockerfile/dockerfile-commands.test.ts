import { expect, test } from 'vitest';
import { absent, describeStart, effectiveCommand, findHeredocCopy, listCopySources } from './dockerfile-commands.ts';
import { parseDockerfile } from './dockerfile-stages.ts';

function started(...lines: readonly string[]) {
  const stage = parseDockerfile(['FROM a', ...lines].join('\n')).facts.stages[0];
  return describeStart(effectiveCommand(stage?.entrypoint ?? absent, stage?.cmd ?? absent).argv);
}

test('ENTRYPOINT and CMD are put together as Docker does', () => {
  const join = (...lines: readonly string[]) => {
    const stage = parseDockerfile(['FROM a', ...lines].join('\n')).facts.stages[0];
    return effectiveCommand(stage?.entrypoint ?? absent, stage?.cmd ?? absent).argv;
  };
  expect(join('ENTRYPOINT ["a"]', 'CMD ["b"]')).toEqual(['a', 'b']);
  expect(join('ENTRYPOINT ["a"]', 'CMD b c')).toEqual(['a', '/bin/sh', '-c', 'b c']);
  expect(join('ENTRYPOINT a', 'CMD ["b"]')).toEqual(['/bin/sh', '-c', 'a']);
  expect(join('CMD b')).toEqual(['/bin/sh', '-c', 'b']);
  expect(join('ENTRYPOINT []', 'CMD ["b"]')).toEqual(['b']);
  expect(join('USER 1')).toEqual([]);
});

test.each([
  [
    ['ENTRYPOINT ["/sbin/tini", "-g", "-e", "143", "--", "node", "a.js"]'],
    'tini',
    '/sbin/tini',
    ['node', 'a.js'],
    null,
  ],
  [
    ['ENTRYPOINT ["/usr/bin/dumb-init", "-r", "15:3", "./start.sh"]'],
    'dumb-init',
    '/usr/bin/dumb-init',
    ['./start.sh'],
    './start.sh',
  ],
  [['ENTRYPOINT ["/init"]', 'CMD ["nginx"]'], 's6', '/init', ['nginx'], null],
  [['CMD exec node a.js'], 'none', 'node', ['/bin/sh', '-c', 'exec node a.js'], null],
  [['CMD node a.js'], 'none', '/bin/sh', ['/bin/sh', '-c', 'node a.js'], null],
  [['CMD exec tini -- node a.js'], 'tini', 'tini', ['/bin/sh', '-c', 'exec tini -- node a.js'], null],
  [['CMD ["bash", "-e", "/app/run"]'], 'none', 'bash', ['bash', '-e', '/app/run'], '/app/run'],
  [['ENTRYPOINT ["gosu", "app", "env", "A=1", "node"]'], 'none', 'gosu', ['node'], null],
])('%j', (lines, init, pid1, words, script) => {
  expect(started(...lines)).toMatchObject({ init, pid1, words, script });
});

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
