/** What is said of scripts with our own indexer: exports by assignment are found in other files, and what is unknown is never left out. */

import { afterEach, expect, test } from 'vitest';
import { createSemanticRepo, type SemanticRepo } from '../support/semantic-repo.ts';

let repo: SemanticRepo;
afterEach(async () => repo.dispose());

type Answer = {
  readonly files: readonly { readonly path: string; readonly hits: readonly { line: number; provenance: string }[] }[];
  readonly count: { readonly value: number; readonly relation: string; readonly unresolved: readonly string[] };
};

async function findRefs(target: string): Promise<Answer & { readonly places: readonly string[] }> {
  const { code, stdout, stderr } = await repo.run('refs', target, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const answer = JSON.parse(stdout) as Answer;
  const places = answer.files.flatMap(({ path, hits }) =>
    hits.map(({ line, provenance }) => `${path}:${line} ${provenance}`),
  );
  return { ...answer, places };
}

const scripts = {
  'package.json': '{"name":"scripts","private":true}',
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      allowJs: true,
      noEmit: true,
      lib: ['esnext'],
      module: 'esnext',
      moduleResolution: 'bundler',
      types: [],
    },
    include: ['src'],
  }),
  'src/range.js':
    'class Range {\n  constructor(text) { this.text = text }\n  check() { return this.text }\n}\nmodule.exports = Range\n',
  'src/options.js': "exports.depth = 3\nexports.name = 'n'\n",
  'src/use.js':
    "const Range = require('./range')\nconst { depth } = require('./options')\nconst options = require('./options')\nexports.far = new Range('a').text + depth + options.depth\nexports.any = (given) => given.check()\n",
};

test('T14: an export by assignment and an assigned member are found in other files', async () => {
  repo = createSemanticRepo(scripts);
  expect((await repo.index()).semantic.state).toBe('clean');
  expect((await findRefs('src/options.js:1:9')).places).toEqual([
    'src/options.js:1 resolved',
    // A variable of its own, as far as the language goes.
    'src/use.js:2 syntactic',
    'src/use.js:4 syntactic',
    'src/use.js:4 resolved',
  ]);
  expect((await findRefs('src/range.js:2:29')).places).toEqual([
    'src/range.js:2 resolved',
    'src/range.js:3 resolved',
    'src/use.js:4 resolved',
  ]);
});

test('T14: a member of something whose type is not inferred counts as a possible use', async () => {
  repo = createSemanticRepo(scripts);
  await repo.index();
  const check = await findRefs('src/range.js:3:3');
  expect(check.places).toEqual(['src/range.js:3 resolved']);
  expect(check.count.relation).toBe('gte');
  expect(check.count.unresolved).not.toEqual([]);
});

test('T14: what a function gives to its instances is found where its file says `this` or `prototype`, and is a possible use elsewhere', async () => {
  repo = createSemanticRepo({
    ...scripts,
    'src/view.js': [
      'function View(name) {',
      '  this.name = name;',
      '  this.render();',
      '}',
      'View.prototype.lookup = function lookup(path) {',
      '  const inner = () => this.name + path;',
      '  return inner() + (function () { return this.name })();',
      '};',
      'View.prototype.render = function () {',
      '  return this.lookup(this.name) + View.prototype.lookup.length;',
      '};',
      'View.lookup = 1;',
      'const Page = function () {};',
      'Page.prototype = { lookup() { return this.other }, other: 1 };',
      'function plain() { this.name = 1; }',
      'module.exports = View;',
      '',
    ].join('\n'),
    'src/late.js':
      "const View = require('./view');\nexports.late = (given) => given.lookup('x') + new View('a').name;\n",
  });
  expect((await repo.index()).semantic.state).toBe('clean');
  const lookup = await findRefs('src/view.js:5:16');
  expect(lookup.places).toEqual(['src/view.js:5 resolved', 'src/view.js:10 resolved', 'src/view.js:10 resolved']);
  expect(lookup.count.relation).toBe('gte');
  const name = await findRefs('src/view.js:2:8');
  expect(name.places).toEqual(['src/view.js:2 resolved', 'src/view.js:6 resolved', 'src/view.js:10 resolved']);
  expect(name.count.relation).toBe('gte');
  expect((await findRefs('src/view.js:9:16')).places).toEqual(['src/view.js:3 resolved', 'src/view.js:9 resolved']);
  // A property of the function is something else, and so is what another one has.
  expect((await findRefs('src/view.js:12:6')).places).toEqual(['src/view.js:12 resolved']);
  expect((await findRefs('src/view.js:14:52')).places).toEqual(['src/view.js:14 resolved', 'src/view.js:14 resolved']);
});
