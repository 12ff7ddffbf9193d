/** S4 and R5 for every language but JavaScript: random trees, in which each file comes and goes. */

import { expect, test } from 'vitest';
import { checkCandidates } from '../../../test/support/check-candidates.ts';
import fc from '../../../test/support/properties.ts';
import { requestOf } from '../../../test/support/resolve-world.ts';
import createCFamilyResolve from '../c/c-resolve.ts';
import createCSharpResolve from '../csharp/csharp-resolve.ts';
import createGoResolve from '../go/go-resolve.ts';
import createJavaResolve from '../java/java-resolve.ts';
import createPhpResolve from '../php/php-resolve.ts';
import createPythonResolve from '../python/python-resolve.ts';
import createRubyResolve from '../ruby/ruby-resolve.ts';
import createRustResolve from '../rust/rust-resolve.ts';
import type { CreateResolve, ImportRequest } from './resolution.ts';

type Scene = {
  readonly language: string;
  readonly create: CreateResolve;
  /** One of them is taken. */
  readonly configs: readonly Readonly<Record<string, string>>[];
  readonly universe: readonly string[];
  readonly provides?: Readonly<Record<string, readonly string[]>>;
  readonly froms: readonly string[];
  readonly requests: readonly ImportRequest[];
  readonly isGuard?: (path: string) => boolean;
};

const below = (directories: readonly string[], files: readonly string[]) =>
  directories.flatMap((directory) => files.map((file) => directory + file));
const ofKind = (kind: ImportRequest['kind'], ...specifiers: readonly string[]) =>
  specifiers.map((specifier) => requestOf(specifier, { kind }));

