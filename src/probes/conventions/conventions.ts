/**
 * Are the house rules kept? Rules come from convention files of the user and of the repository (gather.md §14).
 * Promise: a rule's regex can cost time but never the gather, and a rule that could not be judged is never reported as kept.
 */

import { defineProbe } from '../../gather/contract.ts';
import { versionPairFreshness } from '../../gather/freshness/index-checks.ts';
import { dockerfileGlobs } from '../dockerfile/dockerfile-section.ts';
import { catalogIds, conventionKeys, conventionsSection, conventionsVersion } from './conventions-section.ts';

export default defineProbe({
  name: 'conventions',
  version: '0.1.1',
  layer: 'D',
  says: 'Which house rules of the convention files hold, which do not, and where.',
  heaviness: 'light',
  sections: { 'organizational.conventions': conventionsSection },
  declaredInputs: ['config:conventions.user_path:*.yaml', 'config:conventions.repo_path:*.yaml', ...dockerfileGlobs],
  configKeys: conventionKeys,
  async deriveInputs(repo) {
    if (catalogIds(repo).length === 0) return [];
    const { readCatalogs } = await import('./convention-catalog.ts');
    const { rules } = await readCatalogs(repo);
    return rules.flatMap((rule) => {
      if (rule.glob === null) return [];
      // By name alone where no byte decides: `missing_file` asks only whether something is there.
      return [rule.regex === null ? `names:${rule.glob}` : rule.glob];
    });
  },
  timeoutSeconds: 30,
  warningIds: ['conventions.per_file_errors_present', 'conventions.rule_timeout'],
  confidenceRule:
    'high when every convention file was read and every rule judged, medium when some were not, low when no file was usable',
  index: {
    name: 'conventions',
    check: versionPairFreshness({ index: 'conventions', versionKey: 'catalog_version' }),
    expected: async (repo) => ({ expected_catalog_version: conventionsVersion(repo) }),
    detail: (slice) => ({
      catalog_version: slice['catalog_version'] ?? null,
      rules_checked: slice['rules_checked'] ?? 0,
      passed: slice['passed'] ?? 0,
      failed: slice['failed'] ?? 0,
      not_applicable: slice['not_applicable'] ?? 0,
    }),
  },
  examples: [
    {
      shows: 'four rules, one of each kind; `npm start` is found in the exec form of the final stage',
      files: {
        Dockerfile: 'FROM node:24 AS build\nUSER root\nFROM node:24-slim\nUSER node\nCMD ["npm", "start"]\n',
        'src/a.ts': '// Copyright\nexport {};\n',
        'src/b.ts': 'export {};\n',
        '.env': 'A=1\n',
        '.codegenie/conventions/house.yaml': [
          'rules:',
          '  - {id: starts-with-npm, description: Started by npm, kind: dockerfile_pattern, pattern: npm start}',
          '  - {id: no-latest, description: No floating tag, kind: dockerfile_pattern_inverted, pattern: ":latest"}',
          '  - {name: header, description: Every file has a header, detect: {type: file_pattern, pattern: ^// Copyright}, file_glob: "src/*.ts"}',
          '  - {id: no-env, description: No env file, kind: missing_file, pattern: .env}',
        ].join('\n'),
      },
      gives: {
        'organizational.conventions': {
          results: [
            {
              id: 'header',
              description: 'Every file has a header',
              result: 'fail',
              evidence: 'src/b.ts: pattern not found',
            },
            { id: 'no-env', description: 'No env file', result: 'fail', evidence: 'unexpected file present: .env' },
            { id: 'no-latest', description: 'No floating tag', result: 'pass', evidence: [] },
            {
              id: 'starts-with-npm',
              description: 'Started by npm',
              result: 'pass',
              evidence: [{ path: 'Dockerfile', line: 5 }],
            },
          ],
          rules_checked: 4,
          passed: 2,
          failed: 2,
          not_applicable: 0,
          catalog_paths_resolved: ['.codegenie/conventions/house.yaml'],
          outcome: { kind: 'ran' },
          per_file_errors: [],
        },
      },
      confidence: 'high',
    },
    {
      shows: 'a rule without anything to look at is not applicable; a bare list is a catalog too',
      files: {
        'a.txt': 'x',
        '~/.codegenie/conventions/mine.yaml':
          '- {id: a, kind: dockerfile_pattern, pattern: x}\n- {id: b, kind: file_pattern, pattern: x, file_glob: "*.md"}\n',
      },
      gives: {
        'organizational.conventions': {
          results: [
            { id: 'a', description: '', result: 'not_applicable', evidence: 'no_dockerfile_present' },
            { id: 'b', description: '', result: 'not_applicable', evidence: 'file_glob_no_matches' },
          ],
          not_applicable: 2,
        },
      },
      confidence: 'high',
    },
    {
      shows: 'a regex that backtracks is an error of its own rule, and the others are still judged',
      files: {
        'a.txt': `${'a'.repeat(60)}!\n`,
        '.codegenie/conventions/x.yaml':
          'rules:\n- {id: slow, kind: file_pattern, pattern: "^(a+)+$", file_glob: a.txt}\n- {id: z, kind: file_pattern, pattern: "!", file_glob: a.txt}\n',
      },
      gives: {
        'organizational.conventions': {
          results: [
            { id: 'slow', description: '', result: 'error', evidence: 'rule_timeout' },
            { id: 'z', description: '', result: 'pass', evidence: [{ path: 'a.txt', line: 1 }] },
          ],
        },
      },
      warnings: ['conventions.rule_timeout'],
      confidence: 'medium',
    },
    {
      shows: 'a bad rule rejects its file only, and a glob cannot reach out of the repository',
      files: {
        '.codegenie/conventions/a.yaml': '- {id: a, kind: telepathy, pattern: x}\n',
        '.codegenie/conventions/b.yaml': '- {id: b, kind: dockerfile_pattern, pattern: "("}\n',
        '.codegenie/conventions/c.yaml': '- {id: c, kind: missing_file, pattern: "user:**"}\n',
        '.codegenie/conventions/d.yaml': '- {id: d, kind: missing_file, pattern: secrets.txt}\n',
        '.codegenie/conventions/e.yaml': 'rules: yes please\n',
      },
      gives: {
        'organizational.conventions': {
          results: [{ id: 'd', description: '', result: 'pass', evidence: [] }],
          per_file_errors: [
            { path: '.codegenie/conventions/a.yaml', reason: 'unknown_pattern_type', offending_kind: 'telepathy' },
            { path: '.codegenie/conventions/b.yaml', reason: 'invalid_regex', details: 'b' },
            {
              path: '.codegenie/conventions/c.yaml',
              reason: 'schema',
              details: 'rule 1: file_glob must stay inside the repository',
            },
            {
              path: '.codegenie/conventions/e.yaml',
              reason: 'schema',
              details: 'neither a list of rules nor a mapping with rules',
            },
          ],
        },
      },
      warnings: ['conventions.per_file_errors_present'],
      confidence: 'medium',
    },
    { shows: 'without convention files it is skipped', files: { 'a.txt': 'x' }, gives: {}, skipped: 'not_configured' },
  ],
  async run(repo, ctx) {
    const catalogs = catalogIds(repo);
    if (catalogs.length === 0) return { kind: 'skipped', reason: 'not_configured', detail: 'no convention file' };
    const { gatherConventions } = await import('./gather-conventions.ts');
    return gatherConventions(repo, ctx);
  },
});
