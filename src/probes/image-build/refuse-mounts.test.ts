import { expect, test } from 'vitest';
import { refuseMounts } from './refuse-mounts.ts';

const inputs = ['package.json', 'src/a.ts'];
const isInput = (path: string) => inputs.some((file) => file === path || file.startsWith(`${path}/`));
const judge = (...lines: string[]) => refuseMounts(['FROM base', ...lines, ''].join('\n'), isInput);

test('G26 mounts that stay inside are left to the builder', () => {
  expect(judge('RUN make')).toBeNull();
  expect(judge('RUN npm run --silent build -- --mount=$X', 'RUN echo --$X')).toBeNull();
  expect(judge('# RUN --mount=type=bind,source=/', 'RUN make')).toBeNull();
  expect(judge('RUN --mount=type=cache,target=/root/.npm --mount=type=cache,target=/root/.cache npm ci')).toBeNull();
  expect(judge('RUN --mount=type=cache,id=npm,target=/root/.npm,sharing=locked npm ci')).toBeNull();
  expect(judge('RUN --mount=type=bind,source=package.json,target=package.json npm ci')).toBeNull();
  expect(judge('RUN --mount=type=bind,source=./src/,target=/src,readonly make')).toBeNull();
  expect(judge('RUN --mount=type=bind,target=. make')).toBeNull();
  expect(judge('RUN \\', '  --mount=type=tmpfs,target=/x \\', '  --mount=type=secret,id=x make')).toBeNull();
});

test.each([
  ['the file system of a stage', 'RUN --mount=type=bind,from=s0,source=/link,target=/mnt ls'],
  ['the repository, to write in', 'RUN --mount=type=bind,target=/mnt,rw touch /mnt/x'],
  ['the same, said otherwise', 'RUN --mount=type=bind,target=/mnt,ro=false touch /mnt/x'],
  ['a path that is no file of the repository', 'RUN --mount=type=bind,source=link,target=/mnt ls'],
  ['a path above the repository', 'RUN --mount=source=../x,target=/mnt ls'],
  ['a cache above its place', 'RUN --mount=type=cache,id=../../etc,target=/mnt ls'],
  ['a cache named by a place above', 'RUN --mount=type=cache,target=/../../etc ls'],
  ['a relative place', 'RUN --mount=type=cache,target=../../etc ls'],
  ['a link in another cache', 'RUN --mount=type=cache,target=/c --mount=type=cache,target=/c/link ls'],
  ['the same, in the other order', 'RUN --mount=type=cache,id=c/link,target=/d --mount=type=cache,id=c,target=/c ls'],
  ['a cache with an origin', 'RUN --mount=type=cache,from=s0,source=/link,target=/c ls'],
  ['propagation', 'RUN --mount=type=bind,bind-propagation=rshared,target=/c ls'],
  ['two sources', 'RUN --mount=type=bind,source=package.json,src=/,target=/c ls'],
  ['a variable', 'RUN --mount=type=bind,source=$X,target=/c ls'],
  ['quotes', 'RUN --mo"unt=type=bind",from=s0,source=/link,target=/mnt ls'],
  ['escapes', 'RUN --mou\\nt=type=bind,from=s0,source=/link,target=/mnt ls'],
  ['several lines', 'RUN --mou\\\n# a comment\nnt=type=bind,from=s0,source=/link,target=/mnt ls'],
  ['another escape', 'RUN --mou`\nnt=type=bind,from=s0,source=/link,target=/mnt ls'],
  ['a name that is put together', 'RUN --$M=type=bind,from=s0,source=/link,target=/mnt ls'],
  ['a name with nothing in it', `RUN --mo$\{E}unt=type=bind,from=s0,source=/link,target=/mnt ls`],
  ['a command that is broken, too', 'R\\\nU`\n\nN \\\n  --$M ls'],
  ['behind a flag that is none', 'run --mount=type=tmpfs,target=/x --$M ls'],
  ['a space within a letter', 'RUN --mount=type=tmpfs,target=/\u00e0--mount=target=/mnt ls'],
  ['behind what only looks like a line that goes on', 'RUN ls \\\nRUN --$M ls'],
  ['a trigger', 'ONBUILD RUN --mount=type=bind,from=s0,source=/link,target=/mnt ls'],
  ['an unknown type', 'RUN --mount=type=constructor,target=/x ls'],
])('G26 refused: %s', (_what, line) => {
  expect(judge(line)).not.toBeNull();
});

test('G32 a text of nothing but flags is read once', () => {
  expect(judge(`RUN ${'--run '.repeat(300_000)}`)).toBeNull();
});
