// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how Dockerfiles write variables

import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { dockerfileLimits } from '../../kernel/formats/dockerfile-instructions.ts';
import type { Stage } from './dockerfile-section.ts';
import { parseDockerfile } from './dockerfile-stages.ts';

function facts(...lines: readonly string[]) {
  return parseDockerfile(lines.join('\n')).facts;
}

/** The last stage. */
function stage(...lines: readonly string[]): Stage {
  const last = facts(...lines).stages.at(-1);
  if (last === undefined) throw new Error('no stage');
  return last;
}

test.each(['FROM a b c', 'FROM a AS b c', 'FROM a AS'])('%s names no stage', (line) => {
  const { stages, parse_problems: problems } = facts(line);
  expect(stages.map(({ name }) => name)).toEqual([null]);
  expect(problems.map(({ message }) => message)).toEqual(['FROM takes an image and AS with a name']);
});

test('a global argument is seen by FROM, and by a stage that declares it again', () => {
  const read = facts(
    'ARG V=1',
    'ARG IMAGE=node:$V',
    'FROM $IMAGE AS a',
    'ENV X=$V',
    'ARG V',
    'ENV Y=$V',
    'ARG V=2',
    'ENV Z=$V',
  );
  expect(read.global_args).toEqual([
    { name: 'IMAGE', default: 'node:1' },
    { name: 'V', default: '1' },
  ]);
  expect(read.stages[0]).toMatchObject({
    base_image: '$IMAGE',
    base_image_resolved: 'node:1',
    env: [
      { name: 'X', value: '$V' },
      { name: 'Y', value: '1' },
      { name: 'Z', value: '2' },
    ],
    args: [{ name: 'V', value: '2' }],
  });
});

test('ENV is stronger than ARG, wherever each stands', () => {
  expect(stage('FROM a', 'ENV X=env', 'ARG X=arg', 'LABEL l=$X').labels).toEqual([{ name: 'l', value: 'env' }]);
  expect(stage('FROM a', 'ARG X=arg', 'LABEL l=$X', 'ENV X=env').labels).toEqual([{ name: 'l', value: 'arg' }]);
});

test('what an empty image does not set is empty; of any other base it is unknown', () => {
  expect(stage('FROM scratch', 'ENV A=x$NO').env).toEqual([{ name: 'A', value: 'x' }]);
  expect(stage('FROM a', 'ENV A=x$NO').env).toEqual([{ name: 'A', value: 'x$NO' }]);
});

test('the values of one ENV do not see each other', () => {
  expect(stage('FROM a', 'ENV A=old', 'ENV A=new B=$A').env).toEqual([
    { name: 'A', value: 'new' },
    { name: 'B', value: 'old' },
  ]);
});

test('ENV and LABEL in both forms, quoted, over several lines', () => {
  expect(
    stage('FROM a', 'ENV OLD one  two', 'ENV A="b c" \\', '  # why', "  D='e $F' G=h\\ i", 'LABEL "com.x"="y z" k=')
      .env,
  ).toEqual([
    { name: 'A', value: 'b c' },
    { name: 'D', value: 'e $F' },
    { name: 'G', value: 'h i' },
    { name: 'OLD', value: 'one  two' },
  ]);
  expect(stage('FROM a', 'LABEL "com.x"="y z" k=').labels).toEqual([
    { name: 'com.x', value: 'y z' },
    { name: 'k', value: '' },
  ]);
});

test('a build argument without a value that something needs is named, unless the builder gives it', () => {
  const { unresolvedArgs, facts: read } = parseDockerfile(
    'ARG BASE\nFROM $BASE\nARG SHA\nARG TARGETARCH\nENV SHA=$SHA ARCH=$TARGETARCH PATH=/x:$PATH D=${SHA:-none}\n',
  );
  expect(unresolvedArgs).toEqual([
    { line: 2, name: 'BASE' },
    { line: 5, name: 'SHA' },
  ]);
  expect(read.stages[0]?.env).toContainEqual({ name: 'PATH', value: '/x:$PATH' });
  expect(read.stages[0]?.env).toContainEqual({ name: 'D', value: 'none' });
});

test('COPY finds its stage by name, by number or not at all', () => {
  const { facts: read, unresolvedStages } = parseDockerfile(
    [
      'FROM a AS Build',
      'COPY --from=build /self /',
      'FROM b',
      'COPY --from=BUILD --chown=1:1 --chmod=755 --link /x y/',
      'COPY --from=0 ["/a b", "/c"]',
      'COPY --from=nginx:1 /x /y',
      'COPY --from=1 /x /y',
      'COPY --from=$STAGE /x /y',
      'ADD https://example.com/x.tgz /opt/',
    ].join('\n'),
  );
  expect(read.copy_directives.map(({ from, from_stage_resolved: found, sources }) => [from, found, sources])).toEqual([
    ['build', null, ['/self']],
    ['BUILD', 0, ['/x']],
    ['0', 0, ['/a b']],
    ['nginx:1', null, ['/x']],
    ['1', null, ['/x']],
    ['$STAGE', null, ['/x']],
    [null, null, ['https://example.com/x.tgz']],
  ]);
  expect(unresolvedStages.map(({ line, name }) => `${line} ${name}`)).toEqual(['2 build', '7 1', '8 $STAGE']);
});

