import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { brokenSources, checkFacts, extractText, interfaceHash } from '../../../test/support/extract-text.ts';
import fc from '../../../test/support/properties.ts';

const fixtures = join(import.meta.dirname, '../../../test/fixtures/syntax/ruby');
const sources = ['orders.rb', 'dynamic.rb'].map((name) => readFileSync(join(fixtures, name), 'utf8'));

test('S1 no text makes the extractor throw', async () => {
  await fc.assert(fc.asyncProperty(brokenSources(...sources), (text) => checkFacts('ruby', text)));
});

test.each([
  [
    'comments and white space',
    'class A\n  def f(a, b = 1) # x\n    a\n  end\nend\n',
    'class A\n\n def f( a,b=1 )\n  b\n end\nend\n',
  ],
  ['a comment inside a constant', 'A = [1, # one\n  2]\n', 'A = [1,2]\n'],
])('S2 %s leave the interface hash as it was', async (_, before, after) => {
  expect(await interfaceHash('ruby', before)).toBe(await interfaceHash('ruby', after));
});

test.each([
  ['a parameter', 'def f(a); end\n', 'def f(a, b); end\n'],
  ['an include', 'class A; end\n', 'class A; include B; end\n'],
  ['a visibility', 'class A; def f; end; end\n', 'class A; private def f; end; end\n'],
  ['what follows a sign that could begin a comment', 'A = /#/.source + b\n', 'A = /#/.source + c\n'],
])('S3 %s changes the interface hash', async (_, before, after) => {
  expect(await interfaceHash('ruby', before)).not.toBe(await interfaceHash('ruby', after));
});

test('S3 a parse error makes the interface unknown', async () => {
  expect((await extractText('ruby', 'class A\n  def f(\nend\n')).interfaceRecords).toBeNull();
});

test.each([
  ['modules', 'module A;'.repeat(20_000)],
  ['methods', 'def a;'.repeat(20_000)],
  ['calls', 'send('.repeat(20_000)],
  ['visibilities', `class A\n${'private\n'.repeat(20_000)}end`],
])('S6 any number of %s overflows nothing', async (_, text) => {
  await checkFacts('ruby', text);
});
