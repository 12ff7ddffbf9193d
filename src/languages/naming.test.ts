import { describe, expect, test } from 'vitest';
import fc from '../../test/support/properties.ts';
import { type AboutName, checkName, findCoupledFileName, findVisibilityChange, reservedWordsOf } from './naming.ts';
import { languages } from './registry.gen.ts';

const plain: AboutName = { isPrivateName: false, isJsxComponent: false, kind: 'variable' };

function reasonFor(language: string, oldName: string, newName: string, about: Partial<AboutName> = {}): string {
  return checkName(language, oldName, newName, { ...plain, ...about })?.reason ?? 'ok';
}

describe('M10 identifiers of the language', () => {
  test.each([
    ['typescript', 'total', 'ok'],
    ['typescript', '$', 'ok'],
    ['typescript', '_', 'ok'],
    ['typescript', 'größe', 'ok'],
    ['typescript', '名前', 'ok'],
    ['typescript', '𝒳', 'ok'],
    ['typescript', 'a\u200db', 'ok'],
    ['typescript', '1a', 'invalid_name'],
    ['typescript', 'a-b', 'invalid_name'],
    ['typescript', 'a b', 'invalid_name'],
    ['typescript', ' a', 'invalid_name'],
    ['typescript', 'a\n', 'invalid_name'],
    ['typescript', 'a.b', 'invalid_name'],
    ['typescript', '\\u0061', 'invalid_name'],
    ['typescript', 'a\ud800', 'invalid_name'],
    ['typescript', '\u0301a', 'invalid_name'],
    ['typescript', '', 'invalid_name'],
    ['typescript', '"a"', 'invalid_name'],
    ['javascript', '$el', 'ok'],
    ['javascript', 'a;b', 'invalid_name'],
    ['python', 'ﬁrst', 'ok'],
    ['python', '$a', 'invalid_name'],
    ['python', 'a\u037a', 'invalid_name'],
    ['go', 'été', 'ok'],
    ['go', 'a٣', 'ok'],
    ['go', 'a\u0301', 'invalid_name'],
    ['go', 'a$', 'invalid_name'],
    ['rust', 'r#match', 'ok'],
    ['rust', 'r#', 'invalid_name'],
    ['rust', 'x#y', 'invalid_name'],
    ['java', '$a€', 'ok'],
    ['java', '9a', 'invalid_name'],
    ['c', 'a_1', 'ok'],
    ['c', 'a$', 'invalid_name'],
    ['cpp', 'naïve', 'ok'],
    ['csharp', '@class', 'ok'],
    ['csharp', 'a@', 'invalid_name'],
    ['php', 'été', 'ok'],
    ['php', 'a-b', 'invalid_name'],
    ['ruby', 'a_b', 'ok'],
    ['ruby', 'a?b', 'invalid_name'],
    ['kotlin', 'abc', 'ok'],
    ['kotlin', 'a b', 'invalid_name'],
  ])('M10 %s: %j is %s', (language, name, reason) => {
    expect(reasonFor(language, 'old', name)).toBe(reason);
  });

  test('M10 `#` is neither added nor dropped', () => {
    expect(reasonFor('typescript', '#a', 'b', { isPrivateName: true, kind: 'property' })).toBe('invalid_name');
    expect(reasonFor('typescript', 'a', '#b', { kind: 'property' })).toBe('invalid_name');
    expect(reasonFor('typescript', '#a', '#b', { isPrivateName: true, kind: 'property' })).toBe('ok');
    expect(reasonFor('typescript', '#a', '#1', { isPrivateName: true, kind: 'property' })).toBe('invalid_name');
    expect(reasonFor('typescript', '#a', '##b', { isPrivateName: true, kind: 'property' })).toBe('invalid_name');
    expect(reasonFor('typescript', '#a', '#', { isPrivateName: true, kind: 'property' })).toBe('invalid_name');
    expect(reasonFor('typescript', '#a', '#delete', { isPrivateName: true, kind: 'property' })).toBe('ok');
    expect(reasonFor('typescript', '#a', '#constructor', { isPrivateName: true })).toBe('reserved_name');
    expect(reasonFor('typescript', '#a', '#a', { isPrivateName: true })).toBe('same_name');
  });

  test('M10 a JSX component does not begin in lower case', () => {
    expect(reasonFor('typescript', 'Button', 'button', { isJsxComponent: true })).toBe('invalid_name');
    expect(reasonFor('javascript', 'Button', 'link', { isJsxComponent: true })).toBe('invalid_name');
    for (const name of ['Link', '_link', '$link', 'Äpfel', 'äpfel'])
      expect(reasonFor('typescript', 'Button', name, { isJsxComponent: true })).toBe('ok');
    expect(reasonFor('typescript', 'Button', 'button')).toBe('ok');
  });

  test('M10 sigils of Ruby and PHP stay', () => {
    expect(reasonFor('ruby', '@a', '@b')).toBe('ok');
    expect(reasonFor('ruby', '@a', 'b')).toBe('invalid_name');
    expect(reasonFor('ruby', '@a', '@@b')).toBe('invalid_name');
    expect(reasonFor('ruby', 'a', 'B')).toBe('invalid_name');
    expect(reasonFor('ruby', 'Old', 'old', { kind: 'class' })).toBe('invalid_name');
    expect(reasonFor('ruby', 'empty', 'empty?', { kind: 'method' })).toBe('ok');
    expect(reasonFor('ruby', 'a', 'b?')).toBe('invalid_name');
    expect(reasonFor('php', '$a', 'b')).toBe('invalid_name');
    expect(reasonFor('php', '$a', '$class')).toBe('ok');
    expect(reasonFor('php', '$a', '$this')).toBe('reserved_name');
  });

  test('M10 any two texts have an answer', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...languages.map(({ name }) => name), 'text'),
        fc.string({ unit: 'binary' }),
        fc.boolean(),
        fc.boolean(),
        (language, name, isPrivateName, isJsxComponent) => {
          const problem = checkName(language, 'old', name, { isPrivateName, isJsxComponent, kind: 'property' });
          expect(problem === undefined || problem.detail.length > 0).toBe(true);
        },
      ),
    );
  });
});

