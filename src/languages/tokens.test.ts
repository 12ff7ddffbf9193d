import { describe, expect, test } from 'vitest';
import { withSource } from '../../test/support/marked-source.ts';
import { listTokens } from './tokens.ts';

/** Tokens as words: `name`, `name/class`, and the role behind a colon where there is one to tell. */
function show(language: string, text: string, path?: string): Promise<string> {
  const render = ({ text, class: of, role }: ReturnType<typeof listTokens>[number]): string =>
    text + (of === 'code' ? '' : `/${of}`) + (role === undefined || role === 'name' ? '' : `:${role}`);
  return withSource(language, text, (source) => listTokens(source, language).map(render).join(' '), path);
}

const cases: readonly (readonly [language: string, text: string, tokens: string])[] = [
  ['typescript', 'const a = b.c; // see d', 'a b c:property see/comment d/comment'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a program
  ['typescript', 'f("a b", \'c\', `d ${e} f`, /g+/)', 'f a/string b/string c/string d/string e f/string g/regex'],
  ['typescript', 'class A<T> { #x: T; m() { this.#x } }', 'A:type T:type #x:private T:type m:property #x:private'],
  ['typescript', 'a: for (;;) break a; ({ b, c: d });', 'a:label a:label b:shorthand c:property d'],
  ['typescript', 'var \\u0061b = "\\u0061b";', 'ab b/string'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a program
  ['typescript', 'type T = `x${U}`;', 'T:type x/string U:type'],
  ['typescript', 'let undefined, type, of;', 'undefined type of'],
  [
    'python',
    'def f(x):\n  """doc y"""\n  return f"a {x.z:>{w}} b" # c\n',
    'f x doc/string:docstring y/string:docstring a/string x z:property w b/string c/comment',
  ],
  ['python', 'ﬁ = 1 # ﬁ\n', 'fi fi/comment'],
  ['go', 'package p\nfunc f() { x.Y("s", `r`, \'c\') } // c', 'p f x Y:property s/string r/string c/string c/comment'],
  ['rust', 'fn f() { r#type.x; m!("s", y); \'l: loop {} /* c */ }', 'f type x:property m s/string y l c/comment'],
  ['java', 'class A { String s = "t" + x.y(); /* c */ }', 'A String:type s t/string x y:property c/comment'],
  ['c', '#define M(x) (x + y)\nint f(size_t a) { return M("s")->b; }', 'M x x y f size_t:type a M s/string b:property'],
  ['cpp', 'namespace n { auto s = R"(x y)"; }', 'n s x/string y/string'],
  ['csharp', 'class A { void M() { var @x = $"a {x.Y} b"; } }', 'A M x a/string x Y:property b/string'],
  [
    'ruby',
    'x = :sym; @iv = "a #{x} b"; y?; { k: 1 }; /r/ # c',
    'x sym/string:symbol iv a/string x b/string y:property k:property r/regex c/comment',
  ],
  ['php', '<?php $x = "a $y {$z->w}"; f(\'s\'); // c', 'x a/string y z w:property f s/string c/comment'],
];

describe('tokens', () => {
  test.each(cases)('%s: %s', async (language, text, tokens) => {
    expect(await show(language, text)).toBe(tokens);
  });

  test('JSX', async () => {
    expect(await show('typescript', '<A.B c="d">e {f}</A.B>;<g-h i/>', 'a.tsx')).toBe(
      'A B:property c:property d/string e/string f A B:property g-h:jsx i:property',
    );
  });

  test('text inside an ERROR node is neither string nor comment', async () => {
    expect(await show('typescript', 'let a = 1;\n@@@ "b" /* c */ d ###')).toMatch(/^a\b/);
    const broken = await show('python', 'x = (1\n# c\n"s" %% y ??\n');
    expect(broken.split(' ').filter((token) => /\/(?:string|comment)/.test(token))).toEqual([]);
    expect(broken).toContain('/error');
  });

  test('keywords are no tokens', async () => {
    expect(await show('typescript', 'if (true) { return; } else { throw null; }')).toBe('');
    expect(await show('python', 'if True: pass\n')).toBe('');
  });
});
