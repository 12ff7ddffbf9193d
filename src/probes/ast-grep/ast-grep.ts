/**
 * Places that ast-grep finds with our own rules for JavaScript, TypeScript, Python and Go, and with the user's. Ours are run by a build that
 * is carried; the user's need the program. The repository's own `sgconfig.yml` is never read, and a scan that read no file is a failure.
 */

import { defineProbe } from '../../gather/contract.ts';
import { versionPairFreshness } from '../../gather/freshness/index-checks.ts';
import { createToolClock, expectedRulePackVersion, hasSource, scanDetail, scanSection } from '../shared/scanners.ts';

const timeoutSeconds = 60;

export default defineProbe({
  name: 'ast_grep',
  version: '0.2.0',
  layer: 'G',
  says: 'What ast-grep finds in JavaScript, TypeScript, Python and Go with built-in rules and yours.',
  heaviness: 'medium',
  sections: { ast_grep_findings: scanSection },
  extracts: ['ast-grep'],
  declaredInputs: [
    '**/*',
    'config:ast_grep.config',
    'config:ast_grep.config:**/*.{yml,yaml}',
    // Rules lie beside the configuration that names them; of a file, configuration gives the file alone.
    'user:ast-grep-rules/**/*.{yml,yaml}',
  ],
  catalogs: ['ast-grep-rules'],
  configKeys: ['ast_grep.config'],
  tools: ['ast-grep'],
  timeoutSeconds,
  budget: { rssMb: 400, rawArtifactMb: 64, truncateMb: 20 },
  artifacts: ['ast-grep-findings.json'],
  warningIds: ['ast_grep.tool_missing', 'ast_grep.not_configured', 'ast_grep.files_left_out'],
  errorIds: ['ast_grep.scan_failed'],
  confidenceRule:
    'high when it ran, medium when it left out files that are too large, minified or unreadable, or rules of yours for want of the program, low when it failed or scanned nothing',
  applies: hasSource,
  index: {
    name: 'ast_grep',
    check: versionPairFreshness({ index: 'ast_grep', versionKey: 'rule_pack_version' }),
    async expected(repo, ctx) {
      const { listAstGrepRules } = await import('./ast-grep-rules.ts');
      const { engine, rules } = await listAstGrepRules(repo, ctx.exec);
      return { expected_rule_pack_version: expectedRulePackVersion(engine, rules) };
    },
    detail: scanDetail,
  },
  async run(repo, ctx) {
    const { gatherAstGrep } = await import('./gather-ast-grep.ts');
    return gatherAstGrep(repo, ctx, createToolClock(repo, 'ast_grep', timeoutSeconds));
  },
  examples: [
    {
      shows: 'one custom rule beside the built-in ones; what the repository configures has no effect',
      needs: ['ast-grep'],
      files: {
        '~/.codegenie/ast-grep-rules/sgconfig.yml': 'ruleDirs: [rules]\n',
        '~/.codegenie/ast-grep-rules/rules/greet.yml':
          'id: no-greeting\nlanguage: Python\nseverity: warning\nmessage: Do not greet.\nrule: {pattern: greet($$$)}\n',
        '~/.codegenie/ast-grep-rules/drafts/other.yml':
          'id: draft\nlanguage: Python\nmessage: x\nrule: {pattern: greet($$$)}\n',
        'sgconfig.yml': 'ruleDirs: [none]\n',
        '.ignore': 'src\n',
        'src/a.py': 'greet("x")\n',
        'src/b.ts': 'try { go(); } catch {}\n',
      },
      gives: {
        ast_grep_findings: {
          artifact_uri: '.codegenie/context/raw/ast-grep-findings.json',
          outcome: { kind: 'ran' },
          rules_run: 14,
          findings_by_severity: { error: 0, warning: 2, info: 0 },
          findings: [
            { rule_id: 'no-greeting', severity: 'medium', path: 'src/a.py', line: 1, message: 'Do not greet.' },
            {
              rule_id: 'script-swallowed-error',
              severity: 'medium',
              path: 'src/b.ts',
              line: 1,
              message: 'An error is caught and nothing is done about it, not even in words.',
            },
          ],
          findings_total: 2,
        },
      },
      warnings: [],
      confidence: 'high',
    },
    {
      shows: 'built-in rules alone need no program; three grammars of one rule count once',
      files: {
        'a.go': 'package a\n\nvar c = tls.Config{InsecureSkipVerify: true}\n',
        'b.py': 'import os\n\nos.system("ls " + name)\n',
        'c.tsx': 'export const clean = 1;\n',
      },
      gives: {
        ast_grep_findings: {
          rules_run: 13,
          files_scanned: 3,
          findings: [
            {
              rule_id: 'go-verification-off',
              severity: 'high',
              path: 'a.go',
              line: 3,
              message: 'Certificates are not verified.',
            },
            {
              rule_id: 'python-shell',
              severity: 'high',
              path: 'b.py',
              line: 3,
              message: 'The command goes through a shell, with all that the shell reads into it.',
            },
          ],
        },
      },
      warnings: [],
      confidence: 'high',
    },
    {
      shows: 'code that no rule is for is not code without findings',
      files: { 'src/main.rs': 'fn main() {}\n' },
      gives: {},
      skipped: 'not_applicable',
    },
    { shows: 'prose has no code to scan', files: { 'README.md': '# x\n' }, gives: {}, skipped: 'not_applicable' },
  ],
});