describe('M10 reserved names', () => {
  test.each(languages.map(({ name }) => name))('M10 %s: no word of its lists is accepted', (language) => {
    const lists = reservedWordsOf(language);
    if (lists === undefined) throw new Error(`no reserved words for ${language}`);
    const old = language === 'ruby' ? 'Old' : 'old';
    for (const word of lists.always) {
      // Ruby's capital keywords are no variables in the first place.
      expect([word, reasonFor(language, /^[A-Z]/.test(word) ? old : 'old', word)]).toEqual([word, 'reserved_name']);
    }
    for (const word of lists.members)
      expect([word, reasonFor(language, 'old', word, { kind: 'property' })]).toEqual([word, 'reserved_name']);
    if (language === 'ruby') return;
    for (const word of lists.types)
      expect([word, reasonFor(language, 'old', word, { kind: 'class' })]).toEqual([word, 'reserved_name']);
    for (const word of lists.functions)
      expect([word, reasonFor(language, 'old', word, { kind: 'function' })]).toEqual([word, 'reserved_name']);
  });

  test.each([
    // Behind a dot any word of the language is a name.
    ['typescript', 'delete', 'property', 'ok'],
    ['typescript', 'class', 'method', 'ok'],
    ['typescript', 'await', 'enum_member', 'ok'],
    ['typescript', 'delete', 'function', 'reserved_name'],
    ['typescript', 'constructor', 'method', 'reserved_name'],
    ['typescript', 'constructor', 'variable', 'ok'],
    ['typescript', 'string', 'variable', 'ok'],
    ['typescript', 'string', 'interface', 'reserved_name'],
    ['typescript', 'string', 'type_parameter', 'reserved_name'],
    ['typescript', 'String', 'class', 'ok'],
    ['typescript', 'async', 'function', 'ok'],
    ['typescript', 'of', 'variable', 'ok'],
    ['typescript', 'type', 'variable', 'ok'],
    ['typescript', 'await', 'variable', 'reserved_name'],
    ['typescript', 'yield', 'parameter', 'reserved_name'],
    ['typescript', 'static', 'variable', 'reserved_name'],
    ['javascript', 'any', 'class', 'ok'],
    ['python', 'match', 'variable', 'reserved_name'],
    ['python', 'match', 'method', 'ok'],
    ['python', 'class', 'method', 'reserved_name'],
    ['python', 'print', 'function', 'ok'],
    // Compared as Python compares names.
    ['python', 'ｉｆ', 'variable', 'reserved_name'],
    ['go', 'len', 'variable', 'ok'],
    ['go', 'init', 'function', 'reserved_name'],
    ['go', 'init', 'parameter', 'ok'],
    ['go', 'range', 'field', 'reserved_name'],
    ['rust', 'union', 'variable', 'ok'],
    ['rust', 'r#crate', 'variable', 'reserved_name'],
    ['rust', 'gen', 'function', 'reserved_name'],
    ['java', 'record', 'variable', 'ok'],
    ['java', 'record', 'class', 'reserved_name'],
    ['java', 'yield', 'method', 'reserved_name'],
    ['csharp', 'var', 'variable', 'ok'],
    ['csharp', 'record', 'class', 'reserved_name'],
    ['php', 'ECHO', 'function', 'reserved_name'],
    ['php', 'list', 'method', 'ok'],
    ['ruby', 'class', 'method', 'ok'],
  ])('M10 %s: `%s` for a %s is %s', (language, name, kind, reason) => {
    expect(reasonFor(language, 'old', name, { kind })).toBe(reason);
  });
});