test('destinations and working directories are absolute as far as the file tells', () => {
  const read = facts(
    'FROM a',
    'COPY x .',
    'WORKDIR /app',
    'COPY x .',
    'COPY x ./',
    'WORKDIR src/../lib',
    'COPY x y',
    'COPY x d/',
  );
  expect(read.copy_directives.map(({ destination }) => destination)).toEqual([
    '.',
    '/app/',
    '/app/',
    '/app/lib/y',
    '/app/lib/d/',
  ]);
  expect(stage('FROM scratch', 'WORKDIR x').workdir).toBe('/x');
  expect(stage('FROM scratch', 'USER 1').workdir).toBe(null);
  expect(facts('FROM scratch', 'COPY x .').copy_directives[0]?.destination).toBe('/');
  expect(stage('FROM a', 'WORKDIR x').workdir).toBe('x');
  expect(stage('FROM a', 'ARG D=/srv', 'WORKDIR $D/', 'WORKDIR b').workdir).toBe('/srv/b');
});

test('CMD of a stage below is dropped by a new ENTRYPOINT, its own is not', () => {
  const own = stage('FROM a', 'CMD ["x"]', 'ENTRYPOINT ["y"]');
  expect([own.entrypoint.argv, own.cmd.argv]).toEqual([['y'], ['x']]);
  const inherited = stage('FROM a AS b', 'CMD ["x"]', 'FROM b', 'ENTRYPOINT ["y"]');
  expect(inherited.cmd.form).toBe('absent');
  expect(stage('FROM a AS b', 'CMD ["x"]', 'FROM b', 'USER 1').cmd.argv).toEqual(['x']);
  expect(stage('FROM a', 'ENTRYPOINT ["y"]', 'ENTRYPOINT []').entrypoint).toEqual({
    form: 'exec',
    argv: [],
    command: null,
  });
});

test('SHELL is the shell of every shell form after it', () => {
  const read = stage('FROM a', 'SHELL ["/bin/bash", "-euo", "pipefail", "-c"]', 'CMD run  it', 'SHELL bash');
  expect(read.cmd).toEqual({
    form: 'shell',
    argv: ['/bin/bash', '-euo', 'pipefail', '-c', 'run  it'],
    command: 'run it',
  });
});

test('HEALTHCHECK: none, exec, shell, and nothing sensible', () => {
  expect(stage('FROM a', 'HEALTHCHECK NONE').healthcheck).toEqual({
    kind: 'none',
    form: 'absent',
    command: '',
    options: [],
  });
  expect(stage('FROM a', 'HEALTHCHECK --timeout=3s CMD ["/probe", "-q"]').healthcheck).toEqual({
    kind: 'cmd',
    form: 'exec',
    command: '/probe -q',
    options: [{ name: 'timeout', value: '3s' }],
  });
  expect(facts('FROM a', 'HEALTHCHECK curl x').parse_problems).toHaveLength(1);
});

test('ONBUILD runs in the stage built on it, and only there', () => {
  const { facts: read, detail } = parseDockerfile(
    'FROM a AS base\nONBUILD COPY . /app/\nONBUILD RUN npm ci\nFROM base\nFROM base AS two\nUSER 1\n',
  );
  expect(read.run_commands.map(({ stage_index, line }) => [stage_index, line])).toEqual([
    [1, 3],
    [2, 3],
  ]);
  expect(read.copy_directives.map(({ stage_index }) => stage_index)).toEqual([1, 2]);
  expect(detail.onbuild).toEqual([
    { stage_index: 0, instruction: 'COPY . /app/', line: 2 },
    { stage_index: 0, instruction: 'RUN npm ci', line: 3 },
  ]);
});

test('a here-document is the script of its RUN, text for a command, or a file of its COPY', () => {
  const read = facts(
    'FROM a',
    'RUN <<EOF',
    'apk add curl',
    'EOF',
    'RUN cat <<A > /x',
    'hi',
    'A',
    'COPY <<"x.conf" /etc/',
    'k=$v',
    'x.conf',
  );
  expect(read.run_commands).toMatchObject([
    { command: 'apk add curl', purpose: 'package_install' },
    { command: 'cat <<A > /x\nhi\nA', purpose: 'other' },
  ]);
  expect(read.copy_directives).toMatchObject([{ sources: ['<<x.conf'], destination: '/etc/' }]);
});

