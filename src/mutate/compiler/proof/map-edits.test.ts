import { expect, test } from 'vitest';
import { readMarkedEdits } from '../../../../test/support/marked-edits.ts';
import { type Node, SyntaxKind } from '../../../languages/typescript/compiler/typescript-api.ts';
import type { NameToken } from '../job/job-types.ts';
import type { ProofQuestion } from '../session/messages.ts';
import { mapEdits } from './map-edits.ts';

/** A token of `name` at each of its places, whose parent is of this kind. */
function tokensOf(text: string, name: string, parent: SyntaxKind): NameToken[] {
  return [...text.matchAll(new RegExp(`\\b${name}\\b`, 'g'))].map(({ index }) => {
    const node = { kind: SyntaxKind.Identifier, text: name } as unknown as Node & { parent: unknown };
    node.parent = { kind: parent, name: node } as never;
    return { path: 'a.ts', start: index, end: index + name.length, text: name, kind: 'identifier', node };
  });
}

function mapMarked(source: string, parent: SyntaxKind, moves: ProofQuestion['moves'] = []) {
  const { files, edits, family } = readMarkedEdits({ 'a.ts': source });
  const text = files['a.ts'] ?? '';
  const tokens = tokensOf(text, 'a', parent);
  const question: ProofQuestion = {
    kind: 'prove',
    oldName: 'a',
    newName: 'bb',
    edits,
    moves,
    reach: 'repo',
    family,
    isMember: false,
  };
  return { map: mapEdits(question, () => tokens), tokens, text };
}

const startsOf = (source: string, parent: SyntaxKind) => {
  const { map, tokens, text } = mapMarked(source, parent);
  const after = map.textAfter('a.ts', text);
  return tokens.map((token) => map.images(token).map(({ start, end }) => after.slice(start, end)));
};

test('M15 names after an edit shift, edited names are their new texts', () => {
  expect(startsOf('x «a→bb» y a «a→bb»', SyntaxKind.VariableDeclaration)).toEqual([['bb'], ['a'], ['bb']]);
});

test('M15 the end of an edit is the end of its new text', () => {
  const { map } = mapMarked('x «a→bb» y', SyntaxKind.VariableDeclaration);
  expect([0, 2, 3, 4].map((at) => map.offset('a.ts', at))).toEqual([0, 2, 4, 5]);
});

test('M11 a written-out name is two, and what it declares is named by the half that says so', () => {
  expect(startsOf('{ «a→a: bb» } a', SyntaxKind.ShorthandPropertyAssignment)).toEqual([['a', 'bb'], ['a']]);
  expect(startsOf('{ «a→bb as a» } a', SyntaxKind.ImportSpecifier)).toEqual([['bb', 'a'], ['a']]);
  const place = { path: 'a.ts', start: 2, outside: false };
  expect(mapMarked('{ «a→a: bb» }', SyntaxKind.ShorthandPropertyAssignment).map.placeKey(place)).toBe('a.ts\x002');
  expect(mapMarked('{ «a→bb: a» }', SyntaxKind.BindingElement).map.placeKey(place)).toBe('a.ts\x006');
  expect(mapMarked('{ «a→bb as a» }', SyntaxKind.ExportSpecifier).map.placeKey(place)).toBe('a.ts\x008');
});

test('M15 two names in place of one where the syntax has room for one are no image', () => {
  expect(startsOf('«a→a: bb»', SyntaxKind.VariableDeclaration)).toEqual([['a: bb']]);
});

test('M15 an edit that cuts through a name leaves it without an image', () => {
  const { map, tokens } = mapMarked('«x a→bb»', SyntaxKind.VariableDeclaration);
  expect(tokens.map(map.images)).toEqual([[]]);
});

test('M15 places in moved files have new paths, those outside the root stay', () => {
  const { map } = mapMarked('«a→bb» a', SyntaxKind.VariableDeclaration, [{ from: 'a.ts', to: 'd/b.ts' }]);
  expect(map.placeKey({ path: 'a.ts', start: 2, outside: false })).toBe('d/b.ts\x003');
  expect(map.placeKey({ path: '/lib/a.ts', start: 2, outside: true })).toBe('/lib/a.ts\x002');
  expect([map.path('a.ts'), map.pathBefore('d/b.ts'), map.touched]).toEqual(['d/b.ts', 'a.ts', ['a.ts']]);
});
