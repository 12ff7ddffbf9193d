import { expect, test } from 'vitest';
import type { ProofReport } from './messages.ts';
import { joinReports } from './share-proof.ts';

const proven = (more: object): ProofReport => ({
  kind: 'proven',
  tokens: 0,
  files: 1,
  programs: 1,
  diagnostics: 0,
  ms: {},
  ...more,
});
const place = { at: { path: 'a.ts', start: 0, end: 1 }, before: '', after: '' };
const gaps: Extract<ProofReport, { kind: 'gaps' }> = { kind: 'gaps', places: [place], more: 0 };
const disproved = (reason: 'bindings_change' | 'new_diagnostics'): ProofReport => ({
  kind: 'disproved',
  reason,
  places: [place],
  more: 0,
});

test('M15 a proof in two parts holds only if both hold', () => {
  expect(
    joinReports(proven({ tokens: 3, ms: { bindings: 5 } }), proven({ diagnostics: 2, ms: { diagnostics: 7 } })),
  ).toEqual(proven({ tokens: 3, diagnostics: 2, ms: { bindings: 5, diagnostics: 7 } }));
  expect(joinReports(proven({}), disproved('new_diagnostics'))).toEqual(disproved('new_diagnostics'));
  expect(joinReports(disproved('bindings_change'), disproved('new_diagnostics'))).toEqual(disproved('bindings_change'));
});

test('M18 a gap in either part is a gap, and no excuse for what is disproved', () => {
  expect(joinReports(gaps, proven({}))).toEqual(gaps);
  expect(joinReports(proven({}), gaps)).toEqual(gaps);
  expect(joinReports({ ...gaps, more: 3 }, gaps)).toEqual({ ...gaps, more: 3 });
  expect(joinReports(gaps, disproved('new_diagnostics'))).toEqual(disproved('new_diagnostics'));
});
