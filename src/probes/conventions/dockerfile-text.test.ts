import { expect, test } from 'vitest';
import { renderFinalStage } from './dockerfile-text.ts';

function render(...lines: string[]): string[] {
  return renderFinalStage(lines.join('\n')).map((line) => line.text);
}

test('only the final stage, with continuations joined and comments dropped', () => {
  expect(
    renderFinalStage(
      [
        'FROM node AS build',
        'RUN make',
        '# c',
        'FROM scratch',
        'RUN a && \\',
        '  # between',
        '',
        '  b',
        'USER app',
      ].join('\r\n'),
    ),
  ).toEqual([
    { line: 4, text: 'FROM scratch' },
    { line: 5, text: 'RUN a && b' },
    { line: 9, text: 'USER app' },
  ]);
});

test('exec form is printed as words, also behind flags, HEALTHCHECK and ONBUILD', () => {
  expect(
    render(
      'FROM x',
      'CMD ["npm", "start"]',
      'HEALTHCHECK --interval=5s CMD ["curl","-f","http://x"]',
      'ONBUILD ENTRYPOINT ["/a b"]',
      'RUN [ -f x ] && y',
      'RUN echo ["a"]',
      'CMD ["broken"',
      'ENV A=["x"]',
    ),
  ).toEqual([
    'FROM x',
    'CMD npm start',
    'HEALTHCHECK --interval=5s CMD curl -f http://x',
    'ONBUILD ENTRYPOINT /a b',
    'RUN [ -f x ] && y',
    'RUN echo ["a"]',
    'CMD ["broken"',
    'ENV A=["x"]',
  ]);
});

test('what a here-document holds is no instruction', () => {
  expect(
    render(
      'FROM x',
      "RUN <<'EOF' bash",
      'FROM y',
      '# kept',
      'EOF',
      'COPY <<-A <<B /d/',
      '\tone',
      '\tA',
      'two',
      'B',
      'USER u',
    ),
  ).toEqual(['FROM x', "RUN <<'EOF' bash", 'FROM y', '# kept', 'COPY <<-A <<B /d/', '\tone', 'two', 'USER u']);
});

test('lines are counted where they stand', () => {
  expect(renderFinalStage('FROM x\nRUN \\\n  <<E sh\nbody\nE\nUSER u').map((line) => line.line)).toEqual([1, 2, 4, 6]);
});

test('the escape directive, and a here-document or continuation that never ends', () => {
  expect(render('# syntax=docker/dockerfile:1', '# escape=`', 'FROM x', 'RUN a `', 'b \\')).toEqual([
    'FROM x',
    'RUN a b \\',
  ]);
  expect(render('FROM x', 'RUN <<EOF', 'FROM y')).toEqual(['FROM y']);
  expect(render('FROM x', 'RUN a \\')).toEqual(['FROM x', 'RUN a']);
});

test('G16 five thousand repetitions of hostile pieces end at once', () => {
  for (const piece of ['--a ', '<<', ' <<A', '[', 'CMD ', '# escape=', '\\\n']) {
    expect(renderFinalStage(`RUN ${piece.repeat(5000)}[`).length).toBeGreaterThan(0);
  }
});
