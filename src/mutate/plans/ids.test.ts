import { expect, test } from 'vitest';
import { ambiguityFingerprint, candidateId, groupId, itemId, planHash, planId } from './ids.ts';
import type { Anchor, PlanDraft } from './plan.ts';

const anchor: Anchor = { before: 'a', text: 'old', after: 'b', lineHash: '0', ordinal: 0 };
const item = { kind: 'unaccounted_token', path: 'a.ts', anchor, detail: 'x' } as const;
const other = { ...item, anchor: { ...anchor, ordinal: 1 } };

test('M20 group, item and candidate ids are equal for equal inputs and independent of order', () => {
  const group = { kind: 'rename', symbolKeys: ['b', 'a'], class: 'main' } as const;
  expect(groupId(group)).toBe(groupId({ ...group, symbolKeys: ['a', 'b', 'a'] }));
  expect(groupId(group)).toBe(groupId({ ...group, itemId: null, option: null, at: null }));
  const others = [
    groupId({ ...group, kind: 'move_file' }),
    groupId({ ...group, symbolKeys: ['ab'] }),
    groupId({ ...group, itemId: 'i' }),
    groupId({ ...group, itemId: 'i', option: 'rename' }),
    groupId({ ...group, class: 'text', at: item }),
    groupId({ ...group, class: 'text', at: other }),
  ];
  expect(new Set([groupId(group), ...others]).size).toBe(others.length + 1);
  expect(itemId({ ...item })).toBe(itemId({ ...item, anchor: { ...anchor } }));
  expect(itemId(other)).not.toBe(itemId(item));
  expect(candidateId('i', 'leave')).not.toBe(candidateId('i', 'rename'));
  expect(ambiguityFingerprint([item, other])).toBe(ambiguityFingerprint([other, item]));
  expect(ambiguityFingerprint([item])).not.toBe(ambiguityFingerprint([item, other]));
  expect(ambiguityFingerprint([item])).not.toBe(ambiguityFingerprint([{ ...item, detail: 'y' }]));
});

test('equal plans have equal hashes, and each plan an id of its own', () => {
  const edit = {
    path: 'a',
    startByte: 0,
    endByte: 1,
    oldText: 'a',
    newText: 'b',
    form: 'plain',
    line: 1,
    col: 1,
    anchor,
  } as const;
  const groups = [
    {
      id: 'g1',
      title: 't',
      provenance: 'proven',
      itemId: null,
      option: null,
      edits: [edit, { ...edit, startByte: 4 }],
    },
    { id: 'g2', title: 't', provenance: 'text', itemId: 'i', option: 'rename', edits: [] },
  ] as const;
  const files = [
    { path: 'a', role: 'edited', hash: 'h', newHash: null, mode: null },
    { path: 'b', role: 'affected', hash: 'k', newHash: null, mode: null },
  ] as const;
  const draft = {
    operation: { kind: 'rename', input: { target: 'a.ts:1:1', cwd: '/a', wait_ms: 10 } },
    symbol: { key: 'k', name: 'a', namePath: 'a', kind: 'variable', definedAt: { file: 'a', line: 1, col: 1 } },
    newName: 'b',
    groups,
    items: [],
    files,
    moves: [],
  } as const;
  const shuffled = {
    ...draft,
    // Asked for in other words.
    operation: { kind: 'rename', input: { target: 'a' } },
    groups: [groups[1], { ...groups[0], edits: groups[0].edits.toReversed() }],
    files: files.toReversed(),
  } as const;
  expect(planHash(shuffled)).toBe(planHash(draft));
  const changed: Partial<PlanDraft>[] = [
    { files: [{ ...files[0], hash: 'other' }, files[1]] },
    { groups: [{ ...groups[0], edits: [{ ...edit, newText: 'c' }] }, groups[1]] },
    { moves: [{ from: 'a', to: 'c' }] },
    { operation: { kind: 'move_file', input: {} } },
    { newName: 'c' },
    { symbol: { ...draft.symbol, key: 'l' } },
  ];
  for (const change of changed) expect(planHash({ ...draft, ...change })).not.toBe(planHash(draft));
  const of = { ...draft, rootHash: 'r', ambiguityFp: 'f', random: '0' };
  expect(planId(of)).toBe(planId({ ...of, files: files.toReversed() }));
  expect(planId({ ...of, random: '1' })).not.toBe(planId(of));
});
