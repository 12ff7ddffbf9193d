import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import type { JsonObject } from '../../kernel/base/json.ts';
import type { ImagePackage } from '../sbom/sbom-section.ts';
import { type CveFinding, sortCves, uniteCves } from './cve-findings.ts';
import { convertGrype } from './grype.ts';

const packages: readonly ImagePackage[] = [
  { type: 'npm', name: 'a', version: '1.0.0', purl: '', source: null, location: '/x', reach: 'present' },
  { type: 'npm', name: 'a', version: '1.0.0', purl: '', source: null, location: '/y', reach: 'loaded' },
];

test('what grype says, in our words: the CVE of a GHSA, the reach of the package', () => {
  const document: JsonObject = {
    matches: [
      {
        vulnerability: { id: 'GHSA-1', severity: 'High', fix: { versions: ['1.2.0'], state: 'fixed' } },
        relatedVulnerabilities: [{ id: 'CVE-2024-1' }],
        artifact: { name: 'a', version: '1.0.0', type: 'npm' },
      },
      {
        vulnerability: { id: 'CVE-2024-2', severity: 'Odd', fix: { versions: [], state: 'wont-fix' } },
        artifact: { name: 'b' },
      },
    ],
  };
  expect(convertGrype(document, packages)).toEqual([
    {
      cve_id: 'CVE-2024-1',
      package_name: 'a',
      package_version: '1.0.0',
      package_type: 'npm',
      severity: 'high',
      fix_state: 'fixed',
      fixed_in: '1.2.0',
      reachable: 'loaded',
    },
    {
      cve_id: 'CVE-2024-2',
      package_name: 'b',
      package_version: '',
      package_type: 'other',
      severity: 'unknown',
      fix_state: 'wont-fix',
      fixed_in: null,
      reachable: 'unknown',
    },
  ]);
});

test('G32 any JSON is converted or refused, never thrown at', () => {
  expect(convertGrype({}, packages)).toBe(null);
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (matches) => {
      expect(convertGrype({ matches } as JsonObject, packages)).not.toBe(null);
    }),
  );
});

const finding: fc.Arbitrary<CveFinding> = fc.record({
  cve_id: fc.constantFrom('CVE-1', 'CVE-2', 'CVE-3'),
  package_name: fc.constantFrom('a', 'b'),
  package_version: fc.constantFrom('1', '2'),
  package_type: fc.constantFrom('npm', 'deb'),
  severity: fc.constantFrom('critical', 'low', 'unknown'),
  fix_state: fc.constantFrom('fixed', 'unknown'),
  fixed_in: fc.constantFrom(null, '2.0.0', '3.0.0'),
  reachable: fc.constantFrom('loaded', 'present', 'unknown'),
});
const keyOf = (each: CveFinding) => [each.package_type, each.package_name, each.package_version, each.cve_id].join(' ');

test('G40 a union holds what either has and nothing else, and counts what only one has', () => {
  fc.assert(
    fc.property(fc.array(finding), fc.array(finding), (first, second) => {
      const [a, b] = [new Set(first.map(keyOf)), new Set(second.map(keyOf))];
      const { findings, disagreements } = uniteCves(first, second);
      expect(findings.map(keyOf).sort()).toEqual([...new Set([...a, ...b])].sort());
      expect(disagreements).toBe(
        [...a].filter((key) => !b.has(key)).length + [...b].filter((key) => !a.has(key)).length,
      );
      expect(uniteCves(first, first).disagreements).toBe(0);
    }),
  );
});

test('G40 the order does not hang on the order of what was found', () => {
  fc.assert(
    fc.property(fc.array(finding), (findings) => {
      expect(sortCves([...findings].reverse())).toEqual(sortCves(findings));
    }),
  );
});

test('a package that is loaded in one of its places is reachable', () => {
  const one = fc.sample(finding, 1)[0];
  if (one === undefined) throw new Error('no sample');
  const found = sortCves([
    { ...one, reachable: 'present' },
    { ...one, reachable: 'loaded' },
    { ...one, reachable: 'unknown' },
  ]);
  expect(found.map((each) => each.reachable)).toEqual(['loaded']);
});
