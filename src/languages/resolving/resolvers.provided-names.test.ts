/** Java, C# and PHP: languages whose imports name declarations. */

import { expect, test } from 'vitest';
import { answerOf, filesOf } from '../../../test/support/check-resolve.ts';
import createCSharpResolve from '../csharp/csharp-resolve.ts';
import type { ImportKind } from '../facts.ts';
import createJavaResolve from '../java/java-resolve.ts';
import createPhpResolve from '../php/php-resolve.ts';

const java = {
  files: filesOf('m/Order.java', 'm/Line.java', 'n/Order.java', 'm/util/Text.java'),
  provides: {
    'java:com.acme.Order': ['m/Order.java', 'n/Order.java'],
    'java:com.acme.Order.Inner': ['m/Order.java'],
    'java:com.acme.Line': ['m/Line.java'],
    'java:com.acme.*': ['m/Line.java', 'm/Order.java', 'n/Order.java'],
    'java:com.acme.util.Text': ['m/util/Text.java'],
    'java:com.acme.util.*': ['m/util/Text.java'],
  },
};

test.each([
  ['m/X.java', 'com.acme.Line', 'm/Line.java'],
  ['m/X.java', 'com.acme.Order', 'm/Order.java'],
  ['n/X.java', 'com.acme.Order', 'n/Order.java'],
  ['X.java', 'com.acme.Order', 'm/Order.java n/Order.java'],
  ['m/X.java', 'com.acme.Order.Inner', 'm/Order.java'],
  ['m/X.java', 'com.acme.Order.MAX', 'm/Order.java'],
  ['m/X.java', 'com.acme.Line.*', 'm/Line.java'],
  ['m/Order.java', 'com.acme.*', 'm/Line.java n/Order.java'],
  ['m/X.java', 'com.acme.util.*', 'm/util/Text.java'],
  ['m/X.java', 'com.acme.Missing', 'not_found'],
  ['m/X.java', 'com.acme.Missing.member', 'not_found'],
  ['m/X.java', 'com.acme.lib.Thing', 'external com.acme.lib'],
  ['m/X.java', 'com.acme.lib.*', 'external com.acme.lib'],
  ['m/X.java', 'com.acme.lowercase', 'not_found'],
  ['m/X.java', 'java.util.List', 'external java.util'],
  ['m/X.java', 'java.util.Map.Entry', 'external java.util'],
  ['m/X.java', 'java.util.*', 'external java.util'],
  ['m/X.java', 'org.junit.Assert.*', 'external org.junit'],
])('S4: java: %s imports %s: %s', (from, specifier, answer) => {
  expect(answerOf(createJavaResolve, java, from, specifier)).toBe(answer);
});

const csharp = {
  files: filesOf('A.cs', 'A.Part.cs', 'B.cs'),
  provides: {
    'csharp:Acme.Orders': ['A.Part.cs', 'A.cs', 'B.cs'],
    'csharp:Acme.Orders.A': ['A.Part.cs', 'A.cs'],
  },
};

test.each([
  ['X.cs', 'Acme.Orders', 'A.Part.cs A.cs B.cs'],
  ['B.cs', 'Acme.Orders', 'A.Part.cs A.cs'],
  ['X.cs', 'Acme.Orders.A', 'A.Part.cs A.cs'],
  ['X.cs', 'global::Acme.Orders.A', 'A.Part.cs A.cs'],
  ['X.cs', 'Acme.Orders.None', 'not_found'],
  ['X.cs', 'Acme', 'external Acme'],
  ['X.cs', 'System.Collections.Generic', 'external System.Collections'],
  ['X.cs', 'System.Func<Acme.Orders.A, int>', 'external System.Func'],
])('S4: csharp: %s uses %s: %s', (from, specifier, answer) => {
  expect(answerOf(createCSharpResolve, csharp, from, specifier, { kind: 'use' })).toBe(answer);
});

const composer = (psr4: unknown, dev: unknown = {}) =>
  JSON.stringify({ autoload: { 'psr-4': psr4 }, 'autoload-dev': { 'psr-4': dev } });
const php = {
  files: {
    ...filesOf(
      'src/Order.php',
      'lib/Line.php',
      'orders/Deep.php',
      'tests/OrderTest.php',
      'old/helpers.php',
      'src/Sub/C.php',
    ),
    ...filesOf('kit/src/Order.php', 'public/index.php', 'config.php', 'public/part.php'),
    'composer.json': composer(
      { 'Acme\\': ['src/', 'lib'], 'Acme\\Orders\\': 'orders', 'Out\\': '../../etc' },
      { 'Acme\\Tests\\': 'tests/' },
    ),
    'kit/composer.json': composer({ 'Acme\\': 'src' }),
  },
  provides: { 'php:Acme\\Old\\Helper': ['old/helpers.php'], 'php:Acme\\help': ['old/helpers.php'] },
};

test.each<readonly [from: string, specifier: string, kind: ImportKind, names: string, answer: string]>([
  ['x.php', 'Acme\\Order', 'use', 'Order', 'src/Order.php'],
  ['x.php', '\\Acme\\Order', 'use', 'Order', 'src/Order.php'],
  ['x.php', 'Acme\\Line', 'use', 'Line', 'lib/Line.php'],
  ['kit/src/x.php', 'Acme\\Order', 'use', 'Order', 'kit/src/Order.php'],
  ['x.php', 'Acme\\Orders\\Deep', 'use', 'Deep', 'orders/Deep.php'],
  ['x.php', 'Acme\\Tests\\OrderTest', 'use', 'OrderTest', 'tests/OrderTest.php'],
  ['x.php', 'Acme\\Old\\Helper', 'use', 'Helper', 'old/helpers.php'],
  ['x.php', 'Acme\\help', 'use', 'help', 'old/helpers.php'],
  ['x.php', 'Acme\\Sub', 'use', 'Sub', 'src/Sub/C.php'],
  ['x.php', 'Acme', 'use', 'Order Sub\\C', 'src/Order.php src/Sub/C.php'],
  ['x.php', 'Acme\\None', 'use', 'None', 'not_found'],
  ['x.php', 'Symfony\\Component\\Yaml\\Yaml', 'use', 'Yaml', 'external Symfony\\Component'],
  ['x.php', 'Exception', 'use', 'Exception', 'external Exception'],
  ['public/index.php', 'part.php', 'require', '*', 'public/part.php'],
  ['public/index.php', '/part.php', 'require', '*', 'public/part.php'],
  ['public/index.php', '../config.php', 'include', '*', 'config.php'],
  ['public/index.php', 'config.php', 'include', '*', 'config.php'],
  ['public/index.php', 'none.php', 'include', '*', 'not_found'],
  ['public/index.php', '../../none.php', 'include', '*', 'outside_root'],
])('S4: php: %s asks for %s (%s %s): %s', (from, specifier, kind, names, answer) => {
  expect(answerOf(createPhpResolve, php, from, specifier, { kind, names: names.split(' ') })).toBe(answer);
});
