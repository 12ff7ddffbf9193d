import { expect, test } from 'vitest';
import type { Question } from '../../../index/navigate/question.ts';
import { findPublicPlaces } from './public-places.ts';

/** Which of these Go files show a name to other modules. */
function listPublicGo(files: Readonly<Record<string, string>>, oldName: string): readonly string[] {
  const source = (path: string) => {
    const text = files[path];
    return text === undefined ? undefined : { text, bytes: Buffer.from(text), bom: false };
  };
  const paths = Object.keys(files).filter((path) => path.endsWith('.go'));
  return findPublicPlaces({
    question: { source } as unknown as Question,
    language: 'go',
    oldName,
    symbols: [],
    definitions: paths.map((path) => ({ path, start: 0, end: 1 })),
  }).map(({ path }) => path);
}

const files = {
  'go.mod': 'module example.com/lib\n\ngo 1.21\n',
  'lib.go': 'package lib\n',
  'lib_test.go': 'package lib\n',
  'deep/in/a.go': '// Package in.\npackage in\n',
  'internal/b.go': 'package internal\n',
  'x/internal/y/c.go': 'package y\n',
  'cmd/tool/main.go': '// Command tool.\npackage main\n',
  'testdata/d.go': 'package d\n',
  '_old/e.go': 'package e\n',
  'tools/go.mod': 'module tools\n',
  'tools/f.go': 'package f\n',
};

test('exported names of packages that other modules can import, and no others', () => {
  expect(listPublicGo(files, 'Shape')).toEqual(['lib.go', 'deep/in/a.go']);
  expect(listPublicGo(files, 'shape')).toEqual([]);
});

test('nothing of a module that no path leads to', () => {
  expect(listPublicGo({ ...files, 'go.mod': 'module lib\n' }, 'Shape')).toEqual([]);
  expect(listPublicGo({ 'a.go': 'package a\n' }, 'Shape')).toEqual([]);
});