describe('M10 the same name', () => {
  test.each([
    ['typescript', 'a', 'a', 'same_name'],
    ['typescript', '\\u0061', 'a', 'same_name'],
    ['typescript', 'é', 'e\u0301', 'ok'],
    ['python', 'first', 'ﬁrst', 'same_name'],
    ['rust', 'match_', 'r#match_', 'same_name'],
    ['rust', 'é', 'e\u0301', 'same_name'],
    ['csharp', 'name', '@name', 'same_name'],
    ['go', 'é', 'É', 'ok'],
    ['ruby', 'empty', 'empty', 'same_name'],
  ])('M10 %s: %j to %j is %s', (language, oldName, newName, reason) => {
    expect(reasonFor(language, oldName, newName)).toBe(reason);
  });

  test('M10 PHP does not tell functions apart by case, but variables', () => {
    expect(reasonFor('php', 'load', 'Load', { kind: 'function' })).toBe('case_clash');
    expect(reasonFor('php', 'Load', 'LOAD', { kind: 'class' })).toBe('case_clash');
    expect(reasonFor('php', '$load', '$Load')).toBe('ok');
    expect(reasonFor('php', 'load', 'reload', { kind: 'function' })).toBe('ok');
  });
});

describe('M10 visibility by spelling', () => {
  test.each([
    ['go', 'load', 'Load', false, 'package', 'exported', null],
    ['go', 'Load', 'load', false, 'exported', 'package', 'other_packages'],
    ['go', 'Load', '_load', false, 'exported', 'package', 'other_packages'],
    ['go', 'ä', 'Ä', true, 'package', 'exported', null],
    ['python', 'a', '_a', false, 'public', 'internal', 'star_imports'],
    ['python', '_a', 'a', false, 'internal', 'public', null],
    ['python', 'a', '__a', true, 'public', 'mangled', 'outside_class'],
    ['python', '__a', 'a', true, 'mangled', 'public', null],
    ['python', 'a', '__a__', true, 'public', 'special', null],
    ['python', 'a', '__a', false, 'public', 'internal', 'star_imports'],
  ])('M10 %s: %s to %s', (language, oldName, newName, isMember, from, to, breaks) => {
    expect(findVisibilityChange(language, oldName, newName, isMember)).toMatchObject({ from, to, breaks });
  });

  test.each([
    ['go', 'load', 'read'],
    ['go', 'Load', 'Read'],
    ['python', '_a', '_b'],
    ['python', '_a', '__b'],
    ['typescript', 'a', '_a'],
  ])('M10 %s: %s to %s changes nothing', (language, oldName, newName) => {
    expect(findVisibilityChange(language, oldName, newName, false)).toBeUndefined();
  });
});

const find = (language: string, path: string, name: string, kind: string, files: readonly string[] = []) =>
  findCoupledFileName({ language, path, name, kind, hasFile: (one) => files.includes(one) })?.detail;

test('M10 a Java type and its file have one name; a type beside it, or a member, has its own', () => {
  expect(find('java', 'src/A.java', 'A', 'class')).toContain('src/A.java');
  expect(find('java', 'src/A.java', 'B', 'class')).toBeUndefined();
  expect(find('java', 'src/A.java', 'A', 'method')).toBeUndefined();
});

test('M10 a Rust module and the file that holds it have one name; one that is written in place has its own', () => {
  expect(find('rust', 'src/main.rs', 'shop', 'module', ['src/shop.rs'])).toContain('src/shop.rs');
  expect(find('rust', 'src/shop.rs', 'till', 'module', ['src/shop/till/mod.rs'])).toContain('src/shop/till/mod.rs');
  expect(find('rust', 'src/main.rs', 'inner', 'module')).toBeUndefined();
  expect(find('rust', 'lib.rs', 'shop', 'module', ['shop.rs'])).toContain('shop.rs');
});

test('other languages tie nothing', () => {
  expect(find('typescript', 'A.ts', 'A', 'class')).toBeUndefined();
});
