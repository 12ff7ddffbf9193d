/**
 * Hazards that semgrep finds with our own rules for Node programs, shell scripts and image descriptions, and with the user's.
 * Nothing that lies in the repository decides what is looked at, and a scan that looked at nothing is a failure, not a clean bill.
 */

import { defineProbe } from '../../gather/contract.ts';
import { versionPairFreshness } from '../../gather/freshness/index-checks.ts';
import { createToolClock, expectedRulePackVersion, hasSource, scanDetail, scanSection } from '../shared/scanners.ts';

const timeoutSeconds = 180;

export default defineProbe({
  name: 'semgrep',
  version: '0.1.0',
  layer: 'G',
  says: 'Hazards of Node programs, shell scripts and images that semgrep finds with built-in rules and yours, offline.',
  heaviness: 'medium',
  sections: { semgrep_findings: scanSection },
  declaredInputs: ['**/*', 'config:semgrep.config', 'config:semgrep.config:**/*.{yml,yaml}'],
  catalogs: ['semgrep-rules'],
  configKeys: ['semgrep.config'],
  tools: ['semgrep'],
  timeoutSeconds,
  budget: { rssMb: 400, rawArtifactMb: 64, truncateMb: 20 },
  artifacts: ['semgrep-findings.json'],
  warningIds: ['semgrep.tool_missing', 'semgrep.not_configured', 'semgrep.partial_parse'],
  errorIds: ['semgrep.scan_failed'],
  confidenceRule:
    'high when it ran, medium when it could not parse some of the files or left them out as too large or minified, low when it failed or scanned nothing',
  applies: hasSource,
  index: {
    name: 'semgrep',
    check: versionPairFreshness({ index: 'semgrep', versionKey: 'rule_pack_version' }),
    async expected(repo, ctx) {
      const { listSemgrepRules } = await import('./semgrep-rules.ts');
      const { version } = await ctx.exec.toolVersion('semgrep');
      return { expected_rule_pack_version: expectedRulePackVersion(version, listSemgrepRules(repo)) };
    },
    detail: scanDetail,
  },
  async run(repo, ctx) {
    const { gatherSemgrep } = await import('./gather-semgrep.ts');
    return gatherSemgrep(repo, ctx, createToolClock(repo, 'semgrep', timeoutSeconds));
  },
  examples: [
    {
      shows:
        'code made of a string, and a shell that a download is piped into; a file that excuses itself is scanned all the same',
      needs: ['semgrep'],
      files: {
        '.semgrepignore': 'src\n',
        'src/run.js': 'export const run = (code) => eval(code); // nosemgrep\n',
        Dockerfile: 'FROM node:24-slim\nRUN curl -fsSL https://example.com/setup | bash\nUSER node\n',
      },
      gives: {
        semgrep_findings: {
          artifact_uri: '.codegenie/context/raw/semgrep-findings.json',
          outcome: { kind: 'ran' },
          findings_by_severity: { error: 2, warning: 0, info: 0 },
          findings: [
            {
              rule_id: 'download-piped-to-shell',
              severity: 'high',
              path: 'Dockerfile',
              line: 2,
              message: 'What a server sends is executed unseen; download it, verify it, then run it.',
            },
            {
              rule_id: 'node-eval',
              severity: 'high',
              path: 'src/run.js',
              line: 1,
              message: 'Code is made of a string at run time; the source of the string decides the code.',
            },
          ],
          findings_total: 2,
        },
      },
      warnings: [],
      confidence: 'high',
    },
    {
      shows: 'a rule of your own, and a pack of the registry that is refused',
      needs: ['semgrep'],
      files: {
        '~/.codegenie/config.yaml': 'semgrep.config: [p/ci, ~/rules]\n',
        '~/rules/house.yaml':
          'rules:\n  - {id: no-greeting, languages: [python], severity: WARNING, message: Do not greet., pattern: greet(...)}\n',
        'a.py': 'greet("x")\n',
      },
      gives: {
        semgrep_findings: {
          findings: [{ rule_id: 'no-greeting', severity: 'medium', path: 'a.py', line: 1, message: 'Do not greet.' }],
          findings_total: 1,
          files_scanned: 1,
        },
      },
      warnings: ['semgrep.not_configured'],
      confidence: 'high',
    },
    {
      shows: 'what cannot be parsed costs confidence, not the scan',
      needs: ['semgrep'],
      files: { 'broken.js': 'eval(a\n', 'whole.js': 'eval(a);\n' },
      gives: { semgrep_findings: { outcome: { kind: 'ran' }, findings_total: 1, files_scanned: 2 } },
      warnings: ['semgrep.partial_parse'],
      confidence: 'medium',
    },
    { shows: 'prose has no code to scan', files: { 'README.md': '# x\n' }, gives: {}, skipped: 'not_applicable' },
  ],
});
