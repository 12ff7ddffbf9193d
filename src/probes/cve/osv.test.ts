import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../kernel/base/json.ts';
import { baseScore, severityOfVector, severityOfWord } from './cve-findings.ts';
import { matchOsv, type OsvIdentity, osvIdentity } from './osv.ts';

const advisory = (ecosystem: string, name: string, affected: JsonObject, more: JsonObject = {}): JsonObject => ({
  id: 'GHSA-xxxx',
  aliases: ['CVE-2024-0001'],
  affected: [{ package: { ecosystem, name }, ...affected }],
  ...more,
});
const range = (type: string, ...events: Json[]): JsonObject => ({ ranges: [{ type, events }] });
const npm = (version: string): OsvIdentity => ({ ecosystem: 'npm', name: 'a', version });
const hits = (document: JsonObject, ours: OsvIdentity) => matchOsv(document, ours).match !== null;

describe('ranges', () => {
  const two = advisory(
    'npm',
    'a',
    range('SEMVER', { introduced: '2.0.0' }, { fixed: '2.3.1' }, { introduced: '0' }, { fixed: '1.4.0' }),
  );
  test.each([
    ['0.0.1', true],
    ['1.4.0-rc.1', true],
    ['1.4.0', false],
    ['1.9.9', false],
    ['2.0.0-alpha', false],
    ['2.0.0', true],
    ['2.3.0', true],
    ['2.3.1', false],
    ['9.0.0', false],
  ])('npm %s: %s', (version, expected) => {
    expect(hits(two, npm(version))).toBe(expected);
  });

  test('the fix that is named is the next one, not the first one', () => {
    expect(matchOsv(two, npm('2.1.0')).match).toMatchObject({
      id: 'CVE-2024-0001',
      fixState: 'fixed',
      fixedIn: '2.3.1',
    });
    expect(matchOsv(two, npm('1.0.0')).match).toMatchObject({ fixedIn: '1.4.0' });
  });

  test('last_affected is affected itself; without a fix there is none', () => {
    const document = advisory('npm', 'a', range('SEMVER', { introduced: '1' }, { last_affected: '1.2' }));
    expect(['0.9.0', '1.0.0', '1.2.0', '1.2.1'].map((version) => hits(document, npm(version)))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(matchOsv(document, npm('1.1.0')).match).toMatchObject({ fixState: 'not-fixed', fixedIn: null });
  });

  test('Debian by source package, in the order of Debian, of its own release alone', () => {
    const document = advisory(
      'Debian:12',
      'glibc',
      range('ECOSYSTEM', { introduced: '0' }, { fixed: '2.36-9+deb12u10' }),
    );
    const libc = (version: string, os = { id: 'debian', version: '12' }) =>
      osvIdentity(
        {
          type: 'deb',
          name: 'libc6',
          version,
          purl: '',
          source: { name: 'glibc', version },
          location: '',
          reach: 'unknown',
        },
        os,
      );
    expect(libc('1')).toEqual({ ecosystem: 'Debian:12', name: 'glibc', version: '1' });
    const ask = (identity: OsvIdentity | null) => identity !== null && hits(document, identity);
    expect(ask(libc('2.36-9+deb12u4'))).toBe(true);
    expect(ask(libc('2.36-9+deb12u10'))).toBe(false);
    expect(ask(libc('2.36-9+deb12u4', { id: 'debian', version: '11' }))).toBe(false);
    expect(libc('1', { id: 'fedora', version: '40' })).toBe(null);
    // A package of another distribution's kind is none of this one's.
    expect(libc('1', { id: 'alpine', version: '3.18.4' })).toBe(null);
  });

  test('Alpine in the order of Alpine', () => {
    const document = advisory(
      'Alpine:v3.18',
      'busybox',
      range('ECOSYSTEM', { introduced: '0' }, { fixed: '1.36.1-r10' }),
    );
    const ours = (version: string): OsvIdentity => ({ ecosystem: 'Alpine:v3.18', name: 'busybox', version });
    expect([
      hits(document, ours('1.36.1-r9')),
      hits(document, ours('1.36.1-r10')),
      hits(document, ours('1.36.1_rc1')),
    ]).toEqual([true, false, true]);
  });

  test('PyPI by the versions that are listed; ranges alone are not judged and that is said', () => {
    const ours = { ecosystem: 'PyPI', name: 'py-yaml', version: '5.3' };
    const ranges = range('ECOSYSTEM', { introduced: '0' }, { fixed: '5.4' });
    expect(matchOsv(advisory('PyPI', 'Py_YAML', { ...ranges, versions: ['5.2', '5.3'] }), ours)).toMatchObject({
      match: {},
      unjudged: false,
    });
    expect(matchOsv(advisory('PyPI', 'Py_YAML', { ...ranges, versions: ['5.2'] }), ours)).toEqual({
      match: null,
      unjudged: false,
    });
    expect(matchOsv(advisory('PyPI', 'Py_YAML', ranges), ours)).toEqual({ match: null, unjudged: true });
  });

  test('a version that cannot be placed leaves a range without an answer', () => {
    expect(
      matchOsv(advisory('npm', 'a', range('SEMVER', { introduced: '0' }, { fixed: 'soon' })), npm('1.0.0')).unjudged,
    ).toBe(true);
    expect(matchOsv(advisory('npm', 'a', range('SEMVER', { introduced: '1.0.0' })), npm('latest')).unjudged).toBe(true);
  });

  test('another package, another ecosystem, commits, and documents of no shape say nothing', () => {
    const all = range('SEMVER', { introduced: '0' });
    expect(hits(advisory('npm', 'b', all), npm('1.0.0'))).toBe(false);
    expect(hits(advisory('PyPI', 'a', all), npm('1.0.0'))).toBe(false);
    expect(matchOsv(advisory('npm', 'a', range('GIT', { introduced: '0' })), npm('1.0.0'))).toEqual({
      match: null,
      unjudged: false,
    });
    for (const affected of [
      null,
      1,
      'x',
      [],
      [null],
      [{ package: 5 }],
      [{ package: { ecosystem: 'npm', name: 'a' }, ranges: {}, versions: [{}] }],
    ]) {
      expect(matchOsv({ affected: affected as Json }, npm('1.0.0')).match).toBe(null);
    }
  });
});

describe('severity', () => {
  test.each([
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8, 'critical'],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H', 10, 'critical'],
    ['CVSS:3.0/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N', 6.1, 'medium'],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H', 7.5, 'high'],
    ['CVSS:3.1/AV:L/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N', 1.8, 'low'],
    ['CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:C/C:H/I:H/A:H', 9.9, 'critical'],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N', 0, 'negligible'],
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H', null, 'unknown'],
    ['CVSS:3.1/AV:N', null, 'unknown'],
    ['nonsense', null, 'unknown'],
  ])('%s', (vector, score, word) => {
    expect([baseScore(vector), severityOfVector(vector)]).toEqual([score, word]);
  });

  test('the vector counts before the word', () => {
    const severityOf = (more: JsonObject) =>
      matchOsv(advisory('npm', 'a', range('SEMVER', { introduced: '0' }), more), npm('1.0.0')).match?.severity;
    expect(severityOf({ database_specific: { severity: 'MODERATE' } })).toBe('medium');
    const severity = [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }];
    expect(severityOf({ severity, database_specific: { severity: 'LOW' } })).toBe('critical');
    expect(severityOf({})).toBe('unknown');
    expect(severityOfWord('constructor')).toBe('unknown');
  });
});
