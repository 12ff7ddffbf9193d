import { expect, test } from 'vitest';
import { secretSamples } from '../../../test/support/secret-samples.ts';
import { changedSinceRecorded, recordInputs } from './input-snapshot.ts';

const input = (id: string, keyHash: string) => ({ id, kind: 'file', keyHash });
const secret = secretSamples.github_token[0]?.secret ?? '';

test('changed, made and removed files are told by name, in order', () => {
  const recorded = recordInputs([input('a', '1'), input('b', '1'), input('c', '1')]);
  expect(changedSinceRecorded(recorded, [input('d', '1'), input('c', '1'), input('a', '2')])).toEqual(['a', 'b', 'd']);
  expect(changedSinceRecorded(recorded, [input('a', '1'), input('b', '1'), input('c', '1')])).toEqual([]);
});

test('G22 a name that is a secret is recorded without it, and still recognised', () => {
  const inputs = [input(`keys/${secret}.txt`, '1'), input('a', '1')];
  const recorded = recordInputs(inputs);
  expect(JSON.stringify(recorded)).not.toContain(secret);
  expect(changedSinceRecorded(recorded, inputs)).toEqual([]);
  expect(changedSinceRecorded(recorded, [input(`keys/${secret}.txt`, '2'), input('a', '1')])).toHaveLength(1);
});

test('a list that cannot be read proves nothing', () => {
  for (const recorded of [null, {}, 'x', 3]) expect(changedSinceRecorded(recorded, [input('a', '1')])).toEqual([]);
});
