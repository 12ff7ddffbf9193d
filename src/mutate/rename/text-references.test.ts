import { describe, expect, test } from 'vitest';
import { isWhole, whyAsk } from './text-references.ts';

function why(
  path: string,
  text: string,
  name: string,
  modules: readonly string[] = ['src/users.ts'],
): string | undefined {
  const spans = [...text.matchAll(new RegExp(`\\b${name}\\b`, 'g'))].map(({ index }) => ({
    path,
    start: index,
    end: index + name.length,
  }));
  expect(spans.length).toBeGreaterThan(0);
  return whyAsk(path, text, name, spans, modules);
}

describe('M9 text that names what is renamed', () => {
  test.each([
    ['a handler', 'serverless.yml', 'handler: src/users.main'],
    ['a handler below its directory', 'template.yaml', 'CodeUri: src/\nHandler: users.main'],
    ['a script', 'go.sh', 'node -e "require(\'./src/users.ts\').main()"'],
    ['a script that names the output', 'Makefile', 'go:\n\tnode -e "require(\'./dist/users.js\').main()"'],
    ['a path from where the text lies', 'ci/go.sh', 'node ../src/users.ts main'],
    ['a path of a container', 'Dockerfile', `CMD ["node", "-e", "require('/app/users.cjs').main()"]`],
    ['a directory that a variable names', 'go.sh', 'D=src\nnode $D/users.js main'],
    ['a module and its export', 'cron.json', '{"module": "./src/users", "export": "main"}'],
  ])('M9 it leads to the module: %s', (_, path, text) => {
    expect(why(path, text, 'main')).toBe('leads');
  });

  test.each([
    ['a word of the format', '.github/workflows/ci.yml', 'jobs:\n  a:\n    steps:\n      - run: npm test', 'run'],
    ['another module', 'serverless.yml', 'handler: src/superusers.main', 'main'],
    ['the file of the module', 'tsconfig.json', '{"files": ["src/users.ts"]}', 'users'],
    ['the directory of a module', 'a.json', '{"paths": ["./users/*"]}', 'users'],
    ['a package of that name', 'package.json', '{"main": "users"}', 'main'],
    ['a file of that name elsewhere', 'ci.yml', 'run: node integration/users.js\nwith: main', 'main'],
    ['far from the path', 'ci.yml', `run: node src/users.js${'\n'.repeat(20)}on: main`, 'main'],
    ['marks of something else', 'ci.yml', 'os: ${'.concat('{ matrix.os }}'), 'os'],
    ['one long word', 'a.json', '{"a": "international"}', 'international'],
    ['a constant word', 'a.env', 'PORT=1', 'PORT'],
  ])('M9 a word is no reference: %s', (_, path, text, name) => {
    expect(why(path, text, name)).toBeUndefined();
  });

  test('M9 a peculiar name stands nowhere by chance', () => {
    expect(why('a.graphql', 'type User { fullName: String }', 'fullName', [])).toBe('peculiar');
    expect(why('a.sql', 'select user_id from t', 'user_id', [])).toBe('peculiar');
    expect(why('a.sql', 'select id from t', 'id', [])).toBeUndefined();
  });

  test('M9 a part of a path or of a hyphenated word is not the name', () => {
    const at = (text: string) =>
      isWhole(text, { path: 'a', start: text.indexOf('html'), end: text.indexOf('html') + 4 });
    expect(['"./html"', 'src/html/index.ts', 'to-html', 'html-to', 'html.ts', '--html'].filter(at)).toEqual([]);
    expect(['src/a.html', '"html"', 'm.html()', 'html: 1'].filter((text) => !at(text))).toEqual([]);
  });

  test('M9 a template says it between its marks', () => {
    expect(why('a.mustache', '<p>{{nick}}</p>', 'nick', [])).toBe('template');
    expect(why('a.njk', '{% if nick %}', 'nick', [])).toBe('template');
    expect(why('a.mustache', '<p>nick {{x}}</p>', 'nick', [])).toBeUndefined();
  });

  test('M9 names with signs of patterns are taken as they are', () => {
    expect(whyAsk('a.sh', 'x.$a', '$a', [{ path: 'a.sh', start: 2, end: 4 }], ['x.ts'])).toBe('leads');
    expect(whyAsk('a.sh', 'node [id].ts $a', '$a', [{ path: 'a.sh', start: 13, end: 15 }], ['[id].ts'])).toBe('leads');
  });
});
