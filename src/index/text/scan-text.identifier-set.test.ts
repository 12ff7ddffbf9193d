import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import type { GrammarName } from '../../languages/languages.ts';
import { withParsedSource } from '../../languages/parsing/parse-source.ts';
import { hashRun, identifierTerm, listIdentifiers } from './scan-text.ts';

const key = Buffer.alloc(32, 7);
const list = (text: string, language: string | null) => listIdentifiers(Buffer.from(text), text, language, key);

/** Every leaf that a grammar calls an identifier of some kind, as it is written. */
function listTokens(grammar: GrammarName, text: string): Promise<string[]> {
  return withParsedSource(grammar, Buffer.from(text), ({ root }) => {
    const tokens: string[] = [];
    const cursor = root.walk();
    for (;;) {
      const isName =
        /identifier$|^(?:constant|instance_variable|class_variable|global_variable|variable_name|name|simple_symbol)$/.test(
          cursor.nodeType,
        );
      if (isName && cursor.startIndex < cursor.endIndex) tokens.push(text.slice(cursor.startIndex, cursor.endIndex));
      if (cursor.gotoFirstChild()) continue;
      while (!cursor.gotoNextSibling()) {
        if (!cursor.gotoParent()) {
          cursor.delete();
          return tokens;
        }
      }
    }
  });
}

const programs: readonly { readonly grammar: GrammarName; readonly language: string; readonly text: string }[] = [
  {
    grammar: 'typescript',
    language: 'typescript',
    text: 'class Ünïcode<T> { #secret = 1; $a$b = caf\\u00e9; \\u{61}bc() { return this.#secret + naïve\\u0301; } }\nconst $ = _x;\nexport const 漢字 = λ => λ;',
  },
  { grammar: 'javascript', language: 'javascript', text: 'var a\u200db = \\u0061_1; label: for (;;) break label;' },
  {
    grammar: 'python',
    language: 'python',
    text: 'def ﬁnd(ｘ, *args):\n    ℌ = ｘ\n    return _ℌ1\nclass Größe: pass\n',
  },
  { grammar: 'java', language: 'java', text: 'class A { int $x_1; void größe() { \\u0066oo(); } }' },
  { grammar: 'rust', language: 'rust', text: 'fn r#match<\'a>(r#type: &\'a str) -> größe { println!("{}", r#type) }' },
  { grammar: 'c-sharp', language: 'csharp', text: 'class @class { string @event => caf\\u00e9; int Ünï; }' },
  {
    grammar: 'ruby',
    language: 'ruby',
    text: 'class Foo\n  attr_reader :bar\n  def empty?; @x = @@y || $z; save!; end\n  def name=(v); end\nend\n',
  },
  {
    grammar: 'php',
    language: 'php',
    text: '<?php\nnamespace App\\Models;\nclass User { public $größe; function name() { return $this->größe . $$dyn; } }\n',
  },
  { grammar: 'go', language: 'go', text: 'package main\nfunc größe(a_1 int) (π float64) { return 3 }\n' },
  { grammar: 'c', language: 'c', text: '#define MAX_1 2\nstruct s { int x; } *p; int f(void) { return p->x; }' },
  { grammar: 'cpp', language: 'cpp', text: 'namespace n { template<class T> T größe(T t) { return t.~T(); } }' },
];

test.each(programs)('S5: the set has every identifier token of $language', async ({ grammar, language, text }) => {
  const names = new Set(list(text, language));
  const tokens = await listTokens(grammar, text);
  expect(tokens.length).toBeGreaterThan(2);
  for (const token of tokens) expect(names).toContain(identifierTerm(token, language, key));
});

test('S5: and of the sources of this program', async () => {
  const directory = new URL('./', import.meta.url);
  const files = readdirSync(directory)
    .filter((name) => name.endsWith('.ts'))
    .slice(0, 12);
  for (const name of files) {
    const text = readFileSync(new URL(name, directory), 'utf8');
    const names = new Set(list(text, 'typescript'));
    const missing = (await listTokens('typescript', text)).filter(
      (token) => !names.has(identifierTerm(token, 'typescript', key)),
    );
    expect(missing).toEqual([]);
  }
});

const nameChar = fc.constantFrom(...'abzAZ09_$éλ漢ﬁ', '\u200d', '𝒳');
const name = fc
  .tuple(fc.constantFrom(...'aZ_$éλ漢', '𝒳'), fc.string({ unit: nameChar, maxLength: 80 }))
  .map(([first, rest]) => first + rest);

test.each(['typescript', 'python', 'java', 'rust', 'csharp', 'go', null])(
  'S5: any name between any signs is found in %s',
  (language) => {
    const sign = fc.constantFrom(' ', '\n', '\r\n', '(', '.', '"', "'", '#', '@', '-', '“', '—', '\u2028', '\ufeff');
    fc.assert(
      fc.property(fc.array(fc.tuple(sign, name), { maxLength: 20 }), (parts) => {
        const names = new Set(list(parts.flat().join(''), language));
        for (const [, written] of parts) expect(names).toContain(identifierTerm(written, language, key));
      }),
    );
  },
);

test('names in strings, comments and templates count, also behind an escape', () => {
  const names = list(
    '// see foo\nlet s = "x\\nbar \\tbaz \\x41qux \\u0041lpha"; /\\bword\\b/; `$tmpl $'.concat('{y}`;'),
    'typescript',
  );
  for (const found of ['foo', 'bar', 'baz', 'qux', 'Alpha', 'word', 'tmpl', '$tmpl', 'y'])
    expect(names).toContain(found);
});

test('names are distinct, and what begins with a digit is none', () => {
  const names = list('a b a 1 2x 0xff b “a” a—c', null);
  expect(names).toEqual(['a', 'b', 'c']);
});

test('sigils are dropped where they are sigils', () => {
  expect(list('$x @y :z q?', 'ruby')).toEqual(['x', 'y', 'z', 'q']);
  expect(list('$x->y', 'php')).toEqual(['x', 'y']);
  expect(list('$x.y', 'typescript').sort()).toEqual(['$x', 'x', 'y']);
});

test('long runs are kept as keyed hashes and still found by equality', () => {
  const long = `a${'b'.repeat(64)}`;
  const [stored] = list(`x.${long}`, 'typescript').filter((found) => found !== 'x');
  expect(stored).toBe(hashRun(key, long));
  expect(stored).toMatch(/^[a-z0-9]+$/);
  expect(identifierTerm(long, 'typescript', key)).toBe(stored);
  expect(hashRun(Buffer.alloc(32, 8), long)).not.toBe(stored);
});

test('more names than the table has room for, and names made to collide, are all kept', () => {
  const many = Array.from({ length: 150_000 }, (_, n) => `n${n.toString(36)}`);
  expect(new Set(list(many.join(' '), null))).toEqual(new Set(many));
  // Eleven characters and more share a packed form if their last ten are the same.
  const alike = Array.from({ length: 3_000 }, (_, n) => `p${n}_same_tail_here`);
  expect(list(alike.join('.'), null)).toEqual(alike);
});
