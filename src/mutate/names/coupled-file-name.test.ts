import { expect, test } from 'vitest';
import { findCoupledFileName } from './coupled-file-name.ts';

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