test('a stage whose files are only mounted is a build stage too', () => {
  const read = facts('FROM a AS deps', 'FROM b', 'RUN --mount=type=bind,from=deps,target=/d cp /d/x /x');
  expect(read.stages.map(({ purpose }) => purpose)).toEqual(['build', 'runtime']);
});

test('stages that a platform chooses among are all needed, and no argument is missing', () => {
  const { facts: read, unresolvedArgs } = parseDockerfile(
    'FROM a AS build-linux\nFROM b AS build-darwin\nFROM c AS other\nFROM build-$TARGETOS\n',
  );
  expect(read.stages.map(({ purpose }) => purpose)).toEqual(['build', 'build', 'unused', 'runtime']);
  expect(unresolvedArgs).toEqual([]);
});

test('what makes no sense is a problem with its line', () => {
  expect(
    facts(
      'RUN x',
      'FROM',
      'FROM a b',
      'FROM a AS x',
      'FROM a AS X',
      'COPY x',
      'ENV A',
      'CMD',
      'ONBUILD FROM y',
    ).parse_problems.map(({ line, message }) => `${line}: ${message}`),
  ).toEqual([
    '1: RUN before the first FROM',
    '2: FROM names no image',
    '3: FROM takes an image and AS with a name',
    '5: a second stage is called X',
    '6: COPY takes a source and a destination',
    '7: ENV gives A no value',
    '8: CMD says nothing',
    '9: ONBUILD cannot trigger FROM',
  ]);
  expect(facts('').parse_problems).toEqual([{ line: 1, message: 'there is no FROM' }]);
});

test('G40 any text gives an answer, twice the same, with lines of the file', () => {
  const line = fc.oneof(
    fc.constantFrom(
      'FROM a',
      'FROM a AS b',
      'FROM b',
      'ARG X=1',
      'ARG X',
      'ENV A=$A$A B="${X:-y}"',
      'RUN <<EOF',
      'EOF',
      'COPY --from=b x y',
      'COPY <<A <<B /',
      'CMD ["a"',
      'CMD ["a"]',
      'ONBUILD RUN <<EOF',
      'RUN x \\',
      '# escape=`',
      'WORKDIR ../..',
      'LABEL a=b c',
      'HEALTHCHECK --x CMD',
      '__proto__ x',
      'constructor y',
    ),
    fc.string({ unit: 'binary', maxLength: 40 }),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 25 }), fc.constantFrom('\n', '\r\n'), (lines, end) => {
      const text = lines.join(end);
      const reading = parseDockerfile(text);
      expect(parseDockerfile(text)).toEqual(reading);
      const count = text.split('\n').length;
      for (const { line: at } of [...reading.facts.run_commands, ...reading.facts.parse_problems]) {
        expect(at).toBeGreaterThanOrEqual(1);
        expect(at).toBeLessThanOrEqual(count);
      }
      const stages = reading.facts.stages;
      expect(reading.facts.final_stage).toBe(stages.length === 0 ? null : stages.length - 1);
      for (const { inherits_from, index } of stages) expect(inherits_from ?? -1).toBeLessThan(index);
    }),
    { numRuns: 500 },
  );
});

test('G16 values that double, stages that multiply and texts without end stay bounded', () => {
  const hostile = [
    `FROM a\nENV A=xxxxxxxx\n${'ENV A=$A$A\n'.repeat(60)}`,
    `FROM a AS b\nENV A=${'x'.repeat(8_000)}\n${Array.from({ length: 2_000 }, (_, n) => `ENV B${n}=$A`).join('\n')}\n${'FROM b AS b\n'.repeat(1_000)}`,
    `FROM a\n${'RUN <<A\n'.repeat(60_000)}`,
    `FROM a\nENV ${'${A:-'.repeat(150_000)}`,
    `FROM a\nRUN ${'<<E '.repeat(200_000)}`,
    `FROM a\nCMD ${'['.repeat(900_000)}`,
    `FROM a\nRUN ${'a \\\n'.repeat(200_000)}`,
    `FROM a\nCOPY ${"'".repeat(900_001)} `,
    `FROM a\n${'X\n'.repeat(300_000)}`,
    `FROM a AS b\n${'ONBUILD RUN x\n'.repeat(5_000)}${'FROM b\n'.repeat(190)}`,
    `${Array.from({ length: 19_000 }, (_, n) => `ARG A${n}=$A${n - 1}`).join('\n')}\nFROM a`,
  ];
  for (const text of hostile) {
    const { facts: read } = parseDockerfile(text);
    expect(read.stages.length).toBeLessThanOrEqual(dockerfileLimits.stages);
    expect(JSON.stringify(read).length).toBeLessThan(16 * 1024 * 1024);
  }
});