const scenes: readonly Scene[] = [
  {
    language: 'python',
    create: createPythonResolve,
    configs: [
      {},
      { 'pyproject.toml': '[tool.setuptools.package-dir]\n"" = "lib"\n' },
      { 'pyproject.toml': '', 'kit/pyproject.toml': '[project]\nname = "a"\n', 'tools/setup.cfg': '' },
    ],
    universe: below(
      ['', 'src/', 'lib/', 'tools/', 'kit/src/'],
      [
        'a.py',
        'a.pyi',
        'a/__init__.py',
        'a/__init__.pyi',
        'a/b.py',
        'a/b/__init__.py',
        'a/b/c.py',
        'a/b/c/d.py',
        'b.py',
        '__init__.py',
      ],
    ),
    froms: ['a/x.py', 'src/a/b/x.py', 'tools/script.py', 'x.py'],
    requests: [
      ...ofKind('import', 'a', 'a.b', 'a.b.c', 'b', 'os.path'),
      ...['.', '..', '...', '.b', 'a', 'a.b', 'b'].flatMap((specifier) =>
        [['*'], ['b'], ['b', 'c'], ['b', 'c', 'd', 'e', 'f', 'g'], 'b c d e f g h i j k l m n'.split(' ')].map(
          (names) => requestOf(specifier, { kind: 'from', names }),
        ),
      ),
    ],
    isGuard: (path) => path.endsWith('__init__.py'),
  },
  {
    language: 'go',
    create: createGoResolve,
    configs: [
      { 'go.mod': 'module acme.dev/shop\n' },
      { 'go.mod': 'module acme.dev/shop\nreplace acme.dev/lib => ./lib\n', 'lib/go.mod': 'module acme.dev/lib\n' },
      {
        'go.work': 'use (\n  .\n  ./lib\n)\n',
        'go.mod': 'module acme.dev/shop\n',
        'lib/go.mod': 'module acme.dev/lib\n',
      },
    ],
    universe: below(
      ['', 'lib/', 'orders/', 'orders/internal/db/', 'vendor/acme.dev/lib/', 'lib/orders/'],
      ['a.go', 'b.go', 'a_test.go', 'x.txt'],
    ),
    froms: ['main.go', 'lib/lib.go', 'orders/x.go'],
    requests: ofKind(
      'import',
      'acme.dev/shop/orders',
      'acme.dev/lib',
      'acme.dev/lib/orders',
      'acme.dev/shop',
      'fmt',
      './orders',
    ).concat(ofKind('import', 'acme.dev/shop/orders/internal/db', 'acme.dev/shop/lib')),
  },
  {
    language: 'rust',
    create: createRustResolve,
    configs: [
      {},
      { 'Cargo.toml': '[package]\nname = "shop"\n[dependencies]\nserde = "1"\n' },
      {
        'Cargo.toml': '[package]\nname = "shop"\n[dependencies]\nkit = { path = "kit" }\n',
        'kit/Cargo.toml': '[package]\nname = "kit"\n',
      },
    ],
    universe: below(
      ['src/', 'kit/src/', 'src/a/', 'src/a/b/', 'tests/'],
      ['lib.rs', 'main.rs', 'mod.rs', 'a.rs', 'b.rs', 'a/mod.rs', 'b/mod.rs', 'kit.rs'],
    ),
    froms: ['src/lib.rs', 'src/a.rs', 'src/a/b.rs', 'src/a/mod.rs', 'tests/t.rs', 'src/bin/tool.rs'],
    requests: [
      ...ofKind('mod', 'a', 'b', 'a::b', 'path:a/b.rs', 'path:../../../x.rs'),
      ...ofKind('use', 'crate::a::b', 'crate::a::b::C', 'self::b', 'super::b', 'super::super::a', 'crate', 'self'),
      ...ofKind('use', 'a::b', 'kit::a', 'shop::a::b', '::kit::b', 'std::fmt', 'serde::de', 'super::super::super::a'),
    ],
  },
  {
    language: 'java',
    create: createJavaResolve,
    configs: [{}],
    universe: ['m/A.java', 'm/B.java', 'n/A.java', 'm/sub/C.java', 'x.txt'],
    provides: {
      'm/A.java': ['java:acme.A', 'java:acme.A.Inner', 'java:acme.*'],
      'm/B.java': ['java:acme.B', 'java:acme.*'],
      'n/A.java': ['java:acme.A', 'java:acme.*'],
      'm/sub/C.java': ['java:acme.sub.C', 'java:acme.sub.*'],
    },
    froms: ['m/X.java', 'n/X.java', 'X.java'],
    requests: ofKind(
      'import',
      'acme.A',
      'acme.A.Inner',
      'acme.A.max',
      'acme.*',
      'acme.A.*',
      'acme.sub.C',
      'acme.sub.D',
      'java.util.List',
      'A',
    ),
  },
  {
    language: 'csharp',
    create: createCSharpResolve,
    configs: [{}],
    universe: ['A.cs', 'B.cs', 'sub/C.cs'],
    provides: {
      'A.cs': ['csharp:Acme', 'csharp:Acme.A'],
      'B.cs': ['csharp:Acme', 'csharp:Acme.A'],
      'sub/C.cs': ['csharp:Acme.Sub', 'csharp:Acme.Sub.C'],
    },
    froms: ['X.cs', 'sub/X.cs'],
    requests: ofKind('use', 'Acme', 'Acme.A', 'Acme.Sub', 'global::Acme.Sub.C', 'System.Text', 'Acme.None'),
  },
  {
    language: 'php',
    create: createPhpResolve,
    configs: [
      {},
      { 'composer.json': '{"autoload":{"psr-4":{"Acme\\\\":["src/","lib"],"Acme\\\\Orders\\\\":"orders"}}}' },
    ],
    universe: below(['', 'src/', 'lib/', 'orders/', 'src/Orders/'], ['Order.php', 'Orders/Order.php', 'Other.php']),
    provides: { 'Other.php': ['php:Acme\\Order', 'php:Acme\\Orders\\Order'], 'src/Other.php': ['php:Acme\\Order'] },
    froms: ['src/x.php', 'x.php'],
    requests: [
      ...ofKind('use', 'Acme\\Order', 'Acme\\Orders\\Order', '\\Acme\\Orders', 'Symfony\\Yaml\\Yaml'),
      requestOf('Acme', { kind: 'use', names: ['Order', 'Orders\\Order'] }),
      ...ofKind('require', 'Order.php', '/Orders/Order.php', '../Order.php', '../../x.php'),
    ],
  },
  {
    language: 'c',
    create: createCFamilyResolve,
    configs: [
      {},
      {
        'build/compile_commands.json': JSON.stringify([
          {
            directory: '/w/acme/build',
            file: '../src/x.c',
            command: 'cc -iquote../quoted -I ../include -I/usr/include -c x',
          },
          {
            directory: '/w/acme/build',
            file: '/w/acme/lib/y.c',
            arguments: ['cc', '-isystem', '../lib', '-I../include'],
          },
        ]),
      },
    ],
    universe: below(['', 'src/', 'include/', 'quoted/', 'lib/'], ['a.h', 'sub/a.h', 'b.h']),
    froms: ['src/x.c', 'lib/y.c', 'include/z.h'],
    requests: [
      ...ofKind('include', 'a.h', 'sub/a.h', '../include/b.h', '../../../b.h', '/usr/b.h'),
      ...ofKind('include_system', 'a.h', 'sub/a.h', 'stdio.h'),
    ],
  },
  {
    language: 'ruby',
    create: createRubyResolve,
    configs: [{}, { Gemfile: '', 'kit/kit.gemspec': '' }],
    universe: below(
      ['', 'lib/', 'kit/lib/', 'spec/', 'app/models/', 'other/lib/'],
      ['a.rb', 'a/b.rb', 'spec_helper.rb'],
    ),
    froms: ['lib/x.rb', 'spec/a_spec.rb', 'kit/lib/kit/x.rb'],
    requests: [
      ...ofKind('require', 'a', 'a/b', 'a.rb', './lib/a', 'spec_helper', '/a', '../../../a'),
      ...ofKind('require_relative', 'a', '../a', 'a/b', '../../../../a'),
      ...ofKind('autoload', 'a'),
    ],
  },
];

test.each(scenes)('S4, R5: $language answers change when a candidate comes or goes, and never otherwise', (scene) => {
  const reasons = new Set<string | null>();
  fc.assert(
    fc.property(
      fc.constantFrom(...scene.configs),
      fc.oneof(fc.subarray([...scene.universe]), fc.subarray([...scene.universe], { maxLength: 3 })),
      fc.constantFrom(...scene.froms),
      fc.constantFrom(...scene.requests),
      (configs, present, from, request) => {
        const files = present.filter((path) => path !== from);
        reasons.add(checkCandidates({ ...scene, configs, present: files, from, request }).reason);
      },
    ),
    { numRuns: 400 },
  );
  expect(reasons.has(null) && reasons.size > 1).toBe(true);
});
