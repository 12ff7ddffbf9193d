import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { brokenSources, checkFacts, extractText, interfaceHash } from '../../../test/support/extract-text.ts';
import fc from '../../../test/support/properties.ts';

const fixtures = join(import.meta.dirname, '../../../test/fixtures/syntax/php');
const sources = ['orders.php', 'dynamic.php'].map((name) => readFileSync(join(fixtures, name), 'utf8'));

test('S1 no text makes the extractor throw', async () => {
  await fc.assert(fc.asyncProperty(brokenSources(...sources), (text) => checkFacts('php', text)));
});

test.each([
  [
    'comments, white space and bodies',
    '<?php\nclass A { /* x */ function f(int $a = 1): int { return 1; } }\n',
    '<?php class A {\n  function f( int $a=1 ) : int // y\n { return 2; } }\n',
  ],
  ['a comment inside a constant', '<?php\nconst A = [1, # one\n  2];\n', '<?php\nconst A = [1,2];\n'],
])('S2 %s leave the interface hash as it was', async (_, before, after) => {
  expect(await interfaceHash('php', before)).toBe(await interfaceHash('php', after));
});

test.each([
  ['a parameter', 'function f(int $a) {}', 'function f(string $a) {}'],
  ['a trait', 'class A {}', 'class A { use B; }'],
  ['an attribute', '#[A]\nclass C {}', '#[B]\nclass C {}'],
  ['a visibility', 'class A { public $x; }', 'class A { private $x; }'],
  ['the namespace', 'namespace A; class C {}', 'namespace B; class C {}'],
])('S3 %s changes the interface hash', async (_, before, after) => {
  expect(await interfaceHash('php', `<?php\n${before}\n`)).not.toBe(await interfaceHash('php', `<?php\n${after}\n`));
});

test('S3 a parse error makes the interface unknown', async () => {
  expect((await extractText('php', '<?php class A { function f( }')).interfaceRecords).toBeNull();
});

test.each([
  ['calls', `<?php ${'$a('.repeat(20_000)}`],
  ['members', `<?php $a${'->$b'.repeat(20_000)};`],
  ['functions', `<?php ${'function f() {'.repeat(10_000)}`],
  ['classes', `<?php ${'new class { function f() {'.repeat(5_000)}`],
])('S6 deep nesting of %s overflows nothing', async (_, text) => {
  await checkFacts('php', text);
});
