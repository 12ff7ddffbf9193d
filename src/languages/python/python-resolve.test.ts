import { expect, test } from 'vitest';
import { answerOf, filesOf, resolveIn } from '../../../test/support/check-resolve.ts';
import createPythonResolve from './python-resolve.ts';

type Case = readonly [from: string, specifier: string, names: string | null, answer: string];

/** `names` is `null` for `import x`, else what stands after `from x import`. */
const check = (files: Readonly<Record<string, string>>, [from, specifier, names, answer]: Case) =>
  expect(
    answerOf(createPythonResolve, { files }, from, specifier, {
      kind: names === null ? 'import' : 'from',
      names: (names ?? '*').split(' '),
    }),
  ).toBe(answer);

const flat = filesOf(
  'acme/__init__.py',
  'acme/orders.py',
  'acme/orders/__init__.py',
  'acme/stubs.pyi',
  'acme/db/__init__.py',
  'acme/db/pool.py',
  'acme/logging.py',
  'tools/helper.py',
  'loose/one.py',
  'loose/two.py',
);

test.each<Case>([
  ['acme/x.py', '.', 'orders', 'acme/orders.py acme/__init__.py'],
  ['acme/x.py', '.', 'VERSION', 'acme/__init__.py'],
  ['acme/__init__.py', '.', 'orders', 'acme/orders.py'],
  ['acme/__init__.py', '.', 'VERSION', 'acme/__init__.py'],
  ['acme/x.py', '.orders', 'Order', 'acme/orders.py'],
  ['acme/x.py', '.stubs', 'Order', 'acme/stubs.pyi'],
  ['acme/db/pool.py', '..', 'orders db', 'acme/orders.py acme/db/__init__.py acme/__init__.py'],
  ['acme/db/pool.py', '..orders', '*', 'acme/orders.py'],
  ['acme/db/pool.py', '...', 'x', 'not_found'],
  ['acme/db/pool.py', '....', 'x', 'outside_root'],
  ['acme/x.py', '.none', 'x', 'not_found'],
  ['loose/x.py', '.', 'one two', 'loose/one.py loose/two.py'],
  ['acme/x.py', 'acme.db.pool', null, 'acme/db/pool.py'],
  ['acme/x.py', 'acme.db', 'pool connect', 'acme/db/pool.py acme/db/__init__.py'],
  ['acme/x.py', 'acme.missing', null, 'not_found'],
  ['acme/x.py', 'loose', null, 'loose/one.py loose/two.py'],
  ['acme/x.py', 'loose', 'two', 'loose/two.py'],
  ['acme/x.py', 'loose', 'three', 'not_found'],
  ['acme/x.py', 'logging', null, 'external logging'],
  ['acme/x.py', 'os.path', null, 'external os'],
  ['acme/x.py', 'numpy.linalg', 'norm', 'external numpy'],
  ['tools/script.py', 'helper', null, 'tools/helper.py'],
  ['acme/x.py', 'helper', null, 'external helper'],
  ['tools/script.py', 'logging', null, 'external logging'],
])('S4: %s asks for %s (%s): %s', (...row) => check(flat, row));

test.each<readonly [config: Readonly<Record<string, string>>, target: string]>([
  [{}, 'src/acme/a.py'],
  [{ 'pyproject.toml': '[tool.setuptools.package-dir]\n"" = "python"' }, 'python/acme/a.py'],
  [{ 'pyproject.toml': '[tool.setuptools.package-dir]\nacme = "code"' }, 'code/a.py'],
  [{ 'pyproject.toml': '[tool.setuptools.packages.find]\nwhere = ["python"]' }, 'python/acme/a.py'],
  [{ 'pyproject.toml': '[[tool.poetry.packages]]\ninclude = "acme"\nfrom = "python"' }, 'python/acme/a.py'],
  [{ 'pyproject.toml': '[tool.hatch.build.targets.wheel]\npackages = ["python/acme"]' }, 'python/acme/a.py'],
  [{ 'pyproject.toml': '[tool.hatch.build.targets.wheel.sources]\npython = ""' }, 'python/acme/a.py'],
  [{ 'pyproject.toml': '[tool.pytest.ini_options]\npythonpath = "python"' }, 'python/acme/a.py'],
  [{ 'setup.cfg': '[options]\npackage_dir =\n    = python\n' }, 'python/acme/a.py'],
  [{ 'setup.cfg': '[options.packages.find]\nwhere = python\n' }, 'python/acme/a.py'],
])('S4: source roots come from configuration: %j', (config, target) => {
  const files = { ...filesOf('src/acme/a.py', 'python/acme/a.py', 'code/a.py'), ...config };
  check(files, ['main.py', 'acme.a', null, target]);
});

test('S4: a project finds its own roots first, and a sibling by the name of its package', () => {
  const files = {
    ...filesOf(
      'kits/one/src/shared.py',
      'src/shared.py',
      'kits/two-core/src/two_core/api.py',
      'kits/two-core/src/two/ns.py',
    ),
    'kits/one/pyproject.toml': '',
    'kits/two-core/pyproject.toml': '[project]\nname = "Two-Core"\n',
    'pyproject.toml': '',
  };
  check(files, ['kits/one/src/main.py', 'shared', null, 'kits/one/src/shared.py']);
  check(files, ['kits/two-core/src/main.py', 'shared', null, 'src/shared.py']);
  check(files, ['kits/one/src/main.py', 'two_core.api', null, 'kits/two-core/src/two_core/api.py']);
  check(files, ['kits/one/src/main.py', 'two.ns', null, 'kits/two-core/src/two/ns.py']);
});

test('S4: the candidates are the order of the language, up to the hit', () => {
  const at = (files: readonly string[], specifier: string) =>
    resolveIn(createPythonResolve, { files: filesOf('app/__init__.py', ...files) }, 'app/x.py', specifier).candidates;
  expect(at(['b/__init__.py'], 'b')).toEqual([
    'app/__init__.py',
    'src/b.py',
    'src/b.pyi',
    'src/b/__init__.py',
    'src/b/__init__.pyi',
    'b.py',
    'b.pyi',
    'b/__init__.py',
  ]);
  expect(at([], 'requests')).toEqual([
    'app/__init__.py',
    'src/requests.py',
    'src/requests.pyi',
    'requests.py',
    'requests.pyi',
    'src/requests/',
    'requests/',
  ]);
});

test('S4: a hundred names of a package take few candidates, and a module among them is found wherever it stands', () => {
  const names = [...Array.from({ length: 99 }, (_, index) => `name${index}`), 'orders'];
  const files = filesOf('acme/__init__.py', 'acme/orders.py');
  const { targets, candidates } = resolveIn(createPythonResolve, { files }, 'x.py', 'acme', { kind: 'from', names });
  expect(targets).toEqual(['acme/orders.py', 'acme/__init__.py']);
  expect(candidates).toContain('acme/');
  expect(candidates.length).toBeLessThan(20);
});

test.each([
  '[tool.setuptools]\npackage-dir = 3',
  '[tool]\npoetry = [1, {packages = 4}]',
  `[tool.pytest.ini_options]\npythonpath = [${'"../../..", "/etc", "a", '.repeat(500)}]`,
  'not = = toml',
])('S4: a hostile pyproject.toml is no source root: %#', (config) => {
  const files = { ...filesOf('src/acme.py'), 'pyproject.toml': config };
  check(files, ['x.py', 'acme', null, 'src/acme.py']);
});
