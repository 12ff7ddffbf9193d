import { afterAll, describe, expect, test } from 'vitest';
import { closePrograms } from '../../../../test/support/open-programs.ts';
import { askedAbout } from '../../../../test/support/rename-world.ts';
import { protocols } from './protocol-names.ts';

afterAll(closePrograms);

describe('M9 members that the language and the platform look up', () => {
  test.each(protocols.map((each) => [each.source, each.owner, each.example]))(
    'M9 away: %s, %s',
    (_, owner, example) => {
      const path = owner === 'an attribute in JSX' ? 'a.tsx' : 'a.ts';
      const [, name] = /«(\w+)»/.exec(example) ?? [];
      expect(askedAbout('protocol_name', { [path]: example })).toEqual([`${path}: ${name}`]);
    },
  );

  test.each([
    ['toJSON', 'export class C { «show»() { return 1; } }'],
    ['then', 'export class C { «run»(f: () => void) { f(); } }'],
    ['return', 'export class C { next() { return { done: true, value: 1 }; } «close»() {} }'],
    ['connectedCallback', 'export class C { «mount»() {} }'],
  ])('M9 into: %s', (newName, source) => {
    expect(askedAbout('protocol_name', source, newName)).toHaveLength(1);
  });

  test.each([
    ['what cannot be called', 'export interface If { «then»: string }'],
    ['a list that has a next', 'export class Item { «next»?: Item; value = 1; }'],
    ['a store', 'export class Store { «get»(k: string) { return k; } }'],
    ['a box', 'export class Box { «value» = 1; }'],
    ['a method called return', 'export class Loan { «return»() {} }'],
    ['a member of an enum', 'export enum E { «then» }'],
    ['a local variable', 'export function f() { const «then» = () => 1; return then(); }'],
  ])('M9 not: %s', (_, source) => {
    expect(askedAbout('protocol_name', source)).toEqual([]);
  });
});
