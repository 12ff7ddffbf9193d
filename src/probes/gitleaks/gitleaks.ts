/**
 * Secrets that lie in the repository: where, of which kind, and a fingerprint by which two are known to be the same. By gitleaks
 * where it is installed, else by the patterns of our own redactor. What the repository asks to overlook is told all the same.
 */

import { defineProbe } from '../../gather/contract.ts';
import { versionPairFreshness } from '../../gather/freshness/index-checks.ts';
import { createToolClock } from '../shared/scanners.ts';
import { gitleaksFacts } from './gitleaks-facts.ts';
import { gitleaksSection } from './gitleaks-section.ts';

const timeoutSeconds = 120;
/** In parts, so that no scanner takes this file for a leak. */
const seeded = ['AKIA', 'Q7ZX3MWLPD2NVB6K'].join('');
const keyFrame = (body: string) =>
  ['-----BEGIN ', 'PRIVATE KEY-----', `\n${body}\n`, '-----END ', 'PRIVATE KEY-----\n'].join('');
const keyBody =
  'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7Vdp2Wq9XhJtR0z\nY4nKfPmLs8GcUeTbAi3oQw6xZ1vNrEyHkDgS5jMlCuBt7aO+p/FI';

export default defineProbe({
  name: 'gitleaks',
  version: '0.3.4',
  layer: 'G',
  says: 'Secrets in the files in scope, on request in the history too: places, kinds and fingerprints, never the secrets.',
  heaviness: 'medium',
  sections: { gitleaks_findings: gitleaksSection },
  facts: gitleaksFacts,
  declaredInputs: ['**/*', 'config:gitleaks.config'],
  deriveInputs: async (_repo, ctx) => (ctx.config['gitleaks.history'] ? ['git-head:<resolved>'] : []),
  configKeys: ['gitleaks.history', 'gitleaks.config'],
  tools: ['gitleaks'],
  timeoutSeconds,
  budget: { rssMb: 400, rawArtifactMb: 64, truncateMb: 20 },
  artifacts: ['gitleaks-findings.json'],
  warningIds: [
    'gitleaks.tool_missing',
    'gitleaks.findings_present',
    'gitleaks.not_configured',
    'gitleaks.history_not_scanned',
    'gitleaks.files_left_out',
  ],
  errorIds: ['gitleaks.scan_failed'],
  confidenceRule:
    'high when gitleaks ran, medium when the built-in patterns did, a text is too large or the history that was asked for could not be read, low when it failed or scanned nothing',
  index: {
    name: 'gitleaks',
    check: versionPairFreshness({ index: 'gitleaks', versionKey: 'rule_pack_version' }),
    async expected(repo, ctx) {
      const { expectedGitleaksVersion } = await import('./gitleaks-run.ts');
      const { version } = await ctx.exec.toolVersion('gitleaks');
      return { expected_rule_pack_version: expectedGitleaksVersion(repo, version) };
    },
    detail: (slice) => ({
      scanner: slice['scanner'] ?? null,
      rule_pack_version: slice['rule_pack_version'] ?? null,
      files_scanned: slice['files_scanned'] ?? 0,
      findings_count: slice['findings_count'] ?? 0,
    }),
  },
  async run(repo, ctx) {
    const { gatherGitleaks } = await import('./gather-gitleaks.ts');
    return gatherGitleaks(repo, ctx, createToolClock(repo, 'gitleaks', timeoutSeconds));
  },
  examples: [
    { shows: 'without a file there is nothing to look into', files: {}, gives: {}, skipped: 'not_applicable' },
    {
      shows: 'a seeded key is found by either scanner, whatever the repository asks to overlook',
      files: {
        '.gitleaks.toml': '[allowlist]\npaths = [".*"]\n',
        '.gitleaksignore': 'src/config.py:aws-access-token:2\n',
        'src/config.py': `# settings\nkey_id = "${seeded}"\n`,
        'src/other.py': `key_id = "${seeded}"  # gitleaks:allow\n`,
      },
      gives: {
        gitleaks_findings: {
          outcome: { kind: 'ran' },
          history_scanned: false,
          findings_count: 2,
          findings: [
            {
              rule_id: 'aws_access_key',
              path: 'src/config.py',
              line: 2,
              description: 'AWS access key id',
              match_fingerprint: '11b9e73f',
              commit: null,
            },
            {
              rule_id: 'aws_access_key',
              path: 'src/other.py',
              line: 1,
              description: 'AWS access key id',
              match_fingerprint: '11b9e73f',
              commit: null,
            },
          ],
          suppressed_by_repo: 2,
        },
      },
    },
    {
      shows:
        'an alarm is what is probably real, in a place that ships or runs; the rest is listed with what it was taken for',
      files: {
        'src/signer.py': `key = """${keyFrame(keyBody)}"""\n`,
        'test/certs/server.key': keyFrame(keyBody),
        'docs/setup.rst': `  SECRET_KEY = '${'5f352379324c2246'}3451387a0aec5d2f'\n`,
        'src/form.vue': `<textarea placeholder="${keyFrame('').split('\n')[0]}"></textarea>\n`,
        'config/app.example.yml': `token: "${'9aKq27Zx'}Wm41Lr88Vt03"\n`,
        'web/search.ts': `const search = {\n  indexName: 'site',\n  apiKey: '${'5f352379324c2246'}3451387a0aec5d2f',\n};\n`,
      },
      gives: {
        gitleaks_findings: {
          findings_count: 6,
          alarms_count: 1,
          findings: [
            { path: 'src/signer.py', line: 1, standing: 'probable' },
            { path: 'config/app.example.yml', standing: 'example' },
            { path: 'docs/setup.rst', standing: 'documentation' },
            { path: 'src/form.vue', standing: 'placeholder' },
            { path: 'test/certs/server.key', standing: 'test' },
            { path: 'web/search.ts', line: 3, standing: 'public' },
          ],
        },
      },
      facts: [{ id: 'secrets.real', scope: '.', value: ['src/signer.py:1'], confidence: 'medium' }],
    },
    {
      shows: 'nothing of the kind',
      files: { 'a.py': 'print("hello")\n' },
      gives: {
        gitleaks_findings: { outcome: { kind: 'ran' }, findings_count: 0, findings: [], suppressed_by_repo: 0 },
      },
    },
    {
      shows: 'the history is looked at on request',
      needs: ['gitleaks', 'bwrap'],
      files: { '.codegenie/config.yaml': 'gitleaks.history: true\n', 'a.py': 'print("hello")\n' },
      gives: { gitleaks_findings: { scanner: 'gitleaks', history_scanned: true, findings_count: 0 } },
      warnings: [],
      confidence: 'high',
    },
  ],
});
