// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how Dockerfiles write variables
/**
 * What is read off a Dockerfile against what podman makes of it: the configuration of images built from nothing. Left out are the two
 * things that podman 4.3 does otherwise than Docker says: SHELL before CMD, and an escape character other than the backslash in ENV.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseDockerfile } from '../../src/probes/dockerfile/dockerfile-stages.ts';
import { hasTool } from '../support/tools.ts';

let base = '';
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'codegenie-podman-'));
  writeFileSync(join(base, 'conf'), '[engine]\nruntime = "runc"\nevents_logger = "file"\n');
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

type ImageConfig = {
  readonly Env?: readonly string[];
  readonly Labels?: Readonly<Record<string, string>>;
  readonly Entrypoint?: readonly string[];
  readonly Cmd?: readonly string[];
  readonly User?: string;
  readonly WorkingDir?: string;
  readonly ExposedPorts?: Readonly<Record<string, unknown>>;
  readonly StopSignal?: string;
};

function podman(...args: string[]): string {
  return execFileSync('podman', ['--root', join(base, 'root'), '--runroot', join(base, 'run'), ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: base, CONTAINERS_CONF: join(base, 'conf') },
  });
}

/** The image's configuration, in the words of a stage. */
function build(text: string) {
  writeFileSync(join(base, 'Dockerfile'), text);
  const iid = join(base, 'iid');
  podman(
    'build',
    '--format=docker',
    '--network=none',
    '--pull=never',
    '--iidfile',
    iid,
    '-f',
    join(base, 'Dockerfile'),
    base,
  );
  const images = JSON.parse(podman('image', 'inspect', readFileSync(iid, 'utf8').trim())) as { Config: ImageConfig }[];
  const config = images[0]?.Config ?? {};
  return {
    env: (config.Env ?? []).filter((pair) => !pair.startsWith('PATH=')).sort(),
    labels: Object.entries(config.Labels ?? {})
      .filter(([name]) => !name.startsWith('io.buildah'))
      .map((pair) => pair.join('='))
      .sort(),
    entrypoint: config.Entrypoint ?? [],
    cmd: config.Cmd ?? [],
    user: config.User || null,
    workdir: config.WorkingDir || null,
    ports: Object.keys(config.ExposedPorts ?? {}).sort(),
    stopSignal: config.StopSignal ?? null,
  };
}

function read(text: string) {
  const stage = parseDockerfile(text).facts.stages.at(-1);
  return {
    env: stage?.env.map(({ name, value }) => `${name}=${value}`).sort(),
    labels: stage?.labels.map(({ name, value }) => `${name}=${value}`).sort(),
    entrypoint: stage?.entrypoint.argv,
    cmd: stage?.cmd.argv,
    user: stage?.user,
    workdir: stage?.workdir,
    ports: stage?.expose.map((port) => (port.includes('/') ? port : `${port}/tcp`)).sort(),
    stopSignal: stage?.stop_signal,
  };
}

test.skipIf(!hasTool('podman')).each([
  [
    'variables, quotes, paths',
    [
      'ARG V=1',
      'ARG W=${V}-x',
      'FROM scratch',
      'ARG V',
      'ARG W',
      'ENV A=$V B="q $W" C=\'s $W\' D=\\$V E=a\\ b F=${NO:-dflt} G=${V:+set} H=${NO:+set} J="a\\"b" K="x\\ny"',
      'ENV OLD one two  three',
      'LABEL a=b "c d"="e f" g=$A',
      'WORKDIR /x',
      'WORKDIR y/../z',
      'EXPOSE 80 $V/udp',
      'USER 1:2',
      'STOPSIGNAL SIGINT',
      'ENTRYPOINT ["a", "b c"]',
      'CMD ["d"]',
    ],
  ],
  [
    'a stage on a stage',
    [
      'FROM scratch AS one',
      'ENV X=1',
      'CMD ["c"]',
      'LABEL l=1',
      'WORKDIR w',
      'FROM one',
      'ENV X=2 Y=$X',
      'ENTRYPOINT e $X && f',
    ],
  ],
  ['CMD of a stage below', ['FROM scratch AS b', 'ENTRYPOINT ["e"]', 'CMD ["c"]', 'FROM b', 'CMD ["d"]']],
  ['comments between lines', ['FROM scratch', 'CMD   echo   "a   b"   \\', '  # why', '  && c']],
  ['an array that is none', ['FROM scratch', 'ENV A=1 \\', ' # why', ' B=2', 'CMD ["a", \'b\']']],
  [
    'an entrypoint taken back, variables that are not set',
    ['FROM scratch', 'ENV A=x', 'ENV A=y B=$A C=$A$B', 'ENTRYPOINT ["x"]', 'ENTRYPOINT []', 'CMD ["z"]'],
  ],
  [
    'ENV over ARG',
    [
      'FROM scratch',
      'ARG A=arg',
      'ENV A=env',
      'LABEL x=$A',
      'ARG A=again',
      'LABEL y=$A z=${A:-q}',
      'USER $A',
      'CMD ["x"]',
    ],
  ],
])('podman: %s are read as they are built', (_, lines) => {
  const text = `${lines.join('\n')}\n`;
  expect(read(text)).toEqual(build(text));
});
