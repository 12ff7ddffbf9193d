/**
 * Are the house rules kept? Rules come from convention files of the user and of the repository (gather.md §14).
 * Promise: a rule's regex can cost time but never the gather, and a rule that could not be judged is never reported as kept.
 */

import { defineProbe, type ProbeRepo } from '../../gather/contract.ts';
import { versionPairFreshness } from '../../gather/freshness/index-checks.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { decodeLenient } from '../../kernel/base/text.ts';
import {
  catalogVersion,
  confidenceOf,
  type PerFileError,
  relativeToConfigured,
  shownPath,
  sortPerFileErrors,
} from '../shared/authored-files.ts';
import type { ConventionRule } from './convention-catalog.ts';
import { conventionsSection } from './conventions-section.ts';

const CATALOG_FORMAT = '1';
const keys = ['conventions.user_path', 'conventions.repo_path'] as const;
const dockerfiles = ['**/Dockerfile', '**/Dockerfile.*', '**/*.Dockerfile', '**/Containerfile*'];

export default defineProbe({
  name: 'conventions',
  version: '0.1.0',
  layer: 'D',
  says: 'Which house rules of the convention files hold, which do not, and where.',
  heaviness: 'light',
  sections: { 'organizational.conventions': conventionsSection },
  declaredInputs: ['config:conventions.user_path:*.yaml', 'config:conventions.repo_path:*.yaml', ...dockerfiles],
  configKeys: keys,
  async deriveInputs(repo) {
    if (catalogIds(repo).length === 0) return [];
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
    expected: async (repo) => ({ expected_catalog_version: currentVersion(repo) }),
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
    const { rules, resolved, errors: catalogErrors } = await readCatalogs(repo);
    const { checkConventions } = await import('./check-conventions.ts');
    const { createRegexRunner } = await import('./user-regex.ts');
    const { compileGlobs } = await import('../../kernel/tree/path-patterns.ts');
    const files = repo.inputs.list().filter((id) => !/^(?:config:|user:|\.codegenie\/)/.test(id));
    const fileErrors: PerFileError[] = [];
    const regexes = createRegexRunner(ctx.signal);
    let results: Awaited<ReturnType<typeof checkConventions>>;
    try {
      results = await checkConventions(rules, {
        dockerfiles: files.filter(compileGlobs(dockerfiles)),
        files,
        regexes,
        readText: async (path) => {
          const outcome = await repo.inputs.read(path, limits.textBytes);
          if (outcome.kind === 'read') return decodeLenient(outcome.bytes);
          if (outcome.kind === 'failed') {
            const { catalogReadError } = await import('./convention-catalog.ts');
            fileErrors.push({ path, ...catalogReadError(outcome.failure) });
          }
          return null;
        },
      });
    } finally {
      await regexes.close();
    }
    const count = (result: string) => results.filter((entry) => entry.result === result).length;
    const errors = sortPerFileErrors([...catalogErrors, ...fileErrors]);
    const timedOut = results.some((entry) => entry.evidence === 'rule_timeout');
    return {
      kind: 'ran',
      slice: {
        'organizational.conventions': {
          results: results.map(({ violations: _violations, ...shown }) => shown),
          rules_checked: results.length,
          passed: count('pass'),
          failed: count('fail'),
          not_applicable: count('not_applicable'),
          catalog_paths_resolved: resolved,
          catalog_version: currentVersion(repo),
          outcome: { kind: 'ran' },
          scanned_at: ctx.startedAt,
          per_file_errors: errors,
        },
      },
      confidence: timedOut && errors.length === 0 ? 'medium' : confidenceOf(resolved.length, errors.length),
      warnings: [
        ...(errors.length > 0 ? ['conventions.per_file_errors_present'] : []),
        ...(timedOut ? ['conventions.rule_timeout'] : []),
      ],
      evidence: results.flatMap((entry) =>
        entry.violations.map(({ path, line }) => (line === null ? { path } : { path, lines: [line, line] as const })),
      ),
    };
  },
});

function catalogIds(repo: ProbeRepo): readonly string[] {
  return repo.inputs.list().filter((id) => keys.some((key) => isCatalogOf(repo, id, key)));
}

function isCatalogOf(repo: ProbeRepo, id: string, key: (typeof keys)[number]): boolean {
  const name = relativeToConfigured(repo.root, id, { key, position: 0, path: repo.config[key] });
  return name !== undefined && /^[^/]*\.yaml$/.test(name);
}

function currentVersion(repo: ProbeRepo): string {
  return catalogVersion(CATALOG_FORMAT, repo, catalogIds(repo));
}

/** Rules by id; those of the user come before those of the repository where ids are equal. */
async function readCatalogs(repo: ProbeRepo) {
  const { catalogReadError, parseConventionCatalog } = await import('./convention-catalog.ts');
  const rules: ConventionRule[] = [];
  const resolved: string[] = [];
  const errors: PerFileError[] = [];
  for (const key of keys) {
    for (const id of catalogIds(repo).filter((candidate) => isCatalogOf(repo, candidate, key))) {
      const path = shownPath(repo, id);
      const read = await repo.inputs.read(id, limits.yamlCatalogBytes);
      if (read.kind === 'absent' || resolved.includes(path)) continue;
      if (read.kind === 'failed') {
        errors.push({ path, ...catalogReadError(read.failure) });
        continue;
      }
      const outcome = parseConventionCatalog(read.bytes);
      if (outcome.kind === 'failed') errors.push({ path, ...outcome.error });
      else {
        rules.push(...outcome.rules);
        resolved.push(path);
      }
    }
  }
  return { rules: rules.sort((a, b) => compareCodeUnits(a.id, b.id)), resolved: resolved.sort(), errors };
}
