/**
 * Lines, in code and beside it, in which a program leans on the system around it: programs started by path, shells, platform
 * switches, preloaded libraries, fixed temporary paths. Found by rg; what it cut short makes the total a lower bound.
 */

import { defineProbe } from '../../gather/contract.ts';
import { createToolClock } from '../shared/scanners.ts';
import { grepSection } from './ripgrep-curated-section.ts';

const timeoutSeconds = 30;

export default defineProbe({
  name: 'ripgrep_curated',
  version: '0.1.0',
  layer: 'G',
  says: 'Lines that lean on the system around the program: binaries by path, shells, platform switches, temporary paths.',
  heaviness: 'light',
  sections: { grep_findings: grepSection },
  declaredInputs: ['**/*'],
  configKeys: ['ripgrep.extra_patterns'],
  tools: ['rg'],
  timeoutSeconds,
  budget: { rawArtifactMb: 64, truncateMb: 20 },
  artifacts: ['grep-findings.json'],
  warningIds: [
    'ripgrep_curated.tool_missing',
    'ripgrep_curated.capped',
    'ripgrep_curated.pattern_invalid',
    'ripgrep_curated.files_unreadable',
  ],
  errorIds: ['ripgrep_curated.scan_failed'],
  confidenceRule: 'high when it ran, medium when some file could not be read, low when it failed or searched nothing',
  applies: ({ scope }) => scope.files.some(({ kind, size }) => kind === 'file' && size > 0),
  async run(repo, ctx) {
    const { gatherRipgrepCurated } = await import('./gather-ripgrep-curated.ts');
    return gatherRipgrepCurated(repo, ctx, createToolClock(repo, 'ripgrep_curated', timeoutSeconds));
  },
  examples: [
    {
      shows: 'a shell started by path; two patterns on one line count for both, and no ignore file of rg has a say',
      needs: ['rg'],
      files: {
        '.ignore': 'src\n',
        '.rgignore': 'src\n',
        'src/run.js': "export const list = () =>\n  // by path\nspawn('/bin/sh', ['-c', 'ls']);\n",
        'yarn.lock': '# /tmp/x\n',
      },
      gives: {
        grep_findings: {
          outcome: { kind: 'ran' },
          patterns: [
            { id: 'bin_path', matches: 1, files: 1, capped: false },
            { id: 'exec_call', matches: 0, files: 0, capped: false },
            { id: 'spawn_call', matches: 1, files: 1, capped: false },
            { id: 'platform_check', matches: 0, files: 0, capped: false },
            { id: 'ld_preload', matches: 0, files: 0, capped: false },
            { id: 'shell_true', matches: 0, files: 0, capped: false },
            { id: 'tmp_path', matches: 0, files: 0, capped: false },
          ],
          findings: [
            { pattern_id: 'bin_path', path: 'src/run.js', line: 3, snippet: "spawn('/bin/sh', ['-c', 'ls']);" },
            { pattern_id: 'spawn_call', path: 'src/run.js', line: 3, snippet: "spawn('/bin/sh', ['-c', 'ls']);" },
          ],
          findings_total: { value: 2, relation: 'eq' },
        },
      },
      warnings: [],
      confidence: 'high',
    },
    {
      shows:
        'a file with more than a hundred such lines makes the total a lower bound; a pattern that rg cannot read is left out',
      needs: ['rg'],
      files: {
        '.codegenie/config.yaml': 'ripgrep.extra_patterns: ["\\\\bTODO\\\\b", "("]\n',
        'many.sh': '/bin/true\n'.repeat(150),
        'notes.txt': 'TODO: less\n',
      },
      gives: {
        grep_findings: {
          patterns: [
            { id: 'bin_path', matches: 100, files: 1, capped: true },
            { id: 'exec_call', matches: 0, files: 0, capped: true },
            { id: 'spawn_call', matches: 0, files: 0, capped: true },
            { id: 'platform_check', matches: 0, files: 0, capped: true },
            { id: 'ld_preload', matches: 0, files: 0, capped: true },
            { id: 'shell_true', matches: 0, files: 0, capped: true },
            { id: 'tmp_path', matches: 0, files: 0, capped: true },
            { id: 'extra_1', matches: 1, files: 1, capped: true },
          ],
          findings_total: { value: 101, relation: 'gte' },
        },
      },
      warnings: ['ripgrep_curated.capped', 'ripgrep_curated.pattern_invalid'],
      confidence: 'high',
    },
    {
      shows: 'nothing of the kind: looked for, and not there',
      needs: ['rg'],
      files: { 'a.txt': 'hello\n' },
      gives: {
        grep_findings: { outcome: { kind: 'ran' }, findings: [], findings_total: { value: 0, relation: 'eq' } },
      },
      warnings: [],
      confidence: 'high',
    },
  ],
});
